"""The residual of each identity, a function of its key's name: its relative size, row by row, and each row's link."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dynamics.check.identity_evidence import Evidence
from dynamics.checks import Array
from dynamics.errors import ModelError, SingularConfigurationError
from dynamics.witness.kkt import solve_dense

Found = tuple[Array, NDArray[np.int64]] | None
SMALLEST = np.finfo(float).tiny
NOTHING = 1e-15
"""A row smaller than this times the largest row is measured by that floor."""
CANCELLED = 1e-6
"""Share of ``Evidence.carried`` added to a row's size: a gap of 1e-14 of the full load is rounding."""


def relative(gap: NDArray[np.floating], size: NDArray[np.floating] | float) -> Array:
    """The gap of each row relative to its scale."""
    return np.asarray(gap / np.maximum(size, max(NOTHING * np.max(size, initial=0.0), SMALLEST)))


def length(values: Array) -> Array:
    """Largest entry of each row."""
    return np.asarray(np.abs(values).max(axis=tuple(range(1, values.ndim)), initial=0.0))


def finite(e: Evidence, stage: str) -> Found:
    bad = np.zeros(e.system.n_links)
    for quantities in e.solution.stages.values():
        for array in quantities.values():
            if len(array) in (e.n, e.system.n_links) and array.ndim:
                broken = ~np.isfinite(array.reshape(len(array), -1)).all(axis=1)
                bad[: len(array)] += np.where(broken, np.inf, 0.0)
    return bad, e.links


def symmetric(e: Evidence, stage: str) -> Found:
    p = e.solution.stages[stage]["articulated_inertia"]
    return relative(length(p - p.transpose(0, 2, 1)), length(p)), e.links


def positive(e: Evidence, stage: str) -> Found:
    p = e.solution.stages[stage]["articulated_inertia"]
    if not np.isfinite(p).all():
        return np.where(np.isfinite(p).all(axis=(1, 2)), 0.0, np.inf), e.links
    lowest = np.linalg.eigvalsh(0.5 * (p + p.transpose(0, 2, 1)))[:, 0]
    # Zero inertia is not positive either.
    return np.where(lowest > 0.0, 0.0, np.maximum(relative(-lowest, length(p)), 2.0 * (length(p) == 0.0))), e.links


def joint_inertia(e: Evidence, stage: str) -> Found:
    f = e.solution.stages[stage]
    seen = np.einsum("ki,kij,kj->k", e.rows, f["articulated_inertia"][: e.n], e.rows)
    return relative(f["joint_inertia"] - seen - e.rotor, np.abs(seen) + e.rotor), e.links[: e.n]


def gain(e: Evidence, stage: str) -> Found:
    f = e.solution.stages[stage]
    return np.einsum("ki,ki->k", e.rows, f["kalman_gain"]) - 1.0 + e.rotor / f["joint_inertia"], e.links[: e.n]


def updated(e: Evidence, stage: str) -> Found:
    f = e.solution.stages[stage]
    along = np.einsum("ki,kij->kj", e.rows, f["articulated_inertia"][: e.n])
    left = np.einsum("ki,kij->kj", e.rows, f["articulated_inertia_updated"][: e.n])
    gap = left - (e.rotor / f["joint_inertia"])[:, None] * along
    return relative(length(gap), length(along)), e.links[: e.n]


def articulated(e: Evidence, stage: str) -> Found:
    expected = e.articulated_inertia
    return relative(length(e.solution.stages[stage]["articulated_inertia"] - expected), length(expected)), e.links


def predicted_force(e: Evidence, stage: str) -> Found:
    expected = e.predicted_force
    found = e.solution.stages[stage]["predicted_force"]
    return relative(length(found - expected), length(expected) + length(e.b)), e.links


def corrected_force(e: Evidence, stage: str) -> Found:
    expected = e.locked_inboard[1]
    found = e.solution.stages[stage]["corrected_force"][: e.n]
    size = length(expected) + length(e.b[: e.n]) + np.abs(e.torque)
    return relative(length(found - expected), size), e.links[: e.n]


