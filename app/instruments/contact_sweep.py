"""What the contact stage would do with another object: lighter or heavier, with gravity or without."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.motion.world import in_world
from dynamics.operators import ContactGain, contact_gain

Array = NDArray[np.float64]
MOST = 4.0
"""Decades by which an object is made lighter or heavier."""
OUTWEIGHING = 1e9
DECADES = np.linspace(-MOST, MOST, 33)
NEAR = 0.1
"""Of a limit, within which an object has reached it."""


def what_if(solution: dyn.Solution, wrench: Array | None, decade: float, gravity: bool) -> dyn.Solution:
    """The same moment and torques with the object's mass and inertia times 10^decade.

    Raises:
        ModelError, SingularConfigurationError: where such an object cannot be.
    """
    system = solution.system
    if decade and system.task_object is not None:
        thing = system.task_object
        system = dyn.with_task_object(system, thing.with_mass(thing.mass * 10.0**decade))
    if not gravity:
        system = in_world(system, (0.0, 0.0, 0.0), 0.0)
    if system is solution.system:
        return solution
    return dyn.forward_dynamics(system, solution.state, solution.tau, external_forces=wrench)


@dataclass(frozen=True)
class Directions:
    """In how many of an object's six directions the arms decide everything, or nothing, whatever it weighs.

    Attributes:
        locked: in which they cannot give way.
        loose: in which they have no hold.
    """

    locked: int
    loose: int

    def shared(self, shares: Array) -> Array:
        """Of falling shares those that hang on the object's weight, between 0 and 1."""
        return np.clip(shares[..., self.locked : 6 - self.loose], 0.0, 1.0)


def directions(solution: dyn.Solution) -> Directions:
    """By an object that outweighs every arm by far, of which the arms decide only what is locked, and by a feather."""

    def decided(times: float) -> int:
        thing = solution.system.task_object
        assert thing is not None
        other = dyn.with_task_object(solution.system, thing.with_mass(thing.mass * times))
        return int(np.count_nonzero(contact_gain(other, solution.state).shares > 0.5))

    return Directions(locked=decided(OUTWEIGHING), loose=6 - decided(1.0 / OUTWEIGHING))


@dataclass(frozen=True, eq=False)
class Sweep:
    """Along ``DECADES``; where there is no answer, NaN.

    Attributes:
        carried: kg, of the object as it is.
        shares: (decades, 6), falling, the eigenvalues of A gain.
        gain: (decades,), how many newtons of correction a newton of error makes at most, at all tips together.
        error: (decades,), N, |b(C) - A x_FREE|, force part.
        correction: (decades,), N, |x(0) - x_FREE|, force parts.
        acceleration: (decades,), m/s^2, of the object.
        free_acceleration: (decades,), m/s^2, of the object let go.
    """

    carried: float
    shares: Array
    gain: Array
    error: Array
    correction: Array
    acceleration: Array
    free_acceleration: Array


def reached(found: Sweep, ways: Directions) -> tuple[float, float]:
    """Decades up to which an object is as good as weightless, and from which on too heavy; NaN for one out of reach."""
    shares = ways.shared(found.shares)
    if not shares.shape[1]:
        return np.nan, np.nan
    light, heavy = DECADES[shares[:, -1] > 1.0 - NEAR], DECADES[shares[:, 0] < NEAR]
    return float(light.max()) if len(light) else np.nan, float(heavy.min()) if len(heavy) else np.nan


def sweep(solution: dyn.Solution, wrench: Array | None, gravity: bool) -> Sweep:
    """Eight decades of objects at one moment, 33 of them.

    Cost: as many times the moment's own.
    """
    rows = [_row(solution, wrench, float(decade), gravity) for decade in DECADES]
    shares, *others = (np.array([row[i] for row in rows]) for i in range(6))
    thing = solution.system.task_object
    assert thing is not None
    return Sweep(thing.mass, shares, *others)


def _row(solution: dyn.Solution, wrench: Array | None, decade: float, gravity: bool) -> tuple[Array | float, ...]:
    try:
        found = what_if(solution, wrench, decade, gravity)
        gain = contact_gain(found.system, found.state)
    except (dyn.ModelError, dyn.StateError, dyn.SingularConfigurationError):
        return (np.full(6, np.nan), *[np.nan] * 5)
    stage = found.stages["contact"]
    error = stage["measured_object_force"] - stage["predicted_object_force"]
    correction = stage["contact_force"] - stage["predicted_contact_force"]
    forces = gain.by_mobility.reshape(-1, 6, 6)[:, 3:, 3:].reshape(-1, 3)
    return (
        gain.shares,
        float(np.linalg.norm(forces, 2)),
        float(np.linalg.norm(error[3:])),
        float(np.linalg.norm(correction[:, 3:])),
        float(np.linalg.norm(stage["object_acceleration"][3:])),
        float(np.linalg.norm(free_acceleration(found, gain)[3:])),
    )


def free_acceleration(solution: dyn.Solution, gain: ContactGain) -> Array:
    """alpha_b = -M^-1(C) b(C), R88 (9.2): of the object let go."""
    return np.asarray(-np.linalg.solve(gain.object_inertia, solution.stages["contact"]["measured_object_force"]))
