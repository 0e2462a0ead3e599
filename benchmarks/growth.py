"""How the cost of one call grows with the number of links: the slope of log time over log links, 30 to 1000."""

from __future__ import annotations

import numpy as np

from benchmarks.contest import Claim, Result, compete
from benchmarks.forward_dynamics_call import OURS, contenders
from benchmarks.long_chain import chain
from benchmarks.peers import chain_urdf

LENGTHS = (30, 60, 100, 200, 400, 700, 1000)


def contest(rounds: int) -> Result:
    lines, curves = [], {}
    for n in LENGTHS:
        result = compete(
            f"{n} links", contenders(chain(n), chain_urdf(n), 0.1), tolerance=1e-6, rounds=rounds,
            calls=max(20000 // n, 1), unit="us",
        )  # fmt: skip
        if n == LENGTHS[-1]:
            lines += result.lines
        for line in result.lines:
            curves.setdefault(line.contender, []).append((n, line.median_seconds))
    slopes = {name: exponent(points) for name, points in curves.items()}
    return Result(
        f"growth from {LENGTHS[0]} to {LENGTHS[-1]} links; the rows are {LENGTHS[-1]} links",
        "us",
        1e6,
        tuple(lines),
        rounds=rounds,
        facts={f"exponent of {name}": slope for name, slope in slopes.items() if name != OURS},
        claims=(Claim(f"exponent of {OURS}", slopes[OURS], 1.0),),
        curves={name: tuple(points) for name, points in curves.items()},
    )


def exponent(points: list[tuple[int, float]]) -> float:
    sizes, seconds = np.log(np.array(points)).T
    return float(np.polyfit(sizes, seconds, 1)[0])
