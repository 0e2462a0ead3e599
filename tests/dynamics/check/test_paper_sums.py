"""Which methods share code, and the sums that the papers print."""

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import grimp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import dynamics as dyn
from app.motion.presets import PRESETS
from app.state import Session
from dynamics.check.agreement import OF_A_FREE_OBJECT, STANDS_ON, shared
from dynamics.check.both_sides import Moment
from dynamics.check.identities import HOLDS
from dynamics.check.paper_sums import of_another_base, paper_sums
from dynamics.system.layout import ORIGIN_POSITION, ORIGIN_ROTATION
from dynamics.system.system import System
from tests.dynamics.every import every
from tests.dynamics.systems import draw_forked_group, draw_group_of_tips, draw_robot
from tests.dynamics.twins import Twin, arms_and_object, draw_arms, one_arm


class MovingMachine(NamedTuple):
    """A machine in motion; a ``Twin`` is one too."""

    system: dyn.System
    state: dyn.State
    tau: np.ndarray


def arm(seed: int, n: int, floating: bool, branching: float) -> Twin:
    rng = np.random.default_rng(seed)
    return one_arm(rng, draw_robot(rng, n, branching=branching, mass_decades=1.0), floating=floating)


def held(seed: int, joints: list[int], kinds: list[str]) -> Twin:
    rng = np.random.default_rng(seed)
    return arms_and_object(rng, draw_arms(rng, joints), kinds)


def group(floating: bool | tuple[bool, ...], kinds: list[str]) -> MovingMachine:
    rng = np.random.default_rng(12)
    system, state = draw_forked_group(rng, floating, kinds)
    return MovingMachine(system, state, rng.normal(size=system.n_joints))


def by_tips(floating: bool) -> MovingMachine:
    system, state = draw_group_of_tips(np.random.default_rng(33), floating)
    return MovingMachine(system, state, np.linspace(-1.0, 1.0, system.n_joints))


def ready(name: str) -> MovingMachine:
    system, state = dyn.example(name)
    qd, rng = state.qd, np.random.default_rng(3)
    state = dyn.project(system, replace(state, qd=qd + rng.normal(size=qd.shape)))
    return MovingMachine(system, state, rng.normal(size=system.n_joints))


MACHINES: dict[str, Callable[[], MovingMachine | Twin]] = {
    "joint": lambda: arm(40, 1, False, 0.0), "chain": lambda: arm(41, 7, False, 0.0),
    "tree": lambda: arm(42, 9, False, 0.5), "flyer": lambda: arm(43, 6, True, 0.0),
    "joint in flight": lambda: arm(40, 1, True, 0.0), "tree in flight": lambda: arm(44, 9, True, 0.5),
    "arms that hold": lambda: held(45, [7, 6], ["rigid", "rigid"]),
    "one by a point": lambda: held(46, [6, 8, 5], ["rigid", "point", "rigid"]),
    "no joint to spare": lambda: held(12, [6, 6], ["rigid", "rigid"]),
    "an arm that holds": lambda: held(47, [4], ["rigid"]),
    "trees that hold": lambda: group(False, ["rigid", "point", "soft_finger"]),
    "trees that hold and float": lambda: group(True, ["rigid", "point", "soft_finger"]),
    "one floats": lambda: group((True, False), ["rigid", "point", "soft_finger"]),
    "tips that slip": lambda: by_tips(False),
    "rotors": lambda: ready("puma560"), "two in a plane": lambda: ready("two_planar_arms"),
}  # fmt: skip


@every(MACHINES)
def test_both_sides_agree(name: str) -> None:
    twin = MACHINES[name]()
    solution = dyn.forward_dynamics(twin.system, twin.state, twin.tau)
    found = paper_sums(solution)
    wrong = {f"{each.source} {each.title}": each.residual for each in found if not each.residual < 1e-8}
    assert not wrong
    kinds = {each.source.split()[0] for each in found}
    assert {"R87", "R88", "JR"} <= kinds <= {"R87", "R88", "JR", "JZ"}
    of_flyers = solution.system.kind == "free_flyer" and not any(j.rotor_inertia for j in solution.system.joint_models)
    assert any("(A.9)" in each.source for each in found) == of_flyers
    assert any("(8.7)" in each.source for each in found) == solution.system.is_held
    assert any("(5.6)" in each.source for each in found) == (
        solution.system.is_held and not solution.system.is_floating
    )
    assert any("Result 5.4" in each.source for each in found) == (name == "no joint to spare")
    assert len({(each.source, each.title) for each in found}) == len(found)
    if of_flyers:  # any link may be called the base
        for link in range(solution.system.n_links):
            for each in of_another_base(Moment(solution), link):
                assert each.residual < 1e-8, (link, each.source)


