"""Mass matrices, bias and Jacobians of a machine by the dense witness, which shares no code with the sweeps."""

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from dynamics.witness.kkt import Dense, dense_equations, jacobians, joint_motion

Array = NDArray[np.float64]


def close(found: Array, expected: Array, tolerance: float = 1e-11) -> bool:
    """Whether two arrays differ by no more than a share of the largest entry expected."""
    return bool(np.max(np.abs(found - expected)) <= tolerance * max(np.max(np.abs(expected)), 1e-300))


def off(found: Array, expected: Array) -> float:
    """The largest difference relative to the largest number expected."""
    return float(np.abs(found - expected).max() / max(np.abs(expected).max(), 1e-9))


def dense(system: dyn.System, state: dyn.State, wrench: Array | None = None) -> Dense:
    pushes = np.zeros((system.n_links + 1, 6)) if wrench is None else wrench
    return dense_equations(system, state, dyn.forward_kinematics(system, state).pose, pushes)


def motion_of_links(
    system: dyn.System, state: dyn.State, points: Array | None = None, links: Array | None = None
) -> tuple[Array, Array]:
    """Jacobian (links, 6, N) and its rate times the velocity (links, 6), at O_k or at other points of the links."""
    poses, (_, v) = dyn.forward_kinematics(system, state).pose, system.pack(state)
    links = np.arange(system.n_links) if links is None else links
    moved = jacobians(joint_motion(system, poses, v), links, poses[links, :3, 3] if points is None else points, v)
    return moved.jacobian, moved.rate


def tip_jacobians(system: dyn.System, state: dyn.State) -> Array:
    """(contacts, 6, joints): the contact points' velocities by joint rates."""
    held = np.array([contact.link for contact in system.contacts])
    poses = dyn.forward_kinematics(system, state).pose[held]
    points = np.array([(pose @ c.tip_pose)[:3, 3] for pose, c in zip(poses, system.contacts, strict=True)])
    return motion_of_links(system, state, points, held)[0][:, :, : system.n_joints]


def accelerations_of_links(
    system: dyn.System, state: dyn.State, packed: Array, points: Array | None = None, links: Array | None = None
) -> Array:
    """(links, 6) under given accelerations of the coordinates."""
    jacobian, rate = motion_of_links(system, state, points, links)
    return jacobian @ packed + rate
