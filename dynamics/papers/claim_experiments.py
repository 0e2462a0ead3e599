"""The experiments behind ``claims`` that solve or sample: each yields (name, value, least, most) of its figures."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import null_space

from dynamics.check.identities import identities
from dynamics.checks import Array
from dynamics.errors import StateError
from dynamics.papers.claim_counts import ANY, FEW, Figures
from dynamics.papers.counting import count_operations
from dynamics.papers.critical_path import critical_path
from dynamics.papers.jain_rodriguez import moment
from dynamics.papers.jazidie_examples import example_1
from dynamics.papers.redundant_coordinates import run_redundant
from dynamics.papers.reproduce import reproduce
from dynamics.papers.result import relative
from dynamics.papers.rodriguez_1988 import with_mass
from dynamics.papers.staggered_step import contraction_radius, staggered_step, staggered_sweeps
from dynamics.recursion.transport import transport
from dynamics.robot.model import Robot
from dynamics.robot_files.library import load, planar_chain
from dynamics.solve.estimation import sample_estimation, smoothed_force_covariance
from dynamics.solve.formulations import INVERSE, inverse_dynamics
from dynamics.solve.forward_dynamics import forward_dynamics
from dynamics.solve.influence import contact_gain, influence
from dynamics.solve.jacobian import jacobian
from dynamics.solve.mass_matrix_inverse import operator_factors
from dynamics.system.assembly import multi_arm, single_arm
from dynamics.system.examples import example
from dynamics.system.grasp import grasp
from dynamics.system.plain_kinematics import forward_kinematics
from dynamics.system.state import State
from dynamics.system.system import System
from dynamics.witness.arm_group import group_equations
from dynamics.witness.equation_of_motion import composite_inertia, grasp_map, mass_matrix
from dynamics.witness.strobing import torque_parts, velocity_coefficients

SAME = 1e-9
"""Largest relative difference of two computations of one quantity."""
DRAWS = 20_000


def same(name: str, one: ArrayLike, other: ArrayLike, most: float = SAME) -> tuple[str, float, float, float]:
    """The difference of two quantities that should be equal."""
    return name, relative(one, other), 0.0, most


def reproduced(name: str, *rows: str) -> Figures:
    """What a result's numbers say, for rows with a prefix: they agree, or a reason for the difference is given."""
    for one in reproduce(name).numbers:
        if one.row.startswith(rows or ""):
            least, most = (one.rounding, ANY) if one.reason else (0.0, one.rounding)
            yield f"{one.row}: {one.column}", abs(one.ours - one.published), least, most


@cache
def arm() -> tuple[System, State, Array]:
    """A moving PUMA 560 without rotors and losses, and torques."""
    bare = single_arm(load("puma560").without("rotor_inertia", "friction", "damping"))
    home, n = example("puma560")[1], 6
    return bare, bare.state(q=home.q + 0.3 * np.cos(np.arange(n)), qd=np.sin(1.0 + np.arange(n))), np.linspace(-3, 4, n)


@cache
def held(name: str = "two_arms_and_box") -> tuple[System, State, Array]:
    """Arms that hold an object at rest, and torques."""
    system, state = example(name)
    return system, state, np.linspace(-5.0, 5.0, system.n_joints)


flown = cache(moment)
"""A free flyer under torques."""


def rescaled(robot: Robot, share: float, only: int | None = None) -> Robot:
    """Scales masses and inertias of all links, or of one."""
    links = tuple(
        replace(link, mass=share * link.mass, inertia=share * np.asarray(link.inertia)) if only in (None, k) else link
        for k, link in enumerate(robot.links)
    )
    return replace(robot, links=links)


def gain_against_scale() -> Figures:
    system, state, tau = arm()
    heavy = single_arm(rescaled(system.robots[0], 10.0))
    one, ten = (forward_dynamics(each, state, tau).stages["filter"] for each in (system, heavy))
    yield same("change of the gain under ten times the inertia", ten["kalman_gain"], one["kalman_gain"])
    yield "growth of D meanwhile", float(np.mean(ten["joint_inertia"] / one["joint_inertia"])), 9.99, 10.01


