"""How long an answer takes on this computer: by every method, by the compiled solver, and in a batch."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from statistics import median

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.commands.machines import machine
from app.commands.report import Told, bar, table

Array = NDArray[np.float64]
SOLVER, BATCH = "solver", "batch"
LAP = 2e-3
"""Seconds of calls in a row, at least one: what the clock itself takes is little of it."""
LEAST = 3
"""Laps of which there is a median."""
TOLERANCE = 1e-9
"""Relative; an answer that is farther from the solver's is another one."""


@dataclass(eq=False)
class Contender:
    """One way to the joint accelerations.

    Attributes:
        states: how many a call answers.
        calls: in a lap.
        laps: seconds for each state of each lap.
        difference: from the solver's answer, relative.
    """

    name: str
    answer: Callable[[], Array]
    states: int = 1
    calls: int = 1
    laps: list[float] = field(default_factory=list)
    difference: float = 0.0

    def warm(self, expected: Array | None) -> Array:
        """Compiles what is not compiled, answers once more, and settles how many calls make a lap."""
        self.answer()
        begun = time.perf_counter()
        found = self.answer()
        self.calls = max(1, round(LAP / max(time.perf_counter() - begun, 1e-9)))
        if expected is not None:
            self.difference = float(np.abs(found - expected).max() / max(np.abs(expected).max(), 1.0))
        return found

    def lap(self) -> None:
        begun = time.perf_counter()
        for _ in range(self.calls):
            self.answer()
        self.laps.append((time.perf_counter() - begun) / (self.calls * self.states))

    def told(self, fastest: float) -> Told:
        middle = median(self.laps)
        counts = {"states": self.states, "calls": self.calls * len(self.laps)}
        return {
            "method": self.name, "seconds": middle, "least": min(self.laps), "times": middle / fastest,
            "difference": self.difference, **counts,
        }  # fmt: skip


def bench(name: str, floating: bool, seconds: float, batch: int) -> Told:
    """Solves a machine where it starts, with torques drawn at random, by all ways in turn.

    In turn, so that whatever else the computer does is the same for all.

    Args:
        name: of a machine, or the path of its file.
        floating: whether its base floats.
        seconds: for all of it, once everything is compiled; three laps of each are run, however long they take.
        batch: states that are solved at once.

    Raises:
        UsageError: for what is no machine.
        ModelError: for whatever is wrong in its file.
        StateError: for a moment that has no solution.
    """
    system, state = machine(name, floating)
    ways = contenders(system, state, batch)
    with bar(len(ways), "compiling") as shown:
        expected = None
        for way in ways:
            answer = way.warm(expected)
            expected = answer if expected is None else expected
            shown.update(1)
    laps = 0
    with bar(1000, name) as shown:
        begun = time.perf_counter()
        while (gone := (time.perf_counter() - begun) / seconds) < 1.0 or laps < LEAST:
            for way in ways:
                way.lap()
            laps += 1
            shown.update(round(1000 * min(gone, 1.0)) - shown.pos)
    fastest = median(ways[0].laps)
    return {
        "machine": name,
        "kind": system.kind,
        "joints": system.n_joints,
        "held": bool(system.contacts),
        "computer": f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors",
        "python": platform.python_version(),
        "laps": laps,
        "tolerance": TOLERANCE,
        "methods": [way.told(fastest) for way in ways],
        "agrees": all(way.difference <= TOLERANCE for way in ways),
    }


def contenders(system: dyn.System, state: dyn.State, batch: int) -> list[Contender]:
    """The solver first, beside which the others stand; then the batch, then every method with all that it tells."""
    tau = np.random.default_rng(0).uniform(-1.0, 1.0, system.n_joints)
    solve, (x, v) = dyn.solver(system), system.pack(state)

    def by(method: str) -> Array:
        return dyn.forward_dynamics(system, state, tau, method=method).joint_acceleration

    return [
        Contender(SOLVER, lambda: solve(x, v, tau)[: system.n_joints].copy()),
        Contender(BATCH, partial(together, system, state, tau, batch), batch),
        *(Contender(method, partial(by, method)) for method in dyn.methods(system)),
    ]


def together(system: dyn.System, state: dyn.State, tau: Array, count: int) -> Array:
    """The first answer of a batch in which all states are the same, which takes no less time."""

    def many(value: Array | None) -> Array | None:
        return None if value is None else np.broadcast_to(value, (count, *np.shape(value)))

    floats = system.is_floating
    found = dyn.forward_dynamics_batch(
        system, many(state.q), many(state.qd), many(tau),
        base_pose=many(state.base_pose) if floats else None,
        base_velocity=many(state.base_velocity) if floats else None,
        object_pose=many(state.object_pose), object_velocity=many(state.object_velocity),
    )  # fmt: skip
    return np.asarray(found.joint_acceleration[0])


def in_words(report: Told) -> Iterator[str]:
    """The same for a person."""
    held = ", an object held" if report["held"] else ""
    yield f"{report['machine']}: {report['kind'].replace('_', ' ')}, {report['joints']} joints{held}"
    yield f"{report['computer']}, Python {report['python']}; medians of {report['laps']} laps in turn"
    yield ""
    yield from table([("method", "us a state", "least", "x solver", "difference"), *map(_row, report["methods"])])
    if not report["agrees"]:
        yield ""
        yield f"They do not agree to {TOLERANCE:g}."


def _row(one: Told) -> tuple[str, ...]:
    name = f"{one['method']} of {one['states']}" if one["states"] > 1 else one["method"]
    times = (f"{1e6 * one[key]:.4g}" for key in ("seconds", "least"))
    return name, *times, f"{one['times']:.3g}", f"{one['difference']:.0e}"