@every(["chain", "tree", "flyer", "tree in flight", "arms that hold", "one by a point"])
def test_what_is_only_rounding_at_rest_is_no_difference(name: str) -> None:
    """Motors carry the weight, or all falls freely, and velocities are what rounding leaves of them."""
    twin = MACHINES[name]()
    system, rng = twin.system, np.random.default_rng(47)
    still = replace(twin.state, **{
        part: 1e-16 * rng.standard_normal(speed.shape)
        for part in ("qd", "base_velocity", "object_velocity") if (speed := getattr(twin.state, part)) is not None
    })  # fmt: skip
    found = dyn.forward_dynamics(system, still, carrying(system, still))
    assert name.endswith("flight") or name == "flyer" or np.abs(found.joint_acceleration).max() < 1e-9
    wrong = {f"{each.source} {each.title}": each.residual for each in paper_sums(found) if each.residual > 1e-8}
    assert not wrong


def carrying(system: dyn.System, state: dyn.State) -> np.ndarray:
    """Torques under which nothing accelerates; of a free flyer none, so that it falls."""
    if system.is_floating:
        return np.zeros(system.n_joints)
    alone = dyn.forward_dynamics(system, state).joint_acceleration
    response = [dyn.forward_dynamics(system, state, one).joint_acceleration - alone for one in np.eye(system.n_joints)]
    return np.asarray(np.linalg.lstsq(np.array(response).T, -alone, rcond=1e-10)[0])


@every([
    ("smoother", "acceleration", "(23)"), ("smoother", "costate_covariance", "(4.5)"),
    ("filter", "kalman_gain", "(2.7)"), ("filter", "corrected_force", "(3.10)"),
    ("filter", "articulated_inertia_updated", "(50)"),
])  # fmt: skip
def test_a_wrong_number_shows(stage: str, name: str, source: str) -> None:
    twin = MACHINES["chain"]()
    solution = dyn.forward_dynamics(twin.system, twin.state, twin.tau)
    stages = {key: dict(arrays) for key, arrays in solution.stages.items()}
    wrong = stages[stage][name].copy()
    wrong.flat[np.abs(wrong).argmax()] *= 1.01
    stages[stage][name] = wrong
    found = paper_sums(replace(solution, stages=stages))
    assert max(each.residual for each in found if source in each.source) > 1e-4


def failed(solution: dyn.Solution) -> dict[str, float]:
    found = {}
    for checked in dyn.identities(solution):
        worst = float(np.nanmax(checked.residual, initial=0.0))
        if worst > HOLDS / 10.0:
            found[f"{checked.identity.key} in {checked.stage}"] = worst
    return found


@pytest.mark.compiled_only
@every(PRESETS)
def test_every_motion_begins_with_identities_that_hold(preset: str) -> None:
    run = Session(preset).run
    run.accept(run.compute())
    assert failed(run.solution_at(0.0)) == {}
    assert failed(run.solution_at(run.end)) == {}


@given(st.integers(0, 2**32 - 1))
def test_an_arm_that_its_motors_hold_still(seed: int) -> None:
    rng = np.random.default_rng(seed)
    robot = draw_robot(rng, int(rng.integers(1, 9)), branching=0.3 * (seed % 2), mass_decades=seed % 5).load()
    system = dyn.single_arm(robot)
    state = system.state(q=rng.uniform(-1.0, 1.0, system.n_joints))
    tau = dyn.inverse_dynamics(system, state, np.zeros(system.n_joints))
    assert failed(dyn.forward_dynamics(system, state, tau)) == {}


def test_torques_that_a_locked_machine_does_not_feel() -> None:
    """Two hinges askew that hold one body cannot move: what their accelerations are beside is what is asked of them."""
    robot = draw_robot(np.random.default_rng(0), 1).load()
    places = [np.eye(4), np.eye(4)]
    places[1][:3, :3] = Rotation.from_rotvec([0.3, 1.0, -0.4]).as_matrix()
    places[1][:3, 3] = (1.0, 0.2, -0.5)
    system = dyn.multi_arm([robot, robot], places, dyn.TaskObject.box([0.2, 0.3, 0.1], 1.0), [0.0, 0.0, 0.0])
    state = system.state()
    held = dyn.grasp(system, state, ["rigid", "rigid"])
    solution = dyn.forward_dynamics(held, state, [3.0, -2.0])
    assert np.abs(solution.joint_acceleration).max() < 1e-12
    assert failed(solution) == {}


@every(["iiwa14", "free_flyer", "two_arms_and_box"])
def test_a_solution_without_stages_has_no_identities(name: str) -> None:
    system, state = dyn.example(name)
    for method in dyn.methods(system):
        solution = dyn.forward_dynamics(system, state, np.ones(system.n_joints), method)
        if method == "filter_smoother":
            assert dyn.identities(solution)
        elif not solution.stages:
            for ask in (dyn.identities, paper_sums):
                with pytest.raises(dyn.ModelError, match="does not return"):
                    ask(solution)
        else:
            assert method == "two_filter"


