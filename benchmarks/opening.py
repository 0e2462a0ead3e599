"""Waiting times of a new visitor: a first start, and later openings; compared with another checkout in the same run.

``python -m benchmarks.opening --against ../before`` opens both in turns. Cold: nothing is compiled; warm: everything.
``rounds`` is not used.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import psutil
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.contest import Claim, Result
from benchmarks.page import BROWSER_ARGUMENTS, FIRST_MOTION

SLOW = True
ROOT = Path(__file__).resolve().parents[1]
OPENINGS, RELOADS, TABS = 7, 5, 10
PATIENCE = 600.0
WHOLE = """() => !document.getElementById("opening") && typeof Bokeh !== "undefined" && Bokeh.documents.length > 0
  && Bokeh.documents[0].is_idle"""
LIMITS = {"port": 5.0, "picture, cold": 3.0, "models": 150, "document, kB": 600}


@contextmanager
def served(root: Path, cache: str) -> Iterator[tuple[str, psutil.Process, float]]:
    """``panel serve app`` of a checkout: its page's address, its process, and the seconds until its port was open."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    settings = {**os.environ, "NUMBA_CACHE_DIR": cache, "PYTHONPATH": str(root)}
    command = [sys.executable, "-m", "panel", "serve", "app", "--port", str(port), "--address", "127.0.0.1"]
    since = time.monotonic()
    with tempfile.TemporaryFile() as log:
        process = psutil.Process(subprocess.Popen(command, cwd=root, env=settings, stdout=log, stderr=log).pid)
        try:
            while True:
                with socket.socket() as line:
                    if line.connect_ex(("127.0.0.1", port)) == 0:
                        break
                if time.monotonic() - since > PATIENCE:
                    raise RuntimeError("panel serve app does not answer")
                time.sleep(0.02)
            yield f"http://127.0.0.1:{port}/app", process, time.monotonic() - since
        finally:
            for each in (*process.children(recursive=True), process):
                each.kill()
            process.wait()


def document_of(frames: list[str | bytes]) -> tuple[int, int]:
    """Models and bytes of the document sent by a server, including its arrays."""
    for place, frame in enumerate(frames):
        if isinstance(frame, str) and '"PULL-DOC-REPLY"' in frame[:400]:
            arrays = json.loads(frame).get("num_buffers", 0)
            _, content, *rest = frames[place + 1 : place + 3 + 2 * arrays]
            return str(content).count('"type":"object"'), sum(map(len, (content, *rest)))
    return 0, 0


def opened(browser: Browser, address: str, server: psutil.Process) -> dict[str, float]:
    """One opening by a new visitor: seconds until something moves and until everything is there, and its cost."""
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    page = context.new_page()
    frames: list[str | bytes] = []
    page.on("websocket", lambda line: line.on("framereceived", lambda frame: frames.append(frame)))
    page.add_init_script(FIRST_MOTION)
    before, since = sum(server.cpu_times()[:2]), time.monotonic()
    page.goto(address, wait_until="commit")
    page.wait_for_function(WHOLE, timeout=1e3 * PATIENCE)
    whole = time.monotonic() - since
    picture = page.evaluate("window.firstMotion") / 1e3
    models, size = document_of(frames)
    page.wait_for_timeout(1000)
    context.close()
    return {
        "picture, s": picture, "page, s": whole, "server, s of a core": sum(server.cpu_times()[:2]) - before,
        "models": models, "document, kB": size / 1e3,
    }  # fmt: skip


def first_start(browser: Browser, root: Path) -> dict[str, float]:
    """Seconds until the port is open, until a visitor sees motion, and until the page is there."""
    with tempfile.TemporaryDirectory() as cache, served(root, cache) as (address, _, port):
        page = browser.new_page()
        page.add_init_script(FIRST_MOTION)
        since = time.monotonic()
        page.goto(address, wait_until="commit", timeout=1e3 * PATIENCE)
        page.wait_for_function("window.firstMotion !== undefined", timeout=1e3 * PATIENCE)
        picture = time.monotonic() - since
        page.wait_for_function(WHOLE, timeout=1e3 * PATIENCE)
        found = {"port": port, "picture, cold": picture, "page, cold": time.monotonic() - since + port}
        page.close()
    return found


def comes_back(page: Page) -> bool:
    """Whether the page is complete in the end."""
    page.wait_for_function(WHOLE, timeout=1e3 * PATIENCE)
    return page.title() == "Armsweep"


def by_one_person(browser: Browser, address: str) -> dict[str, float]:
    """How often a page reloaded while opening, and tabs opened together, are refused."""
    context = browser.new_context()
    page = context.new_page()
    answers: list[int] = []
    page.on("response", lambda answer: answers.append(answer.status) if answer.url == address else None)
    for _ in range(RELOADS):
        page.goto(address, wait_until="commit")
        page.wait_for_timeout(300)
    comes_back(page)
    tabs = [context.new_page() for _ in range(TABS)]
    for tab in tabs:
        tab.evaluate(f"location.href = '{address}?play=0'")
    came = sum(comes_back(tab) for tab in tabs)
    context.close()
    return {"reloads refused": sum(status >= 500 for status in answers), "tabs lost": TABS - came}


def measured(roots: dict[str, Path], cold: bool = True) -> dict[str, dict[str, float]]:
    """All figures of each checkout; medians of openings in turns."""
    found: dict[str, dict[str, float]] = {name: {} for name in roots}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=BROWSER_ARGUMENTS)
        for name, root in roots.items():
            if cold:
                found[name] |= first_start(browser, root)
        with ExitStack() as servers:  # an idle server costs nothing
            there = {
                name: servers.enter_context(served(root, servers.enter_context(tempfile.TemporaryDirectory())))
                for name, root in roots.items()
            }
            for address, _, _ in there.values():
                first = browser.new_page()
                first.goto(address, timeout=1e3 * PATIENCE)
                comes_back(first)
                first.close()
            seen = [
                {name: opened(browser, address, server) for name, (address, server, _) in there.items()}
                for _ in range(OPENINGS)
            ]
            for name, (address, _, _) in there.items():
                found[name] |= by_one_person(browser, address)
        for name in roots:
            found[name] |= {what: statistics.median(turn[name][what] for turn in seen) for what in seen[0][name]}
        browser.close()
    return found


def contest(rounds: int, against: Path | None = None, cold: bool = True) -> Result:
    del rounds
    roots = {"ours": ROOT} | ({"before": against.resolve()} if against is not None else {})
    found = measured(roots, cold)
    ours, before = found["ours"], found.get("before", {})
    facts: dict[str, Any] = {what: value for what, value in ours.items() if what not in LIMITS}
    facts |= {f"{what}, before": value for what, value in before.items()}
    claims = [Claim(what, ours[what], limit) for what, limit in LIMITS.items() if what in ours]
    claims += [
        Claim(f"{what}, / before", ours[what] / before[what], 0.5) for what in ("picture, s", "page, s") if before
    ]
    return Result("Opening", "s", 1.0, (), facts=facts, claims=tuple(claims))


def main() -> None:
    from benchmarks.report import as_text

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--against", type=Path, help="another checkout, opened in turns with this one")
    parser.add_argument("--warm", action="store_true", help="without a first start, which compiles for a minute")
    options = parser.parse_args()
    print(as_text(contest(0, options.against, not options.warm)))


if __name__ == "__main__":
    main()
