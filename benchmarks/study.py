"""A million states of two arms that hold a box, their residuals of Newton's and Euler's laws, and the bare kernel.

Both use the same cores with the same batches. The kernel solves one batch of states repeatedly; the study
draws each state, makes its rates consistent with the grips, solves it, evaluates it, and accumulates the results.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from statistics import median
from typing import Any

import numpy as np

import dynamics as dyn
from benchmarks.contest import QUICK_ROUNDS, Claim, Contender, Result, compete
from benchmarks.report import circumstances
from dynamics.studies.rows import QUICK, problem_of

SLOW = True
STATES = 1_000_000
SMALL = 4 * QUICK
OVER = {"qd": (-0.5, 0.5), "tau": (-5.0, 5.0)}
FIND = "balance"
OURS, BARE = "armsweep study", "bare batch kernel"
MOST = 1.0 / 0.8
"""Largest cost of a study relative to the bare kernel's time: 0.8 of its throughput."""
TURNS = 5
SIZES = (100_000, 300_000, 1_000_000)


def contest(rounds: int) -> Result:
    """Both use threads, as processes would have to be started first."""
    quick = rounds <= QUICK_ROUNDS
    states, cores = (SMALL if quick else STATES), int(circumstances()["cores"])
    system, state = dyn.example("two_arms_and_box")
    problem = problem_of(system, OVER, FIND, SMALL, state, "random", 0, None, 1e-3)
    refusals = np.full(QUICK, None, dtype=object)
    batches = [next(problem.states(problem.drawn(at, QUICK), refusals))[1] for at in range(0, SMALL, QUICK)]

    def ours(count: int) -> dyn.Study:
        return dyn.study(system, OVER, FIND, count, state=state, workers=cores, threads=True)

    def one(number: int) -> np.ndarray:
        return replace(batches[number % len(batches)]).solution.joint_acceleration

    def bare() -> None:
        with ThreadPoolExecutor(cores) as pool:
            for _ in pool.map(one, range(-(-states // QUICK))):
                pass

    def worst_by_kernel() -> np.ndarray:
        """The same states: each solved by the kernel, and evaluated."""
        values = [problem.watches[0].of(batch) for batch in batches]
        return np.array([np.concatenate(values).mean(), np.concatenate(values).max()])

    def worst_by_study() -> np.ndarray:
        found = ours(SMALL).found[FIND]
        return np.array([found.mean, found.maximum])

    result = compete(
        f"{states} states of two arms and a box, worst imbalance, {cores} threads",
        [Contender(OURS, lambda: ours(states), worst_by_study), Contender(BARE, bare, worst_by_kernel)],
        tolerance=1e-9,
        rounds=min(rounds, 5),
        unit="s",
        limits={BARE: MOST},
    )
    if quick:
        return result
    facts: dict[str, float] = {}
    claims = list(result.claims)
    if (apart := by_dask(cores, system, state)) is not None:
        facts = {"s by workers of dask.distributed": apart[0], "s by threads of this machine": apart[1]}
        claims.append(Claim("dask.distributed / threads", apart[0] / apart[1], 1.1))
    facts |= {f"MB at most, {size} states": peak_of(size) for size in SIZES}
    return replace(result, facts=facts, claims=tuple(claims))


def by_dask(cores: int, system: dyn.System, state: dyn.State) -> tuple[float, float] | None:
    """s that a million states take with one Dask worker per core, and with as many threads; None without Dask.

    Both have solved before, and the workers have started, so that only distributing and solving chunks is compared.
    """
    try:
        import distributed
    except ImportError:
        return None

    def took(count: int, **who: Any) -> float:
        start = time.perf_counter()
        dyn.study(system, OVER, FIND, count, state=state, **who)
        return time.perf_counter() - start

    found: dict[str, list[float]] = {"dask": [], "threads": []}
    with distributed.LocalCluster(n_workers=cores, threads_per_worker=1, dashboard_address=None) as cluster:
        took(SMALL * cores, scheduler=cluster.scheduler_address)
        who: dict[str, dict[str, Any]] = {
            "dask": {"scheduler": cluster.scheduler_address}, "threads": {"workers": cores, "threads": True}
        }  # fmt: skip
        for _ in range(TURNS):
            for name, own in who.items():
                found[name].append(took(STATES, **own))
    return median(found["dask"]), median(found["threads"])


def peak_of(count: int) -> float:
    """Peak memory in MB of a separate process for a study of ``count`` states."""
    told = subprocess.run(
        [sys.executable, "-m", "benchmarks.study", str(count)], capture_output=True, text=True, check=True
    )
    return float(told.stdout)


if __name__ == "__main__":
    system, state = dyn.example("two_arms_and_box")
    dyn.study(system, OVER, FIND, int(sys.argv[1]), state=state)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0)
