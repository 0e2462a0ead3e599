"""Calls of some methods, timed in turn: on the machine that is here, then on chains of more and more links."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn

LENGTHS = (1, 2, 4, 8, 16, 32)
"""Links of the chains: twice as many each time."""
ROUNDS = 2
"""Through all chains: what the server does meanwhile holds up one, hardly both."""
HERE = 1.5
"""Seconds for the machine that is here."""
PIECE = 0.1
"""Seconds of one piece, and of one chain."""
LEAST = 3
"""Calls of which there is a median."""
TIRED = 0.012
"""Seconds of a call after which no longer chain is tried: none grows more than sixteenfold from one to the next."""
BASE_MASS, BASE_INERTIA = 5.0, (0.2, 0.3, 0.4)
"""kg, kg m²: of the body that carries a chain in flight."""


@dataclass(frozen=True, eq=False)
class Course:
    """A problem that is solved again and again."""

    system: dyn.System
    state: dyn.State
    tau: NDArray[np.float64]


def chain(n_links: int, floats: bool) -> Course:
    """R87's chain in some posture, some motion and some torques, bolted down or in flight."""
    robot = dyn.planar_chain(n_links)
    if floats:
        root = replace(robot.root, mass=BASE_MASS, inertia=np.diag(BASE_INERTIA))
        system = dyn.free_flyer(replace(robot, root=root))
    else:
        system = dyn.single_arm(robot)
    k = np.arange(n_links)
    return Course(system, system.state(q=0.7 * np.sin(0.1 + 1.3 * k), qd=0.5 * np.cos(k)), np.cos(1.0 + k))


def laps(course: Course, methods: Sequence[str], least: int = LEAST) -> dict[str, list[float]]:
    """Seconds of each call, the methods in turn, so that what else the server does is the same for all.

    Args:
        least: calls of each, however long they take; beyond that it ends with the piece's time.
    """
    took: dict[str, list[float]] = {method: [] for method in methods}
    begun = time.perf_counter()
    while len(took[methods[-1]]) < least or time.perf_counter() < begun + PIECE:
        for method in methods:
            since = time.perf_counter()
            dyn.forward_dynamics(course.system, course.state, course.tau, method=method)
            took[method].append(time.perf_counter() - since)
    return took


@dataclass(frozen=True)
class Times:
    """The times of a race so far.

    Attributes:
        here: seconds of every call on the machine, by method.
        chains: (links, median seconds) of each chain, by method.
        floats: whether the chains are in flight.
        share: of the race that is done, 0 to 1.
    """

    here: Mapping[str, Sequence[float]]
    chains: Mapping[str, Sequence[tuple[int, float]]]
    floats: bool
    share: float


def race(solution: dyn.Solution, methods: Sequence[str]) -> Iterator[Times]:
    """Two methods or more on one machine at one moment, then on chains, from short to long and once more."""
    course = Course(solution.system, solution.state, solution.tau)
    floats = course.system.kind == "free_flyer"
    here: dict[str, list[float]] = {method: [] for method in methods}
    calls: dict[str, dict[int, list[float]]] = {method: {} for method in methods}

    def times(share: float) -> Times:
        medians = {method: [(n, float(np.median(took))) for n, took in own.items()] for method, own in calls.items()}
        return Times({method: tuple(took) for method, took in here.items()}, medians, floats, share)

    laps(course, methods, 1)  # the first calls of all load what later ones find loaded
    spent = 0.0
    while spent < HERE:
        for method, took in laps(course, methods, 1).items():
            here[method] += took
            spent += sum(took)
        yield times(0.5 * min(spent / HERE, 1.0))
    lengths = LENGTHS * ROUNDS
    for done, n in enumerate(lengths, 1):
        if running := quick_enough(calls, n):
            for method, took in laps(chain(n, floats), running).items():
                calls[method].setdefault(n, []).extend(took)
        yield times(0.5 + 0.5 * done / len(lengths))


def quick_enough(calls: Mapping[str, Mapping[int, Sequence[float]]], n_links: int) -> list[str]:
    """The methods for a chain, by the quickest call on the chain before it, which nothing else has held up."""
    shorter = {method: max((n for n in own if n < n_links), default=0) for method, own in calls.items()}
    before = max(shorter.values())
    return [method for method, n in shorter.items() if n == before and (n == 0 or min(calls[method][n]) < TIRED)]
