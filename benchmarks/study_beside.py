"""A page that plays while a study of a million states is computed beside it: does it draw fewer pictures?

Two visits to one server: one plays two arms that carry a box, the other asks *Study* for a million states. Pictures are
those that the viewer has drawn; turns of ten seconds with a study and without one take each other's places.
"""

from __future__ import annotations

import shutil
import statistics
import time

from playwright.sync_api import sync_playwright

from benchmarks.contest import QUICK_ROUNDS, Claim, Result
from benchmarks.page import BROWSER_ARGUMENTS, Watched, served_app

SLOW = True
SECONDS, MOST_ROUNDS = 10.0, 3
ASKED = "study=q:3.14%3Bfilter.joint_inertia%3Ajoint_1%3B1000000"
LEAST = 0.98
"""Of the pictures that are drawn with no study: as good as all."""


def pictures_a_second(watched: Watched) -> float:
    """Drawn by the viewer in one turn."""
    before, start = watched.data("frames"), time.perf_counter()
    time.sleep(SECONDS)
    return (watched.data("frames") - before) / (time.perf_counter() - start)


def contest(rounds: int) -> Result:
    """Frames with and without."""
    many = 1 if rounds <= QUICK_ROUNDS else MOST_ROUNDS
    alone, beside = list[float](), list[float]()
    with served_app() as (url, _), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=BROWSER_ARGUMENTS)
        asking = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
        asking.goto(f"{url}?preset=puma560&play=0&tab=Study&{ASKED}")
        start, stop = (asking.get_by_role("button", name=name, exact=True) for name in ("Start", "Stop"))
        start.wait_for(timeout=60_000)
        playing = Watched(browser, f"{url}?preset=two_arms_and_box&play=1")
        time.sleep(5.0)
        for _ in range(many):
            alone.append(pictures_a_second(playing))
            start.click()
            stop.wait_for(timeout=60_000)
            beside.append(pictures_a_second(playing))
            if stop.count():
                stop.click()
            start.wait_for(timeout=60_000)
        browser.close()
    facts = {"drawn a second, alone": statistics.median(alone), "beside a study": statistics.median(beside)}
    share = facts["beside a study"] / facts["drawn a second, alone"]
    claim = Claim("pictures alone / beside a study", 1.0 / share, 1.0 / LEAST)
    return Result("a page that plays beside a study", "s", 1.0, (), rounds=many, facts=facts, claims=(claim,))
