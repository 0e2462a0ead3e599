"""The sweeps in lanes compute what the readable recursions compute, every stage of every link, for any system."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray

import dynamics as dyn
from dynamics.lanes import layout
from dynamics.lanes.contacts import are_firm
from dynamics.lanes.forward import ALONE, lane_filter_and_smooth, lane_gaps, lane_motion_state
from dynamics.lanes.workspace import Workspace
from dynamics.recursion.contact_geometry import worst_gaps
from dynamics.recursion.filter_smoother import contact_operator_for_showing, filter_and_smooth, motion_state
from dynamics.recursion.outward_smoother import costate_covariance
from dynamics.solve.closure import lane_close_gaps, step_configuration
from dynamics.solve.forward_dynamics import filter_stages
from dynamics.spatial.factor_in_lanes import lane_factor
from dynamics.spatial.sine_cosine import sines_and_cosines
from dynamics.system import with_parts
from dynamics.system.tables import Work, make_work
from tests.dynamics.dense_machine import dense
from tests.dynamics.every import every
from tests.dynamics.systems import GRAVITY, draw_object, draw_pose, draw_robot, with_losses, with_tips
from tests.dynamics.twins import Twin, arms_and_object, one_arm

Array = NDArray[np.float64]
SEEDS = st.integers(0, 2**32 - 1)
RELATIVE = 1e-12
CONTACTS = ("rigid", "point", "soft_finger")
GAPS = slice(layout.GAP_ACCELERATION, layout.GAP_ACCELERATION + 16)


def in_both_forms(
    system: dyn.System, state: dyn.State, tau: Array, wrench: Array
) -> tuple[dyn.Solver, Array, Array, Work]:
    """The solver after its call, both forms' accelerations, and the readable form's work."""
    x, v = system.pack(state)
    work, expected = make_work(system.tables), np.zeros(system.n_velocity)
    work.wrench[:] = wrench
    motion_state(system.tables, x, v, work)
    assert filter_and_smooth(system.tables, v, tau, work, expected) == -1
    if system.is_held:
        contact_operator_for_showing(system.tables, work)
    solver = dyn.solver(system)
    solver._workspace.wrench = wrench
    return solver, solver(x, v, tau).copy(), expected, work


def assert_equal_forms(twin: Twin, rng: np.random.Generator) -> None:
    system = twin.system
    wrench = rng.normal(size=(system.n_links + 1, 6))
    solver, found, expected, work = in_both_forms(system, twin.state, twin.tau, wrench)
    # Where contacts barely resist, both forms refine; what is left follows the operator's condition.
    condition = np.linalg.cond(work.omega) if system.is_held else 1.0
    share = max(RELATIVE, 1e-14 * min(condition, 1e8))
    assert np.abs(found - expected).max() <= share * np.abs(expected).max()
    alone = np.zeros(system.n_velocity)
    x, v = system.pack(twin.state)
    lane_motion_state(solver._workspace.arena, x, v)
    assert lane_filter_and_smooth(solver._workspace.arena, v, twin.tau, alone, ALONE) == -1
    assert np.abs(alone - expected).max() <= share * np.abs(expected).max()
    solver(x, v, twin.tau)
    if not system.is_held:
        costate_covariance(system.tables.tree, work.links)
    stages = filter_stages(system, work)
    for name, quantities in solver.stages.items():
        for quantity, value in quantities.items():
            wanted = stages[name][quantity]
            if name == "contact" and quantity in DERIVED:
                continue
            # An object that its arms lock does not accelerate: rounding is measured by what moves the arms.
            least = np.abs(expected).max() if quantity == "object_acceleration" else 1e-9
            assert np.abs(value - wanted).max(initial=0.0) <= share * np.abs(wanted).max(initial=least), quantity


# Made by ``contact_gain`` from what is compared here, through pseudo-inverses that cut at 1e-10.
DERIVED = (
    "free_tip_force", "contact_kalman_gain", "predicted_contact_force", "predicted_object_force",
    "corrected_contact_force", "indeterminate_directions",
)  # fmt: skip


@given(seed=SEEDS, n_joints=st.integers(1, 20), branching=st.sampled_from([0.0, 0.5]), floating=st.booleans())
def test_one_arm(seed: int, n_joints: int, branching: float, floating: bool) -> None:
    rng = np.random.default_rng(seed)
    twin = one_arm(rng, draw_robot(rng, n_joints, branching=branching), floating=floating)
    if seed % 2:
        twin = replace(twin, system=with_parts(twin.system, [with_losses(twin.system.robots[0], rng)]))
    assert_equal_forms(twin, rng)


@given(
    seed=SEEDS,
    sizes=st.lists(st.integers(6, 8), min_size=1, max_size=4),
    branching=st.sampled_from([0.0, 0.0, 0.3]),
    contacts=st.sampled_from([("rigid",), ("rigid", "point"), ()]),
)
@example(seed=1, sizes=[6, 7, 8, 6, 7, 8, 6, 7], branching=0.0, contacts=("rigid", "point"))
@example(seed=2, sizes=[8, 7, 6, 8, 7, 6, 8, 7], branching=0.0, contacts=("rigid",))
def test_arms_and_object(seed: int, sizes: list[int], branching: float, contacts: tuple[str, ...]) -> None:
    rng = np.random.default_rng(seed)
    if branching:
        sizes = [size + 4 for size in sizes]
    arms = [draw_robot(rng, size, branching=branching, fixed=0.2, mass_decades=1.0) for size in sizes]
    kinds = [str(rng.choice(contacts or ("rigid",))) for _ in sizes]
    assert_equal_forms(arms_and_object(rng, arms, kinds, held=bool(contacts)), rng)


def adrift(rng: np.random.Generator, floats: bool) -> dict[str, Array]:
    """Two bases and an object, each with a place and a motion of its own; bases that stand have none to say."""
    bases = {"base_pose": np.stack([draw_pose(rng), draw_pose(rng)]), "base_velocity": rng.normal(size=(2, 6))}
    return {"object_pose": draw_pose(rng), "object_velocity": rng.normal(size=6), **(bases if floats else {})}


@given(seed=SEEDS, floats=st.booleans(), contacts=st.lists(st.sampled_from(CONTACTS), min_size=2, max_size=3))
def test_branching_and_floating_arms_hold_an_object(seed: int, floats: bool, contacts: list[str]) -> None:
    """Contacts that share links; contacts of one arm alone, or of two."""
    rng = np.random.default_rng(seed)
    first = draw_robot(rng, 12, branching=0.3, fixed=0.0).load()
    second = draw_robot(rng, 7, fixed=0.0).load()
    object_ = dyn.TaskObject.box((0.4, 0.3, 0.2), 2.0)
    system = dyn.multi_arm([first, second], floating=[floats, floats], task_object=object_, gravity=GRAVITY)
    state = system.state(
        q=rng.uniform(-2.0, 2.0, system.n_joints), qd=rng.normal(size=system.n_joints), **adrift(rng, floats)
    )
    tips = rng.permutation(system.n_tips)[: len(contacts)]
    kinds = [None] * system.n_tips
    for tip, kind in zip(tips, contacts, strict=False):
        kinds[tip] = kind
    system = dyn.grasp(system, state, kinds)
    constraint = dense(system, state).constraint
    if np.linalg.matrix_rank(constraint) < len(constraint):  # then a motion of its own may let no force close the chain
        state = dyn.project(system, state)
    tau = rng.normal(size=system.n_joints)
    assert_equal_forms(Twin(system, state, tau, None, *system.pack(state), tau), rng)


@every([
    (["rigid", "rigid"], 0, True, 0.0), (["rigid", "rigid"], 6, False, 0.0), (["rigid", "point"], 3, False, 0.0),
    (["rigid", "rigid"], 1, True, 0.3),
])  # fmt: skip
def test_what_has_drifted_apart_is_closed_alike(contacts: list[str], seed: int, firm: bool, branching: float) -> None:
    """Arms that hold away from the points of their links, and from beyond where they branch."""
    rng = np.random.default_rng(seed)
    arms = [draw_robot(rng, 14 if branching else 7, branching=branching, mass_decades=1.0).load() for _ in range(2)]
    arms = [with_tips(arm, [0], rng) for arm in arms]
    bases, payload = [draw_pose(rng), draw_pose(rng)], draw_object(rng)
    if branching:  # what weighs nothing beside its arms is not held by firm pivots
        payload = replace(payload, mass=1e3 * payload.mass, inertia=1e3 * payload.inertia)
    system = dyn.multi_arm(arms, bases, payload, GRAVITY)
    state = system.state(*rng.normal(size=(2, system.n_joints)), **adrift(rng, floats=False))
    system, tau = dyn.grasp(system, state, contacts), rng.normal(size=system.n_joints)
    x, v = system.pack(state)
    workspace, changes = Workspace(system), np.zeros((2, system.n_velocity))
    found = np.zeros(system.n_velocity)

    def solved() -> tuple[float, float]:
        lane_motion_state(workspace.arena, x, v)
        assert lane_filter_and_smooth(workspace.arena, v, tau, found, ALONE) == -1
        return lane_gaps(workspace.arena, v)

    solved()
    assert are_firm(workspace.lanes.grips) == firm
    # Where it has drifted apart: as a step of Newton's method.
    x += 1e-3 * rng.normal(size=x.shape)
    x[-4:] /= np.linalg.norm(x[-4:])
    gaps, before = solved(), workspace.lanes.held.copy()
    work, plain = make_work(system.tables), np.zeros(system.n_velocity)
    motion_state(system.tables, x, v, work)
    assert filter_and_smooth(system.tables, v, tau, work, plain) == -1
    np.testing.assert_allclose(found, plain, rtol=0.0, atol=1e-10 * np.abs(plain).max())
    np.testing.assert_allclose(gaps, worst_gaps(system.tables, work, v), rtol=1e-10)
    lane_close_gaps(workspace.arena, changes)
    if firm:  # both responses have a place of their own
        np.testing.assert_array_equal(np.delete(workspace.lanes.held, GAPS, 1), np.delete(before, GAPS, 1))
    v += changes[1]
    assert solved()[1] < 1e-9 * gaps[1]
    step_configuration(system.n_joints, x, changes[0], x)
    assert solved()[0] < 0.1 * gaps[0]


def test_sines_and_cosines() -> None:
    rng = np.random.default_rng(1)
    angles = np.concatenate([rng.uniform(-10, 10, 3000), rng.uniform(-9e4, 9e4, 3000), np.arange(-8, 9) * np.pi / 4])
    for values in (angles, np.append(angles, 1e7)):
        turns = np.zeros((3, 8 * -(-len(values) // 8)))
        sines_and_cosines(values, turns)
        np.testing.assert_allclose(turns[1, : len(values)], np.sin(values), rtol=0, atol=4e-16)
        np.testing.assert_allclose(turns[2, : len(values)], np.cos(values), rtol=0, atol=4e-16)
    # What is left of many quarter turns is as small as pi/2 is from a number: all three parts of it count.
    angles = 0.5 * np.pi * np.arange(-63_000, 63_000)
    turns = np.zeros((3, len(angles)))
    sines_and_cosines(angles, turns)
    np.testing.assert_allclose(turns[1], [math.sin(angle) for angle in angles], rtol=4e-16, atol=0.0)
    np.testing.assert_allclose(turns[2], [math.cos(angle) for angle in angles], rtol=4e-16, atol=0.0)


@every((size, unit) for size in (1, 6, 8, 12, 17, 24) for unit in (1.0, 1e-4))
def test_firm_pivots_are_taken_as_they_come(size: int, unit: float) -> None:
    """Whatever their unit: it is Cholesky's factor then, and the room beyond the matrix is left as it was."""
    root = unit * np.random.default_rng(size).normal(size=(size, size))
    matrix, width = root @ root.T + size * unit**2 * np.eye(size), 8 * -(-size // 8)
    factored, order, upper = np.zeros((size, size)), np.zeros(size + 2, dtype=np.int64), np.zeros((size, width))
    assert lane_factor(matrix, size, upper, factored, order)
    np.testing.assert_array_equal(order, [*range(size), size, 0])
    np.testing.assert_allclose(np.tril(factored), np.linalg.cholesky(matrix), atol=1e-13 * size * unit)
    assert not upper[:, size:].any()


def test_a_solver_takes_what_is_not_contiguous_and_says_what_does_not_fit() -> None:
    system = dyn.single_arm(dyn.load("iiwa14"))
    solver = dyn.solver(system)
    x, v = system.pack(system.home())
    tau = np.linspace(-1.0, 1.0, 7)
    expected = solver(x, v, tau).copy()
    read_only = tau.copy()
    read_only.flags.writeable = False
    for other in (tau.tolist(), np.repeat(tau, 2)[::2], read_only):
        np.testing.assert_array_equal(solver(x, v, other), expected)
    for x_, v_, tau_, name in (
        (x[:6], v, tau, "x"), (x, np.append(v, 0.0), tau, "v"), (x, v, tau[:3], "tau"), (x, v, tau[None], "tau"),
        (np.full(7, np.nan), v, tau, "x"), (x, v, np.full(7, np.inf), "tau"), (x, v, ["a"] * 7, "tau"),
    ):  # fmt: skip
        with pytest.raises(dyn.StateError, match=name):
            solver(x_, v_, tau_)
    with pytest.raises(dyn.StateError, match="not finite"):
        solver(x, 1e200 * np.ones(7), tau)
    np.testing.assert_array_equal(solver(x, v, tau), expected)
