"""The second filter of a free flyer: from the base outward, the mirror image of the first; and dynamics from both.

S(k) is the articulated inertia of everything inboard of joint k, as seen at O_k by a link that the joint
leaves free. Neither base nor tip is special: S runs outward exactly as P runs inward.

Compiled for P + S of machines that branch, and for a flyer's stages in every frame of a page; for a chain
``link_inertia`` gives P + S alone, for the row ``every_link_inertia``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dynamics.compiler.kernels import kernel
from dynamics.record import frozen
from dynamics.recursion.filter_smoother import motion_state
from dynamics.recursion.inward_filter import carried_inward, corrected, inward_filter, observed
from dynamics.recursion.kinematics import own_inertia
from dynamics.spatial.algebra import add21, get21, put21, shift_inertia, times_vector
from dynamics.spatial.small_matrices import solve_packed
from dynamics.spatial.vector import add3, cross, dot3, get3, get6, put6, scale3, sub3
from dynamics.system.columns import named
from dynamics.system.layout import (
    ARTICULATED_INERTIA,
    BIAS_ACCELERATION,
    BIAS_FORCE,
    COMBINED_ACCELERATION,
    COMBINED_JOINT_ACCELERATION,
    DUAL_FORCE,
    DUAL_FORCE_PREDICTED,
    DUAL_GAIN,
    DUAL_INERTIA,
    DUAL_INERTIA_PREDICTED,
    DUAL_INNOVATION,
    DUAL_JOINT_INERTIA,
    DUAL_RESIDUAL,
    FREE,
    INBOARD,
    INNOVATION,
    JOINT_AXIS,
    JOINT_INERTIA,
    KALMAN_GAIN,
    KIND,
    LEVER,
    PREDICTED_FORCE,
    REVOLUTE,
    ROTOR_INERTIA,
    SIBLING_FORCE,
    SIBLING_INERTIA,
    TORQUE,
)
from dynamics.system.system import System
from dynamics.system.tables import Tables, Work, make_work


@kernel
def add_branch(work, to, column, k):
    """Add link k's updated inertia and force, moved to O of its inboard link, to columns of row ``to``."""
    p, z, g = get21(work, k, ARTICULATED_INERTIA), get6(work, k, PREDICTED_FORCE), get6(work, k, KALMAN_GAIN)
    p, z = corrected(p, z, g, work[k, JOINT_INERTIA], work[k, INNOVATION])
    inertia, (moment, force) = carried_inward(p, z, get3(work, k, LEVER))
    for i in range(21):
        work[to, column + i] += inertia[i]
    for i in range(3):
        work[to, column + 21 + i] += moment[i]
        work[to, column + 24 + i] += force[i]


@kernel
def is_chain(tree):
    """Whether every link is attached to the next one, so that no link has siblings."""
    in_line = 0
    for k in range(tree.shape[0]):
        if tree[k, KIND] == FREE or tree[k, INBOARD] == k + 1:
            in_line += 1
    return in_line == tree.shape[0]


@kernel
def sum_siblings(tree, work):
    """For every link, the contribution of the *other* branches of its inboard link there: JR Section 3.4.

    It adds the branches before and after the link, so that nothing is subtracted and nothing cancels.
    """
    n_links = tree.shape[0]
    if is_chain(tree):
        for k in range(n_links):
            for i in range(27):
                work[k, SIBLING_INERTIA + i] = 0.0
        return
    accumulator = DUAL_INERTIA  # 27 numbers that are written later: a link's S and part of its S+
    for k in range(n_links + 1):
        for i in range(27):
            work[k, accumulator + i] = 0.0
    for k in range(n_links):
        inboard = tree[k, INBOARD]
        for i in range(27):
            work[k, SIBLING_INERTIA + i] = work[inboard, accumulator + i]
        if tree[k, KIND] != FREE:
            add_branch(work, inboard, accumulator, k)
    for k in range(n_links + 1):
        for i in range(27):
            work[k, accumulator + i] = 0.0
    for k in range(n_links - 1, -1, -1):
        inboard = tree[k, INBOARD]
        for i in range(27):
            work[k, SIBLING_INERTIA + i] += work[inboard, accumulator + i]
        if tree[k, KIND] != FREE:
            add_branch(work, inboard, accumulator, k)


