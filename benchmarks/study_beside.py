"""A page that plays while studies are computed beside it: does it draw fewer pictures?

Two visits to one server: one plays two arms that carry a box, the other asks *Study*, once for a million states, which
is over in seconds of which much is to show what was found, once for disagreement, which takes longer than anybody
watches. Pictures are those that the viewer has drawn from the click until the study has ended, or ten seconds have
passed; ten seconds without a study stand before each, and ten beside loops that do nothing, as many as a study has
processes, behind everything else as it is: what these cost, the machine takes for any work whatever.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

from playwright.sync_api import Browser, sync_playwright

from app.studies.behind import LAST, stand_behind
from benchmarks.contest import QUICK_ROUNDS, Claim, Result
from benchmarks.page import BROWSER_ARGUMENTS, Watched, served_app

SLOW = True
SECONDS, MOST_ROUNDS, OFTEN = 10.0, 3, 0.2
ASKED = {"a million states": "filter.joint_inertia%3Ajoint_1%3B1000000", "disagreement": "agreement%3B100000"}
LEAST = 0.98
"""Of the pictures that are drawn with no study: as good as all."""


def pictures_a_second(watched: Watched, has_ended: Callable[[], bool] = lambda: False) -> float:
    """Drawn by the viewer in one turn."""
    before, start = watched.data("frames"), time.perf_counter()
    while time.perf_counter() < start + SECONDS and not has_ended():
        time.sleep(OFTEN)
    return (watched.data("frames") - before) / (time.perf_counter() - start)


@contextlib.contextmanager
def loops() -> Iterator[None]:
    """One a core, that does nothing, behind everything else."""
    made = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"], start_new_session=True)
        for _ in range(os.cpu_count() or 1)
    ]
    try:
        for each in made:
            stand_behind(LAST, each.pid)
        yield
    finally:
        for each in made:
            each.kill()
            each.wait()


def turns(browser: Browser, url: str, playing: Watched, asked: str, rounds: int) -> tuple[float, float, float]:
    """Pictures a second alone, beside loops that do nothing, and beside a study."""
    alone, idle, beside = list[float](), list[float](), list[float]()
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    asking = context.new_page()
    asking.goto(f"{url}?preset=puma560&play=0&tab=Study&study=q:3.14%3B{asked}")
    start, stop = (asking.get_by_role("button", name=name, exact=True) for name in ("Start", "Stop"))
    start.wait_for(timeout=60_000)
    time.sleep(5.0)
    for _ in range(rounds):
        alone.append(pictures_a_second(playing))
        with loops():
            idle.append(pictures_a_second(playing))
        start.click()
        stop.wait_for(timeout=60_000)
        beside.append(pictures_a_second(playing, lambda: not stop.count()))
        if stop.count():
            stop.click()
        start.wait_for(timeout=60_000)
        time.sleep(1.0)
    context.close()
    return statistics.median(alone), statistics.median(idle), statistics.median(beside)


def contest(rounds: int) -> Result:
    """Frames with and without."""
    many = 1 if rounds <= QUICK_ROUNDS else MOST_ROUNDS
    facts, claims = dict[str, float](), list[Claim]()
    with served_app() as (url, _), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=BROWSER_ARGUMENTS)
        playing = Watched(browser, f"{url}?preset=two_arms_and_box&play=1")
        for words, asked in ASKED.items():
            alone, idle, beside = turns(browser, url, playing, asked, many)
            facts |= {
                f"drawn a second, before {words}": alone,
                f"beside idle loops, before {words}": idle,
                f"beside {words}": beside,
            }
            claims.append(Claim(f"pictures alone / beside {words}", alone / beside, 1.0 / LEAST))
        browser.close()
    return Result("a page that plays beside a study", "s", 1.0, (), rounds=many, facts=facts, claims=tuple(claims))
