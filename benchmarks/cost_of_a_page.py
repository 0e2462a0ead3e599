"""Server CPU time for one page: for its opening, and for a changed torque.

Pages connect by websocket. CPU time is measured instead of elapsed time, so that other load matters less.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
from collections.abc import Sequence

import psutil

from benchmarks.contest import Result
from benchmarks.page import cpu, served_app
from benchmarks.raw_page import RawPage
from benchmarks.report import as_text

SLOW = True
PRESETS = ("puma560", "two_arms_and_box")
TIMES = 7
STILL, LOOK = 0.1, 0.5
"""CPU share below which a page that only plays counts as idle, and seconds between two measurements."""
LONGEST = 60.0
"""Seconds after which a page should be idle on any machine."""


def contest(rounds: int) -> Result:
    return cost(PRESETS, rounds)


def cost(presets: Sequence[str], times: int) -> Result:
    """Medians of several openings and changes of each preset."""
    facts: dict[str, float] = {}
    with served_app() as (url, server):
        for preset in presets:
            found = asyncio.run(costs(f"{url}?preset={preset}&play=1", server, times))
            facts |= {f"{preset}: {name}": statistics.median(each) for name, each in found.items()}
    return Result("what one page costs the server", "s", 1.0, (), "none", times, facts)


async def costs(url: str, server: psutil.Process, times: int) -> dict[str, list[float]]:
    """CPU seconds of each opening and of each change."""
    found: dict[str, list[float]] = {}

    def note(name: str, seconds: float) -> None:
        found.setdefault(name, []).append(seconds)

    for number in range(times + 1):
        page, before = RawPage(url), cpu(server)
        await page.open()
        sent = cpu(server)
        await at_rest(server)
        whole = cpu(server)
        if number:  # the first one has to import modules
            note("opened, until its document is sent, s of a core", sent - before)
            note("opened, until all of its run is there, s of a core", whole - before)
        page.open_instrument("Change")
        while not page.has_slider:
            await asyncio.sleep(0.1)
        await at_rest(server)
        before, size = cpu(server), page.bytes
        page.move_slider(0.1 + 0.05 * (number % 5 + 1))
        await at_rest(server)
        if number:
            note("a changed torque, until all of the run is there, s of a core", cpu(server) - before)
            note("a changed torque, shown after, s", page.answers[-1])
            note("a changed torque, MB", (page.bytes - size) / 1e6)
        await page.close()
        await asyncio.sleep(LOOK)
    return found


async def at_rest(server: psutil.Process) -> None:
    """Waits until the server is idle in two successive measurements."""
    quiet = 0
    for _ in range(round(LONGEST / LOOK)):
        before = cpu(server)
        await asyncio.sleep(LOOK)
        quiet = quiet + 1 if cpu(server) - before < STILL * LOOK else 0
        if quiet == 2:
            return


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cost_of_a_page", description=__doc__)
    parser.add_argument("--times", type=int, default=TIMES, help="how often each is measured")
    parser.add_argument("presets", nargs="*", default=PRESETS)
    options = parser.parse_args()
    print(as_text(cost(options.presets, options.times)))


if __name__ == "__main__":
    main()
