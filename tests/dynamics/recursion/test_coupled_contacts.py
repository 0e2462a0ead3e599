"""Several contacts on one tree, and floating arms that hold one object: Lambda(0) gets blocks off its diagonal."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

import dynamics as dyn
from dynamics.numbers.factor_by_root import CONSISTENCY
from dynamics.operators.influence import influence
from dynamics.posture.arm_rates import tip_jacobians
from tests.dynamics.systems import DrawnRobot, draw_object, draw_pose, draw_robot
from tests.fuzz.systems import ROUNDINGS, Case, apart, known, made, own

FLOATING = [False, True, (True, False)]


def forked(drawn: DrawnRobot) -> list[str]:
    """Two leaves of the tree whose ways to the root share a link; none if there is no such pair."""
    robot = drawn.load()
    inner = set(robot.inboard)
    ways = {}
    for k in set(range(len(robot.links))) - inner:
        way, at = [], k
        while at < len(robot.links):
            way.append(at)
            at = robot.inboard[at]
        ways[robot.links[k].name] = set(way)
    return next(([a, b] for a, b in combinations(ways, 2) if ways[a] & ways[b]), [])


def draw_group(
    rng: np.random.Generator, floating: bool | tuple[bool, ...], kinds: list[str]
) -> tuple[dyn.System, dyn.State]:
    """A robot that forks, with two tips and a chain, in motion, holding one object together."""
    branching = draw_robot(rng, 14, branching=0.25, fixed=0.0, mass_decades=1.0)
    while not forked(branching):
        branching = draw_robot(rng, 14, branching=0.25, fixed=0.0, mass_decades=1.0)
    chain = draw_robot(rng, 7, fixed=0.0, mass_decades=1.0)
    robots = [branching.load(tip=forked(branching)), chain.load()]
    system = dyn.multi_arm(
        robots, [draw_pose(rng), draw_pose(rng)], draw_object(rng), gravity=(0.3, -0.2, -9.0), floating=floating
    )
    base = {"base_velocity": rng.normal(size=(system.n_bases, 6))} if system.is_floating else {}
    state = system.state(
        q=rng.normal(size=system.n_joints),
        qd=rng.normal(size=system.n_joints),
        object_pose=draw_pose(rng),
        object_velocity=rng.normal(size=6),
        **base,
    )
    held = dyn.grasp(system, state, kinds)
    return held, dyn.project(held, state)


@pytest.fixture(params=range(4))
def seed(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.mark.parametrize("floating", FLOATING)
@pytest.mark.parametrize("kinds", [["rigid", "rigid", "rigid"], ["rigid", "point", "soft_finger"]])
def test_every_method_agrees(seed: int, floating: bool | tuple[bool, ...], kinds: list[str]) -> None:
    rng = np.random.default_rng([seed, 5])
    system, state = draw_group(rng, floating, kinds)
    tau = rng.normal(size=system.n_joints)
    found = dyn.agreement(system, state, tau)
    assert "kkt" in dyn.methods(system)
    # A singular Omega (branches share the joints below the fork) costs digits in the forces.
    assert found.worst < 1e-8
    assert found.worst_residual < 1e-9


def test_contacts_of_one_tree_feel_each_other(seed: int) -> None:
    rng = np.random.default_rng([seed, 6])
    system, state = draw_group(rng, False, ["rigid", "rigid", "rigid"])
    omega = dyn.forward_dynamics(system, state).stages["contact"]["omega"]
    double = dyn.with_task_object(system, system.task_object.with_mass(2.0 * system.task_object.mass))
    doubled = dyn.forward_dynamics(double, state).stages["contact"]["omega"]
    arms_alone = 2.0 * doubled - omega  # the object's share is halved, the arms' stays
    assert np.abs(arms_alone[:6, 6:12]).max() > 1e-6 * np.abs(arms_alone).max()
    assert np.abs(arms_alone[:12, 12:]).max() < 1e-9 * np.abs(omega).max()
    assert np.allclose(omega, omega.T)
    assert np.linalg.eigvalsh(arms_alone).min() > -1e-9 * np.abs(omega).max()


def test_covariance_between_contacts_is_the_dense_one(seed: int) -> None:
    """Lambda(0) = J M^-1 J' with both contacts' Jacobians, blocks between them too."""
    rng = np.random.default_rng([seed, 7])
    system, state = draw_group(rng, False, ["rigid", "rigid", "rigid"])
    jacobian = tip_jacobians(system, state).reshape(-1, system.n_joints)
    expected = jacobian @ np.linalg.solve(dyn.mass_matrix(system, state)[:-6, :-6], jacobian.T)
    found = influence(system, state).sweeps["outward_covariance"]["tip_costate_covariance"]
    assert np.max(np.abs(found - expected)) < 1e-9 * np.abs(expected).max()


def test_influence_with_coupled_contacts(seed: int) -> None:
    rng = np.random.default_rng([seed, 8])
    system, state = draw_group(rng, False, ["rigid", "point", "rigid"])
    change = rng.normal(size=system.n_joints)
    before, after = dyn.forward_dynamics(system, state), dyn.forward_dynamics(system, state, change)
    maps = influence(system, state)
    expected = after.joint_acceleration - before.joint_acceleration
    assert np.max(np.abs(maps.W @ change - expected)) < 1e-8 * np.abs(expected).max()


def test_predictor_and_corrector_meet_the_force(seed: int) -> None:
    rng = np.random.default_rng([seed, 9])
    system, state = draw_group(rng, (True, False), ["rigid", "point", "rigid"])
    contact = dyn.forward_dynamics(system, state, rng.normal(size=system.n_joints)).stages["contact"]
    largest = max(np.abs(contact["contact_force"]).max(), np.abs(contact["predicted_contact_force"]).max())
    assert np.max(np.abs(contact["corrected_contact_force"] - contact["contact_force"])) < 1e-7 * largest


@pytest.mark.compiled_only
def test_momentum_of_floating_arms_that_carry_an_object() -> None:
    """Nothing outside acts: the momentum of two free flyers and their object stays, the chain stays closed."""
    robot = dyn.load("free_flyer").without("limits")
    thing = dyn.TaskObject.box((0.4, 0.4, 0.4), 20.0)
    shifted = np.eye(4)
    shifted[:3, 3] = (0.0, 4.0, 0.0)
    system = dyn.multi_arm([robot, robot], [np.eye(4), shifted], thing, gravity=(0, 0, 0), floating=True)
    home = {f"{arm}/{name}": value for arm in (1, 2) for name, value in robot.home.items()}
    state = system.state(q=system.to_joint_vector(home))
    tips = dyn.tip_poses(system, state)
    middle = np.eye(4)
    middle[:3, 3] = tips[:, :3, 3].mean(axis=0)
    rates = np.random.default_rng(1).normal(size=system.n_joints) * 0.1
    state = system.state(q=state.q, qd=rates, object_pose=middle, object_velocity=[0.05, 0, 0, 0.1, 0, 0])
    held = dyn.grasp(system, state, ["rigid", "rigid"])
    state = dyn.project(held, state)
    recording = dyn.simulate(held, state, duration=0.5, dt=1e-3, record_every=100)
    momentum = np.array([recording.solution_at(t).momentum for t in recording.times])
    assert np.max(np.abs(momentum - momentum[0])) < 1e-9 * np.linalg.norm(momentum[0])
    assert recording.drift.max() < 1e-9
    assert recording.state_at(0.5).base_pose.shape == (2, 4, 4)
    assert recording.solution_at(0.5).base_acceleration.shape == (2, 6)


def test_floating_flags_and_contacts_must_fit() -> None:
    robot = dyn.load("free_flyer")
    with pytest.raises(dyn.ModelError, match="floating: expected 2"):
        dyn.multi_arm([robot, robot], floating=(True,))
    with pytest.raises(dyn.ModelError, match="needs all of them positive"):
        dyn.multi_arm([dyn.planar_chain(3)], floating=True)
    system = dyn.multi_arm([robot, robot], task_object=dyn.TaskObject.box((1, 1, 1), 1.0), floating=True)
    with pytest.raises(dyn.StateError, match="base_pose"):
        system.state(base_pose=np.eye(4))
    with pytest.raises(dyn.ModelError, match="expected 2 entries"):
        dyn.grasp(system, system.state(), ["rigid"])


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("carried", [0.0, -3.0, -6.0, 6.0])
@pytest.mark.parametrize(("joints", "kinds"), [((6, 3), ("rigid", "soft_finger")), ((1, 3, 1), ("point",) * 3)])
def test_predictor_and_corrector_give_the_force_whatever_the_arms_cannot_answer(
    seed: int, carried: float, joints: tuple[int, ...], kinds: tuple[str, ...]
) -> None:
    """(9.1): what is left of Lambda(0) along what no joint moves, or beside a light object, is nothing to divide by."""
    system, state, tau = made(Case(seed, joints, kinds, branching=True, inner=True, square=True, carried=carried))
    state = dyn.project(system, state)
    sure = known(system, state, tau, None, ROUNDINGS)
    if sure is None or sure[0].left > CONSISTENCY:
        return
    exact, allowed = sure
    contact = dyn.forward_dynamics(system, state, tau).stages["contact"]
    corrected = contact["corrected_contact_force"][[held.tip for held in system.contacts]]
    assert apart(replace(exact, force=own(exact, corrected)), exact, exact)[1] <= allowed[1]
