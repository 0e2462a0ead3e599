"""The sweeps of R87 and R88 in plain NumPy, every term with a factor: a twin that can be broken on purpose.

With all factors 1 it computes what ``filter_and_smooth`` computes. A line reads as the paper writes it; the
factors of its terms are bound above it in the order of ``altered_lines``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dynamics.altered.alteration import Alteration
from dynamics.numbers.spatial import expand_symmetric
from dynamics.recursion.transport import shift_matrix
from dynamics.system.layout import (
    ARTICULATED_INERTIA,
    JOINT_AXIS,
    LEVER,
    LEVER_TO_MASS,
    VELOCITY,
)
from dynamics.system.plain_kinematics import joint_losses
from dynamics.system.state import State
from dynamics.system.system import System
from dynamics.system.tables import Work

Array = NDArray[np.float64]


class Given(NamedTuple):
    """What the sweeps start from, never altered; inertial axes, at O_k."""

    inboard: list[int]  # -1 for the world
    outboard: list[list[int]]
    rows: Array  # H(k), (joints, 6)
    axes: Array  # h, (joints, 3)
    revolute: NDArray[np.bool_]  # (joints,)
    lever: Array  # l(k+1, k), (links, 3)
    center: Array  # p(k), (links, 3)
    inertia: Array  # M(k), (links, 6, 6)
    mass: Array  # (links,)
    omega: Array  # (links, 3)
    omega_inboard: Array  # (links, 3)
    rate: Array  # (joints,)
    rotor: Array  # (joints,)
    torque: Array  # (joints,), the motors'
    losses: Array  # (joints,), damping and friction
    wrench: Array  # (links + 1, 6)
    gravity: Array  # (3,)


def given(system: System, state: State, torque: Array, work: Work) -> Given:
    """The start of the sweeps; after ``motion_state``."""
    links, n = work.links[:-1], system.n_joints
    inboard = [int(k) for k in system.inboard]
    outboard: list[list[int]] = [[] for _ in inboard]
    for k, inner in enumerate(inboard):
        if inner >= 0:
            outboard[inner].append(k)
    axes = links[:n, JOINT_AXIS : JOINT_AXIS + 3]
    revolute = np.array([joint.kind == "revolute" for joint in system.joint_models], dtype=bool)
    rows = np.zeros((n, 6))
    rows[revolute, :3], rows[~revolute, 3:] = axes[revolute], axes[~revolute]
    omega = links[:, VELOCITY : VELOCITY + 3]
    omega_inboard = np.array([omega[inner] if inner >= 0 else np.zeros(3) for inner in inboard]).reshape(-1, 3)
    return Given(
        inboard=inboard,
        outboard=outboard,
        rows=rows,
        axes=axes,
        revolute=revolute,
        lever=links[:, LEVER : LEVER + 3],
        center=links[:, LEVER_TO_MASS : LEVER_TO_MASS + 3],
        inertia=expand_symmetric(links[:, ARTICULATED_INERTIA : ARTICULATED_INERTIA + 21]),
        mass=np.array([link.mass for link in system.link_models]),
        omega=omega,
        omega_inboard=omega_inboard,
        rate=state.qd,
        rotor=np.array([joint.rotor_inertia for joint in system.joint_models]),
        torque=torque,
        losses=joint_losses(system, state.qd),
        wrench=work.wrench,
        gravity=np.asarray(system.gravity),
    )


def bias(g: Given, alteration: Alteration) -> tuple[Array, Array]:
    """a(k), JR (2.2), and b(k), R87 (7); each (links, 6)."""
    n = len(g.rate)
    a, b = np.zeros((len(g.lever), 6)), np.zeros((len(g.lever), 6))
    turning, centripetal, coriolis = alteration.line("filter", "bias_acceleration")
    inner, along = g.omega_inboard[:n], g.axes * g.rate[:, None]
    across = cross(inner, along)
    a[:n, :3] = turning * across * g.revolute[:, None]  # JR (2.2)
    a[:n, 3:] = centripetal * cross(inner, cross(inner, g.lever[:n])) + coriolis * 2.0 * across * ~g.revolute[:, None]

    gyroscopic, centrifugal, weight, external = alteration.line("filter", "bias_force")
    spin = np.einsum("kij,kj->ki", g.inertia[:, :3, :3], g.omega)
    pull = g.mass[:, None] * g.gravity
    b[:, :3] = gyroscopic * cross(g.omega, spin) - weight * cross(g.center, pull)  # R87 (7)
    b[:, 3:] = centrifugal * g.mass[:, None] * cross(g.omega, cross(g.omega, g.center)) - weight * pull
    return a, b - external * g.wrench[:-1]


def inward_filter(g: Given, a: Array, b: Array, alteration: Alteration) -> dict[str, Array]:
    """R87 (35)-(43) from the tips to the base."""
    links, n = len(g.lever), len(g.rate)
    p, p_updated = g.inertia.copy(), np.zeros((links, 6, 6))
    z, z_corrected = np.zeros((links, 6)), np.zeros((links, 6))
    d, gain, innovation, residual = np.zeros(n), np.zeros((n, 6)), np.zeros(n), np.zeros(n)

    carried_p, lever_p, own = alteration.line("filter", "articulated_inertia")
    observed, rotor = alteration.line("filter", "joint_inertia")
    product, inverse = alteration.line("filter", "kalman_gain")
    carried_z, lever_z, own_b, own_a = alteration.line("filter", "predicted_force")
    torque, losses, predicted = alteration.line("filter", "innovation")
    kept_z, corrected = alteration.line("filter", "corrected_force")
    kept_p, removed = alteration.line("filter", "articulated_inertia_updated")
    weighted, inverse_nu = alteration.line("filter", "residual")
    phi_p, phi_z = shift_matrix(lever_p * g.lever), shift_matrix(lever_z * g.lever)

    for k in range(links):
        p[k] = own * g.inertia[k]
        z[k] = own_b * b[k]
        for i in g.outboard[k]:
            p[k] += carried_p * phi_p[i] @ p_updated[i] @ phi_p[i].T  # R87 (37)
            z[k] += carried_z * phi_z[i] @ z_corrected[i]
        z[k] += own_a * p[k] @ a[k]  # JR (2.13)
        if k >= n:
            continue
        h = g.rows[k]
        d[k] = observed * h @ p[k] @ h + rotor * g.rotor[k]  # R87 (38)
        gain[k] = product * p[k] @ h * d[k] ** -inverse  # R87 (39)
        innovation[k] = torque * g.torque[k] - losses * g.losses[k] - predicted * h @ z[k]  # R87 (40)
        z_corrected[k] = kept_z * z[k] + corrected * gain[k] * innovation[k]  # R87 (41)
        p_updated[k] = kept_p * p[k] - removed * np.outer(gain[k], h @ p[k])  # R87 (43)
        residual[k] = weighted * innovation[k] * d[k] ** -inverse_nu  # R87 (42)
    return {
        "articulated_inertia": p,
        "articulated_inertia_updated": p_updated,
        "joint_inertia": d,
        "kalman_gain": gain,
        "predicted_force": z,
        "corrected_force": z_corrected,
        "innovation": innovation,
        "residual": residual,
    }


def outward_smoother(
    g: Given, filtered: dict[str, Array], a: Array, residual: Array, z: Array, alteration: Alteration, stage: str
) -> dict[str, Array]:
    """R87 (44)-(47) from the base to the tips, and the force (34) that goes with it.

    Args:
        residual: (joints,), nu.
        z: (links, 6), the predicted force, corrected for contact in the last stage.
        stage: ``smoother`` or ``smoother_final``.
    """
    links, n = len(g.lever), len(g.rate)
    p, gain = filtered["articulated_inertia"], filtered["kalman_gain"]
    alpha, alpha_inboard, acceleration = np.zeros((links, 6)), np.zeros((links, 6)), np.zeros(n)

    (answer,) = alteration.line(stage, "base_acceleration")
    carried, lever = alteration.line(stage, "acceleration_inboard")
    weighted, pull = alteration.line(stage, "joint_acceleration")
    kept, along, own_a = alteration.line(stage, "acceleration")
    predicted, bias_part, inertial = alteration.line(stage, "force")
    phi = shift_matrix(lever * g.lever)

    for k in range(links - 1, -1, -1):
        if k >= n:
            alpha[k] = -answer * solved(p[k], z[k])  # JR Algorithm 3
            continue
        if g.inboard[k] >= 0:
            alpha_inboard[k] = carried * phi[k].T @ alpha[g.inboard[k]]  # R87 (45)
        acceleration[k] = weighted * residual[k] - pull * gain[k] @ alpha_inboard[k]  # R87 (46)
        alpha[k] = kept * alpha_inboard[k] + along * g.rows[k] * acceleration[k] + own_a * a[k]  # R87 (47)
    force = predicted * z + np.einsum("kij,kj->ki", p, inertial * alpha - bias_part * a)  # R87 (34)
    return {
        "acceleration": alpha,
        "acceleration_inboard": alpha_inboard,
        "joint_acceleration": acceleration,
        "force": force,
    }


def costate_covariance(g: Given, filtered: dict[str, Array], alteration: Alteration) -> Array:
    """R87 (67)-(68): Lambda(k) = T' D+ T + H' D^-1 H with T = 1 - G H, and D+ = phi' Lambda(k+1) phi."""
    links, n = len(g.lever), len(g.rate)
    carried, lever, reduced, own, inverse = alteration.line("smoother", "costate_covariance")
    mobility = np.zeros((links, 6, 6))
    phi = shift_matrix(lever * g.lever)
    for k in range(links - 1, -1, -1):
        if k >= n:
            mobility[k] = solved(filtered["articulated_inertia"][k], np.eye(6))
            continue
        h, d = g.rows[k], filtered["joint_inertia"][k]
        t = np.eye(6) - reduced * np.outer(filtered["kalman_gain"][k], h)
        mobility[k] = own * np.outer(h, h) * d**-inverse
        if g.inboard[k] >= 0:
            mobility[k] += carried * t.T @ phi[k].T @ mobility[g.inboard[k]] @ phi[k] @ t  # R87 (67)
    return mobility


def solved(matrix: Array, right: Array) -> Array:
    """The solution of a system that an alteration may have made singular: then it is not a number."""
    try:
        return np.asarray(np.linalg.solve(matrix, right))
    except np.linalg.LinAlgError:
        return np.full_like(right, np.nan)


def cross(a: Array, b: Array) -> Array:
    """a x b, row by row."""
    return np.stack(
        [
            a[:, 1] * b[:, 2] - a[:, 2] * b[:, 1],
            a[:, 2] * b[:, 0] - a[:, 0] * b[:, 2],
            a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0],
        ],
        axis=1,
    )
