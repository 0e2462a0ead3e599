"""Forward dynamics of any system by one dense solve in long double: what the attack on systems is judged by.

Nothing of ``dynamics`` is run but its data. Poses, Jacobians and velocity terms are made link by link
from joints, J' M J is summed, and with M = L L' the constraint J a = g becomes W' y = g, W = L^-1 J', whose columns,
each of length one, are made orthogonal one by one.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn

Long = NDArray[np.longdouble]
EPSILON = float(np.finfo(float).eps)
OPERATIONS = 16
"""That a number goes through before the equations are solved, each with a rounding of its own."""
RANK = 1e-10
"""Of a column's length, the rule of every form."""


class NotDefinite(Exception):
    """Some joint moves no inertia."""


@dataclass(frozen=True)
class ExactSolution:
    """What a system does, and how it is measured: ``left`` is the share of the constraint that no force gives."""

    acceleration: Long  # packed
    force: Long  # (l,), in the contacts' directions, the least by sum (Omega_mm f_m^2)
    motion_unit: Long  # of each coordinate, sqrt(M_ii)
    force_unit: Long  # of each direction, sqrt(Omega_mm)
    size: float  # the largest whitened force of all that act, cancel as they may
    left: float
    grey: tuple[float, float]  # the least share of a column that counted, and the largest that did not
    firm: float  # 1 / trace(M^-1) in these units: beneath the least share that any motion keeps of its inertia
    directions: Long  # C, (l, 6 contacts)


def zeros(*shape: int) -> Long:
    return np.zeros(shape, dtype=np.longdouble)


def tilde(v: Long) -> Long:
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]], dtype=np.longdouble)


def cross(a: Long, b: Long) -> Long:
    """a x b; NumPy's own takes ten times as long."""
    (ax, ay, az), (bx, by, bz) = a, b
    return np.array([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], dtype=np.longdouble)


def amount(a: Long, b: Long) -> Long:
    (ax, ay, az), (bx, by, bz) = np.abs(a), np.abs(b)
    return np.array([ay * bz + az * by, az * bx + ax * bz, ax * by + ay * bx], dtype=np.longdouble)


def turned(axis: Long, angle: np.longdouble) -> Long:
    h = tilde(axis / np.sqrt(axis @ axis))
    return np.eye(3, dtype=np.longdouble) + np.sin(angle) * h + (1 - np.cos(angle)) * (h @ h)


def orthogonal(rotation: Long) -> Long:
    """The nearest rotation: what was one in double is one in long double, too."""
    for _ in range(2):
        rotation = rotation @ (3 * np.eye(3) - rotation.T @ rotation) / 2
    return rotation


def cholesky(matrix: Long, least: float = 1e-17) -> Long:
    n = len(matrix)
    root = np.zeros_like(matrix)
    for j in range(n):
        pivot = matrix[j, j] - root[j, :j] @ root[j, :j]
        if not pivot > least * matrix[j, j]:
            raise NotDefinite(f"coordinate {j} keeps {float(pivot / matrix[j, j]):.2g} of its inertia")
        root[j, j] = np.sqrt(pivot)
        root[j + 1 :, j] = (matrix[j + 1 :, j] - root[j + 1 :, :j] @ root[j, :j]) / root[j, j]
    return root


def forward(root: Long, right: Long) -> Long:
    x = np.array(right)
    for i in range(len(x)):
        x[i] = (x[i] - root[i, :i] @ x[:i]) / root[i, i]
    return x


def backward(root: Long, right: Long) -> Long:
    x = np.array(right)
    for i in range(len(x) - 1, -1, -1):
        x[i] = (x[i] - root[i + 1 :, i] @ x[i + 1 :]) / root[i, i]
    return x


def coupling_rows(system: dyn.System) -> list[NDArray[np.float64]]:
    """Rows g over all coordinates of joints that follow others, g a = 0; a follower of a follower has one as well."""
    rows, first = [], 0
    for robot in system.robots:
        names = list(robot.joint_names)
        for k, joint in enumerate(robot.joints):
            if joint.mimic is not None:
                row = np.zeros(system.n_velocity)
                row[first + k], row[first + names.index(joint.mimic[0])] = 1.0, -joint.mimic[1]
                rows.append(row)
        first += len(names)
    return rows