def locked(e: Evidence, stage: str) -> Found:
    expected = e.locked_inboard[0]
    f = e.solution.stages[stage]
    # The terms that cancel in nu give its scale: torques, and the parts of H z.
    seen = np.einsum("ki,kij,kj->k", e.rows, e.articulated_inertia[: e.n], e.rows) + e.rotor
    parts = np.einsum("ki,ki->k", np.abs(e.rows), np.abs(e.predicted_force[: e.n]))
    size = np.abs(expected) + (1e-3 * (np.abs(e.torque) + parts) + CANCELLED * e.carried) / seen
    return relative(f["residual"] - expected, size), e.links[: e.n]


def kinematics(e: Evidence, stage: str) -> Found:
    acceleration, (jacobian, rate, _) = e.packed(stage), e.at_origins
    expected = jacobian @ acceleration + rate
    found = e.solution.stages[stage]["acceleration"]
    size = length(np.abs(jacobian) @ np.abs(acceleration)[:, None]) + length(rate)
    return relative(length(found - expected), np.maximum(size, 1e-9 * size.max(initial=0.0))), e.links


def newton_joint(e: Evidence, stage: str) -> Found:
    left, size = e.generalized(stage)
    return relative(left[: e.n], size[: e.n] + CANCELLED * e.carried), e.links[: e.n]


def base_balance(e: Evidence, stage: str) -> Found:
    if not e.system.is_floating:
        return None
    left, size = e.generalized(stage)
    rows = slice(e.n, e.n + 6 * e.system.n_bases)
    return relative(length(left[rows].reshape(-1, 6)), length(size[rows].reshape(-1, 6))), e.links[e.n :]


def mobility(e: Evidence, stage: str) -> Found:
    j = e.at_origins.jacobian
    size = j.shape[2] - 6 * (e.system.task_object is not None)
    j, mass = j[:, :, :size], e.dense.mass_matrix[:size, :size]
    expected = j @ np.linalg.solve(mass, j.transpose(0, 2, 1))
    found = e.solution.stages[stage]["costate_covariance"]
    return relative(length(found - expected), length(expected)), e.links


def newton(e: Evidence, stage: str) -> Found:
    motion = e.solution.stages[stage]
    if "force" not in motion:
        return None  # the object's share is not known before the contact stage
    x = motion["force"]
    inertial = np.einsum("kij,kj->ki", e.inertia, motion["acceleration"])
    left = x - inertial - e.b
    size = length(x) + length(inertial) + length(e.b)
    for k, inner in enumerate(e.inner):
        if inner >= 0:
            carried = e.shift[k] @ x[k]
            left[inner] -= carried
            size[inner] += np.abs(carried).max()
    if stage == "smoother_final":
        pushed = e.contact_at_links()
        left -= pushed
        size += length(pushed)
    return relative(length(left), size), e.links


def torque(e: Evidence, stage: str) -> Found:
    motion = e.solution.stages[stage]
    if "force" not in motion:
        return None
    measured = e.torque - e.rotor * motion["joint_acceleration"]
    x = motion["force"][: e.n]
    gap = np.einsum("ki,ki->k", e.rows, x) - measured
    return relative(gap, length(x) + np.abs(measured) + CANCELLED * e.carried), e.links[: e.n]


def omega(e: Evidence, stage: str) -> Found:
    j = e.dense.constraint
    expected = j @ np.linalg.solve(e.dense.mass_matrix, j.T)
    return relative(length(e.solution.stages[stage]["omega"] - expected), np.abs(expected).max()), e.constraint_links()


def corrector(e: Evidence, stage: str) -> Found:
    contact = e.solution.stages[stage]
    tips = [c.tip for c in e.system.contacts]
    gap = (contact["corrected_contact_force"] - contact["contact_force"])[tips]
    size = np.abs(contact["contact_force"]).max() + np.abs(contact["predicted_contact_force"]).max()
    return relative(length(gap), size), np.array([c.link for c in e.system.contacts])


