"""No moment is lost: the server is killed at any instant, the connection cut or silent, the browser asleep.

``python -m benchmarks killed`` kills twenty times; ``python -m benchmarks.killed --times 3`` another number of times,
and fails if a page does not come back. Each time the page has to report it, to keep playing, and to return to the
moment that its picture has reached meanwhile. ``rounds`` is not used.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.contest import Claim, Result
from benchmarks.cut import Line
from benchmarks.serving import Serving

SLOW = True
TIMES = 20
ARGUMENTS = [
    "--disable-gpu", "--enable-unsafe-swiftshader", "--no-sandbox", "--no-first-run", "--disable-quic",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
LENGTH = 10.0
"""Seconds of a run, after which it starts again."""
NEAR = 0.25
"""Seconds of motion by which a recovered page may be off."""
PATIENCE = 120.0
"""Seconds after which a page that has not recovered is lost."""
WATCH = """
window.seen = {first: null, last: null, early: []}
document.addEventListener("armsweep:moment", ({detail}) => {
  if (detail.time) window.seen.first ??= [detail.time, Date.now()]
  if (window.seen.early.length < 60) window.seen.early.push(detail.time)
  window.seen.last = detail.time
})
const leave = () => sessionStorage.setItem("left", JSON.stringify([window.seen.last, Date.now()]))
if (window === top) addEventListener("pagehide", leave)
"""
WORD = "[data-armsweep-connection]"


@dataclass
class Recovery:
    """The behavior of a page, for each disturbance.

    Attributes:
        told: s until the page reported it.
        stood: s without a new picture while the recovered page was being loaded; 0 if it was not reloaded.
        off: s of motion between the moment where it was left and the nearest of its first moments after recovery.
        stopped: how often the picture stopped while there was no server.
        lost: how often it did not recover.
    """

    told: list[float] = field(default_factory=list)
    stood: list[float] = field(default_factory=list)
    off: list[float] = field(default_factory=list)
    stopped: int = 0
    lost: int = 0

    @property
    def returned(self) -> int:
        """How often it recovered its moment."""
        return sum(off <= NEAR for off in self.off)


def contest(rounds: int) -> Result:
    del rounds
    return disturbed(TIMES)


def disturbed(times: int, seed: int = 1) -> Result:
    """A page whose server is killed ``times`` times; then its connection is cut and silent, and its browser asleep."""
    line, drawn = Line(), random.Random(seed)
    server = Serving(("--allow-websocket-origin", f"127.0.0.1:{line.port}"))
    line.lead_to(server.port)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
            page = playing(browser, f"http://127.0.0.1:{line.port}/app?preset=two_arms_and_box&play=1")
            killed = Recovery()
            for _ in range(times):
                page.wait_for_timeout(1e3 * drawn.uniform(0.0, 3.0))
                disturb(page, killed, server.kill, server.start, must_tell=True)
                print(f"killed: back {killed.returned} of {len(killed.told)}", flush=True)
            kinds = {"killed": killed}
            for seconds in (1.0, 30.0):
                kinds[f"cut for {seconds:g} s"] = found = Recovery()
                disturb(page, found, line.cut, after(seconds, page, line.mend), must_tell=True)
            for seconds in (1.0, 30.0):
                kinds[f"silent for {seconds:g} s"] = found = Recovery()
                disturb(page, found, line.hush, after(seconds, page, line.mend), must_tell=seconds > 15.0)
            kinds["asleep for 30 s"] = found = Recovery()
            sleep(page, found, line)
            browser.close()
    finally:
        server.kill()
    facts = {}
    for name, found in kinds.items():
        facts |= {
            f"{name}: told after, median s": statistics.median(found.told or [0.0]),
            f"{name}: no picture while loading, median s": statistics.median(found.stood or [0.0]),
            f"{name}: off by, most, s of motion": max(found.off, default=0.0),
        }
    claims = tuple(
        Claim(f"{name}: {what}", value, 0.0)
        for name, found in kinds.items()
        for what, value in (
            ("not back at its moment", float(len(found.off) + found.lost - found.returned)),
            ("the picture stopped meanwhile", float(found.stopped)),
        )
    )
    return Result(f"a server killed {times} times, a line cut", "s", 1.0, (), "all return", 1, facts, claims)


def playing(browser: Browser, address: str) -> Page:
    """A page whose complete run has arrived."""
    page = browser.new_context(viewport={"width": 1000, "height": 700}).new_page()
    page.add_init_script(WATCH)
    page.goto(address, timeout=60_000.0)
    page.wait_for_function("window.seen.last > 0.2", timeout=60_000.0)
    settle(page)
    return page


def settle(page: Page) -> None:
    """Waits until the run has arrived."""
    canvas = page.locator("canvas[role=application]")
    due = time.monotonic() + 60.0
    while time.monotonic() < due and int(canvas.get_attribute("data-instants") or 0) < 50 * LENGTH:
        page.wait_for_timeout(200)


def after(seconds: float, page: Page, act: Callable[[], None]) -> Callable[[], None]:
    """A function that calls ``act`` after a delay."""

    def wait() -> None:
        page.wait_for_timeout(1e3 * seconds)
        act()

    return wait


def disturb(page: Page, found: Recovery, begin: Callable[[], None], end: Callable[[], None], must_tell: bool) -> None:
    """One disturbance, until the page has recovered."""
    page.evaluate("window.here = true")
    begin()
    begun = time.monotonic()
    if must_tell:
        page.locator(WORD).wait_for(timeout=1e3 * PATIENCE)
        found.told.append(time.monotonic() - begun)
        found.stopped += not moves(page)
    end()
    back(page, found)


def moves(page: Page) -> bool:
    """Whether the picture moves."""
    before = page.evaluate("window.seen.last")
    page.wait_for_timeout(400)
    return bool(page.evaluate("window.seen.last") != before)


def back(page: Page, found: Recovery) -> None:
    """Waits until the message is gone and the page plays; then checks whether it is where it was left."""
    due = time.monotonic() + PATIENCE
    while time.monotonic() < due:
        page.wait_for_timeout(100)
        try:
            state = page.evaluate(f"[window.here ?? false, window.seen, !!document.querySelector('{WORD}')]")
        except Exception:  # a page that is being loaded has no state
            continue
        stayed, seen, told = state
        if told or seen["first"] is None or not moves(page):
            continue
        if stayed:
            found.off.append(0.0)
            found.stood.append(0.0)
        else:
            left, left_at = json.loads(page.evaluate("sessionStorage.getItem('left')"))
            away = [abs(time - left) for time in page.evaluate("window.seen.early")]
            found.off.append(min(min(one, LENGTH - one) for one in away))
            found.stood.append((seen["first"][1] - left_at) / 1e3)
        settle(page)
        return
    found.lost += 1


def sleep(page: Page, found: Recovery, line: Line) -> None:
    """The browser's page is frozen as by a closed lid, and its connections are gone when it wakes."""
    page.evaluate("window.here = true")
    wire = page.context.new_cdp_session(page)
    wire.send("Page.setWebLifecycleState", {"state": "frozen"})
    line.cut()
    time.sleep(30.0)
    line.mend()
    wire.send("Page.setWebLifecycleState", {"state": "active"})
    back(page, found)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.killed", description=__doc__)
    parser.add_argument("--times", type=int, default=TIMES)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    result = disturbed(options.times, options.seed)
    for name, value in result.facts.items():
        print(f"{name}: {value:.3g}")
    for claim in result.claims:
        print(f"{claim.what}: {claim.value:g}: {claim.verdict}")
    return int(any(claim.verdict != "holds" for claim in result.claims))


if __name__ == "__main__":
    raise SystemExit(main())
