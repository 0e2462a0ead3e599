"""Calls of some methods, timed in turn: on the machine that is here, then on chains of more and more links."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
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
    """What is solved again and again."""

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


class Race:
    """Two methods or more on one machine at one moment, then on chains, from short to long and once more.

    Attributes:
        time: s, of the moment.
        here: seconds of every call on the machine, by method.
    """

    def __init__(self, solution: dyn.Solution, at: float, methods: tuple[str, ...]) -> None:
        self.course, self.time, self.methods = Course(solution.system, solution.state, solution.tau), at, methods
        self.here: dict[str, list[float]] = {method: [] for method in methods}
        self._calls: dict[str, dict[int, list[float]]] = {method: {} for method in methods}
        self._lengths = list(LENGTHS * ROUNDS)

    @property
    def chains(self) -> dict[str, list[tuple[int, float]]]:
        """(links, median seconds) of each chain, by method."""
        return {
            method: [(n, float(np.median(calls))) for n, calls in own.items()] for method, own in self._calls.items()
        }

    @property
    def _spent(self) -> float:
        return sum(map(sum, self.here.values()))

    @property
    def _running(self) -> list[str]:
        """Who is quick enough for the next chain: its quickest call tells, which nothing else has held up."""
        if not self._lengths:
            return []
        shorter = {
            method: max((n for n in own if n < self._lengths[0]), default=0) for method, own in self._calls.items()
        }
        before = max(shorter.values())
        return [
            method for method, n in shorter.items() if n == before and (n == 0 or min(self._calls[method][n]) < TIRED)
        ]

    @property
    def done(self) -> bool:
        """Whether all have done whatever they can."""
        return self._spent >= HERE and not self._lengths

    @property
    def share(self) -> float:
        """How much is done, 0 to 1; never less than before."""
        return (min(self._spent / HERE, 1.0) + 1.0 - len(self._lengths) / (len(LENGTHS) * ROUNDS)) / 2.0

    def look(self) -> dict[str, list[float]]:
        """The next calls; for a thread, changes nothing."""
        if self._spent < HERE:
            if not self.here[self.methods[0]]:
                laps(self.course, self.methods, 1)  # the first calls of all load what later ones find loaded
            return laps(self.course, self.methods, 1)
        running = self._running
        return laps(chain(self._lengths[0], self.course.system.kind == "free_flyer"), running) if running else {}

    def accept(self, took: Mapping[str, list[float]]) -> None:
        """Takes in what ``look`` has found."""
        if self._spent < HERE:
            for method, seconds in took.items():
                self.here[method] += seconds
            return
        n_links = self._lengths.pop(0)
        for method, seconds in took.items():
            self._calls[method].setdefault(n_links, []).extend(seconds)
