"""Forward dynamics by one dense solve: Jacobians, mass matrix, Lagrange multipliers, and no recursion.

This is the witness for the sweeps. It shares only the model with them; its poses come from the plain
kinematics. It sums J' M J over all bodies, the object being one more floating base, and eliminates the contact forces
through the singular values of M^-1/2 J'.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import block_diag, cholesky, solve_triangular

from dynamics.checks import Array
from dynamics.errors import ModelError, SingularConfigurationError
from dynamics.spatial.factor_by_root import CONSISTENCY, RANK_TOLERANCE
from dynamics.system.effort import largest_effort
from dynamics.system.layout import TURNS
from dynamics.system.state import State
from dynamics.system.system import System

EPSILON = float(np.finfo(float).eps)
ROUNDING = 1e-12
"""Share of a joint's motion at a loop below which its component in a direction is zero."""


class Dense(NamedTuple):
    """M a + h = J' (-f), J a + gamma = 0, over joints, base and object."""

    mass_matrix: Array  # (n, n)
    bias: Array  # (n,), everything but the motors' torques, on the left-hand side
    constraint: Array  # (l, n)
    constraint_bias: Array  # (l,)
    selection: Array  # (l, 6 * contacts), rows of C
    coupling: Array  # (c, n), rows g of joints that follow others, and of loops: g a + gamma = 0
    coupling_bias: Array  # (c,)
    effort: float  # the scale of the motion's forces, whitened


class LinkJacobians(NamedTuple):
    """For points on links, [angular; linear]."""

    jacobian: Array  # (points, 6, n)
    rate: Array  # (points, 6), its derivative with respect to time, times the velocity
    velocity: Array  # (points, 6)


class JointMotion(NamedTuple):
    """What every Jacobian column needs of its joint, (joints, 3) unless stated otherwise; bodies: links, object."""

    moved_by: Array  # (bodies, joints), 1 where the joint lies between the link and the world
    base_of: Array  # (bodies, bases), 1 where the link's tree is carried by that floating base
    axes: Array
    axis_rates: Array
    revolute: Array  # (joints, 1), 1 or 0
    origins: Array  # (bodies, 3)
    origin_velocity: Array  # (bodies, 3)
    omega: Array  # (bodies, 3)


def joint_motion(system: System, poses: Array, v: Array) -> JointMotion:
    """Axes, their rates, and velocities of all origins, from poses, of links or of all bodies, and packed velocity."""
    n, carried_by = system.n_joints, np.eye(len(poses))
    for k in range(system.n_links):
        carried_by[k, list(system.path_inward(k))] = 1.0
    moved_by, base_of = carried_by[:, :n], carried_by[:, n:]
    axes = np.einsum(
        "kij,kj->ki", poses[:n, :3, :3], np.array([joint.axis for joint in system.joint_models]).reshape(-1, 3)
    )
    revolute = np.array([[float(joint.kind == "revolute")] for joint in system.joint_models]).reshape(-1, 1)
    origins = poses[:, :3, 3]
    nothing = np.zeros_like(origins)
    still = JointMotion(moved_by, base_of, axes, np.zeros_like(axes), revolute, origins, nothing, nothing)
    velocity = jacobians(still, np.arange(len(poses)), origins, v).velocity
    omega = velocity[:, :3]
    return still._replace(axis_rates=_cross(omega[:n], axes), origin_velocity=velocity[:, 3:], omega=omega)


def jacobians(motion: JointMotion, links: NDArray[np.intp], points: Array, v: Array) -> LinkJacobians:
    """Geometric Jacobians of one world point on each of ``links``, and their rates.

    A revolute column is [h; h x (c - O)], a prismatic one [0; h]; h rotates with its link, c and O move. A
    floating base has [1; -(c - O)~] and [0; 1].
    """
    n, mask = len(motion.axes), motion.moved_by[links][:, :, None]
    lever, turns = points[:, None, :] - motion.origins[None, :n], motion.revolute > 0.0
    along = np.where(turns, _cross(motion.axes[None], lever), motion.axes[None])
    columns = [mask * np.concatenate([np.broadcast_to(motion.revolute * motion.axes, along.shape), along], axis=2)]
    for base, origin in enumerate(motion.origins[n:]):
        moved = np.tile(np.eye(6), (len(points), 1, 1))
        moved[:, :3, 3:] = _cross(np.eye(3)[None], (points - origin)[:, None, :])
        columns.append(motion.base_of[links, base][:, None, None] * moved)
    left_out = len(v) - sum(each.shape[1] for each in columns)
    columns.append(np.zeros((len(points), left_out, 6)))  # an object that is left out moves no link
    jacobian = np.concatenate(columns, axis=1).transpose(0, 2, 1)
    velocity = jacobian @ v
    moving = velocity[:, None, 3:] - motion.origin_velocity[None, :n]
    turned = _cross(motion.axis_rates[None], lever) + _cross(motion.axes[None], moving)
    rates = mask * v[None, :n, None]
    angular = (rates * motion.revolute * motion.axis_rates).sum(axis=1)
    linear = (rates * np.where(turns, turned, motion.axis_rates[None])).sum(axis=1)
    for base, origin_velocity in enumerate(motion.origin_velocity[n:]):
        own = motion.base_of[links, base][:, None]
        linear = linear + own * _cross(motion.omega[n + base][None], velocity[:, 3:] - origin_velocity)
    return LinkJacobians(jacobian, np.concatenate([angular, linear], axis=1), velocity)