@kernel
def dual_filter(tree, model, work):
    """JR (3.3)-(3.6) with its signs repaired, outward from S(n) = 0, z_s(n) = 0; after ``inward_filter``.

    Returns:
        -1, or the first link whose dual joint inertia is not positive.
    """
    sum_siblings(tree, work)
    for k in range(tree.shape[0] - 1, -1, -1):
        if tree[k, KIND] == FREE:
            for i in range(21):
                work[k, DUAL_INERTIA + i] = 0.0
                work[k, DUAL_INERTIA_PREDICTED + i] = 0.0
            for i in range(6):
                work[k, DUAL_FORCE + i] = 0.0
                work[k, DUAL_FORCE_PREDICTED + i] = 0.0
            continue
        inboard = tree[k, INBOARD]
        # [S + M + siblings](k+1), then the lever from O_k back to O_k+1 points the other way.
        total = add21(get21(work, inboard, DUAL_INERTIA), own_inertia(model, work, inboard))
        lever = scale3(-1.0, get3(work, k, LEVER))
        s = shift_inertia(add21(total, get21(work, k, SIBLING_INERTIA)), lever)  # JR (3.3)
        z, b, others = get6(work, inboard, DUAL_FORCE), get6(work, inboard, BIAS_FORCE), get6(work, k, SIBLING_FORCE)
        force = add3(add3(z[1], b[1]), others[1])
        moment = add3(add3(add3(z[0], b[0]), others[0]), cross(lever, force))
        a = get6(work, k, BIAS_ACCELERATION)
        s_a = times_vector(s, a[0], a[1])
        moment, force = sub3(moment, s_a[0]), sub3(force, s_a[1])  # JR (3.6), a with its sign repaired
        put21(work, k, DUAL_INERTIA_PREDICTED, s)
        put6(work, k, DUAL_FORCE_PREDICTED, (moment, force))

        # JR (3.3): S+ H', D_s = H S+ H' and H z_s+
        revolute, rotor = tree[k, KIND] == REVOLUTE, model[k, ROTOR_INERTIA]
        u, d, seen = observed(s, (moment, force), get3(work, k, JOINT_AXIS), revolute, rotor)
        if not d > 0.0:
            return k
        g = scale3(-1.0 / d, u[0]), scale3(-1.0 / d, u[1])  # G_s = -S+ H' D_s^-1
        innovation = work[k, TORQUE] + seen  # eps_s = T + H z_s+
        s, z_s = corrected(s, (moment, force), g, d, innovation)  # S = (1 + G_s H) S+, z_s = z_s+ + G_s eps_s
        put21(work, k, DUAL_INERTIA, s)
        put6(work, k, DUAL_FORCE, z_s)
        work[k, DUAL_JOINT_INERTIA] = d
        put6(work, k, DUAL_GAIN, g)
        work[k, DUAL_INNOVATION] = innovation
        work[k, DUAL_RESIDUAL] = innovation / d
    return -1


@kernel
def combine_filters(tree, work):
    """Every link's acceleration from both filters, each link independent of the others; JR (3.12), (3.13)."""
    for k in range(tree.shape[0]):
        combined_acceleration(work, k, tree[k, KIND] != FREE)


@kernel
def combined_acceleration(work, k, hinged):
    """alpha(k) = -[P + S]^-1 [z + z_s - P a], theta'' = nu_s - G_s' alpha; JR (3.12), (3.13)."""
    p, a = get21(work, k, ARTICULATED_INERTIA), get6(work, k, BIAS_ACCELERATION)
    p_a, z, z_s = times_vector(p, a[0], a[1]), get6(work, k, PREDICTED_FORCE), get6(work, k, DUAL_FORCE)
    moment, force = sub3(sub3(p_a[0], z[0]), z_s[0]), sub3(sub3(p_a[1], z[1]), z_s[1])
    alpha = solve_packed(add21(p, get21(work, k, DUAL_INERTIA)), moment, force)  # JR (3.12)
    put6(work, k, COMBINED_ACCELERATION, alpha)
    if hinged:
        g_s = get6(work, k, DUAL_GAIN)
        seen = dot3(g_s[0], alpha[0]) + dot3(g_s[1], alpha[1])
        work[k, COMBINED_JOINT_ACCELERATION] = work[k, DUAL_RESIDUAL] - seen  # JR (3.13)


Array = NDArray[np.float64]
REFINEMENTS = 8
NO_GRAVITY = frozen(np.zeros(3))
"""Read-only like a system's own: another kind of array would compile everything a second time."""


def run_dual(tables: Tables, work: Work) -> None:
    """The dual filter of a free flyer, and every link's acceleration from both filters together.

    alpha(k) = -[P + S]^-1 [z + z_s - P a] (3.12) and theta'' = nu_s - G_s' alpha (3.13). Each link is
    solved on its own, independent of the others. Call it after the inward filter.
    """
    dual_filter(tables.tree, tables.model, work.links)
    combine_filters(tables.tree, work.links)