def what_smoothing_leaves() -> Figures:
    def along(system: System, state: State) -> Array:
        rows = transport(system, state).rows
        return np.einsum("ki,kij,kj->k", rows, smoothed_force_covariance(system, state), rows)

    system, state, _ = arm()
    left = smoothed_force_covariance(system, state)
    share = np.abs(along(system, state)).max() / np.abs(left).max()
    yield "variance left along joints, of the largest", share, 0.0, SAME
    yield "the same of joints with rotors, kg m²", along(*example("puma560")).max(), 0.1, ANY
    yield "largest eigenvalue left, kg m² or kg", max(np.linalg.eigvalsh(each)[-1] for each in left), 0.01, ANY


def mean_of_the_noise() -> Figures:
    """min (w - w')' M^-1 (w - w') with H phi w = tau, by a dense solve, against M alpha + b."""
    system, state, tau = arm()
    found, f = forward_dynamics(system, state, tau), operator_factors(system, state)
    seen, inertia = f.h @ f.phi, f.m
    prior = found.bias_force.ravel() + inertia @ f.phi.T @ found.bias_acceleration[: system.n_links].ravel()
    multiplier = np.linalg.solve(seen @ inertia @ seen.T, tau - seen @ prior)
    mean = prior + inertia @ seen.T @ multiplier
    alpha = found.stages["smoother"]["acceleration"].ravel()
    spread = inertia @ seen.T
    drawn = np.linalg.cholesky(inertia) @ np.random.default_rng(0).normal(size=len(inertia))
    rest = drawn - spread @ np.linalg.lstsq(spread, drawn, rcond=None)[0]
    yield same("most probable w against M α + b", mean, inertia @ alpha + found.bias_force.ravel())
    yield same("its multiplier against the accelerations", multiplier, found.joint_acceleration)
    left = float(np.linalg.norm(rest) / np.linalg.norm(drawn))
    yield "what no accelerations of the joints explain of a drawn w", left, 0.1, ANY


def _whitened(measured: Array, assumed: System, state: State) -> tuple[float, float]:
    """Torque innovations whitened with an assumed model: the largest correlation, and the mean variance."""
    white = np.linalg.solve(np.linalg.cholesky(mass_matrix(assumed, state)), measured.T)
    covariance = white @ white.T / len(measured)
    size = np.sqrt(np.diag(covariance))
    apart = covariance / np.outer(size, size) - np.eye(len(size))
    return float(np.abs(apart).max()), float(np.mean(size**2))


def whiteness() -> Figures:
    system, state, _ = arm()
    lighter = single_arm(rescaled(system.robots[0], 1.0 / 1.1))
    elsewhere = system.state(state.q + np.eye(6)[3])
    measured = sample_estimation(system, state, DRAWS, seed=1).measured
    right, _ = _whitened(measured, system, state)
    heavier, variance = _whitened(measured, lighter, state)
    turned, _ = _whitened(measured, system, elsewhere)
    chance = 5.0 * np.sqrt(2.0 / DRAWS)
    yield "largest correlation, right model", right, 0.0, chance
    yield "largest correlation, links ten per cent heavier than believed", heavier, 0.0, chance
    yield "mean variance then", variance, 1.1 - chance, 1.1 + chance
    yield "largest correlation, joint_3 a radian from where it is believed", turned, chance, ANY


def innovations_hold_all() -> Figures:
    system, state, _ = arm()
    drawn = sample_estimation(system, state, 50, seed=2)
    d = transport(system, state).joint_inertia
    statistic = (drawn.innovation**2 / d).sum(axis=1)
    matrix = mass_matrix(system, state)[:6, :6]
    weighted = np.einsum("si,si->s", drawn.measured, np.linalg.solve(matrix, drawn.measured.T).T)
    yield same("Σ ε²/D against τᵀM⁻¹τ", statistic, weighted)