def _cross(a: Array, b: Array) -> Array:
    """a x b over the last axis; NumPy's own costs ten times as much on arrays as small as these."""
    return np.stack(
        [
            a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1],
            a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2],
            a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0],
        ],
        axis=-1,
    )


def dense_equations(system: System, state: State, poses: Array, wrench: Array) -> Dense:
    """Mass matrix, bias and constraint of a state, summed link by link.

    Args:
        wrench: (links + 1, 6), external [moment; force] on each link at O_k, and on the object.
    """
    v, payload = system.pack(state)[1], system.task_object
    n, gravity = system.n_velocity, np.asarray(system.gravity)
    bodies = [(link.mass, link.inertia, link.center_of_mass) for link in system.link_models]
    if payload is not None and state.object_pose is not None:
        bodies.append((payload.mass, payload.inertia, np.zeros(3)))
        poses = np.concatenate([poses, state.object_pose[None]])
    mass, own, centers = (np.array(each) for each in zip(*bodies, strict=True))
    rotation, mass, pushes = poses[:, :3, :3], mass[:, None], wrench[: len(bodies)]
    motion, every = joint_motion(system, poses, v), np.arange(len(bodies))
    at_center = jacobians(motion, every, np.einsum("kij,kj->ki", rotation, centers) + poses[:, :3, 3], v)
    at_origin = jacobians(motion, every, poses[:, :3, 3], v)
    inertia = rotation @ own @ rotation.transpose(0, 2, 1)
    jw, jv = at_center.jacobian[:, :3], at_center.jacobian[:, 3:]
    spin = np.einsum("kij,kj->ki", inertia, motion.omega)
    flat_w, flat_v = jw.reshape(-1, n), jv.reshape(-1, n)
    mass_matrix = flat_v.T @ (mass[:, :, None] * jv).reshape(-1, n) + flat_w.T @ (inertia @ jw).reshape(-1, n)
    force = mass * (at_center.rate[:, 3:] - gravity)
    moment = np.einsum("kij,kj->ki", inertia, at_center.rate[:, :3]) + _cross(motion.omega, spin)
    bias = flat_v.T @ force.ravel() + flat_w.T @ moment.ravel()
    bias -= at_origin.jacobian.reshape(-1, n).T @ pushes.ravel()
    for k, joint in enumerate(system.joint_models):
        mass_matrix[k, k] += joint.rotor_inertia
        against = joint.friction[1] if v[k] > 0 else joint.friction[0]
        bias[k] += joint.damping * v[k] + against * np.tanh(v[k] / 0.01)
    constraint, coupling = _constraint(system, poses, v, motion), _coupling(system, poses, v, motion)
    return Dense(mass_matrix, bias, *constraint, *coupling, largest_effort(system.tables, v))


def _coupling(system: System, poses: Array, v: Array, motion: JointMotion) -> tuple[Array, Array]:
    """Rows of followers and of loops; the world is a link that does not move."""
    n, followers = system.n_velocity, system.couplings.rows
    rows = [np.hstack([followers, np.zeros((len(followers), n - system.n_joints))])]
    biases = [np.zeros(len(followers))]
    places = np.concatenate([poses, np.eye(4)[None]])
    for loop, turns in zip(system.loops, system.tables.loops[:, TURNS].tolist(), strict=True):
        point, frame = (places[loop.first.link] @ loop.first.pose)[:3, 3], places[loop.second.link] @ loop.second.pose
        select = np.kron(np.eye(2), frame[:3, :3].T)[[*range(turns), 3, 4, 5]]
        own, bias = _relative(motion, v, (loop.first.link, loop.second.link), point, select, ROUNDING)
        rows.append(own)
        biases.append(bias)
    return np.vstack(rows), np.concatenate(biases)


