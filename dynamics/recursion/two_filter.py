"""Free-flyer dynamics from two filters that run in opposite directions; JR Section 3."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dynamics.record import frozen
from dynamics.recursion.dual_filter import combine_filters, dual_filter
from dynamics.recursion.filter_smoother import motion_state
from dynamics.recursion.inward_filter import inward_filter
from dynamics.system.columns import named
from dynamics.system.system import System
from dynamics.system.tables import Tables, Work, make_work

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
