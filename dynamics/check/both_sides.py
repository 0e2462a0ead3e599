"""Both sides of an equation, and the quantities of one moment that the papers' sums are made of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dynamics.check.agreement import acceleration_scale
from dynamics.check.identity_residuals import Evidence
from dynamics.checks import Array
from dynamics.record import Record
from dynamics.solve.mass_matrix_inverse import OperatorFactors, operator_factors
from dynamics.system.plain_kinematics import joint_rows
from dynamics.system.solution import Solution

STEP = 1e-3
"""s: at rest the only velocities are the rounding errors of accelerations over one such step."""
LEAST = 1e-9
"""m/s or rad/s: a slower machine counts as at rest, even if no force acts."""


@dataclass(frozen=True)
class PaperSum(Record):
    """One equation whose two sides were computed in different ways.

    Attributes:
        source: paper and equation.
        title: in words.
        latex: the side that the paper writes.
        residual: the largest difference of both sides, relative to their largest entry, or to the terms that cancel
            if they vanish; infinite if an entry is not a number.
    """

    source: str
    title: str
    latex: str
    residual: float


def paper_sum(source: str, title: str, latex: str, left: Array, right: Array, size: float = 0.0) -> PaperSum:
    """An equation by both of its sides; ``size`` is the scale of the difference if both may vanish."""
    largest = max(float(np.abs(left).max(initial=0.0)), float(np.abs(right).max(initial=0.0)), size)
    gap = float(np.abs(left - right).max(initial=0.0))
    if not np.isfinite(gap) or not np.isfinite(largest):
        return PaperSum(source, title, latex, float("inf"))
    return PaperSum(source, title, latex, gap / largest if largest > 0.0 else 0.0)


class Moment:
    """A solution's arms without their object: the free filter and smoother, and the dense operators.

    ``plain`` has the plain kinematics, inertias and Jacobians.
    """

    def __init__(self, solution: Solution) -> None:
        self.solution, self.system, self.state = solution, solution.system, solution.state
        self.n, self.links = self.system.n_joints, self.system.n_links
        self.size = self.n + 6 * self.system.n_bases
        self.filter, self.smoother = solution.stages["filter"], solution.stages["smoother"]
        self.b = solution.bias_force.ravel()
        a = np.zeros((self.links, 6))
        a[: self.n] = solution.bias_acceleration[: self.n]
        self.a = a.ravel()
        self.alpha = self.smoother["acceleration"].ravel()
        bases = self.smoother["acceleration"][self.n :]
        self.acceleration = np.concatenate([self.smoother["joint_acceleration"], bases.ravel()])
        self.plain = Evidence(solution, np.zeros((self.links + 1, 6)))
        self.rotor, self.dense = self.plain.rotor, self.plain.dense
        turns = zip(solution.link_pose[:, :3, :3], self.system.joint_models, strict=False)
        self.rows = joint_rows(self.system, np.array([rotation @ joint.axis for rotation, joint in turns]))
        self.v, self.torque = self.plain.v[: self.size], np.zeros(self.size)
        self.torque[: self.n] = self.plain.torque

    @cached_property
    def pace(self) -> float:
        """The scale of accelerations: at rest they are the rounding of what cancels in them."""
        return acceleration_scale(self.solution)

    @cached_property
    def speed(self) -> float:
        """The scale of velocities, not zero even at rest."""
        return max(float(np.abs(self.solution.link_velocity).max(initial=0.0)), STEP * self.pace, LEAST)

    @cached_property
    def load(self) -> float:
        """The scale of forces: in free fall they are the rounding of inertia and weight, which cancel."""
        return float((np.abs(self.f.m) @ np.abs(self.alpha) + np.abs(self.b)).max(initial=0.0))

    @cached_property
    def f(self) -> OperatorFactors:
        """H, phi, psi, K and D of the posture."""
        return operator_factors(self.system, self.state)

    @cached_property
    def gain(self) -> Array:
        """G = P H' D^-1, JR (2.7), (6 links, N): the force through each joint by a unit torque; D with rotors."""
        return np.asarray(np.linalg.solve(self.f.d, self.f.h @ self.f.p).T)

    @cached_property
    def mass(self) -> Array:
        """(N, N), the mass matrix of joints and bases from ``dense``."""
        return self.dense.mass_matrix[: self.size, : self.size]

    @cached_property
    def jacobian(self) -> Array:
        """(6 links, N) at O_k, from ``kkt``."""
        return self.plain.at_origins.jacobian[:, :, : self.size].reshape(6 * self.links, self.size)

    def own(self, matrix: Array) -> Array:
        """(links, 6, 6), the diagonal blocks of (6 links, 6 links)."""
        return np.array([matrix[6 * k : 6 * k + 6, 6 * k : 6 * k + 6] for k in range(self.links)])