def _constraint(system: System, poses: Array, v: Array, motion: JointMotion) -> tuple[Array, Array, Array]:
    """Rows of contacts; the object is the last body."""
    rows, biases, blocks = [np.zeros((0, len(v)))], [np.zeros(0)], [np.zeros((0, 0))]
    for contact in system.contacts:
        point, frame = (poses[contact.link] @ contact.tip_pose)[:3, 3], poses[-1] @ contact.object_pose
        select = contact.selection @ np.kron(np.eye(2), frame[:3, :3].T)
        own, bias = _relative(motion, v, (contact.link, len(poses) - 1), point, select)
        rows.append(own)
        biases.append(bias)
        blocks.append(select)
    return np.vstack(rows), np.concatenate(biases), block_diag(*blocks)


def _relative(
    motion: JointMotion, v: Array, bodies: tuple[int, int], point: Array, select: Array, rounding: float = 0.0
) -> tuple[Array, Array]:
    """J and gamma of a body's motion relative to another, at its own point, along the other's directions; -1: world."""
    relative, drift, turning = np.zeros((6, len(v))), np.zeros(6), np.zeros(3)
    rows = np.zeros((len(select), len(v)))
    for body, sign in zip(bodies, (1.0, -1.0), strict=True):
        if body >= 0:
            own = jacobians(motion, np.array([body]), point[None], v)
            along = select @ own.jacobian[0]
            along[np.abs(along) < rounding * (np.abs(select) @ np.abs(own.jacobian[0]))] = 0.0
            relative, rows, drift = relative + sign * own.jacobian[0], rows + sign * along, drift + sign * own.rate[0]
    if bodies[1] >= 0:
        turning = motion.omega[bodies[1]]
    slip = relative @ v
    # The directions rotate under both parts, and the point, which is the first's, slips along the second.
    drift -= np.concatenate([np.cross(turning, slip[:3]), 2.0 * np.cross(turning, slip[3:])])
    return rows, select @ drift


def solve_dense(equations: Dense, tau: Array) -> tuple[Array, Array]:
    """Accelerations, and the forces f, of contacts, then of couplings and loops, of smallest norm.

    Each is scaled by what it would move alone.
    With M = L L' and W = L^-1 J', f = (W'W)^-1 (gamma + J a_free), computed from the singular values of W,
    so nothing is squared.

    Raises:
        ModelError: if the mass matrix is not positive: some joint moves nothing.
        SingularConfigurationError: if no force closes the chain.
    """
    n = len(equations.bias)
    constraint = np.vstack([equations.constraint, equations.coupling])
    rate = np.append(equations.constraint_bias, equations.coupling_bias)
    force = -equations.bias
    force[: len(tau)] += tau
    try:
        root = cholesky(equations.mass_matrix, lower=True)
    except np.linalg.LinAlgError as error:
        raise ModelError(f"the mass matrix is not positive definite ({error}); some joint moves no inertia.") from error
    free = solve_triangular(root.T, solve_triangular(root, force, lower=True), lower=False)
    if not len(constraint):
        return free, np.zeros(0)
    w = solve_triangular(root, constraint.T, lower=True)  # (n, l)
    wanted = rate + constraint @ free
    # On normalized columns, because angular and linear directions have different units.
    lengths = np.linalg.norm(w, axis=0)
    lengths[lengths == 0.0] = 1.0  # a direction without motion, as at the hinge of a planar loop
    left, values, right = np.linalg.svd(w / lengths, full_matrices=False)
    rank = int((values > RANK_TOLERANCE * values[0]).sum())
    coordinates = right[:rank] @ (wanted / lengths)
    residual = np.abs(wanted / lengths - right[:rank].T @ coordinates).max()
    # Terms that may cancel: the parts of each joint's force, whitened.
    parts = (np.abs(equations.bias) + np.abs(force)) / np.sqrt(np.diag(equations.mass_matrix))
    largest = max(np.abs(rate / lengths).max(), parts.max(), equations.effort)
    # Light bodies fall freely so fast that contacts cancel nearly all of it: rounding of the cancelled terms remains.
    rounding = n * EPSILON * (np.abs(constraint) @ np.abs(free) / lengths).max()
    if not residual <= max(CONSISTENCY * largest, rounding):
        raise SingularConfigurationError(
            f"no contact force closes the chain: {residual:.3g} (of a free acceleration of {parts.max():.3g}, in the "
            f"directions' own units) stays unbalanced in {len(wanted) - rank} of {len(wanted)} contact directions."
        )
    a, f = np.zeros(n), np.zeros(len(wanted))
    for _ in range(2):  # the second pass removes the first's residual: ``free`` may be large where contacts hold light
        force_left = force - equations.mass_matrix @ a - constraint.T @ f
        step = solve_triangular(root.T, solve_triangular(root, force_left, lower=True), lower=False)
        wanted = rate + constraint @ (a + step)
        coordinates = right[:rank] @ (wanted / lengths)
        f = f + right[:rank].T @ (coordinates / values[:rank] ** 2) / lengths
        a = a + step - solve_triangular(root.T, left[:, :rank] @ (coordinates / values[:rank]), lower=False)
    return a, f