def joint_inertia_unlocked() -> Figures:
    system, state, _ = arm()
    d, matrix = transport(system, state).joint_inertia, mass_matrix(system, state)
    unlocked = [1.0 / np.linalg.inv(matrix[: k + 1, : k + 1])[k, k] for k in range(system.n_joints)]
    yield same("D against the outboard arms' own matrices", d, np.array(unlocked))


def drawn_mass_matrix() -> Figures:
    system, state, _ = arm()
    matrix, measured = mass_matrix(system, state)[:6, :6], sample_estimation(system, state, DRAWS, seed=3).measured
    size = np.sqrt(np.diag(matrix))
    apart = (measured.T @ measured / DRAWS - matrix) / np.outer(size, size)
    yield "largest difference of correlations", np.abs(apart).max(), 0.0, 5.0 * np.sqrt(2.0 / DRAWS)


def composite_is_rigid() -> Figures:
    """r(k) = [[J, m p~], [-m p~, m 1]] against sums over the outboard links, each by its own mass centre."""
    system, state, _ = arm()
    links, pose = system.link_models, forward_kinematics(system, state).pose
    mass = np.array([link.mass for link in links])
    center = np.array([at[:3, 3] + at[:3, :3] @ link.center_of_mass for at, link in zip(pose, links, strict=True)])
    own = np.array([at[:3, :3] @ link.inertia @ at[:3, :3].T for at, link in zip(pose, links, strict=True)])
    found, summed = [], []
    for k, r in enumerate(composite_inertia(system, state)):
        m, p = mass[: k + 1], center[: k + 1] - pose[k, :3, 3]
        about = [each @ each * np.eye(3) - np.outer(each, each) for each in p]
        summed.append((m.sum(), m @ p / m.sum(), own[: k + 1].sum(axis=0) + np.tensordot(m, about, 1)))
        found.append((r[3, 3], np.array([r[2, 4], r[0, 5], r[1, 3]]) / r[3, 3], r[:3, :3]))
    names = ("mass of r(k)", "mass centre", "inertia")
    for name, one, other in zip(names, zip(*found, strict=True), zip(*summed, strict=True), strict=True):
        yield same(f"{name} against the outboard links", np.array(one), np.array(other))


def numbers_of_inertias() -> Figures:
    system, state, _ = arm()
    p, r = transport(system, state).inertia[-1], composite_inertia(system, state)[-1]
    yield "how far P's lower right block is from a mass times 1", _from_a_mass(p), 1e-3, ANY
    yield "the same of r", _from_a_mass(r), 0.0, SAME


def _from_a_mass(inertia: Array) -> float:
    block = inertia[3:, 3:]
    return float(np.abs(block - np.trace(block) / 3.0 * np.eye(3)).max() / np.abs(block).max())


def what_is_forgotten() -> Figures:
    system = single_arm(planar_chain(12), gravity=(0.0, 0.0, 0.0))
    found = forward_dynamics(system, system.state(q=np.zeros(12))).stages["filter"]
    d, p = found["joint_inertia"], found["articulated_inertia"]
    along = np.array([np.linalg.eigvalsh(each[3:, 3:])[-1] for each in p])
    yield "change of D from the third to the last of twelve links", abs(d[-1] / d[2] - 1.0), 0.0, 0.05
    yield "largest mass that P shows at the twelfth, of one link's", along[-1] / system.link_models[0].mass, 11.9, ANY


def accelerated_base() -> Figures:
    """An arm on a base that accelerates upward at 2 m/s², as the same arm in more gravity."""
    system, state, tau = arm()
    lifted = single_arm(system.robots[0], gravity=tuple(system.gravity - np.array([0.0, 0.0, 2.0])))
    found = forward_dynamics(system, state, tau)
    answered = forward_dynamics(lifted, state, tau).joint_acceleration
    rise, t, n = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 2.0]), transport(system, state), system.n_joints
    at, known = rise, np.zeros(n)
    for k in reversed(range(n)):
        at = t.shift[k].T @ at
        known[k] = -t.gain[k] @ at
        at = at + t.rows[k] * known[k]

    def biases(velocity: Array) -> Array:
        flyer, posed = flown().system, replace(flown().state, base_velocity=velocity)
        moved = forward_dynamics(flyer, posed, flown().tau)
        return np.hstack([moved.bias_acceleration, moved.bias_force])

    still, pushed, turned = (biases(velocity) for velocity in (np.zeros(6), np.eye(6)[5], np.eye(6)[2]))
    yield same("accelerations by another boundary value", found.joint_acceleration + known, answered, 1e-8)
    yield same("biases on a base that moves along", pushed, still)
    yield "change of the biases on a base that turns, of their size", relative(turned, still), 0.1, ANY