def dense_reference(
    system: dyn.System, state: dyn.State, tau: np.ndarray, rng: np.random.Generator | None = None,
    wrench: np.ndarray | None = None,
) -> ExactSolution:  # fmt: skip
    """What the system does under torques and ``wrench``, (links + 1, 6); NotDefinite for a singular mass matrix.

    ``rng`` shifts each number of the model, the state and the dense equations by what rounding may, and turns frames.
    """

    def exact(values: object) -> Long:
        numbers = np.asarray(values, dtype=np.longdouble)
        return numbers if rng is None else numbers * (1 + OPERATIONS * EPSILON * rng.uniform(-1, 1, numbers.shape))

    n, n_links, n_v = system.n_joints, system.n_links, system.n_velocity
    _, velocity = system.pack(state)
    v, gravity = exact(velocity), exact(system.gravity)
    q, torque = exact(state.q), exact(tau)
    bases = [] if state.base_pose is None else list(np.reshape(state.base_pose, (-1, 4, 4)))
    mass_matrix, applied, parts = zeros(n_v, n_v), zeros(n_v), zeros(n_v)
    rotation, place, angular = zeros(n_links + 1, 3, 3), zeros(n_links, 3), zeros(n_links, 3)
    turn, shift = zeros(n_links, 3, n_v), zeros(n_links, 3, n_v)
    turn_bias, shift_bias, turn_size, shift_size = (zeros(n_links, 3) for _ in range(4))
    one, effort = np.eye(3, dtype=np.longdouble), 0.0
    for k in range(n_links - 1, -1, -1):
        link = system.link_models[k]
        if k >= n:
            pose, at = bases[k - n], n + 6 * (k - n)
            rotation[k], place[k] = orthogonal(np.asarray(pose[:3, :3], dtype=np.longdouble)), exact(pose[:3, 3])
            turn[k][:, at : at + 3], shift[k][:, at + 3 : at + 6] = one, one
        else:
            joint, inner = system.joint_models[k], int(system.inboard[k])
            frame = joint.origin if inner >= 0 else system.base_poses[system.arm_of_link[k]] @ joint.origin
            own, lever = orthogonal(np.asarray(frame[:3, :3], dtype=np.longdouble)), exact(frame[:3, 3])
            axis = np.asarray(joint.axis, dtype=np.longdouble)
            axis = axis / np.sqrt(axis @ axis)
            if rng is not None:  # its nine numbers round, zeros among them, and any sum of places does as they do
                own = own @ turned(rng.normal(size=3).astype(np.longdouble), np.longdouble(OPERATIONS * EPSILON))
            if joint.kind == "revolute":
                own = own @ turned(axis, q[k])
            else:
                lever = lever + own @ axis * q[k]
            if inner >= 0:
                rotation[k] = rotation[inner] @ own
                r = rotation[inner] @ lever
                place[k] = place[inner] + r
                turn[k], shift[k] = turn[inner], shift[inner] - tilde(r) @ turn[inner]
                omega = turn[inner] @ v
                turn_bias[k] = turn_bias[inner]
                shift_bias[k] = shift_bias[inner] + cross(turn_bias[inner], r) + cross(omega, cross(omega, r))
                turn_size[k] = turn_size[inner]
                shift_size[k] = shift_size[inner] + amount(turn_size[inner], r) + amount(omega, amount(omega, r))
            else:
                rotation[k], place[k], omega = own, lever, np.zeros(3, dtype=np.longdouble)
                turn[k], shift[k] = 0, 0
            h = rotation[k] @ axis
            if joint.kind == "revolute":
                turn[k] = turn[k].copy()
                turn[k][:, k] += h
                turn_bias[k] = turn_bias[k] + cross(omega, h * v[k])
                turn_size[k] = turn_size[k] + amount(omega, h * v[k])
            else:
                shift[k] = shift[k].copy()
                shift[k][:, k] += h
                shift_bias[k] = shift_bias[k] + 2 * cross(omega, h * v[k])
                shift_size[k] = shift_size[k] + 2 * amount(omega, h * v[k])
            mass_matrix[k, k] += exact(joint.rotor_inertia)
            against = joint.friction[1] if velocity[k] > 0 else joint.friction[0]
            loss = joint.damping * v[k] + against * np.tanh(v[k] / np.longdouble(0.01))
            applied[k] += torque[k] - loss
            parts[k] += abs(torque[k]) + abs(loss)
        angular[k] = turn[k] @ v
        c = rotation[k] @ exact(link.center_of_mass)
        mass, inertia = exact(link.mass), rotation[k] @ exact(link.inertia) @ rotation[k].T
        inertia = (inertia + inertia.T) / 2
        j = shift[k] - tilde(c) @ turn[k]
        mass_matrix += mass * (j.T @ j) + turn[k].T @ inertia @ turn[k]
        bias = shift_bias[k] + cross(turn_bias[k], c) + cross(angular[k], cross(angular[k], c))
        spin = inertia @ turn_bias[k] + cross(angular[k], inertia @ angular[k])
        applied += mass * (j.T @ (gravity - bias)) - turn[k].T @ spin
        pull = shift_size[k] + amount(turn_size[k], c) + amount(angular[k], amount(angular[k], c))
        twist = np.abs(inertia) @ turn_size[k] + amount(angular[k], np.abs(inertia) @ np.abs(angular[k]))
        parts += mass * (np.abs(j).T @ (np.abs(gravity) + pull)) + np.abs(turn[k]).T @ twist
        if wrench is not None:
            push = exact(wrench[k])
            applied += turn[k].T @ push[:3] + shift[k].T @ push[3:]
            parts += np.abs(turn[k]).T @ np.abs(push[:3]) + np.abs(shift[k]).T @ np.abs(push[3:])
        moments = np.sqrt(np.trace(inertia))
        effort = max(effort, float(np.sqrt(mass * (pull @ pull)) + np.sqrt(twist @ twist) / (moments or 1.0)))
    payload = system.task_object
    rows, right, blocks = [], [], []
    if payload is not None:
        held = orthogonal(np.asarray(state.object_pose[:3, :3], dtype=np.longdouble))
        center = np.asarray(state.object_pose[:3, 3], dtype=np.longdouble)
        inertia = held @ exact(payload.inertia) @ held.T
        inertia = (inertia + inertia.T) / 2
        mass, omega_c, velocity_c = exact(payload.mass), v[-6:-3], v[-3:]
        mass_matrix[-6:-3, -6:-3], mass_matrix[-3:, -3:] = inertia, mass * one
        applied[-6:-3] -= cross(omega_c, inertia @ omega_c)
        applied[-3:] += mass * gravity
        parts[-6:-3] += amount(omega_c, np.abs(inertia) @ np.abs(omega_c))
        parts[-3:] += np.abs(applied[-3:])
        if wrench is not None:
            push = exact(wrench[-1])
            applied[-6:] += push
            parts[-6:] += np.abs(push)
        for i, contact in enumerate(system.contacts):
            k = contact.link
            lever = rotation[k] @ np.asarray(contact.tip_pose[:3, 3], dtype=np.longdouble)
            r = place[k] + lever - center
            omega = angular[k]
            tip_velocity = shift[k] @ v + cross(omega, lever)
            slip = tip_velocity - velocity_c - cross(omega_c, r)
            j = np.vstack([turn[k], shift[k] - tilde(lever) @ turn[k]])
            j[:3, -6:-3] -= one
            j[3:, -6:-3] += tilde(r)
            j[3:, -3:] -= one
            swing = cross(omega, cross(omega, lever)) - cross(omega_c, cross(omega_c, r))
            drift = np.concatenate([
                turn_bias[k] - cross(omega_c, omega - omega_c),
                shift_bias[k] + cross(turn_bias[k], lever) + swing - 2 * cross(omega_c, slip),
            ])  # fmt: skip
            frame = held @ orthogonal(np.asarray(contact.object_pose[:3, :3], dtype=np.longdouble))
            pick = np.zeros((len(contact.selection), 6 * len(system.contacts)), dtype=np.longdouble)
            pick[:, 6 * i : 6 * i + 6] = contact.selection @ np.kron(np.eye(2), frame.T)
            rows.append(pick[:, 6 * i : 6 * i + 6] @ j)
            right.append(-pick[:, 6 * i : 6 * i + 6] @ drift)
            blocks.append(pick)
    for loop in system.loops:  # relative motion at the first frame's origin, in the second frame's axes
        j, drift, ends, slip = zeros(6, n_v), zeros(6), [], zeros(6)
        for end in (loop.first, loop.second):
            k, own = end.link, np.asarray(end.pose, dtype=np.longdouble)
            turned_by, at = (rotation[k], place[k]) if k >= 0 else (one, zeros(3))
            ends.append((turned_by @ orthogonal(own[:3, :3]), at + turned_by @ own[:3, 3]))
        point = ends[0][1]
        omega_b = angular[loop.second.link] if loop.second.link >= 0 else zeros(3)
        for k, sign in ((loop.first.link, 1), (loop.second.link, -1)):
            if k >= 0:
                lever = point - place[k]
                moved = np.vstack([turn[k], shift[k] - tilde(lever) @ turn[k]])
                swing = cross(angular[k], cross(angular[k], lever))
                own = np.concatenate([turn_bias[k], shift_bias[k] + cross(turn_bias[k], lever) + swing])
                j, drift, slip = j + sign * moved, drift + sign * own, slip + sign * (moved @ v)
        drift -= np.concatenate([cross(omega_b, slip[:3]), 2 * cross(omega_b, slip[3:])])
        held_here = {"hinge": [0, 1], "point": [], "rigid": [0, 1, 2]}[loop.kind] + [3, 4, 5]
        select = np.kron(np.eye(2), ends[1][0].T)[held_here]
        rows.append(select @ j)
        right.append(-select @ drift)
        blocks.append(zeros(len(held_here), 6 * len(system.contacts)))
    for row in coupling_rows(system):
        rows.append(np.asarray(row, dtype=np.longdouble)[None])
        right.append(zeros(1))
        blocks.append(zeros(1, 6 * len(system.contacts)))
    if rng is not None:  # what any dense solve in double starts from
        shift_of = exact(np.ones_like(mass_matrix))
        mass_matrix = mass_matrix * (shift_of + shift_of.T) / 2
        applied = applied + parts * (exact(np.ones(n_v)) - 1)
        rows, right = [exact(row) for row in rows], [exact(row) for row in right]
    motion_unit = np.sqrt(np.diag(mass_matrix))
    root = cholesky(mass_matrix)
    inverse = forward(root / motion_unit[:, None], np.eye(n_v, dtype=np.longdouble))
    firm = 1.0 / float((inverse * inverse).sum())
    y = forward(root, applied)
    size = float(np.max(parts / motion_unit))
    nothing = zeros(0)
    if not rows:
        return ExactSolution(
            backward(root, y), nothing, motion_unit, nothing, size, 0.0, (1.0, 0.0), firm,
            np.zeros((0, 0), np.longdouble),
        )  # fmt: skip
    w = forward(root, np.vstack(rows).T)
    lengths = np.sqrt((w * w).sum(axis=0))
    lengths[lengths == 0] = 1  # what moves nothing
    w = w / lengths
    wanted = np.concatenate(right) / lengths
    lower, order, grey = independent(w)
    rank = lower.shape[1]
    asked = (wanted - w.T @ y)[order]
    z = forward(lower[:rank], asked[:rank])
    # Of all z the one with L z nearest to what is asked, and of all f with L' f = z the smallest: f = L (L'L)^-1 z.
    gram = cholesky(lower.T @ lower, 0.0) if rank else np.zeros((0, 0), dtype=np.longdouble)
    z = z + backward(gram, forward(gram, lower.T @ (asked - lower @ z)))
    f = np.zeros(len(order), dtype=np.longdouble)
    f[order] = lower @ backward(gram, forward(gram, z))
    left = float(np.abs(asked - lower @ z).max())
    size = max(size, float(np.abs(wanted).max()))
    beside = max(size, effort) or 1.0  # what turns where no coordinate feels it, too
    return ExactSolution(
        backward(root, y + w @ f), -f / lengths, motion_unit, lengths, size, left / beside, grey, firm,
        np.vstack(blocks),
    )  # fmt: skip


def independent(w: Long) -> tuple[Long, NDArray[np.int64], tuple[float, float]]:
    """W' W = L L' in an order of columns that puts the most independent first, and the shares about the rank."""
    rest, size = w.copy(), w.shape[1]
    order, lower, least, most = list(range(size)), np.zeros((size, size), dtype=np.longdouble), 1.0, 0.0
    for j in range(size):
        shares = np.sqrt((rest[:, order[j:]] ** 2).sum(axis=0))
        best = j + int(np.argmax(shares))
        share = float(shares[best - j])
        if not share > RANK:
            most = share
            return lower[:, :j], np.array(order), (least, most)
        least = min(least, share)
        order[j], order[best] = order[best], order[j]
        lower[[j, best]] = lower[[best, j]]
        column = rest[:, order[j]] / np.longdouble(shares[best - j])
        lower[j:, j] = column @ rest[:, order[j:]]
        rest[:, order[j:]] -= np.outer(column, lower[j:, j])
    return lower, np.array(order), (least, most)