# What each method's answer is computed by; ``FORMULATIONS`` puts the questions.
RUNS = {
    "filter_smoother": ("recursion.filter_smoother",),
    "two_filter": ("recursion.filter_smoother", "recursion.dual_filter"),
    "mass_matrix": ("witness.equation_of_motion",),
    "newton_euler": ("witness.newton_euler", "witness.strobing"),
    "newton_euler_modified": ("witness.newton_euler", "witness.strobing"),
    "lagrange": ("witness.lagrange", "witness.strobing"),
    "appel": ("witness.appel", "witness.arm_group"),
    "kkt": ("witness.kkt", "system.plain_kinematics"),
}
MECHANICS = ("recursion", "lanes", "solve", "witness")
OF_A_SYSTEM = ("system.plain_kinematics", "system.axis_frames")
SWEEPS = {"filter_smoother", "two_filter"}


def mechanics_below(graph: grimp.ImportGraph, modules: tuple[str, ...]) -> set[str]:
    found = {f"dynamics.{module}" for module in modules}
    for module in tuple(found):
        found |= graph.find_upstream_modules(module)
    names = {module.removeprefix("dynamics.") for module in found}
    return {name for name in names if name.partition(".")[0] in MECHANICS or name in OF_A_SYSTEM} - set(MECHANICS)


def test_methods_share_what_they_say_and_no_more() -> None:
    graph = grimp.build_graph("dynamics")
    named = {name for own in ("iiwa14", "free_flyer", "two_arms_and_box") for name in dyn.methods(dyn.example(own)[0])}
    assert named == set(STANDS_ON) == set(RUNS)
    for left, right in combinations(RUNS, 2):
        common = mechanics_below(graph, RUNS[left]) & mechanics_below(graph, RUNS[right])
        said = shared(left, right, let_go=False, coupled=False)
        assert set(said) <= common, (left, right)
        if {left, right} != SWEEPS:  # these two share the sweeps, and with them all that the sweeps import
            assert common <= mechanics_below(graph, said), (left, right)


def moved(system: System, column: int) -> System:
    """The same system whose compiled table has a few numbers of one joint wrong by a thousandth."""
    model = system.tables.model.copy()
    model[1, column : column + 3] += (1e-3, -2e-3, 1.5e-3)
    return replace(system, tables=system.tables._replace(model=model))


@every((name, column) for name in ("iiwa14", "free_flyer") for column in (ORIGIN_POSITION, ORIGIN_ROTATION + 6))
def test_sweeps_that_see_wrongly_are_found_out(name: str, column: int) -> None:
    """A fault in the compiled kinematics is no witness's: each denies the sweeps, and they agree among themselves."""
    system, state = dyn.example(name)
    state = replace(state, q=state.q + 0.1, qd=np.linspace(-0.8, 0.7, system.n_joints))
    tau = np.linspace(1.0, -2.0, system.n_joints)
    truth = dyn.agreement(system, state, tau)
    assert truth.worst < 1e-9

    found = dyn.agreement(moved(system, column), state, tau)
    worst = dict.fromkeys(combinations(dyn.methods(system), 2), 0.0)
    for row in found.rows:
        worst[row.left, row.right] = max(worst[row.left, row.right], row.relative)
    for pair, gap in worst.items():
        denied = len(SWEEPS & set(pair)) == 1
        assert gap > 1e-5 if denied else gap < 1e-9, pair


@every([ORIGIN_POSITION, ORIGIN_ROTATION])
def test_identities_find_sweeps_that_see_wrongly(column: int) -> None:
    system, state = dyn.example("iiwa14")
    state = replace(state, q=state.q + 0.1, qd=np.linspace(-0.8, 0.7, system.n_joints))
    assert all(check.holds for check in dyn.identities(dyn.forward_dynamics(system, state)))
    checks = {(c.stage, c.identity.key): c for c in dyn.identities(dyn.forward_dynamics(moved(system, column), state))}
    for key in (
        ("filter", "articulated"), ("smoother", "kinematics"), ("smoother", "newton_joint"), ("smoother", "agreement"),
    ):  # fmt: skip
        assert not checks[key].holds, key


def test_rows_of_a_free_object_name_what_moves_it() -> None:
    held, state = dyn.example("two_arms_and_box")
    rows = dyn.agreement(dyn.release(held), state).rows
    for row in rows:
        of_object = row.quantity == "object_acceleration" and {row.left, row.right} <= set(OF_A_FREE_OBJECT)
        assert ("witness.free_object" in row.shared) == of_object, row
    assert not any("free_object" in module for row in dyn.agreement(held, state).rows for module in row.shared)