def later_joints_locked() -> Figures:
    """The printed residual, nu + G'a in JR's letters, against a dense solve of joints 1 to k, those after k at rest."""
    system, moving, tau = arm()
    n, t, matrix = system.n_joints, transport(system, moving), mass_matrix(system, moving)

    def apart(state: State) -> float:
        found, alone = forward_dynamics(system, state, tau), np.zeros(n)
        printed = found.stages["filter"]["residual"] + np.einsum("ki,ki->k", t.gain, found.bias_acceleration[:n])
        for k in range(n):
            locked = system.state(state.q, np.where(np.arange(n) <= k, state.qd, 0.0))
            open_torque = tau - inverse_dynamics(system, locked, np.zeros(n))
            alone[k] = np.linalg.solve(matrix[: k + 1, : k + 1], open_torque[: k + 1])[k]
        return float(np.abs(printed / alone - 1.0).max())

    checks = identities(forward_dynamics(system, moving, tau))
    yield "largest difference at rest, of a joint's acceleration", apart(system.state(moving.q)), 0.0, SAME
    yield "in motion", apart(moving), 1e-3, ANY
    locked = next(each.worst for each in checks if each.identity.key == "locked")
    yield "in motion, a next link without acceleration against JR's residual", locked, 0.0, 1e-8


def biases_in_the_sweeps() -> Figures:
    system, state, tau = arm()
    found = forward_dynamics(system, state, tau).joint_acceleration
    torque, bias = (INVERSE["newton_euler"](system, state, each) for each in (found, np.zeros(system.n_joints)))
    filtering, inverse = (
        count_operations(method, FEW).flops for method in ("filter_smoother", "newton_euler_modified")
    )
    yield same("torques of its accelerations, in motion and under gravity", torque, tau)
    yield "largest torque of motion and weight alone, N m", np.abs(bias).max(), 1.0, ANY
    yield "operations of an inverse dynamics, of the filter's and smoother's", inverse / filtering, 0.285, 0.295


