"""The up direction, the workspace, and the initial camera of a scene."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scenes.scales import Proportions

if TYPE_CHECKING:
    import dynamics as dyn

Array = NDArray[np.float64]
VIEW_ANGLE = 30.0  # degrees, vertical
CORNER = np.array([1.0, -1.25, 0.66])  # from the scene to the camera where up is z


@dataclass(frozen=True)
class Camera:
    """A point of view: metres in world axes, ``angle`` the vertical opening in degrees."""

    position: tuple[float, float, float]
    focal_point: tuple[float, float, float]
    up: tuple[float, float, float]
    angle: float = VIEW_ANGLE


def up_direction(system: dyn.System) -> Array:
    """Opposite to gravity; z without gravity."""
    gravity = np.asarray(system.gravity, float)
    strength = float(np.linalg.norm(gravity))
    return -gravity / strength if strength > 1e-9 else np.array([0.0, 0.0, 1.0])


def has_floor(system: dyn.System) -> bool:
    """Whether there is a floor, which is where bodies fall."""
    return system.kind != "free_flyer" and float(np.linalg.norm(system.gravity)) > 1e-9


def landmarks(system: dyn.System, solution: dyn.Solution) -> tuple[Array, Array]:
    """World positions (m, 3) of joints, tips and object, and world axes (joints, 3) of the joints."""
    pose = solution.link_pose
    points = [pose[:, :3, 3], solution.tip_pose[:, :3, 3]]
    if solution.state.object_pose is not None:
        points.append(solution.state.object_pose[None, :3, 3])
    axes = [pose[k, :3, :3] @ joint.axis for k, joint in enumerate(system.joint_models)]
    return np.concatenate(points), np.array(axes).reshape(-1, 3)


OUTSHINES = 3.0
"""Limit of a predicted force for the scale, in multiples of the applied force or an arm's share of the weight."""


def typical_force(solution: dyn.Solution) -> float:
    """N, a likely size of a contact force: the largest present one, else an arm's share of the object's weight."""
    payload, force = solution.system.task_object, solution.contact_force
    if payload is None:
        return 0.0
    largest = 0.0 if force is None else float(np.linalg.norm(force[:, 3:], axis=1).max())
    weight = weight_share(solution.system)
    predicted = solution.stages.get("contact", {}).get("predicted_contact_force")
    if predicted is not None:
        lengths = np.linalg.norm(predicted[:, 3:], axis=1)
        longest = float(lengths[np.isfinite(lengths)].max(initial=0.0))
        largest = max(largest, min(longest, OUTSHINES * max(largest, weight)))
    return largest if largest > 1e-6 * weight else weight


def weight_share(system: dyn.System) -> float:
    """N: an arm's share of the object's weight, or of a gentle pull without gravity; 0 without an object."""
    payload = system.task_object
    return 0.0 if payload is None else payload.mass * max(float(np.linalg.norm(system.gravity)), 1.0) / system.n_arms


def workspace(system: dyn.System, points: Array, sizes: Proportions) -> tuple[float, float, float, float, float, float]:
    """(xmin, xmax, ymin, ymax, zmin, zmax) of everything within the arms' reach, metres."""
    if system.is_floating:
        center = points.mean(axis=0)
        half = np.full(3, max(float(sizes.reach.max()), float(np.abs(points - center).max())))
        low, high = center - half, center + half
    else:
        bases = np.asarray(system.base_poses, float)[:, :3, 3]
        reach = sizes.reach[: len(bases), None]
        low, high = (bases - reach).min(axis=0), (bases + reach).max(axis=0)
    return (low[0], high[0], low[1], high[1], low[2], high[2])


def camera(system: dyn.System, points: Array, axes: Array, aspect: float = 1.6) -> Camera:
    """A view that frames ``points``: a planar mechanism is seen square on, others from a corner.

    Args:
        points: (m, 3) world, points that must be in the picture.
        axes: (joints, 3) world, joint axes of the first posture.
    """
    up = up_direction(system)
    frame = facing(system, axes).T
    above, toward = frame[1:]
    seen = points @ frame.T
    middle = 0.5 * (seen.min(axis=0) + seen.max(axis=0))
    half = np.tan(np.radians(0.5 * VIEW_ANGLE))
    spread = seen - middle
    # Each point requires a distance at which it still fits; nearer points require more.
    distance = np.max(np.maximum(np.abs(spread[:, 0]) / aspect, np.abs(spread[:, 1])) / half + spread[:, 2])
    focal = middle @ frame
    position = focal + 1.12 * max(distance, 1e-2) * toward
    return Camera(
        tuple(position.tolist()),
        tuple(focal.tolist()),
        tuple(up.tolist() if abs(float(up @ toward)) < 0.98 else above.tolist()),
    )


def looking(system: dyn.System, position: Array, focal_point: Array) -> Camera:
    """The camera at one point, m, that looks at another; up is up, unless it looks along that direction."""
    up, toward = up_direction(system), position - focal_point
    if np.linalg.norm(np.cross(up, toward)) <= 1e-6 * np.linalg.norm(toward):
        up = np.eye(3)[np.argmin(np.abs(toward))]
    return Camera(tuple(position.tolist()), tuple(focal_point.tolist()), tuple(up.tolist()))


def facing(system: dyn.System, axes: Array) -> Array:
    """(3, 3) world <- picture: right, up, and toward the initial camera for these joint axes."""
    up = up_direction(system)
    toward = _view_direction(up, axes)
    right = np.cross(up, toward)
    right = right / np.linalg.norm(right)
    return np.column_stack([right, np.cross(toward, right), toward])


def plane_normal(axes: Array) -> Array | None:
    """The common axis of a mechanism with parallel joint axes, on the side of the corner view; else None."""
    if not len(axes) or np.abs(axes @ axes[0]).min() < 0.999:
        return None
    return axes[0] if axes[0] @ CORNER >= 0.0 else -axes[0]


def _view_direction(up: Array, axes: Array) -> Array:
    """Unit vector from the scene to the camera."""
    turn = turn_to(up)
    normal = plane_normal(axes)
    if normal is None:
        toward = turn @ CORNER
    elif abs(float(normal @ up)) > 0.9:  # a planar mechanism, seen from above
        toward = np.copysign(1.0, normal @ up) * normal + turn @ np.array([0.0, -0.42, 0.0])
    else:
        side = np.cross(up, normal)
        toward = normal + 0.20 * up + 0.30 * side * np.copysign(1.0, side @ (turn @ CORNER))
    return toward / np.linalg.norm(toward)


def turn_to(up: Array) -> Array:
    """The shortest rotation that takes z to ``up``."""
    z = np.eye(3)[2]
    axis, cosine = np.cross(z, up), float(up @ z)
    if cosine < -1.0 + 1e-9:
        return np.diag([1.0, -1.0, -1.0])
    skew = np.array([[0.0, -axis[2], axis[1]], [axis[2], 0.0, -axis[0]], [-axis[1], axis[0], 0.0]])
    return np.eye(3) + skew + skew @ skew / (1.0 + cosine)
