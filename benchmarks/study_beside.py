"""A page that plays while studies are computed beside it: does it draw fewer frames?

Two visits to one server: one plays two arms that carry a box, the other starts *Study*, once for a million states,
which takes seconds, much of it for showing the results, and once for disagreement, which takes longer than anybody
watches. The frames are those that the viewer has drawn from the click until the study has ended, or ten seconds have
passed; before each there are ten seconds without a study, and ten beside idle loops, one per core, with the same low
priority as a study: these show the cost of any other work. The page that started the study draws its results in the
same browser and on the same cores; for a study started elsewhere, it is frozen after its click.
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
from typing import NamedTuple

import psutil
from playwright.sync_api import Browser, sync_playwright

from benchmarks.contest import QUICK_ROUNDS, Claim, Result
from benchmarks.page import BROWSER_ARGUMENTS, CountedPage, served_app

SLOW = True
SECONDS, MOST_ROUNDS, OFTEN = 10.0, 3, 0.2
ASKED = {"a million states": "filter.joint_inertia%3Ajoint_1%3B1000000", "disagreement": "agreement%3B100000"}
LEAST = 0.98
"""Share of the frames without a study: practically all."""


class Turns(NamedTuple):
    """Frames per second: alone, beside idle loops, beside a study started here, or elsewhere."""

    alone: float
    idle: float
    here: float
    elsewhere: float


def pictures_a_second(watched: CountedPage, has_ended: Callable[[], bool] = lambda: False) -> float:
    """Frames per second drawn by the viewer in one turn."""
    before, start = watched.data("frames"), time.perf_counter()
    while time.perf_counter() < start + SECONDS and not has_ended():
        time.sleep(OFTEN)
    return (watched.data("frames") - before) / (time.perf_counter() - start)


@contextlib.contextmanager
def loops() -> Iterator[None]:
    """Runs a loop per core that does nothing, with the lowest priority."""
    made = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"], start_new_session=True)
        for _ in range(os.cpu_count() or 1)
    ]
    try:
        for each in made:
            os.sched_setscheduler(each.pid, os.SCHED_IDLE, os.sched_param(0))
        yield
    finally:
        for each in made:
            each.kill()
            each.wait()


def is_at_work(server: psutil.Process) -> bool:
    """Whether a study is running."""
    with contextlib.suppress(psutil.NoSuchProcess):  # it has ended meanwhile
        return any("app.instruments.study.process" in " ".join(child.cmdline()) for child in server.children())
    return False


def turns(browser: Browser, served: tuple[str, psutil.Process], playing: CountedPage, asked: str, rounds: int) -> Turns:
    """Frames per second in each of these cases."""
    url, server = served
    found: dict[str, list[float]] = {name: [] for name in Turns._fields}
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    asking = context.new_page()
    asking.goto(f"{url}?preset=puma560&play=0&tab=Study&study=q:3.14%3B{asked}")
    start, stop = (asking.get_by_role("button", name=name, exact=True) for name in ("Start", "Stop"))
    start.wait_for(timeout=60_000)
    time.sleep(5.0)
    state = context.new_cdp_session(asking)
    for _ in range(rounds):
        found["alone"].append(pictures_a_second(playing))
        with loops():
            found["idle"].append(pictures_a_second(playing))
        for place in ("here", "elsewhere"):
            start.click()
            stop.wait_for(timeout=60_000)
            if place == "elsewhere":
                state.send("Page.setWebLifecycleState", {"state": "frozen"})
            found[place].append(pictures_a_second(playing, lambda: not is_at_work(server)))
            state.send("Page.setWebLifecycleState", {"state": "active"})
            if is_at_work(server):
                stop.click()
            start.wait_for(timeout=60_000)
            time.sleep(3.0)
    context.close()
    return Turns(*map(statistics.median, found.values()))


def contest(rounds: int) -> Result:
    """Frames per second with and without studies."""
    many = 1 if rounds <= QUICK_ROUNDS else MOST_ROUNDS
    facts, claims = dict[str, float](), list[Claim]()
    with served_app() as (url, server), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=BROWSER_ARGUMENTS)
        playing = CountedPage(browser, f"{url}?preset=two_arms_and_box&play=1")
        for words, asked in ASKED.items():
            drawn = turns(browser, (url, server), playing, asked, many)
            facts |= {f"drawn a second, {how}, {words}": rate for how, rate in drawn._asdict().items()}
            claims.append(
                Claim(f"pictures alone / beside {words}, asked elsewhere", drawn.alone / drawn.elsewhere, 1.0 / LEAST)
            )
        browser.close()
    return Result("a page that plays beside a study", "s", 1.0, (), rounds=many, facts=facts, claims=tuple(claims))
