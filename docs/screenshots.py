"""The README's picture of the page, into docs/pictures: ``python -m docs.screenshots``.

Starts the app on a free port, opens it in Debian's Chromium with software WebGL, waits for a moment of the motion
that shows much, pauses and saves. Needs the extra ``test`` and the Debian packages that README.md names.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
SIZE = {"width": 1280, "height": 800}
CHROMIUM = ["--disable-gpu", "--enable-unsafe-swiftshader", "--no-sandbox", "--no-first-run", "--disable-quic"]
CHROMIUM += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
START_SECONDS = 180.0  # a cold compilation at server start included
PATIENCE = 60.0
NAME = "arms.example.org"
"""By which a browser may call the app: what begins with 127. is an address for nobody else."""


@dataclass(frozen=True)
class Shot:
    """One picture: the preset, the tab of plots and the instant of the motion, s."""

    name: str
    preset: str
    tab: str
    time: float


SHOTS = (Shot("multi_arm", "two_arms_light_box", "Contact", 4.5),)


@contextmanager
def served() -> Iterator[str]:
    """The address of the app, served by a process of its own."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "panel", "serve", "app", "--port", str(port), "--address", "127.0.0.1"]
    command += ["--allow-websocket-origin", f"127.0.0.1:{port}", "--allow-websocket-origin", NAME]
    with tempfile.TemporaryFile("w+") as log:
        server = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            deadline = time.monotonic() + START_SECONDS
            while not answers(f"http://127.0.0.1:{port}/health"):
                if server.poll() is not None or time.monotonic() > deadline:
                    log.seek(0)
                    raise RuntimeError(f"the server did not start:\n{log.read()}")
                time.sleep(0.2)
            yield f"http://127.0.0.1:{port}/app"
        finally:
            os.killpg(server.pid, signal.SIGTERM)
            try:
                server.wait(timeout=10.0)
            except subprocess.TimeoutExpired:
                os.killpg(server.pid, signal.SIGKILL)


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(address, timeout=5.0):
            return True
    except (urllib.error.URLError, OSError):
        return False


def shown_time(page: Page) -> float:
    """The instant that the page says it shows, s; -1 while it says none."""
    readout = page.get_by_text(re.compile(r"[\d.]+ s of \d+ s")).first
    found = re.search(r"([\d.]+) s of", readout.text_content() or "")
    return float(found.group(1)) if found else -1.0


def wait_for_time(page: Page, earliest: float, latest: float) -> None:
    deadline = time.monotonic() + PATIENCE
    while not earliest <= shown_time(page) <= latest:
        if time.monotonic() > deadline:
            raise RuntimeError(f"the motion never showed an instant from {earliest:g} s to {latest:g} s")
        page.wait_for_timeout(20)


def take(page: Page, address: str, shot: Shot) -> bytes:
    """The page at the shot's instant, paused, as PNG."""
    page.goto(f"{address}?preset={shot.preset}&play=1")
    page.locator("canvas[role=application]").wait_for(timeout=1e3 * PATIENCE)
    wait_for_time(page, shot.time - 2.0, shot.time)
    page.get_by_role("tablist", name="Sets of plots").get_by_role("tab", name=shot.tab, exact=True).click()
    wait_for_time(page, shot.time, shot.time + 0.5)
    page.mouse.click(850, 34)  # an empty place of the bar: no button has the keys
    page.keyboard.press(" ")
    page.get_by_text(re.compile(r"methods agree to \de-1\d")).wait_for()
    page.wait_for_timeout(2500)  # ripples of clicks fade, the plots catch up
    return page.screenshot()


def small(png: bytes) -> bytes:
    """The same picture in the 256 colors that suit it, a third of the bytes: the README opens quickly."""
    picture, packed = Image.open(io.BytesIO(png)).convert("RGB"), io.BytesIO()
    picture.quantize(256, Image.Quantize.MEDIANCUT).save(packed, "PNG", optimize=True)
    return packed.getvalue()


def main() -> None:
    path = shutil.which("chromium")
    if path is None:
        sys.exit("chromium is not installed; README.md names the Debian packages.")
    PICTURES.mkdir(exist_ok=True)
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM)
        page = browser.new_page(viewport=SIZE)
        for shot in SHOTS:
            file = PICTURES / f"{shot.name}.png"
            file.write_bytes(small(take(page, address, shot)))
            print(f"{file.relative_to(ROOT)}: {file.stat().st_size / 1e3:.0f} kB")
        browser.close()


if __name__ == "__main__":
    main()