def dual_stages(system: System, links: Array) -> dict[str, Array]:
    """The results of ``run_dual`` in the rows of the links, (..., links, columns), as named arrays."""
    n = system.n_joints

    def of_links(*names: str) -> dict[str, Array]:
        return {name: named(links, name).copy() for name in names}

    def of_joints(*names: str) -> dict[str, Array]:
        return {name: named(links[..., :n, :], name).copy() for name in names}

    inertia = of_links("dual_articulated_inertia", "dual_articulated_inertia_predicted")
    return {
        **inertia,
        **of_joints("dual_joint_inertia", "dual_kalman_gain"),
        **of_links("dual_predicted_force", "dual_corrected_force"),
        **of_joints("dual_innovation", "dual_residual"),
        "operational_space_inertia": named(links, "articulated_inertia")
        + inertia["dual_articulated_inertia"],  # JR (4.11)
        "acceleration": named(links, "two_filter.acceleration").copy(),
        "joint_acceleration": named(links[..., :n, :], "two_filter.joint_acceleration").copy(),
    }


def two_filter_accelerations(system: System, x: Array, v: Array, tau: Array, wrench: Array) -> tuple[Array, int]:
    """(3.12) and (3.13), packed, refined: with very different masses P + S keeps few digits of the part that moves.

    Each step solves for the torques that the last accelerations leave over, and is added as long as it is a small part
    of the one before; where no digit is lost, it is rounding.

    Returns:
        accelerations of joints and base, and -1, or the joint that moves no inertia.
    """
    n, rotor = system.n_joints, named(system.tables.model[: system.n_joints], "rotor_inertia")
    found, work, failed = _from_both(system, system.tables, x, v, tau, wrench)
    links, before, step = work.links[:-1], np.inf, found
    at_rest = system.tables._replace(gravity=NO_GRAVITY)
    for _ in range(REFINEMENTS if failed < 0 else 0):
        force = _forces(system, links, found)
        push = np.zeros_like(wrench)
        push[n] = -force[n]
        missing = named(links[:n], "torque") - rotor * found[:n]
        missing -= _along(system, named(links[:n], "joint_axis"), force[:n])
        step, _, _ = _from_both(system, at_rest, x, np.zeros_like(v), missing, push)
        size = step[:n] @ missing + step[n:] @ push[n]  # step' M step
        if not size < 0.25 * before:
            break
        found, before = found + step, size
    return found, failed


def _from_both(
    system: System, tables: Tables, x: Array, v: Array, tau: Array, wrench: Array
) -> tuple[Array, Work, int]:
    work = make_work(tables)
    work.wrench[:] = wrench
    motion_state(tables, x, v, work)
    failed = int(inward_filter(tables.tree, tables.model, v, tau, work.links))
    run_dual(tables, work)
    stages = dual_stages(system, work.links[:-1])
    return np.concatenate([stages["joint_acceleration"], stages["acceleration"][-1]]), work, failed


def _along(system: System, axis: Array, spatial: Array) -> Array:
    """H(k) times a spatial vector of each joint."""
    at = [3 * (joint.kind == "prismatic") for joint in system.joint_models]
    return np.array([h @ part[i : i + 3] for h, part, i in zip(axis, spatial, at, strict=True)])


def _forces(system: System, links: Array, acceleration: Array) -> Array:
    """x(k) for given accelerations, (links, 6), at the sweeps' own poses; R87 (13)-(14), (18)-(19)."""
    n, spread = system.n_joints, named(system.tables.model, "spread")
    alpha, axis, lever = named(links, "bias_acceleration").copy(), named(links, "joint_axis"), named(links, "lever")
    alpha[n:] = acceleration[n:]
    for k in range(n - 1, -1, -1):
        at, inner = 3 * (system.joint_models[k].kind == "prismatic"), system.inboard[k]
        alpha[k, at : at + 3] += axis[k] * acceleration[k]
        alpha[k] += alpha[inner]
        alpha[k, 3:] += np.cross(alpha[inner, :3], lever[k])
    turn, shift, p = alpha[:, :3], alpha[:, 3:], named(links, "lever_to_mass")
    mass, rotation = named(system.tables.model, "mass")[:, None], named(links, "rotation").reshape(-1, 3, 3)
    force = named(links, "bias_force").copy()
    force[:, 3:] += mass * (shift + np.cross(turn, p))
    force[:, :3] += mass * np.cross(p, shift) + spread[:, 6:] * turn
    for square in (spread[:, :3], spread[:, 3:6]):
        across = np.einsum("kij,kj->ki", rotation, square)
        force[:, :3] += across * (across * turn).sum(axis=1, keepdims=True)
    for k in range(n):
        inner = system.inboard[k]
        force[inner] += force[k]
        force[inner, :3] += np.cross(lever[k], force[k, 3:])
    return force
