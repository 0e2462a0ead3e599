"""The cost of a page: to open, and while it plays; drawn frames, the response to a slider, memory, first motion.

Each mode as it opens, with an instrument that does not follow the motion and with those that do; then the
fullest page, also with six panels. It serves the app, opens it in headless Chromium with software WebGL and measures
from outside; ``rounds`` is not used.
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
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import psutil
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from benchmarks.contest import Result

SLOW = True
ROOT = Path(__file__).resolve().parents[1]
# Chromium's own mode without a GPU: WebGL by SwiftShader, the page itself by its software compositor. Forcing all of it
# through SwiftShader (--use-angle=swiftshader) would also paint the plots there, ten times slower.
BROWSER_ARGUMENTS = [
    "--disable-gpu", "--enable-unsafe-swiftshader", "--no-sandbox", "--no-first-run", "--disable-quic",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
FIRST_MOTION = """document.addEventListener("armsweep:moment", ({detail}) => {
  if (window.firstMoment === undefined) window.firstMoment = detail.time
  else if (detail.time !== window.firstMoment) window.firstMotion ??= performance.now()
})"""
"""Milliseconds from the request until something moves: the opening before the page, or the page itself."""
LONG = 120.0
"""Seconds for which a page plays while its memory is measured."""
SESSIONS = 50
MODES = ("Single arm", "Multi-arm", "Free-flying")
FULLEST = "Multi-arm"
MORE_PANELS = ("smoother/force", "filter/residual")
OPENINGS = 5
LIMITS = (
    "CPU 0.35 s to open, 1 % of a core, 3 % with Walk or Contact, 28 drawn a second, slider 0.3 s, scrub 16 ms, "
    "first motion 5 s, memory flat"
)


def contest(rounds: int) -> Result:
    del rounds
    facts: dict[str, float] = {}
    with served_app() as (url, server), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=BROWSER_ARGUMENTS)
        for mode in MODES:
            facts |= {f"{mode}: {name}": value for name, value in playing(browser, url, server, mode).items()}
        full = playing(browser, url, server, FULLEST, MORE_PANELS)
        facts |= {f"{FULLEST}, six panels: {name}": value for name, value in full.items()}
        facts |= opening(url, server)
        facts |= long_play(browser, url, server)
        facts |= many_sessions(browser, url, server)
        browser.close()
    return Result("the page, which the browser plays", "s", 1.0, (), LIMITS, 1, facts)


@contextmanager
def served_app(*options: str) -> Iterator[tuple[str, psutil.Process]]:
    """``panel serve app`` on a free port, once it responds; its starting time is printed.

    Args:
        options: additional options of the command.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "panel", "serve", "app", "--port", str(port), "--address", "127.0.0.1"]
    command += ["--unused-session-lifetime", "5000", "--check-unused-sessions", "1000", *options]
    started = time.perf_counter()
    process = subprocess.Popen(command, cwd=ROOT, start_new_session=True)
    try:
        while not answers(f"http://127.0.0.1:{port}/health"):
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


class CountedPage:
    """A page whose websocket traffic is counted.

    Args:
        context: of the page, possibly with an earlier visit.
        line: the network that Chromium is to emulate.
    """

    def __init__(
        self,
        browser: Browser,
        url: str,
        context: BrowserContext | None = None,
        line: Mapping[str, float | bool] | None = None,
    ) -> None:
        self.context = context or browser.new_context(viewport={"width": 1440, "height": 900})
        self.page: Page = self.context.new_page()
        if line is not None:
            self.context.new_cdp_session(self.page).send("Network.emulateNetworkConditions", dict(line))
        self.bytes = 0
        self.page.on("websocket", lambda ws: ws.on("framereceived", self._count))
        self.page.add_init_script(FIRST_MOTION)
        self.page.goto(url)
        self.page.wait_for_selector("#opening", state="detached", timeout=60_000)
        self.first_motion = float(self.page.evaluate("window.firstMotion")) / 1e3
        self.whole = float(self.page.evaluate("performance.now()")) / 1e3
        self.page.wait_for_selector("canvas[data-frames]", timeout=60_000)
        while self.data("moment") <= 0.0:
            time.sleep(0.02)

    def _count(self, payload: str | bytes) -> None:
        self.bytes += len(payload)

    def data(self, name: str) -> float:
        return float(self.page.locator("canvas").first.evaluate("(canvas, name) => canvas.dataset[name] || 0", name))

    def close(self) -> None:
        self.context.close()


def cpu(server: psutil.Process) -> float:
    """CPU seconds so far, including children."""
    times = [process.cpu_times() for process in (server, *server.children(recursive=True))]
    return sum(t.user + t.system for t in times)


def memory(server: psutil.Process) -> float:
    return float(server.memory_info().rss) / 2**20


