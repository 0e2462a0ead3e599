"""A pull at one point of a body: a spring to the pointer, and the resulting external forces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn

Array = NDArray[np.float64]
PACE = 8.0  # Natural frequency, rad/s, of the spring with the effective mass at the point
DAMPING_SHARE = 0.7  # Damping as a share of the critical one
STRENGTH = 30.0  # Largest newtons per kilogram of the effective mass: about three times its weight


@dataclass(frozen=True, eq=False)
class BodyPoint:
    """A point of a body."""

    body: int  # the link's index, or the number of links for the object
    place: Array  # (3,) in the body's own frame, m


@dataclass(frozen=True, eq=False)
class PointForce:
    """A force at a point, and its origin; in inertial axes."""

    body_point: BodyPoint
    point: Array  # (3,) of the grip, m and m/s
    velocity: Array
    target: Array  # (3,) the place to which the point is pulled, m; for a steady force, the point itself
    force: Array  # (3,) on the body, N
    stiffness: float  # of the spring, N/m and N s/m; zero for a steady force
    damping: float
    limit: float  # N, the spring's largest force
    wrench: Array  # (links + 1, 6) external forces as ``forward_dynamics`` takes them

    @property
    def size(self) -> float:
        return float(np.linalg.norm(self.force))

    @property
    def is_limited(self) -> bool:
        """Whether the limit shortens the spring's force."""
        return self.stiffness > 0.0 and self.size >= self.limit * (1.0 - 1e-9)


def spring(solution: dyn.Solution, body_point: BodyPoint, target: Array) -> PointForce:
    """F = k (target - point) - d (velocity of the point), shortened to the limit.

    k = m w^2 and d = 2 c m w with the effective mass m at the point in the direction in which it is lightest: the
    same gesture moves a heavy arm and a light one alike, and a force that is renewed a few times a second does
    not overshoot.
    """
    point, velocity = motion_of(solution, body_point)
    mass = mass_felt(solution, body_point)
    stiffness, damping, limit = mass * PACE**2, 2.0 * DAMPING_SHARE * mass * PACE, mass * STRENGTH
    force = stiffness * (target - point) - damping * velocity
    size = float(np.linalg.norm(force))
    force = force * min(1.0, limit / size) if size > 0.0 else force
    wrench = wrench_of(solution, body_point, force)
    return PointForce(body_point, point, velocity, target, force, stiffness, damping, limit, wrench)


def steady(solution: dyn.Solution, body_point: BodyPoint, force: Array) -> PointForce:
    """A constant force (N, inertial axes), whatever the point does."""
    point, velocity = motion_of(solution, body_point)
    size = float(np.linalg.norm(force))
    return PointForce(body_point, point, velocity, point, force, 0.0, 0.0, size, wrench_of(solution, body_point, force))


def most_force(solution: dyn.Solution, body_point: BodyPoint) -> float:
    """Limit of a spring's force at this point, N."""
    return STRENGTH * mass_felt(solution, body_point)


def end_of(system: dyn.System, body: int) -> BodyPoint:
    """Where a body ends: a tip, the joint that it carries, or the mass center of the object or of a base."""
    for tip in system.tips:
        if tip.link == body:
            return BodyPoint(body, tip.pose[:3, 3].copy())
    outboard = np.flatnonzero(system.inboard[: system.n_joints] == body)
    if body < system.n_joints and len(outboard):
        return BodyPoint(body, system.joint_models[outboard[-1]].origin[:3, 3].copy())
    if body < system.n_links:
        return BodyPoint(body, system.link_models[body].center_of_mass.copy())
    return BodyPoint(body, np.zeros(3))


def frame_of(solution: dyn.Solution, body: int) -> Array:
    """(4, 4), world <- body: of a link at O_k, of the object at its mass center."""
    if body < solution.system.n_links:
        return np.asarray(solution.link_pose[body])
    assert solution.state.object_pose is not None
    return solution.state.object_pose


def motion_of(solution: dyn.Solution, body_point: BodyPoint) -> tuple[Array, Array]:
    """Place (m) and velocity (m/s) of the grip in the world."""
    frame = frame_of(solution, body_point.body)
    lever = frame[:3, :3] @ body_point.place
    velocity = solution.state.object_velocity
    if body_point.body < solution.system.n_links:
        velocity = solution.link_velocity[body_point.body]
    assert velocity is not None
    return frame[:3, 3] + lever, velocity[3:] + np.cross(velocity[:3], lever)


def wrench_of(solution: dyn.Solution, body_point: BodyPoint, force: Array) -> Array:
    """(links + 1, 6), [moment; force] of a force at the grip, about O_k or the object's mass center."""
    wrench = np.zeros((solution.system.n_links + 1, 6))
    wrench[body_point.body, :3] = np.cross(frame_of(solution, body_point.body)[:3, :3] @ body_point.place, force)
    wrench[body_point.body, 3:] = force
    return wrench


def mobility(solution: dyn.Solution, body_point: BodyPoint) -> Array:
    """(3, 3) in 1/kg: how the grip accelerates per newton that acts there, in each direction."""
    still = _acceleration(solution, body_point, np.zeros(3))
    columns = [_acceleration(solution, body_point, direction) - still for direction in np.eye(3)]
    return np.column_stack(columns)


def mass_felt(solution: dyn.Solution, body_point: BodyPoint) -> float:
    """kg, effective mass at the grip in its most compliant direction, never more than all that moves."""
    system = solution.system
    everything = sum(link.mass for link in system.link_models)
    if system.task_object is not None:
        everything += system.task_object.mass
    lightest = float(np.linalg.eigvalsh(mobility(solution, body_point))[-1])
    return 1.0 / max(lightest, 1.0 / everything)


def _acceleration(solution: dyn.Solution, body_point: BodyPoint, force: Array) -> Array:
    """Acceleration of the grip under that force alone; terms that do not depend on the force are left out."""
    wrench = wrench_of(solution, body_point, force)
    pushed = dyn.forward_dynamics(solution.system, solution.state, external_forces=wrench)
    if body_point.body < solution.system.n_links:
        stage = pushed.stages.get("smoother_final", pushed.stages["smoother"])
        acceleration = stage["acceleration"][body_point.body]
    else:
        assert pushed.object_acceleration is not None
        acceleration = pushed.object_acceleration
    lever = frame_of(solution, body_point.body)[:3, :3] @ body_point.place
    return np.asarray(acceleration[3:] + np.cross(acceleration[:3], lever))
