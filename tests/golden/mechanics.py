"""What ``dynamics`` answers of one machine, through its public names alone, where everything moves and is loaded."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import fields
from typing import Any, NamedTuple

import numpy as np

import dynamics as dyn
from dynamics.check.paper_sums import paper_sums
from dynamics.papers.counting import count_operations
from dynamics.papers.critical_path import critical_path
from dynamics.papers.reproduce import paper_results, reproduce
from dynamics.solve.center_of_mass import velocity_without_momentum
from dynamics.solve.estimation import smoothed_force_covariance
from dynamics.solve.influence import acceleration_parts, contact_gain
from dynamics.solve.other_base import from_another_base
from dynamics.solve.rebase import rebase
from dynamics.witness.arm_group import group_inverse
from tests.dynamics.systems import draw_object, draw_robot, draw_tied
from tests.golden.ledger import Ledger, weighted

Names = Sequence[str]
EXACT, MOVED, GIVING = 1e-9, 1e-7, 1e-8
"""Shares of an array's size: of a direct result, after a motion, and of what a contact's solve magnifies."""
RESIDUAL = 1e-8
DURATION, CHANGE = 0.2, 0.1
ENERGIES = "kinetic_energy", "potential_energy", "momentum"
COUNTED = (
    *("newton_euler", "newton_euler_modified", "lagrange", "strobing"),
    *("filter_smoother", "two_filter", "planar_filter", "planar_batch"),
)
BASIS = "indeterminate_directions"
"""Its columns may be any basis of one space: that space is held instead."""
DRAWN = ("drawn_tree", "drawn_flyer", "drawn_arms")
TIED = {"tied_arm": "arm", "tied_flyer": "flyer", "tied_arms": "held"}
"""With joints that follow others, a closed loop in space, and losses; what is drawn for each."""
MACHINES = (*dyn.examples(), *DRAWN, *TIED)


class Moment(NamedTuple):
    system: dyn.System
    state: dyn.State
    tau: np.ndarray
    forces: np.ndarray


def moment(name: str) -> Moment:
    """A packaged or a drawn machine in motion, under torques and external forces."""
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    if name in TIED:
        return loaded(*draw_tied(rng, TIED[name], 2, losses=True, joints=21), rng)
    system, start = dyn.example(name) if name in dyn.examples() else drawn(name, rng)
    n = system.n_joints
    spread = 0.1 if system.is_held else 0.4
    given = {"q": start.q + rng.uniform(-spread, spread, n), "qd": rng.uniform(-1.0, 1.0, n)}
    if system.is_floating:
        given |= {"base_pose": start.base_pose, "base_velocity": rng.uniform(-0.5, 0.5, np.shape(start.base_velocity))}
    if system.task_object is not None:
        given |= {"object_pose": start.object_pose, "object_velocity": rng.uniform(-0.5, 0.5, 6)}
    state = system.state(**given)
    return loaded(system, dyn.project(system, state) if system.is_held else state, rng)


def loaded(system: dyn.System, state: dyn.State, rng: np.random.Generator) -> Moment:
    """A state under torques and external forces in proportion to what it moves."""
    n = system.n_joints
    inertia = dyn.mass_matrix(system, state)[:n, :n]
    tau = inertia @ rng.uniform(-5.0, 5.0, n)
    forces = np.diag(inertia).min() * rng.uniform(-0.2, 0.2, (system.n_links + 1, 6))
    return Moment(system, state, tau, forces)


def drawn(name: str, rng: np.random.Generator) -> tuple[dyn.System, dyn.State]:
    """Machines of no package: branches with sliding joints, one in flight, arms with contacts of several kinds."""
    if name == "drawn_arms":
        robots = [draw_robot(rng, n, kinds=("revolute",), mass_decades=1.0) for n in (6, 7, 5)]
        bases = [np.eye(4) for _ in robots]
        for k, base in enumerate(bases):
            base[:2, 3] = np.cos(2.1 * k), np.sin(2.1 * k)
        loads = [robot.load(tip=robot.leaf) for robot in robots]
        system = dyn.multi_arm(loads, bases, draw_object(rng), gravity=(0.3, -0.7, -9.81))
        home = system.state(q=rng.uniform(-1.0, 1.0, system.n_joints))
        middle = np.eye(4)
        middle[:3, 3] = dyn.forward_kinematics(system, home).tip_pose[:, :3, 3].mean(axis=0)
        state = system.state(q=home.q, object_pose=middle)
        return dyn.grasp(system, state, ["rigid", "soft_finger", "point"]), state
    robot = draw_robot(rng, 9, branching=0.4).load()
    if name == "drawn_flyer":
        system = dyn.free_flyer(robot, gravity=(0.1, -0.2, -1.6))
    else:
        system = dyn.single_arm(robot, gravity=(0.3, -0.7, -9.81))
    return system, system.home()


def answers(name: str) -> Ledger:
    """Everything that is held of a machine."""
    ledger, at = Ledger(), moment(name)
    system, state = at.system, at.state
    joints, links = list(system.joint_names), list(system.link_names)
    ledger.line(
        "joints, links, tips, bases", "-", [system.n_joints, system.n_links, system.n_tips, system.n_bases], 0.0
    )
    relative = GIVING if system.is_held else EXACT
    for name_of, packed in zip(("position", "velocity"), system.pack(state), strict=True):
        ledger.array(name_of, packed, relative=relative)
    solution = dyn.forward_dynamics(system, state, at.tau, external_forces=at.forces)
    _solution(ledger, solution, joints, links, relative)
    for method in dyn.methods(system)[1:]:
        other = dyn.forward_dynamics(system, state, at.tau, method, at.forces)
        ledger.array(f"acceleration by {method}", other.packed_acceleration, relative=GIVING)
    _posture(ledger, at, solution, joints, links)
    solver = dyn.solver(system)
    x, v = system.pack(state)
    ledger.array("solver", solver(x, v, at.tau), relative=GIVING)
    if not system.couplings.are_some:  # there each step solves a machine for every row
        _motion(ledger, at)
    _batch(ledger, at)
    return ledger


def _solution(ledger: Ledger, solution: dyn.Solution, joints: Names, links: Names, relative: float) -> None:
    for stage, arrays in solution.stages.items():
        share = EXACT if stage in ("filter", "dual_filter") else relative
        for quantity, array in arrays.items():
            if quantity == BASIS:
                space = array @ array.T
                ledger.line(f"{stage}.{quantity}", "projector", [np.trace(space), weighted(space)], 1e-6)
                continue
            labels = links if len(array) == len(links) else joints
            ledger.array(f"{stage}.{quantity}", array, labels, share)
    for name in ("object_acceleration", "base_acceleration", "contact_force", "link_velocity", "bias_acceleration"):
        value = getattr(solution, name)
        if value is not None:
            ledger.array(name, value, links, relative)
    ledger.array("bias_force", solution.bias_force, links)
    ledger.array("link_position", solution.link_pose[:, :3, 3], links)
    ledger.array("link_axes", solution.link_pose[:, :3, :3], links)
    ledger.array("tip_pose", solution.tip_pose[:, :3].reshape(-1, 12))
    for name in ENERGIES:
        ledger.array(name, getattr(solution, name))
    if solution.indeterminate is not None:
        ledger.line("indeterminate", "-", solution.indeterminate.shape[-1], 0.0)


def _posture(ledger: Ledger, at: Moment, solution: dyn.Solution, joints: Names, links: Names) -> None:
    system, state = at.system, at.state
    _matrix(ledger, "mass_matrix", dyn.mass_matrix(system, state), EXACT)
    _matrix(ledger, "mass_matrix_inverse", dyn.mass_matrix_inverse(system, state))
    ledger.array("operational_space_inertia", dyn.operational_space_inertia(system, state), links, GIVING)
    _record(ledger, "acceleration_parts", acceleration_parts(solution), joints)
    text = dyn.read_textbook(system, state, at.tau, at.forces)
    jain, printed, d = (np.ravel(text.letter(name))[: len(joints)] for name in ("eps", "e_minus", "D"))
    for name, value in {"jain": jain, "rodriguez": printed}.items():
        _one(ledger, f"innovations.{name}", value, joints)
    for name, value in {"jain": jain, "rodriguez": printed}.items():
        _one(ledger, f"innovations.{name}_whitened", value / np.sqrt(d), joints)
    _record(ledger, "mass_center", dyn.center_of_mass(solution.system, solution.state))
    if not system.is_held:
        wanted = np.linspace(-1.0, 2.0, len(joints))
        ledger.array("inverse_dynamics", dyn.inverse_dynamics(system, state, wanted, external_forces=at.forces))
        ledger.array("smoothed_force_covariance", smoothed_force_covariance(system, state), links, GIVING)
    if not system.is_floating:
        maps = dyn.influence(system, state)
        for name in ("W_free", "delta_W", "W", "contact_force", "object_acceleration"):
            _matrix(ledger, f"influence.{name}", getattr(maps, name))
    if system.kind == "free_flyer":
        seen = from_another_base(solution, rebase(system, links[0]), at.forces)
        for name in ("dual_articulated_inertia", "operational_space_inertia", "acceleration"):
            ledger.array(f"other_base.{name}", getattr(seen, name), links, GIVING)
        ledger.array("velocity_without_momentum", velocity_without_momentum(system, state), relative=GIVING)
    if system.is_held:
        gain = contact_gain(system, state)
        for field in fields(gain):
            if (value := getattr(gain, field.name)) is not None:
                _matrix(ledger, f"contact_gain.{field.name}", value)
        if not system.couplings.are_some:
            torques = group_inverse(system, state, [0.1, -0.2, 0.3, 0.4, -0.5, 0.6], at.forces)
            _record(ledger, "group_inverse", torques, joints)
    for check in dyn.identities(solution, at.forces):
        ledger.line(f"identity {check.stage}", check.identity.key, check.residual, RESIDUAL)
    for one in paper_sums(solution):
        ledger.line("paper sum", one.title, one.residual, RESIDUAL)


def _record(ledger: Ledger, name: str, record: Any, labels: Names = ()) -> None:
    """Every array of a record; of what is only rounding, that it is."""
    for field in fields(record):
        value = getattr(record, field.name)
        if isinstance(value, np.ndarray | float):
            _one(ledger, f"{name}.{field.name}", value, labels)


def _one(ledger: Ledger, name: str, value: np.ndarray | float, labels: Names) -> None:
    if float(np.abs(value).max(initial=0.0)) < RESIDUAL:
        ledger.line(name, "-", 0.0, RESIDUAL)
    else:
        ledger.array(name, value, labels, GIVING)


def _matrix(ledger: Ledger, name: str, matrix: Any, relative: float = GIVING) -> None:
    """The diagonal of a square one, and of each row the weighted sum."""
    tolerance = relative * (float(np.abs(matrix).max(initial=0.0)) or 1.0)
    if matrix.ndim < 2:
        ledger.array(name, matrix, (), relative)
        return
    if matrix.shape[0] == matrix.shape[1]:
        ledger.line(name, "diagonal", np.diag(matrix), tolerance)
    ledger.line(name, "rows", [weighted(row) for row in matrix], tolerance * max(matrix.shape))


def _motion(ledger: Ledger, at: Moment) -> None:
    """A short run, an event in it where an object is held."""
    system, state = at.system, at.state
    inertia = dyn.mass_matrix(system, state)[: system.n_joints, : system.n_joints]
    least = float(np.linalg.eigvalsh(inertia)[0])
    gains = dyn.JointPD(stiffness=300.0 * least, damping=20.0 * least, feedforward=at.tau)
    events = [dyn.Release(CHANGE)] if system.is_held else []
    run = dyn.simulate(system, state, gains, DURATION, 1e-3, record_every=10, events=events, external_forces=at.forces)
    for time in (0.05, 0.123, DURATION):
        x, v = run.system_at(time).pack(run.state_at(time))
        for name, value in (("position", x), ("velocity", v), ("torque", run.solution_at(time).tau)):
            ledger.array(f"run.{name} at {time} s", value, relative=MOVED)
    for time, word in run.events:
        ledger.line("run.event", word, time, 1e-6)
    for time in (CHANGE, DURATION):
        there = run.solution_at(time)
        for name in ENERGIES:
            ledger.array(f"run.{name} at {time} s", getattr(there, name), relative=MOVED)
    ledger.line("run.samples", "-", len(run.t), 0.0)
    ledger.line("run.drift", "-", 0.0 if np.abs(run.drift).max(initial=0.0) < 1e-8 else 1.0, 0.0)
    for name, column in run.columns().items():
        if not name.startswith("drift"):
            last = column[[len(column) // 3, -1]]
            ledger.line("run.column", name, last, MOVED * max(1.0, float(np.abs(column).max())))


def _batch(ledger: Ledger, at: Moment) -> None:
    """The moment and its neighbors together."""
    system, state = at.system, at.state
    names = "base_pose", "base_velocity", "object_pose", "object_velocity"
    bodies: dict[str, Any] = {name: value for name in names if (value := getattr(state, name)) is not None}
    # A held object and a loop allow no other posture and no other rates: there the torques differ.
    shifts = np.zeros(3) if system.is_held or system.couplings.are_some else np.array([0.0, 0.05, -0.1])
    q, tau = state.q + shifts[:, None], at.tau * np.array([[1.0], [0.5], [-1.0]])
    batch = dyn.forward_dynamics_batch(system, q, state.qd, tau, "stages", **bodies, external_forces=at.forces)
    ledger.array("batch.joint_acceleration", batch.joint_acceleration, relative=GIVING)
    for name in ("base_acceleration", "object_acceleration", "contact_force"):
        if getattr(batch, name) is not None:
            ledger.array(f"batch.{name}", getattr(batch, name).reshape(3, -1), relative=GIVING)
    for stage, arrays in batch.stages.items():
        for quantity, array in arrays.items():
            if quantity != BASIS:
                tolerance = GIVING * (float(np.abs(array).max(initial=0.0)) or 1.0) * np.sqrt(array[0].size)
                ledger.line(f"batch.{stage}", quantity, [weighted(one) for one in array], tolerance)


def papers() -> Ledger:
    """The papers' own results, printed and ours, and counts of operations."""
    ledger = Ledger()
    for result in paper_results():
        if result.is_drawing:
            continue
        for number in reproduce(result.name).numbers:
            size = max(abs(number.ours), abs(number.published), 1e-12)
            values = [number.published, number.ours, float(number.agrees)]
            ledger.line(result.name, f"{number.row}, {number.column}", values, max(MOVED * size, 1e-9))
    for links in (1, 3, 7):
        for method in COUNTED:
            count = count_operations(method, links)
            total = [count.multiplications, count.additions, count.divisions, count.trigonometric, count.square_roots]
            ledger.line(f"operations, {links} links", method, total, 0.0)
        for method, arms in (("newton_euler_modified", 1), ("spoked_wheel", 3), ("two_filter", 1)):
            path = critical_path(method, links, arms)
            counts = np.array([*path.path[:3], *path.sequential[:3]])
            wobble = 0.01 * counts if method == "spoked_wheel" else 0.0  # its iterations end by rounding
            ledger.line(f"critical path, {links} links", method, counts, wobble)
    return ledger