def playing(
    browser: Browser, url: str, server: psutil.Process, mode: str, panels: tuple[str, ...] = (), seconds: float = 20.0
) -> dict[str, float]:
    """A mode after its run has arrived, with additional ``panels`` of the named quantities."""
    watched = CountedPage(browser, url)
    page = watched.page
    page.get_by_role("button", name=re.compile(mode)).first.click()
    for number, quantity in enumerate(panels, start=5):
        add_panel(page, number, quantity)
    facts = {"first motion, s": watched.first_motion, "all there, s": watched.whole, "meshes": watched.data("meshes")}
    for tab in ("Show", "Walk", *(["Contact"] if mode == FULLEST else [])):
        page.get_by_role("tablist", name="Instruments").get_by_role("tab", name=tab, exact=True).click()
        settle(watched)
        used, drawn, count, start = cpu(server), watched.data("frames"), watched.bytes, time.perf_counter()
        page.wait_for_timeout(1e3 * seconds)
        elapsed = time.perf_counter() - start
        facts |= {
            f"{tab}: server CPU, % of a core": 1e2 * (cpu(server) - used) / elapsed,
            f"{tab}: kB a second": 1e-3 * (watched.bytes - count) / elapsed,
            f"{tab}: pictures drawn a second": (watched.data("frames") - drawn) / elapsed,
        }
    facts["scrub: script a move, ms"] = script_of_a_scrub(watched)
    facts["answer to a slider, median s"] = statistics.median(answers_to_a_slider(watched))
    watched.close()
    return facts


def settle(watched: CountedPage) -> None:
    """Waits until the complete run, and everything caused by it, has arrived."""
    before = -1
    while watched.bytes - before > 200_000:
        before = watched.bytes
        watched.page.wait_for_timeout(4000)


def script_of_a_scrub(watched: CountedPage, moves: int = 60) -> float:
    """Milliseconds of script in the browser for each move of the scrubber, including everything caused by it."""
    page = watched.page
    session = watched.context.new_cdp_session(page)
    session.send("Performance.enable")

    def spent() -> float:
        metrics = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
        return float(metrics["ScriptDuration"])

    bar = page.locator("input[type=range][aria-label=Time]").first.bounding_box()
    assert bar is not None
    middle = bar["y"] + 0.5 * bar["height"]
    page.mouse.move(bar["x"] + 0.2 * bar["width"], middle)
    page.mouse.down()
    page.wait_for_timeout(500)
    before = spent()
    for number in range(moves):
        page.mouse.move(bar["x"] + (0.2 + 0.6 * (number + 1) / moves) * bar["width"], middle)
        page.wait_for_timeout(40)
    found = spent() - before
    page.mouse.up()
    session.detach()
    return 1e3 * found / moves


def answers_to_a_slider(watched: CountedPage, changes: int = 9) -> list[float]:
    """Seconds from a key on a torque slider to the first picture of the new run, while playing."""
    page = watched.page
    page.get_by_role("tab", name="Change", exact=True).click()
    page.get_by_role("button", name="Torques", exact=True).click()
    slider = page.get_by_role("slider", name="(N m)").first
    slider.wait_for(state="attached")
    slider.focus()
    found = []
    for _ in range(changes):
        page.locator("canvas").first.evaluate(
            """canvas => { window.answered = new Promise(done => addEventListener("keydown", () => {
              const [before, start] = [canvas.dataset.track, performance.now()]
              const look = () => canvas.dataset.track === before ? requestAnimationFrame(look)
                : done((performance.now() - start) / 1e3)
              look()
            }, {once: true, capture: true})) }"""
        )
        page.keyboard.press("ArrowRight")
        found.append(float(page.evaluate("window.answered")))
        page.wait_for_timeout(1000)
    return found


def opening(url: str, server: psutil.Process) -> dict[str, float]:
    """CPU seconds of the server for the page that it sends, without the browser's connection."""
    costs = []
    for _ in range(OPENINGS + 1):
        used = cpu(server)
        with urllib.request.urlopen(url, timeout=60) as page:
            page.read()
        costs.append(cpu(server) - used)
    return {"server CPU to open a page, median s": statistics.median(costs[1:])}


def add_panel(page: Page, number: int, quantity: str) -> None:
    """Adds a panel with a quantity of the list."""
    page.get_by_role("button", name="Add a panel").click()
    page.get_by_role("group", name=re.compile(rf"^Panel {number}:")).wait_for()
    page.locator(f"[data-key='{quantity}']").click()
    page.get_by_label("Panel to put it into").select_option(str(number - 1))
    page.get_by_role("button", name="Put", exact=True).click()
    page.get_by_label("Search quantities").press("Escape")


def long_play(browser: Browser, url: str, server: psutil.Process) -> dict[str, float]:
    """Memory of server and page during playback; the first third warms up."""
    watched = CountedPage(browser, url)
    heap = "() => performance.memory ? performance.memory.usedJSHeapSize / 2**20 : 0"
    readings = []
    start = time.perf_counter()
    while time.perf_counter() - start < LONG:
        watched.page.wait_for_timeout(1000)
        readings.append((memory(server), watched.page.evaluate(heap)))
    watched.close()
    third = len(readings) // 3
    growth = [
        statistics.median(r[k] for r in readings[-third // 2 :])
        - statistics.median(r[k] for r in readings[third : 3 * third // 2])
        for k in (0, 1)
    ]
    return {"growth of the server while a page plays, MiB": growth[0], "growth of the page's heap, MiB": growth[1]}


def many_sessions(browser: Browser, url: str, server: psutil.Process) -> dict[str, float]:
    """Memory of the server after sessions were opened, played and closed; the first ten warm up."""
    readings = []
    for number in range(SESSIONS + 10):
        watched = CountedPage(browser, url)
        watched.page.wait_for_timeout(300)
        watched.close()
        if number in (9, SESSIONS + 9):
            time.sleep(12.0)
            readings.append(memory(server))
    return {f"growth of the server over {SESSIONS} sessions, MiB": readings[1] - readings[0]}
