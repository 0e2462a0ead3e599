"""Nothing grows: pages are opened, played, changed and closed for a long time, and the server stays as it was.

``python -m benchmarks soak`` does that for half an hour; ``python -m benchmarks.soak --minutes 1`` for another time,
and fails if something grows. First every visitor opens every machine once, and the first third of the readings is
warm-up: the data kept for each machine is created by its first pages. ``rounds`` is not used.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import statistics
import time
from collections.abc import Mapping, Sequence

from benchmarks.contest import Claim, Result
from benchmarks.raw_session import opened, use
from benchmarks.serving import Serving, serving

SLOW = True
MINUTES = 30.0
AT_ONCE = 3
"""Pages that are open at a time."""
LIVES = 8.0
"""Seconds for which each is open."""
PRESETS = "puma560", "two_arms_and_box", "planar_chain", "free_flyer"
ONCE = LIVES * len(PRESETS)
"""Seconds in which each visitor opens every machine once."""
SHORT = "--unused-session-lifetime", "500", "--check-unused-sessions", "300"
MEMORY = "memory, MiB"
MOST_MEMORY = 40.0
"""MiB by which the median of the last third may exceed that of the second."""
LEFT = {"tasks": 1.0, "threads": 8.0, "open files": 4.0}
"""Allowed increase between the state after the first pages and that after closing all pages; threads of the compute
pool are created when they are first needed."""


def contest(rounds: int) -> Result:
    del rounds
    return soak(MINUTES)


def soak(minutes: float) -> Result:
    """Opens pages for ``minutes`` minutes, and reports what has grown."""
    with serving(*SHORT) as server:
        asyncio.run(_used(server, ONCE, AT_ONCE))
        asyncio.run(_left(server))
        before = read(server)
        readings, failed = asyncio.run(_used(server, 60.0 * minutes, AT_ONCE))
        left = asyncio.run(_left(server))
        after, figures = read(server), server.figures()
    claims = [Claim(f"growth of {MEMORY}", growth(readings), MOST_MEMORY)]
    claims += [Claim(f"{name} left over", after[name] - before[name], most) for name, most in LEFT.items()]
    claims += [Claim("pages left open", left, 0.0), Claim("pages that failed", failed, 0.0)]
    claims += [Claim("faults in the log", figures["armsweep_faults_total"], 0.0)]
    facts = {
        "minutes": minutes,
        "pages": figures["armsweep_sessions_opened_total"],
        "runs": figures["armsweep_runs_total"],
        "pieces": figures["armsweep_pieces_total"],
        "memory before, MiB": before[MEMORY],
        "memory at the end, MiB": after[MEMORY],
    }
    return Result("nothing grows", "s", 1.0, (), "as they say", 1, facts, tuple(claims))


async def _used(server: Serving, seconds: float, at_once: int) -> tuple[list[dict[str, float]], int]:
    until, failed, asked_to_wait = time.monotonic() + seconds, 0, 0

    async def visit(number: int) -> None:
        nonlocal failed, asked_to_wait
        await asyncio.sleep(number * LIVES / at_once)
        while time.monotonic() < until:
            preset = PRESETS[number % len(PRESETS)]
            number += 1
            try:
                async with opened(server.address, f"preset={preset}&play=1") as page:
                    asked_to_wait += page.refused
                    await use(page, LIVES)
                    failed += page.closed or not page.pieces
            except Exception as error:
                print(f"a page failed: {error!r}", flush=True)
                failed += 1

    visitors = [asyncio.create_task(visit(number)) for number in range(at_once)]
    readings = []
    while time.monotonic() < until:
        readings.append(await asyncio.to_thread(read, server))
        await asyncio.sleep(min(2.0, seconds / 30.0))
    await asyncio.gather(*visitors)
    print(f"asked to wait: {asked_to_wait}", flush=True)
    return readings, failed


async def _left(server: Serving) -> float:
    """Number of pages still open some time after the last was closed."""
    open_pages = math.inf
    for _ in range(50):
        open_pages = (await asyncio.to_thread(server.figures))["armsweep_sessions_open"]
        if not open_pages:
            break
        await asyncio.sleep(0.2)
    return open_pages


def read(server: Serving) -> dict[str, float]:
    """The server's current resources."""
    figures = server.figures()
    return {
        MEMORY: server.process.memory_info().rss / 2**20,
        "tasks": figures["armsweep_tasks"],
        "threads": float(server.process.num_threads()),
        "open files": float(server.process.num_fds()),
    }


def growth(readings: Sequence[Mapping[str, float]]) -> float:
    """MiB by which the median of the last third exceeds that of the second; the first third is warm-up."""
    third = len(readings) // 3
    second, last = readings[third : 2 * third], readings[2 * third :]
    return statistics.median(one[MEMORY] for one in last) - statistics.median(one[MEMORY] for one in second)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=MINUTES)
    result = soak(parser.parse_args(arguments).minutes)
    for name, value in result.facts.items():
        print(f"{name}: {value:.4g}")
    for claim in result.claims:
        print(f"{claim.what}: {claim.value:.3g}, at most {claim.limit:g}: {claim.verdict}")
    return int(any(claim.verdict != "holds" for claim in result.claims))


if __name__ == "__main__":
    raise SystemExit(main())