def free_stages_alone() -> Figures:
    system, state, tau = held()
    both = forward_dynamics(system, state, tau).stages["filter"]["innovation"]
    changed = tau.copy()
    changed[system.n_joints // 2 :] += 7.0
    other = forward_dynamics(system, state, changed).stages["filter"]["innovation"]
    half = system.n_joints // 2
    yield "change of arm 1's innovations by arm 2's torques", np.abs(both[:half] - other[:half]).max(), 0.0, 0.0
    yield "change of arm 2's", np.abs(both[half:] - other[half:]).max(), 1.0, ANY


def five_stages() -> Figures:
    return reproduced("r88_fig_9_1")


def heavy_object() -> Figures:
    return reproduced("r88_limits", "heavy")


def light_object() -> Figures:
    return reproduced("r88_limits", "light")


def forms_of_the_gain() -> Figures:
    system, state, _ = held()
    gain, short = contact_gain(system, state), example("two_planar_arms")
    stretched = two_alike("iiwa14", np.zeros(7))
    assert gain.by_inertia is not None
    yield same("both forms", gain.by_inertia, gain.by_mobility)
    yield "two arms of three joints: whether they have 𝒫", contact_gain(*short).by_inertia is not None, 0, 0
    yield "two arms of seven, outstretched", contact_gain(*stretched).by_inertia is not None, 0, 0


def two_alike(name: str, q: Array) -> tuple[System, State]:
    """Two arms in one posture with an object."""
    one, apart, pose = load(name), np.eye(4), np.eye(4)
    apart[0, 3] = 1.0
    system = multi_arm([one, one], [np.eye(4), apart], held()[0].task_object)
    pose[:3, 3] = 0.5, 0.3, 0.4
    state = system.state(q=np.tile(q, 2), object_pose=pose)
    return grasp(system, state, ["rigid", "rigid"]), state


WANTED = np.array([0.1, -0.2, 0.3, 0.2, 0.1, -0.1])


def of_tips(system: System, state: State) -> Array:
    """B' Phi' H', R88 (5.3): the contact points' velocities by joint rates, (6 contacts, joints)."""
    return np.vstack([jacobian(system, state, each.tip)[:, : system.n_joints] for each in system.contacts])


def rates_of_arms() -> Figures:
    square = two_alike("puma560", example("puma560")[1].q + 0.3 * np.cos(np.arange(6)))  # no redundancy
    redundant = held()[:2]
    only = np.linalg.solve(of_tips(*square), wanted := grasp_map(*square).T @ WANTED)
    tips = of_tips(*redundant)
    rates, null = np.linalg.pinv(tips) @ grasp_map(*redundant).T @ WANTED, null_space(tips)
    yield same("Results 5.4 and 5.5", only, np.linalg.pinv(of_tips(*square)) @ wanted, 1e-8)
    yield "null motions of two arms of seven joints", null.shape[1], 2, 2
    share = float(np.linalg.norm(rates @ null) / np.linalg.norm(rates))
    yield "what Result 5.5 has of them, of the rates", share, 0, SAME


def projected() -> Figures:
    """Result 5.3 finds the object motion nearest to that of separated arms, Result 5.6 the smallest rates with it."""
    system, state, _ = held()
    torn = np.cos(np.arange(system.n_joints))
    tips, grasped = of_tips(system, state), grasp_map(system, state).T
    moved = np.linalg.lstsq(grasped, tips @ torn, rcond=None)[0]
    rates = np.linalg.pinv(tips) @ (grasped @ moved)
    yield "gap before, m/s or rad/s", float(np.abs(tips @ torn - grasped @ moved).max()), 0.1, ANY
    yield "gap after", float(np.abs(tips @ rates - grasped @ moved).max()), 0.0, SAME


def what_holding_takes() -> Figures:
    maps = influence(*held()[:2])
    least = np.linalg.eigvalsh(0.5 * (maps.delta_W + maps.delta_W.T))[0] / np.abs(maps.delta_W).max()
    yield same("W against W_FREE − ΔW", maps.W, maps.W_free - maps.delta_W)
    yield "least eigenvalue of ΔW, of its largest element", least, -SAME, ANY


def control_through_influence() -> Figures:
    system, state, tau = held()
    w, n = influence(system, state).W, system.n_joints
    rank = np.linalg.matrix_rank(w, tol=1e-9 * np.abs(w).max())
    wanted = w @ tau
    torque = np.linalg.pinv(w, rcond=1e-9) @ wanted
    impossible = np.linalg.lstsq(w, np.eye(n)[0], rcond=1e-9)[0]
    yield "rank of W, of fourteen joints", rank, 8, 8
    yield same("possible accelerations reached", w @ torque, wanted, 1e-8)
    yield "left of one joint alone accelerating, rad/s²", np.abs(w @ impossible - np.eye(n)[0]).max(), 0.01, ANY


def influence_in_flight() -> Figures:
    system, state = example("free_flyer")
    n, maps = system.n_joints, influence(system, state)
    rest, *pushed = (forward_dynamics(system, state, tau, method="kkt") for tau in (np.zeros(n), *np.eye(n)))
    answers = np.array([each.packed_acceleration - rest.packed_acceleration for each in pushed]).T
    yield same("W of a free flyer", maps.W, answers[:n], 1e-8)
    yield same("what torques do to its base", maps.link_acceleration[n], answers[n : n + 6], 1e-8)


def released() -> Figures:
    return reproduced("r88_fig_9_1", "2 smooth")


def any_base() -> Figures:
    yield from reproduced("jr_fig_3", "links'")
    yield from reproduced("jr_fig_4", "links'")


def invariant_inertia() -> Figures:
    return reproduced("jr_fig_3", "P", "S")


def with_thruster() -> Figures:
    system, state = flown().system, flown().state
    push = {system.link_names[-1]: np.array([1.0, 2.0, -1.0, 30.0, 10.0, -20.0])}
    found, dense = (
        forward_dynamics(system, state, flown().tau, each, external_forces=push) for each in ("two_filter", "kkt")
    )
    yield same("accelerations under a thruster", found.packed_acceleration, dense.packed_acceleration, 1e-8)


def drift() -> Figures:
    system, state = flown().system, flown().state
    slow, quick = (run_redundant(system, state, duration=0.2, dt=dt).gap[-1] for dt in (8e-3, 4e-3))
    yield "gap after 0.2 s by 4 ms, m", quick, 1e-16, 1e-3
    yield "by twice the step, so many times", slow / quick, 6, 40


def tree_in_flight() -> Figures:
    return reproduced("jr_fig_5")


def _least_share(mobility: Array) -> float:
    size = np.sqrt(np.diag(mobility))
    return float(np.linalg.eigvalsh(mobility / np.outer(size, size))[0]) if size.all() else 0.0


def mobility_of_links() -> Figures:
    system, state, tau = arm()
    bolted = forward_dynamics(system, state, tau).stages["smoother"]["costate_covariance"]
    free = flown().stages["smoother"]["costate_covariance"]
    yield "least share of a free flyer's links", min(map(_least_share, free)), 1e-9, 1.0
    yield "of a bolted arm's first link", _least_share(bolted[-1]), -SAME, SAME


def fraser_potter() -> Figures:
    """S (P+S)^-1 (z - P a) - P (P+S)^-1 z_s compared with the force through each joint."""
    first, dual, n = flown().stages["filter"], flown().stages["dual_filter"], flown().system.n_joints
    p, s = first["articulated_inertia"][:n], dual["dual_articulated_inertia"][:n]
    z, z_s, a = first["predicted_force"][:n], dual["dual_corrected_force"][:n], flown().bias_acceleration[:n]
    known = z - np.einsum("kij,kj->ki", p, a)
    joined = [
        s[k] @ np.linalg.solve(p[k] + s[k], known[k]) - p[k] @ np.linalg.solve(p[k] + s[k], z_s[k]) for k in range(n)
    ]
    force = flown().stages["smoother"]["force"][:n]
    yield same("the combination against the smoothed force", np.array(joined), force, 1e-8)


def proof() -> Figures:
    lines = list(reproduced("tml_section_4"))
    yield "lines", len(lines), 33, 33
    yield from lines


def strobed_parts() -> Figures:
    system, state, _ = arm()
    n, step, torques = system.n_joints, 1e-5, INVERSE["newton_euler"]
    pull, unit = np.linspace(-2.0, 2.0, n), np.eye(n)
    inertial, rates, gravity = torque_parts(system, state, pull, torques)
    found = velocity_coefficients(system, state, torques)

    def matrix(by: Array) -> Array:
        return mass_matrix(system, system.state(state.q + by))[:n, :n]

    slope = np.stack([(matrix(step * each) - matrix(-step * each)) / (2.0 * step) for each in unit], axis=-1)
    derived = 0.5 * (slope + slope.transpose(0, 2, 1) - slope.transpose(2, 1, 0))  # Lagrange's, by derivatives of M
    both = torque_parts(system, replace(state, qd=unit[3] + unit[4]), np.zeros(n), torques)[1]
    yield same("inertial part against M θ''", inertial, mass_matrix(system, state)[:n, :n] @ pull)
    yield same("Coriolis terms against derivatives of M", found, derived, 1e-8)
    yield same("all three parts against the torque", inertial + rates + gravity, inverse_dynamics(system, state, pull))
    yield "two rates at once, as printed, less twice their own term", relative(both, 2.0 * found[:, 3, 4]), 0.1, ANY


def appel() -> Figures:
    system, state, tau = arm()
    found, dense = (forward_dynamics(system, state, tau, each) for each in ("appel", "kkt"))
    yield same("accelerations", found.joint_acceleration, dense.joint_acceleration)


def arms_at_once() -> Figures:
    system, state, tau = held()
    half, other = system.n_joints // 2, tau.copy()
    other[half:] += 7.0
    one, changed = (staggered_step(system, state, each, np.zeros(6)).joint_acceleration for each in (tau, other))
    two, four = (critical_path("spoked_wheel", FEW, arms).speedup for arms in (2, 4))
    yield "change of arm 1's step by arm 2's torques", np.abs(one - changed)[:half].max(), 0.0, 0.0
    yield "change of arm 2's", np.abs(one - changed)[half:].max(), 1.0, ANY
    yield "speed-up of two arms, by R88's stages", two, 1.8, 1.9
    yield "of four", four, 3.3, 3.4


def contacts_by_kinematics() -> Figures:
    """Two arms with both tips rigid, and with one as a point."""
    system, state, tau = held()
    rigid, point = (grasp(system, state, ["rigid", kind]) for kind in ("rigid", "point"))
    whole, less = group_equations(rigid, state), group_equations(point, state)
    chosen = less.selection @ whole.selection.T
    kept = ("mass_matrix", "bias", "object_inertia", "object_force")
    found, dense = (forward_dynamics(point, state, tau, each) for each in ("appel", "kkt"))
    assert found.contact_force is not None
    changed = max(relative(getattr(less, k), getattr(whole, k)) for k in kept)
    yield "change of what else the equations have", changed, 0, 0
    yield same("J of the point's directions", less.jacobian, chosen @ whole.jacobian)
    yield same("G of the point's directions", less.grip, whole.grip @ chosen.T)
    yield same("accelerations with it, against the dense solve", found.packed_acceleration, dense.packed_acceleration)
    yield "moment that it transmits, N m", np.abs(found.contact_force[1, :3]).max(), 0.0, SAME


def staggered_is_an_iteration() -> Figures:
    system, state, tau = held("two_planar_arms")
    sweeps = staggered_sweeps(system, state, tau, 40).object_acceleration
    exact = forward_dynamics(system, state, tau, "kkt").object_acceleration
    assert exact is not None
    yield "first sweep, distance of its size", relative(sweeps[1], exact), 0.01, ANY
    yield "after forty", relative(sweeps[-1], exact), 0.0, 1e-6


def staggered_radius() -> Figures:
    system, state, tau = held("two_planar_arms")
    heavy, light = contraction_radius(system, state), contraction_radius(with_mass(system, 1.0), state)
    try:
        sweeps = staggered_sweeps(with_mass(system, 1.0), state, tau, 30).object_acceleration
        growth = float(np.abs(sweeps[-1]).max() / np.abs(sweeps[1]).max())
    except StateError:
        growth = ANY
    yield "radius, 5 kg", heavy, 0.0, 1.0
    yield "radius, 1 kg", light, 1.0, ANY
    yield "growth in thirty sweeps, 1 kg", min(growth, 1e300), 10.0, ANY


def positive_mass_matrix() -> Figures:
    system, state, _ = arm()
    least = np.linalg.eigvalsh(mass_matrix(system, state))[0]
    nothing = rescaled(system.robots[0], 1e-12, only=0)
    light = np.linalg.eigvalsh(mass_matrix(single_arm(nothing), state))[0]
    yield "least eigenvalue, kg m²", least, 1e-9, ANY
    yield "with a last link of next to no inertia, of that", light / least, -1e-6, 1e-6


def planar_arms_in_space() -> Figures:
    system, state, tau = held("two_planar_arms")
    lost = forward_dynamics(system, state, tau).stages["contact"]["indeterminate_directions"].shape[1]
    yield "directions of the contact forces that nothing determines", lost, 3, 3


def example_1_error() -> Figures:
    yield "largest position error (46) in 5 s", example_1().error.max(), 1.2e-6, 1.5e-6
