"""A part of a run in which the system does not change: its samples, the motion between them, the stages at each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dynamics.checks import Array, brief, is_among
from dynamics.errors import StateError
from dynamics.record import Record, frozen
from dynamics.solve.batch import forward_dynamics_batch
from dynamics.solve.closure import step_configuration
from dynamics.spatial.rotation import inverse_exponential_rate, quaternion_matrix, rotation_vector
from dynamics.spatial.vector import compose
from dynamics.system.joint_vectors import joint_index
from dynamics.system.registry import REGISTRY
from dynamics.system.solution import quantity_in, quantity_key, require_joints
from dynamics.system.state import poses_of_rows
from dynamics.system.system import System

SAMPLED = "times", "x", "v", "acceleration", "tau", "drift"
AT_ONCE = 2048
"""Samples that are computed together: all stages of all links of more samples would fill memory."""
ANSWERS = "joint_acceleration", "object_acceleration", "contact_force"
"""Quantities that a batch returns directly, whether the object is held or not."""


@dataclass(frozen=True, eq=False)
class Segment(Record):
    """A part of a run in which the system and the external forces do not change.

    Attributes:
        times: (samples,) s.
        x, v, acceleration: (samples, ...) packed as ``System.pack`` says.
        tau: (samples, joints).
        drift: (samples, 2), the worst position gap (rad, or share of the machine's length) and velocity gap (share of
            its speed) of the closure before projection.
        wrench: (links + 1, 6) external forces; (samples, links + 1, 6) if given by a function.
        every_step: whether every step that was taken is a sample.
    """

    system: System
    times: Array
    x: Array
    v: Array
    acceleration: Array
    tau: Array
    drift: Array
    wrench: Array
    every_step: bool = True

    def sample_at(self, t: float) -> int | None:
        """The index of the sample at time t, or None between two."""
        after = int(np.searchsorted(self.times, t))
        for k in (after - 1, after):
            if 0 <= k < len(self.times) and abs(self.times[k] - t) <= 1e-9 * max(1.0, abs(t)):
                return k
        return None

    def place(self, t: float) -> tuple[int, float]:
        """The last sample at or before time t, and the share of the way from it to the next, 0 to below 1."""
        k = self.sample_at(t)
        if k is not None:
            return k, 0.0
        k = min(max(int(np.searchsorted(self.times, t)) - 1, 0), len(self.times) - 2)
        return k, float((t - self.times[k]) / (self.times[k + 1] - self.times[k]))

    def packed_at(self, t: float) -> tuple[Array, Array, Array]:
        """x, v and tau at time t: a sample, or the cubic between two (rotations on the group); tau is linear."""
        k, u = self.place(t)
        if not u:
            return self.x[k], self.v[k], self.tau[k]
        return *self._between(k, u), (1.0 - u) * self.tau[k] + u * self.tau[k + 1]

    def wrench_at(self, t: float) -> Array:
        """(links + 1, 6) external forces at time t, linear between samples."""
        if self.wrench.ndim == 2:
            return self.wrench
        k, u = self.place(t)
        return (1.0 - u) * self.wrench[k] + u * self.wrench[k + 1] if u else self.wrench[k]

    def _between(self, k: int, u: float) -> tuple[Array, Array]:
        """Configuration and velocity at the share ``u`` of the way from sample k to sample k + 1.

        Cubic in both, from positions and velocities, and from velocities and accelerations: fourth-order
        accurate, like the integrator that made the samples. With a loss that is stiff for the step, accelerations may
        overshoot: where both point from one velocity to the other, they are limited so that the cubic is monotone.
        """
        n, x, v, span = self.system.n_joints, self.x, self.v, self.times[k + 1] - self.times[k]
        change, end_rate = _difference(n, x[k], x[k + 1]), v[k + 1].copy()
        for by in range(n, len(end_rate), 6):
            end_rate[by : by + 3] = inverse_exponential_rate(tuple(change[by : by + 3]), tuple(end_rate[by : by + 3]))
        along = _cubic(u, span, np.zeros_like(change), change, v[k], end_rate)
        result = np.empty_like(x[k])
        step_configuration(n, x[k].copy(), along, result)  # kernels are compiled for writable arrays
        mean, ends = (v[k + 1] - v[k]) / span, self.acceleration[k : k + 2]
        is_monotone = np.all(ends * mean > 0.0, axis=0)
        start, end = np.where(is_monotone, np.clip(ends, -3.0 * np.abs(mean), 3.0 * np.abs(mean)), ends)
        return result, _cubic(u, span, v[k], v[k + 1], start, end)

    def stage(self, name: str, joint: str | None) -> Iterator[Array]:
        """A quantity of the method's stages, (samples, ...) for so many samples together."""
        system, quantity_name = self.system, quantity_key(name)[1]
        n, bases = system.n_joints, system.n_bases
        row = ... if joint is None else (slice(None), joint_index(system, joint))
        for first in range(0, len(self.times), AT_ONCE):
            x, v, tau = (array[first : first + AT_ONCE] for array in (self.x, self.v, self.tau))
            bodies: dict[str, Any] = {}
            if bases:
                several = () if system.kind == "free_flyer" else (bases,)
                bodies["base_pose"] = poses_of_rows(x[:, n : n + 7 * bases].reshape(len(x), *several, 7))
                bodies["base_velocity"] = v[:, n : n + 6 * bases].reshape(len(x), *several, 6)
            if system.task_object is not None:
                bodies |= {"object_pose": poses_of_rows(x[:, -7:]), "object_velocity": v[:, -6:]}
            wrench = self.wrench if self.wrench.ndim == 2 else self.wrench[first : first + AT_ONCE]
            found = forward_dynamics_batch(system, x[:, :n], v[:, :n], tau, "stages", external_forces=wrench, **bodies)
            answer = getattr(found, quantity_name) if is_among(name, ANSWERS) else quantity_in(found.stages, name)
            if answer is None:
                raise StateError(f"this machine has no {name}.")
            yield answer[row]


