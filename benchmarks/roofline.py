"""A lower bound of the time for one call of 7 joints on this machine, and the ratio of our time to it.

The bound counts the operations of the recursion, every multiplication fused with an addition if there is one, at the
rate that small compiled loops reach here, in the same run; the other bound is its numbers read and written once,
at the rate of this processor's nearest cache. A chain is serial: in one call vector units have to wait for it; they
are useful in a batch.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numba
import numpy as np

import dynamics as dyn
from benchmarks.contest import QUICK_ROUNDS, Result
from benchmarks.peers import WITHOUT
from dynamics.papers import count_operations
from dynamics.system.tables import make_work

ROBOT, JOINTS = "iiwa14", 7
STEPS = 200_000
LANES, DEPTH = 64, 16  # independent accumulators in registers, and steps between their visits to memory
FMA = {"contract"}


@numba.njit(fastmath=FMA)
def scalar_steps(steps: int, a: float, b: float) -> float:
    """Eight independent chains of fused multiply-adds, enough to hide their latency."""
    s, t, u, v, w, x, y, z = 1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7
    for _ in range(steps):
        s, t, u, v = s * a + b, t * a + b, u * a + b, v * a + b
        w, x, y, z = w * a + b, x * a + b, y * a + b, z * a + b
    return s + t + u + v + w + x + y + z


@numba.njit(fastmath=FMA)
def vector_steps(steps: int, a: float, b: float, lanes: np.ndarray) -> float:
    """``LANES`` independent chains, ``DEPTH`` steps at a time; the loop over lanes fills the vector registers."""
    for _ in range(steps // DEPTH):
        for j in range(LANES):
            s = lanes[j]
            s = (((s * a + b) * a + b) * a + b) * a + b
            s = (((s * a + b) * a + b) * a + b) * a + b
            s = (((s * a + b) * a + b) * a + b) * a + b
            s = (((s * a + b) * a + b) * a + b) * a + b
            lanes[j] = s
    return lanes[0]


@numba.njit(fastmath=FMA)
def triad(a: np.ndarray, b: np.ndarray, c: np.ndarray, times: int) -> None:
    """a = b + 0.5 c: two numbers read, one written."""
    for _ in range(times):
        for i in range(a.shape[0]):
            a[i] = b[i] + 0.5 * c[i]


def contest(rounds: int) -> Result:
    quick = rounds <= QUICK_ROUNDS
    scalar, vector = rates(STEPS // 20 if quick else STEPS, rounds)
    near, far = bandwidth(1000, rounds), bandwidth(200_000 if quick else 8_000_000, rounds)
    system = dyn.single_arm(dyn.load(ROBOT).without(*WITHOUT))
    count = count_operations("filter_smoother", JOINTS)
    fused = max(count.multiplications, count.additions)
    work = make_work(system.tables)
    touched = 8 * (system.tables.model.size + work.links.size)
    solver, (x, v), tau = dyn.solver(system), system.pack(system.home()), np.zeros(system.n_joints)
    call = best(lambda: solver(x, v, tau), rounds, 10 if quick else 2000)
    floors = {"arithmetic, scalar": fused / scalar, "memory": touched / near}
    floor = max(floors.values())
    facts = {
        "scalar fused multiply-adds a second, 1e9": scalar / 1e9,
        "vector fused multiply-adds a second, 1e9": vector / 1e9,
        "nearest cache, 1e9 byte/s": near / 1e9,
        "main memory, 1e9 byte/s": far / 1e9,
        "multiplications a link": count.multiplications / JOINTS,
        "additions a link": count.additions / JOINTS,
        "divisions a link": count.divisions / JOINTS,
        "sines and cosines a link": count.trigonometric / JOINTS,
        "bytes a link": touched / JOINTS,
        **{f"floor by {name}, us": 1e6 * value for name, value in floors.items()},
        "floor by arithmetic, every vector lane in use (a batch), us": 1e6 * fused / vector,
        "one call of ours, us": 1e6 * call,
        "one call / floor": call / floor,
    }
    return Result(f"roofline of one call, {ROBOT}, {JOINTS} joints", "us", 1e6, (), "", rounds, facts)


def rates(steps: int, rounds: int) -> tuple[float, float]:
    """Fused multiply-adds per second, scalar and vector, in the fastest round, as peak rates are defined."""
    lanes = np.ones(LANES)
    scalar = best(lambda: scalar_steps(steps, 0.999, 0.001), rounds, 1)
    vector = best(lambda: vector_steps(steps, 0.999, 0.001, lanes), rounds, 1)
    return 8 * steps / scalar, LANES * (steps // DEPTH) * DEPTH / vector


def bandwidth(size: int, rounds: int) -> float:
    """Bytes per second read and written by a triad of three arrays of ``size`` numbers."""
    a, b, c = np.zeros(size), np.ones(size), np.ones(size)
    times = max(1, 1_000_000 // size)
    return 24 * size * times / best(lambda: triad(a, b, c, times), rounds, 1)


def best(run: Callable[[], object], rounds: int, calls: int) -> float:
    """Seconds of one call: the fastest of the rounds, each the mean of its calls."""
    run()
    seconds = []
    for _ in range(max(rounds, 3)):
        start = time.perf_counter()
        for _ in range(calls):
            run()
        seconds.append((time.perf_counter() - start) / calls)
    return min(seconds)
