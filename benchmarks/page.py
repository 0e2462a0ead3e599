"""What a page costs while it plays: server CPU and bytes a frame, frames drawn, latency, memory, first moving frame.

Each mode as it opens, with the walker and seven or more ellipsoids; then the fullest page, with six panels too. It
serves the app, opens it in headless Chromium with software WebGL and watches from outside; ``rounds`` is not used.
"""

from __future__ import annotations

import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.contest import Result

SLOW = True
ROOT = Path(__file__).resolve().parents[1]
# Chromium's own way without a GPU: WebGL by SwiftShader, the page itself by its software compositor. Forcing all of it
# through SwiftShader (--use-angle=swiftshader) would paint the plots there too, ten times slower.
BROWSER_ARGUMENTS = [
    "--disable-gpu", "--enable-unsafe-swiftshader", "--no-sandbox", "--no-first-run", "--disable-quic",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
FRAMES = 2000
SESSIONS = 50
MODES = ("Single arm", "Multi-arm", "Free-flying")
FULLEST = "Multi-arm"
MORE_PANELS = ("smoother/force", "filter/residual")
LIMITS = "CPU 5 ms, 6 KB, 25 drawn a second, 100 ms, first frame 5 s, memory flat"


def contest(rounds: int) -> Result:
    del rounds
    facts: dict[str, float] = {}
    with served_app() as (url, server), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=BROWSER_ARGUMENTS)
        for mode in MODES:
            facts |= {f"{mode}: {name}": value for name, value in playing(browser, url, server, mode).items()}
        full = playing(browser, url, server, FULLEST, MORE_PANELS)
        facts |= {f"{FULLEST}, six panels: {name}": value for name, value in full.items()}
        facts |= long_play(browser, url, server)
        facts |= many_sessions(browser, url, server)
        browser.close()
    return Result("the page, playing, 3D at 30 Hz and plots at 10 Hz", "s", 1.0, (), LIMITS, 1, facts)


@contextmanager
def served_app() -> Iterator[tuple[str, psutil.Process]]:
    """``panel serve app`` on a free port, once it answers; its time to get there is printed."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "panel", "serve", "app", "--port", str(port), "--address", "127.0.0.1"]
    command += ["--unused-session-lifetime", "5000", "--check-unused-sessions", "1000"]
    started = time.perf_counter()
    process = subprocess.Popen(command, cwd=ROOT, start_new_session=True)
    try:
        while not answers(f"http://127.0.0.1:{port}/static/js/bokeh.min.js"):
            if process.poll() is not None or time.perf_counter() - started > 180.0:
                raise RuntimeError("panel serve app does not answer")
            time.sleep(0.1)
        print(f"server ready after {time.perf_counter() - started:.1f} s", flush=True)
        yield f"http://127.0.0.1:{port}/app", psutil.Process(process.pid)
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5):
            return True
    except (urllib.error.URLError, OSError):
        return False


class Watched:
    """A page with its websocket counted."""

    def __init__(self, browser: Browser, url: str) -> None:
        self.context = browser.new_context(viewport={"width": 1440, "height": 900})
        self.page: Page = self.context.new_page()
        self.bytes = 0
        self.page.on("websocket", lambda ws: ws.on("framereceived", self._count))
        started = time.perf_counter()
        self.page.goto(url)
        self.page.wait_for_selector("canvas[data-frames]", timeout=60_000)
        while self.data("received") < 2:
            time.sleep(0.02)
        self.first_frame = time.perf_counter() - started

    def _count(self, payload: str | bytes) -> None:
        self.bytes += len(payload)

    def data(self, name: str) -> float:
        return float(self.page.locator("canvas").first.evaluate("(canvas, name) => canvas.dataset[name] || 0", name))

    def close(self) -> None:
        self.context.close()


def cpu(server: psutil.Process) -> float:
    """Seconds of processor time so far, children included."""
    times = [process.cpu_times() for process in (server, *server.children(recursive=True))]
    return sum(t.user + t.system for t in times)


def memory(server: psutil.Process) -> float:
    return float(server.memory_info().rss) / 2**20


def playing(
    browser: Browser, url: str, server: psutil.Process, mode: str, panels: tuple[str, ...] = (), seconds: float = 10.0
) -> dict[str, float]:
    """One mode, after its run has been computed, with further ``panels`` of the quantities named."""
    watched = Watched(browser, url)
    watched.page.get_by_role("button", name=re.compile(mode)).first.click()
    for number, quantity in enumerate(panels, start=5):
        add_panel(watched.page, number, quantity)
    watched.page.wait_for_timeout(8000)
    used, received, drawn, count, start = (
        cpu(server), watched.data("received"), watched.data("frames"), watched.bytes, time.perf_counter()
    )  # fmt: skip
    latencies = []
    while time.perf_counter() - start < seconds:
        watched.page.wait_for_timeout(250)
        latencies.append(watched.data("latency"))
    elapsed = time.perf_counter() - start
    frames = watched.data("received") - received
    if frames <= 0:
        raise RuntimeError(f"{mode}: the page stood still for {elapsed:.0f} s although it should play")
    facts = {
        "first moving frame, s": watched.first_frame,
        "meshes": watched.data("meshes"),
        "frames sent a second": frames / elapsed,
        "frames drawn a second": (watched.data("frames") - drawn) / elapsed,
        "server CPU a frame, ms": 1e3 * (cpu(server) - used) / frames,
        "bytes a frame": (watched.bytes - count) / frames,
        "latency, median ms": statistics.median(latencies),
        "latency, 95th percentile ms": sorted(latencies)[int(0.95 * len(latencies))],
    }
    watched.close()
    return facts


def add_panel(page: Page, number: int, quantity: str) -> None:
    """One panel more, of a quantity of the list."""
    page.get_by_role("button", name="Add a panel").click()
    page.get_by_role("group", name=re.compile(rf"^Panel {number}:")).wait_for()
    page.locator(f"[data-key='{quantity}']").click()
    page.get_by_label("Panel to put it into").select_option(str(number - 1))
    page.get_by_role("button", name="Put", exact=True).click()
    page.get_by_label("Search quantities").press("Escape")


def long_play(browser: Browser, url: str, server: psutil.Process) -> dict[str, float]:
    """Memory of server and page while ``FRAMES`` frames play; the first tenth warms up."""
    watched = Watched(browser, url)
    first = watched.data("received")
    heap = "() => performance.memory ? performance.memory.usedJSHeapSize / 2**20 : 0"
    readings = []
    while watched.data("received") - first < 1.1 * FRAMES:
        watched.page.wait_for_timeout(1000)
        if watched.data("received") - first > 0.1 * FRAMES:
            readings.append((memory(server), watched.page.evaluate(heap)))
    watched.close()
    third = max(len(readings) // 3, 1)
    growth = [
        statistics.median(r[k] for r in readings[-third:]) - statistics.median(r[k] for r in readings[:third])
        for k in (0, 1)
    ]
    return {f"growth of the server over {FRAMES} frames, MiB": growth[0], "growth of the page's heap, MiB": growth[1]}


def many_sessions(browser: Browser, url: str, server: psutil.Process) -> dict[str, float]:
    """Memory of the server after sessions were opened, played and closed; the first ten warm up."""
    readings = []
    for number in range(SESSIONS + 10):
        watched = Watched(browser, url)
        watched.page.wait_for_timeout(300)
        watched.close()
        if number in (9, SESSIONS + 9):
            time.sleep(12.0)
            readings.append(memory(server))
    return {f"growth of the server over {SESSIONS} sessions, MiB": readings[1] - readings[0]}
