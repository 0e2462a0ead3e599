"""Call times of some methods, measured in turn: on the current machine, then on chains of increasing length."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn

LENGTHS = (1, 2, 4, 8, 16, 32)  # Numbers of links of the chains, each twice the one before
ROUNDS = 2  # Passes through all chains: other work of the server delays one, but hardly both
HERE = 1.5  # Seconds for the current machine
PIECE = 0.1  # Seconds of one piece of work, and of one chain
LEAST = 3  # Least calls for a median
TIRED = 0.012
"""Seconds of a call after which no longer chain is tried, as the next may take up to sixteen times as long."""
BASE_MASS, BASE_INERTIA = 5.0, (0.2, 0.3, 0.4)  # kg, kg m²: of the floating base of a chain in flight


Course = tuple[dyn.System, dyn.State, NDArray[np.float64]]
"""A problem that is solved repeatedly: a machine, its state and its torques."""


def chain(n_links: int, floats: bool) -> Course:
    """R87's chain at a posture with velocities and torques, bolted down or in flight."""
    robot, k = dyn.planar_chain(n_links), np.arange(n_links)
    flying = replace(robot, root=replace(robot.root, mass=BASE_MASS, inertia=np.diag(BASE_INERTIA)))
    system = dyn.free_flyer(flying) if floats else dyn.single_arm(robot)
    return system, system.state(q=0.7 * np.sin(0.1 + 1.3 * k), qd=0.5 * np.cos(k)), np.cos(1.0 + k)


def laps(course: Course, methods: Sequence[str], least: int = LEAST) -> dict[str, list[float]]:
    """Seconds of each call, the methods in turn, so that other load of the server affects all equally.

    Args:
        least: calls of each, however long they take; after that it ends with the piece's time.
    """
    took: dict[str, list[float]] = {method: [] for method in methods}
    begun = time.perf_counter()
    while len(took[methods[-1]]) < least or time.perf_counter() < begun + PIECE:
        for method in methods:
            since = time.perf_counter()
            dyn.forward_dynamics(*course, method=method)
            took[method].append(time.perf_counter() - since)
    return took


@dataclass(frozen=True)
class Times:
    """The times of a race so far."""

    here: Mapping[str, Sequence[float]]  # seconds of every call on the machine, by method
    chains: Mapping[str, Sequence[tuple[int, float]]]  # (links, median seconds) of each chain, by method
    floats: bool  # whether the chains are in flight
    share: float  # finished share of the race, 0 to 1


def race(solution: dyn.Solution, methods: Sequence[str]) -> Iterator[Times]:
    """Races two or more methods on one machine at one moment, then on chains, from short to long, twice."""
    course, floats = (solution.system, solution.state, solution.tau), solution.system.kind == "free_flyer"
    here: dict[str, list[float]] = {method: [] for method in methods}
    calls: dict[str, dict[int, list[float]]] = {method: {} for method in methods}

    def times(share: float) -> Times:
        medians = {method: [(n, float(np.median(took))) for n, took in own.items()] for method, own in calls.items()}
        return Times({method: tuple(took) for method, took in here.items()}, medians, floats, share)

    laps(course, methods, 1)  # the first calls load what later ones reuse
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
    """The methods for a chain, chosen by the fastest call on the previous chain, which nothing else delayed."""
    shorter = {method: max((n for n in own if n < n_links), default=0) for method, own in calls.items()}
    before = max(shorter.values())
    return [method for method, n in shorter.items() if n == before and (n == 0 or min(calls[method][n]) < TIRED)]