def _difference(n_joints: int, x0: Array, x1: Array) -> Array:
    """The change, packed like a velocity, that leads from x0 to x1."""
    n_bodies = (len(x0) - n_joints) // 7
    change = np.zeros(n_joints + 6 * n_bodies)
    change[:n_joints] = x1[:n_joints] - x0[:n_joints]
    for i in range(n_bodies):
        at, by = n_joints + 7 * i, n_joints + 6 * i
        back = quaternion_matrix(x0[at + 3], *(-x0[at + 4 : at + 7]))
        change[by : by + 3] = rotation_vector(compose(quaternion_matrix(*x1[at + 3 : at + 7]), back))
        change[by + 3 : by + 6] = x1[at : at + 3] - x0[at : at + 3]
    return change


def _cubic(u: float, span: float, start: Array, end: Array, start_rate: Array, end_rate: Array) -> Array:
    w = 1.0 - u
    return (
        w * w * (1.0 + 2.0 * u) * start + u * u * (3.0 - 2.0 * u) * end + span * u * w * (w * start_rate - u * end_rate)
    )


def whole(segments: Sequence[Segment], name: str) -> Array:
    """An array of several consecutive segments."""
    return frozen(np.concatenate([getattr(segment, name) for segment in segments]))


def joined(segments: Sequence[Segment]) -> Segment:
    """One segment from several consecutive ones of the same system under the same forces."""
    if len(segments) == 1:
        return segments[0]
    names = SAMPLED if segments[0].wrench.ndim == 2 else (*SAMPLED, "wrench")
    arrays: dict[str, Any] = {name: whole(segments, name) for name in names}
    return replace(segments[0], **arrays)


def stage_over_time(segments: Sequence[Segment], name: str, joint: str | None) -> Array:
    """(samples, ...) of a quantity; see ``Recording.stage``."""
    if joint is not None:
        require_joints(name)
    parts: list[Array] = []
    for segment in segments:
        try:
            parts += segment.stage(name, joint)
        except StateError as error:
            since = f" This holds from {segment.times[0]:g} s on: cut the recording with until." if parts else ""
            raise StateError(f"{error}{since}") from error
    if len({part.shape[1:] for part in parts}) > 1:
        raise StateError(f"{brief(name)} does not have one shape over all samples; use solution_at(t).")
    return frozen(np.concatenate(parts))


def about_stage(system: System, name: str) -> tuple[str, tuple[str, ...]]:
    """The unit of a quantity, and the labels of its rows."""
    quantity = REGISTRY[quantity_key(name)]
    tips = tuple(f"tip {tip + 1}" for tip in range(system.n_tips))
    rows = {"joints": system.joint_names, "links": system.link_names, "tips": tips}
    return quantity.unit, rows.get(quantity.shape.strip("(").partition(",")[0], ())
