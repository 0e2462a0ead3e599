"""Quantities sampled along a recording: what the plots draw, and all that they keep."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn

Array = NDArray[np.float64]
SAMPLES = 600
"""Samples over a whole timeline; with one line a quantity that is more than its pixels."""


def inertia_eigenvalues(inertia: Array) -> Array:
    """Eigenvalues of P's rotational (kg m^2) and translational (kg) blocks, (links, 6): two units, never mixed."""
    if not np.all(np.isfinite(inertia)):  # an algorithm that was broken on purpose may have left none
        return np.full((len(inertia), 6), np.nan)
    return np.concatenate([np.linalg.eigvalsh(inertia[:, :3, :3]), np.linalg.eigvalsh(inertia[:, 3:, 3:])], axis=1)


def sample(solution: dyn.Solution) -> dict[str, Array]:
    """Every plotted quantity of one instant. Contact quantities are NaN while no object is held."""
    filtered = solution.stages["filter"]
    arms = len(solution.system.tips)
    contact = solution.stages.get("contact")
    absent = np.full((arms, 6), np.nan)
    kinetic, potential = solution.kinetic_energy, solution.potential_energy
    acceleration = solution.object_acceleration
    return {
        "kalman_gain": filtered["kalman_gain"],
        "joint_inertia": filtered["joint_inertia"],
        "inertia_eigenvalues": inertia_eigenvalues(filtered["articulated_inertia"]),
        "innovation": filtered["innovation"],
        "joint_acceleration": solution.joint_acceleration,
        "predicted_contact_force": absent if contact is None else contact["predicted_contact_force"],
        "corrected_contact_force": absent if contact is None else contact["corrected_contact_force"],
        "object_acceleration": np.full(6, np.nan) if acceleration is None else acceleration,
        "energy": np.array([kinetic, potential, kinetic + potential]),
        "momentum": solution.momentum,
    }


class Curves:
    """Rows of samples in time order, (samples, ...) by name."""

    def __init__(self, times: Array | None = None, columns: dict[str, Array] | None = None) -> None:
        self.times = np.empty(0) if times is None else times
        self.columns = {} if columns is None else columns

    def __len__(self) -> int:
        return len(self.times)

    def until(self, time: float) -> Curves:
        """The samples before ``time``."""
        count = int(np.searchsorted(self.times, time - 1e-9))
        return Curves(self.times[:count], {name: column[:count] for name, column in self.columns.items()})

    def followed_by(self, later: Curves) -> Curves:
        """These samples and, after them, later ones of a system with as many links and arms."""
        if not len(self):
            return later
        if not len(later):
            return self
        return Curves(
            np.concatenate([self.times, later.times]),
            {name: np.concatenate([column, later.columns[name]]) for name, column in self.columns.items()},
        )


def sampled(times: list[float], solutions: list[dyn.Solution]) -> Curves:
    """Curves through the solutions at ``times``."""
    rows = [sample(solution) for solution in solutions]
    columns = {name: np.array([row[name] for row in rows]) for name in rows[0]} if rows else {}
    return Curves(np.array(times), columns)