def contacts_close(e: Evidence, stage: str) -> Found:
    acceleration = e.packed("smoother_final")
    moved = e.dense.constraint @ acceleration
    # At rest everything cancels: the effect of gravity and torques alone gives the scale.
    acting = np.abs(e.dense.bias)
    acting[: e.n] += np.abs(e.solution.tau)
    might = np.maximum(np.abs(acceleration), 1e-3 * np.abs(np.linalg.solve(e.dense.mass_matrix, acting)))
    size = np.abs(e.dense.constraint) @ might + np.abs(e.dense.constraint_bias)
    return relative(np.abs(moved + e.dense.constraint_bias), float(size.max())), e.constraint_links()


def object_balance(e: Evidence, stage: str) -> Found:
    payload = e.solution.object_acceleration
    assert payload is not None
    gap = e.dense.mass_matrix[-6:, -6:] @ payload + e.dense.bias[-6:]
    size = np.abs(gap).max() + np.abs(e.dense.bias[-6:]).max()
    for force in e.contacts_at_object():
        gap = gap - force
        size += np.abs(force).max()
    return relative(np.array([np.abs(gap).max()]), size), np.array([-1])


def correction(e: Evidence, stage: str) -> Found:
    pushed = e.contact_at_links()
    expected = e.carried_inward(pushed)
    found = e.solution.stages[stage]["force_correction"]
    return relative(length(found - expected), length(expected) + length(pushed).max(initial=0.0)), e.links


def estimates_difference(e: Evidence, stage: str) -> Found:
    inertia = e.solution.stages[stage]["operational_space_inertia"]
    covariance = e.solution.stages["smoother"]["costate_covariance"]
    # Scale each entry by a bound on its terms: rotations and translations have no common unit, and if symmetry makes
    # all terms of an entry vanish, only rounding is left.
    across, along = (np.sqrt(np.abs(np.diagonal(each, axis1=1, axis2=2))) for each in (inertia, covariance))
    most = (across * along).sum(axis=1)[:, None, None] * across[:, :, None] * along[:, None, :]
    return length(relative(inertia @ covariance - np.eye(6), most)), e.links


def both_filters(e: Evidence, stage: str) -> Found:
    found, other = e.solution.stages[stage]["acceleration"], e.solution.stages["smoother"]["acceleration"]
    return relative(length(found - other), length(other).max(initial=0.0)), e.links


def agreement(e: Evidence, stage: str) -> Found:
    try:
        expected, _ = solve_dense(e.dense, e.solution.tau)
    except (ModelError, SingularConfigurationError):
        return None
    gap = np.abs(e.packed(stage) - expected)
    # One row per link: the joint's entry, or the worst of six for a base; the object's row is last.
    bases = length(gap[e.n : e.n + 6 * e.system.n_bases].reshape(-1, 6))
    rows, links = np.concatenate([gap[: e.n], bases]), e.links
    if e.system.task_object is not None:
        rows, links = np.append(rows, gap[-6:].max()), np.append(links, -1)
    asked = np.abs(e.dense.bias)
    asked[: e.n] += np.abs(e.solution.tau) + e.carried
    largest = np.linalg.solve(e.dense.mass_matrix, asked) if len(gap) else gap
    return relative(rows, np.abs(expected).max(initial=0.0) + 1e-3 * np.abs(largest).max(initial=0.0)), links


def energy(e: Evidence, stage: str) -> Found:
    left, size = e.generalized(stage)
    if e.system.is_held:
        for force in e.contacts_at_object():
            left[-6:] -= force
            size[-6:] += np.abs(force)
    size[: e.n] += CANCELLED * e.carried
    # v' (M q'' + h) is the rate of kinetic and potential energy, v' tau the motors' power minus the losses.
    return relative(np.array([e.v @ left]), np.abs(e.v) @ size), np.array([-1])
