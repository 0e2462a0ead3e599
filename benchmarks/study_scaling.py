"""What a state costs in each part of a study, and where a thousand times as many would be lost: on paper, measured.

A process draws, closes, solves, watches, sums up and writes; ``dask.distributed`` hands out chunks. What each takes is
measured with two arms that hold a box. From that follow the times of as many states as a study takes, on a thousand
cores, each part by itself: the largest is where it is lost. One process hands out, and adds up what each chunk has been
summed up to, whoever solves.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np

import dynamics as dyn
from benchmarks.contest import QUICK_ROUNDS, Result
from benchmarks.study import FIND, OVER
from dynamics.ensemble.asked import problem_of
from dynamics.ensemble.distribution import Tally, part_of
from dynamics.ensemble.parts import opened
from dynamics.ensemble.running import crew_of
from dynamics.ensemble.study import chunk_rows
from dynamics.rows.draws import MOST
from dynamics.rows.problem import QUICK, Found

SLOW = True
SIZES = (2_048, 16_384, 131_072, 1_048_576)
MANY, CORES = MOST, 1000
MEMORY = 64e6
"""Bytes that a chunk's columns may take, as ``dyn.study`` has it."""
TASKS = 400
KEPT = 10
"""Rows at either end, as ``dyn.study`` has it."""


def took(work: Callable[[], object], rounds: int) -> float:
    """s, the median."""
    found = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
    return median(found)


def task_seconds(rounds: int, tasks: int) -> float | None:
    """s that a scheduler and two workers take for a chunk in which nothing is done; None without Dask."""
    try:
        import distributed
    except ImportError:
        return None
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        crew = crew_of(1, False, cluster.scheduler_address)
        return took(lambda: sum(1 for _ in crew.answers(nothing, tasks)), rounds) / tasks


def nothing(number: int) -> int:
    """A chunk that costs nothing."""
    return number


def contest(rounds: int) -> Result:
    """Coefficients first, then what they say."""
    quick = rounds <= QUICK_ROUNDS
    rounds = min(rounds, 5)
    system, state = dyn.example("two_arms_and_box")
    problem = problem_of(system, OVER, FIND, QUICK, state, "random", 0)
    drawn = problem.drawn(0, QUICK)
    states, _ = next(problem.pieces(0, drawn))
    assert states is not None
    solution = states.solved(keep=False)
    values = problem.watches[0].of(states, solution)
    wide = problem_of(system, OVER, FIND, MANY, state, "random", 0)
    size_of_chunk = chunk_rows(wide, MEMORY)
    part = part_of(0, np.resize(values, size_of_chunk), QUICK, KEPT)
    tally = Tally(FIND, KEPT)
    seconds = {
        "draw": took(lambda: problem.drawn(0, QUICK), rounds),
        "close": took(lambda: next(problem.pieces(0, drawn)), rounds),
        "solve": took(lambda: states.solved(keep=False), rounds),
        "watch": took(lambda: problem.watches[0].of(states, solution), rounds),
        "sum up": took(lambda: part_of(0, values, QUICK, KEPT), rounds),
    }
    added = took(lambda: tally.add(part), rounds) / size_of_chunk
    with tempfile.TemporaryDirectory() as name:
        folder = opened(Path(name) / "kept", problem, QUICK)
        found = Found(drawn, values[:, None], {})
        seconds["write"] = took(lambda: folder.write(problem, 0, found), rounds)
        size = folder.part(0).stat().st_size / QUICK
    facts = {f"us a state, to {part}": 1e6 * each / QUICK for part, each in seconds.items()}
    facts["us a state, to add up"] = 1e6 * added
    facts["bytes a state, written"] = size
    sizes = SIZES[: 2 if quick else None]
    curve = [
        (n, took(lambda n=n: dyn.study(system, OVER, FIND, n, state=state), 1 if n > 2e5 else rounds)) for n in sizes
    ]
    facts |= {f"us a state, {n} states, one thread": 1e6 * each / n for n, each in curve}
    task = task_seconds(1 if quick else 3, 20 if quick else TASKS)
    solved = sum(seconds.values()) / QUICK
    facts[f"s for {MANY:.0e} states on {CORES} cores, to solve and write"] = MANY * solved / CORES
    facts[f"s for {MANY:.0e} states, to add up in one process"] = MANY * added
    if task is not None:
        chunks = -(-MANY // size_of_chunk)
        facts["ms a chunk, handed out by dask.distributed"] = 1e3 * task
        facts[f"s for {MANY:.0e} states, to hand out {chunks} chunks"] = chunks * task
    facts[f"GB, {MANY:.0e} states"] = 1e-9 * MANY * size
    return Result(
        "where a thousandfold is lost", "s", 1.0, (), rounds=rounds, facts=facts, curves={"a study": tuple(curve)}
    )
