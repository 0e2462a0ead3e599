"""A class: many pages opened together, many that play and change things, and one on a slow connection.

Most pages are websocket sessions that receive their pieces, play and report as a browser's player does; they share the
processor with the measured server. ``python -m benchmarks.class_of --pages 100 --seconds 1800`` is the soak test;
as a contest it is short. ``rounds`` is not used.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import shutil
import statistics
import time
from collections.abc import Sequence

import psutil
from playwright.sync_api import Browser, sync_playwright

from benchmarks.contest import Claim, Result
from benchmarks.page import BROWSER_ARGUMENTS, CountedPage, answers_to_a_slider, cpu, served_app
from benchmarks.raw_page import RawPage
from benchmarks.report import as_text

SLOW = True
OPENED, WITHIN = 60, 30.0
"""Pages that are opened one after the other, and the seconds over which they are opened."""
PLAYING, SECONDS = 100, 30.0
"""Pages that play at once, and the seconds of measurement."""
CHANGING, PERIOD = 10, 5.0
"""One in this many pages changes a slider, once in each period of seconds."""
CHANGE = "Change"
"""The instrument with the slider."""
QUERY = "preset=two_arms_and_box&play=1"
PATIENCE = 60.0
"""Seconds after which a missing answer counts as one that took this long."""
SLOW_LINE = {"offline": False, "latency": 200, "downloadThroughput": 2e6 / 8, "uploadThroughput": 2e6 / 8}


def contest(rounds: int) -> Result:
    del rounds
    return class_of(OPENED, PLAYING, SECONDS)


def class_of(opened: int, playing: int, seconds: float) -> Result:
    """The whole benchmark; a part whose number is 0 is left out."""
    facts: dict[str, float] = {}
    claims: list[Claim] = []
    if opened:
        with served_app() as (one, _), served_app() as (other, _):  # a visitor stays with the same server
            urls = [f"{url}?{QUERY}" for url in (one, other)]
            moved = asyncio.run(opened_together(urls, opened, WITHIN * opened / OPENED))
        facts["pages opened together: motion after its request, median s"] = statistics.median(moved)
        claims.append(Claim(f"last of {opened} pages, two processes: moves after, s", moved[-1], 5.0))
        facts[f"worst of {opened} pages, s"] = max(moved)
        print(f"opened: {claims[-1]}", flush=True)
    if playing:
        with served_app() as (url, server):
            more, limits = asyncio.run(played_together(f"{url}?{QUERY}", server, playing, seconds))
        facts |= more
        claims += limits
        print(f"playing: {more} {limits}", flush=True)
    with served_app() as (url, _), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=BROWSER_ARGUMENTS)
        claims += slow_line(browser, f"{url}?{QUERY}")
        browser.close()
    return Result("a class of pages", "s", 1.0, (), "each on its own line", 1, facts, tuple(claims))


async def opened_together(urls: Sequence[str], count: int, within: float) -> list[float]:
    """Seconds from each request to the page's first motion, in the order of the requests."""
    pages = [RawPage(urls[number % len(urls)]) for number in range(count)]

    async def open_one(number: int) -> None:
        await asyncio.sleep(number * within / count)
        await pages[number].open()

    await asyncio.gather(*(open_one(number) for number in range(count)))
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and any(math.isnan(page.moved) for page in pages):
        await asyncio.sleep(0.1)
    found = [PATIENCE if math.isnan(page.moved) else page.moved - page.asked for page in pages]
    print("asked to wait:", [page.refused for page in pages], [round(one, 1) for one in found], flush=True)
    await asyncio.gather(*(page.close() for page in pages))
    return found


async def played_together(
    url: str, server: psutil.Process, count: int, seconds: float
) -> tuple[dict[str, float], list[Claim]]:
    """Response times of sliders, and the server's load, while ``count`` pages play."""
    pages = [RawPage(url) for _ in range(count)]
    for page in pages:
        await page.open()
        await asyncio.sleep(0.2)
    changing = pages[::CHANGING]
    for page in changing:
        page.open_instrument(CHANGE)
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and not all(page.has_slider for page in changing):
        await asyncio.sleep(0.2)
    await settled(pages)
    used, held, start = cpu(server), server.memory_info().rss, time.monotonic()
    waited = sum(page.waiting for page in pages)
    turning = [asyncio.create_task(turn(page, number / len(changing))) for number, page in enumerate(changing)]
    await asyncio.sleep(seconds)
    elapsed = time.monotonic() - start
    share = (cpu(server) - used) / elapsed
    grown = (server.memory_info().rss - held) / 2**20
    for task in turning:
        task.cancel()
    waited = sum(page.waiting for page in pages) - waited
    answers = sorted(answer for page in changing for answer in page.every_answer(PATIENCE))
    lost = sum(page.closed for page in pages)
    await asyncio.gather(*(page.close() for page in pages))
    facts = {
        f"{count} pages play: server, cores": share,
        "changes": float(len(answers)),
        "a change shown after, median s": statistics.median(answers) if answers else math.nan,
        "a change shown after, worst s": answers[-1] if answers else math.nan,
        "clocks that waited for an instant, share of the time": waited / (elapsed * count),
        "connections lost": float(lost),
        "growth of the server, MiB": grown,
    }
    return facts, [Claim(f"{count} pages play: a change shown after, 95 %, s", percentile(answers, 0.95), 0.3)]


async def settled(pages: Sequence[RawPage]) -> None:
    """Waits until the runs have arrived."""
    for _ in range(60):
        before = sum(page.messages for page in pages)
        await asyncio.sleep(1.0)
        if sum(page.messages for page in pages) - before < 4 * len(pages):
            return


async def turn(page: RawPage, share: float) -> None:
    """Changes the page's slider repeatedly; offset from the others by ``share`` of the period."""
    await asyncio.sleep(share * PERIOD)
    value = 0.0
    while True:
        value = 0.4 - value
        page.move_slider(value + 0.1)
        await asyncio.sleep(PERIOD)


def percentile(found: Sequence[float], share: float) -> float:
    """The smallest of the sorted values that ``share`` of them do not exceed."""
    return found[max(math.ceil(share * len(found)) - 1, 0)] if found else math.nan


def slow_line(browser: Browser, url: str) -> list[Claim]:
    """A page at 2 Mbit/s and 200 ms, as emulated by Chromium; its browser cache is filled by an earlier visit.

    The websocket is slowed only if this version of Chromium supports that.
    """
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    CountedPage(browser, url, context).page.close()
    watched = CountedPage(browser, url, context, SLOW_LINE)
    answer = statistics.median(answers_to_a_slider(watched, 5))
    watched.close()
    return [
        Claim("2 Mbit/s, 200 ms: first motion, s", watched.first_motion, 4.0),
        Claim("2 Mbit/s, 200 ms: answer to a slider, median s", answer, 0.8),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.class_of", description=__doc__)
    parser.add_argument("--opened", type=int, default=OPENED, help="pages opened together; 0 for none")
    parser.add_argument("--pages", type=int, default=PLAYING, help="pages that play; 0 for none")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for which they play")
    options = parser.parse_args()
    print(as_text(class_of(options.opened, options.pages, options.seconds)))


if __name__ == "__main__":
    main()
