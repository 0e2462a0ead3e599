"""Joints that follow others, and closed loops: held exactly, in every form, witness and motion; what refuses them."""

from contextlib import suppress
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import dynamics as dyn
from dynamics.check import paper_sums
from dynamics.robot import with_joint, with_loop, without_link
from dynamics.solve import move_joint, rebase, rebase_state
from dynamics.system.loops import require_loops_closed
from tests.dynamics.dense_reference import ExactSolution, dense_reference
from tests.dynamics.every import every
from tests.dynamics.refusals import refused
from tests.dynamics.systems import draw_robot, draw_tied, following, with_followers
from tests.fuzz.systems import forms

Array = NDArray[np.float64]
GRIPPER = """<robot name="gripper"><link name="palm"/>{}</robot>"""
FINGER = """<link name="{0}"><inertial><mass value="0.1"/><inertia ixx="1e-5" iyy="1e-5" izz="1e-5" ixy="0" ixz="0"
iyz="0"/></inertial></link><joint name="{0}_slide" type="prismatic"><parent link="palm"/><child link="{0}"/><axis
xyz="0 {1} 0"/><limit lower="0" upper="{2}" effort="20" velocity="1"/></joint>"""


def gripper() -> dyn.System:
    """Two fingers of 0.1 kg that slide apart; the second, which has less room, follows the first."""
    text = GRIPPER.format(FINGER.format("left", 1, 0.04) + FINGER.format("right", -1, 0.03))
    robot = dyn.load_urdf_text(text)
    return dyn.single_arm(following(robot, {"right_slide": ("left_slide", 1.0, 0.0)}), gravity=(0.0, 0.0, -9.81))


def apart(system: dyn.System, q: Array, place: float = 1.0) -> float:
    """How far followers are from where their leaders have them; rates or accelerations where ``place`` is 0."""
    values, worst = dict(zip(system.joint_names, q, strict=True)), 0.0
    for arm, robot in enumerate(system.robots):
        prefix = f"{arm + 1}/" if system.n_arms > 1 else ""
        for joint in robot.joints:
            if joint.mimic is not None:
                leader, multiplier, offset = joint.mimic
                expected = multiplier * values[prefix + leader] + place * offset
                worst = max(worst, abs(values[prefix + joint.name] - expected))
    return worst


def test_one_newton_opens_two_fingers_of_a_hundred_grams_at_5_meters_per_second_squared() -> None:
    system = gripper()
    state, tau = system.state(), system.to_joint_vector({"left_slide": 1.0})
    answers = [dyn.forward_dynamics(system, state, tau, method).joint_acceleration for method in dyn.methods(system)]
    answers += [dyn.read_textbook(system, state, tau).solution.joint_acceleration]
    answers += [dyn.forward_dynamics_batch(system, tau=tau).joint_acceleration[0]]
    answers += [dyn.solver(system)(*system.pack(state), tau)]
    for answer in answers:
        np.testing.assert_allclose(answer, [5.0, 5.0], rtol=1e-13)
    solution = dyn.forward_dynamics(system, state, tau)
    np.testing.assert_allclose(system.from_joint_vector(solution.coupling_torque)["right_slide"], 0.5)
    run = dyn.simulate(system, state, tau=tau, duration=0.1)
    np.testing.assert_allclose(run.state_at(0.1).q, [0.025, 0.025], rtol=1e-12)
    run = dyn.simulate(system, state, tau=tau, duration=0.2)
    assert [word for _, word in run.events] == ["left_slide met its upper limit"]
    np.testing.assert_allclose(run.state_at(0.2).q, [0.03, 0.03], rtol=0.02)


@settings(max_examples=max(2, settings().max_examples // 2))  # each is expensive
@given(st.integers(0, 2**32), st.sampled_from(["arm", "flyer", "held"]), st.integers(0, 2))
def test_every_form_and_witness_moves_as_the_dense_equations_with_the_ties_rows(
    seed: int, kind: str, loops: int
) -> None:
    rng = np.random.default_rng(seed)
    with suppress(dyn.SingularConfigurationError):  # what is drawn may be next to locked, where digits are lost
        system, state = draw_tied(rng, kind, loops)
        tau, wrench = 10.0 * rng.normal(size=system.n_joints), rng.normal(size=(system.n_links + 1, 6))
        exact = dense_reference(system, state, tau, wrench=wrench)
        if exact.grey[0] > 1e-4:
            move_alike(system, state, tau, wrench, exact, kind, loops)
            return
    reject()


def move_alike(
    system: dyn.System, state: dyn.State, tau: Array, wrench: Array, exact: ExactSolution, kind: str, loops: int
) -> None:
    size = max(np.abs(exact.acceleration).max(), 1.0 if loops else 0.0)  # they may lock all
    assert apart(system, np.asarray(exact.acceleration[: system.n_joints], float), 0.0) < 1e-9 * size
    text = dyn.read_textbook(system, state, tau, wrench).solution
    held = [contact.tip for contact in system.contacts]
    answers = {name: form() for name, form in forms(system, state, tau, wrench).items() if name != "lagrange"}
    answers["textbook"] = text.packed_acceleration, text.contact_force[held] if held else None
    for name, (found, force) in answers.items():
        atol = (1e-8 if kind == "held" else 1e-9) * size
        np.testing.assert_allclose(found, exact.acceleration, rtol=0.0, atol=atol, err_msg=name)
        if force is not None and exact.grey[1] == 0.0:  # else contacts and couplings leave forces open between them
            expected = dyn.forward_dynamics(system, state, tau, "kkt", wrench).contact_force[held]
            np.testing.assert_allclose(force, expected, rtol=0.0, atol=1e-7 * np.abs(expected).max(), err_msg=name)


@every(product(["arm", "flyer", "held"], [0, 1]))
def test_the_solver_and_its_stages_are_those_of_one_solution(kind: str, loops: int) -> None:
    rng = np.random.default_rng(5)
    system, state = draw_tied(rng, kind, loops)
    tau = 10.0 * rng.normal(size=system.n_joints)
    expected, solver = dyn.forward_dynamics(system, state, tau), dyn.solver(system)
    found = solver(*system.pack(state), tau)
    size = np.abs(found).max()
    np.testing.assert_allclose(found, expected.packed_acceleration, rtol=0.0, atol=1e-9 * size)
    innovation = expected.stages["filter"]["innovation"]
    atol = 1e-8 * np.abs(innovation).max()
    np.testing.assert_allclose(solver.stages["filter"]["innovation"], innovation, rtol=0.0, atol=atol)
    again = dyn.forward_dynamics(system, state, expected.tau)
    np.testing.assert_allclose(again.coupling_torque, 0.0, atol=1e-8 * np.abs(expected.tau).max())
    assert all(check.holds for check in dyn.identities(expected))
    assert max(both.residual for both in paper_sums(expected)) < 1e-8
    assert dyn.agreement(system, state, tau, only=["kkt"]).worst < 1e-8


@pytest.mark.compiled_only  # thousands of steps
@every([("arm", "rk4", 0), ("held", "rk4", 1), ("arm", "DOP853", 1), ("flyer", "LSODA", 1)])
def test_a_motion_keeps_its_energy_its_followers_and_its_loops(kind: str, method: str, loops: int) -> None:
    rng = np.random.default_rng(3)
    system, state = draw_tied(rng, kind, loops)
    run = dyn.simulate(system, state, duration=0.5, dt=1e-3, method=method)
    assert run.stopped is None
    for t in np.linspace(0.0, 0.5, 6):
        then = run.state_at(t)
        assert apart(system, then.q) < 1e-9
        assert apart(system, then.qd, 0.0) < 1e-9 * max(1.0, np.abs(then.qd).max())
        require_loops_closed(system, then, 1e-8)
    assert run.doubtful_from is None


def test_a_hand_is_brought_to_a_place_through_joints_that_follow() -> None:
    rng = np.random.default_rng(8)
    system = dyn.single_arm(with_followers(rng, draw_robot(rng, 8, fixed=0.0, kinds=("revolute",)).load(), 2))
    there = system.state(0.3 * rng.normal(size=8))
    target = dyn.forward_dynamics(system, there).tip_pose[0]
    found = dyn.inverse_kinematics(system, system.state(there.q + 0.2), 0, target)
    assert found.reached
    assert apart(system, found.state.q) < 1e-12
    np.testing.assert_allclose(dyn.forward_dynamics(system, found.state).tip_pose[0], target, atol=1e-7)
    follower = int(system.couplings.followers[0])
    moved = move_joint(system, there, follower, there.q[follower] + 0.1)
    assert moved.reached
    assert apart(system, moved.state.q) < 1e-12


def test_what_follows_goes_with_its_leader_by_every_name_and_in_a_file(tmp_path: Path) -> None:
    system = gripper()
    (robot,) = system.robots
    renamed = with_joint(robot, "left_slide", name="first")
    assert {one.name: one.mimic for one in renamed.joints} == {"first": None, "right_slide": ("first", 1.0, 0.0)}
    assert [(one.name, one.mimic) for one in without_link(robot, "left").joints] == [("right_slide", None)]
    assert 'mimic joint="left_slide" multiplier="1" offset="0"' in dyn.urdf_text(robot)
    dyn.simulate(system, system.state(), tau=[0.0, 1.0], duration=0.01).save(tmp_path / "run")
    assert dyn.load_recording(tmp_path / "run").segments[0].system.robots[0].joints[0].mimic == ("left_slide", 1.0, 0.0)
    wide = replace(robot, joints=tuple(replace(one, upper=0.04) for one in robot.joints))
    alone = wide.locked({"right_slide": 0.01})  # one locked by name lets go
    assert [(one.name, one.mimic) for one in alone.joints] == [("left_slide", None)]
    with pytest.raises(dyn.ModelError, match="all joints locked"):
        wide.locked(["left_slide"])


LENGTH, MASS, RADIUS = 0.3, 1.0, 0.02
PIN = (0.0, 0.4, 0.0)


def four_bar() -> tuple[dyn.System, dyn.State]:
    robot = with_loop(dyn.planar_chain(3), "tip", ("base", PIN), axis=(1.0, 0.0, 0.0))
    system = dyn.single_arm(robot)
    return system, dyn.project(system, system.state(q=[0.8, 1.0, 0.5], qd=[0.3, 0.4, 2.0]))


def three_bodies(q: Array, qd: Array, tau: Array) -> Array:
    """Joint accelerations of the four-bar by three bodies in the plane, each with place and angle, on four pins."""
    inertia = MASS * (3.0 * RADIUS**2 + LENGTH**2) / 12.0
    angle, rate = np.cumsum(q[::-1]), np.cumsum(qd[::-1])  # from the base outward
    along, across = np.array([-np.cos(angle), -np.sin(angle)]).T, np.array([np.sin(angle), -np.cos(angle)]).T
    rows, rates = np.zeros((8, 9)), np.zeros(8)
    for pin in range(4):  # at the outer end of the body before it and the inner end of the next
        for body, end in ((pin - 1, 0.5 * LENGTH), (pin, -0.5 * LENGTH)):
            if 0 <= body < 3:
                sign = np.sign(end)
                own = rows[2 * pin : 2 * pin + 2, 3 * body : 3 * body + 3]
                own[:, :2], own[:, 2] = sign * np.eye(2), sign * end * across[body]
                rates[2 * pin : 2 * pin + 2] += sign * end * along[body] * rate[body] ** 2
    motors = tau[::-1] - np.append(tau[::-1][1:], 0.0)
    force = np.array([[0.0, -9.81 * MASS, motor] for motor in motors]).ravel()
    mass = np.diag([MASS, MASS, inertia] * 3)
    matrix = np.block([[mass, rows.T], [rows, np.zeros((8, 8))]])
    turning = np.linalg.solve(matrix, np.append(force, rates))[2:9:3]
    return np.diff(turning, prepend=0.0)[::-1]


def test_a_four_bar_of_five_lines_moves_as_three_bodies_on_four_pins() -> None:
    system, state = four_bar()
    tau = np.array([0.1, 0.5, 3.0])
    expected = three_bodies(state.q, state.qd, tau)
    methods = dyn.methods(system)
    assert len(methods) == 7
    for method in methods:
        found = dyn.forward_dynamics(system, state, tau, method).joint_acceleration
        np.testing.assert_allclose(found, expected, rtol=1e-9, err_msg=method)
    robot = replace(system.robots[0], loops=(replace(system.robots[0].loops[0], kind="point"),))
    as_point = dyn.forward_dynamics(dyn.single_arm(robot), state, tau)  # two of five forces do all of it
    np.testing.assert_allclose(as_point.joint_acceleration, expected, rtol=1e-9)
    solution = dyn.forward_dynamics(system, state, tau)
    assert solution.coupling_torque is not None
    assert abs(solution.coupling_torque @ state.qd) < 1e-12
    moved = move_joint(system, state, "joint_3", state.q[2] + 0.1)
    assert moved.reached
    dyn.forward_dynamics(system, moved.state)  # closed


def test_an_open_loop_is_named_with_its_gap_and_what_knows_of_none_refuses_it() -> None:
    system, state = four_bar()
    open_one = system.state(q=state.q + np.array([0.0, 0.0, 1e-4]))
    for ask in (dyn.forward_dynamics, dyn.simulate):
        with pytest.raises(dyn.StateError, match="loop 'tip-base' is open by 4e-05"):
            ask(system, open_one)
    with pytest.raises(dyn.StateError, match=r"state 1: .*loop 'tip-base' is open by"):
        dyn.forward_dynamics_batch(system, [state.q, open_one.q])
    robot = system.robots[0]
    far = with_loop(dyn.planar_chain(3), "tip", ("base", (0.0, 4.0, 0.0)))
    beyond = dyn.single_arm(far)
    with pytest.raises(dyn.SingularConfigurationError, match="loop 'tip-base' cannot be closed from here"):
        dyn.project(beyond, beyond.state(q=[0.8, 1.0, 0.5]))
    assert "expected a link or frame" in refused(lambda: with_loop(robot, "tip", "bose"))
    assert "a loop's is one of point, hinge, rigid" in refused(lambda: with_loop(robot, "tip", "base", "weld"))
    assert "joins a link to itself" in refused(lambda: with_loop(robot, "tip", "link_1"))
    with pytest.raises(dyn.ModelError, match="the staggered step does not handle closed loop"):
        system.couplings.refuse(system.joint_names, "the staggered step")


def test_other_links_and_bases_and_a_file_keep_the_loop(tmp_path: Path) -> None:
    system, state = four_bar()
    robot, tau = system.robots[0], np.array([0.1, 0.5, 3.0])
    expected = dyn.forward_dynamics(system, state, tau).joint_acceleration
    with pytest.warns(UserWarning, match="joint 'loop_1_closing': closes a loop"):
        again = dyn.load_urdf_text(dyn.urdf_text(robot))
    np.testing.assert_allclose(dyn.forward_dynamics(dyn.single_arm(again), state, tau).joint_acceleration, expected)
    run = dyn.simulate(system, state, duration=0.01)
    run.save(tmp_path / "run")
    kept = dyn.load_recording(tmp_path / "run").segments[0].system
    np.testing.assert_array_equal(dyn.forward_dynamics(kept, state, tau).joint_acceleration, expected)
    assert [loop.first.link for loop in without_link(robot, "link_2").loops] == [0]
    assert without_link(robot, "link_1").loops == ()
    assert robot.locked(["joint_2"]).loops[0].second.link == 2
    body = replace(robot.links[0], name="hull")
    flyer = dyn.free_flyer(replace(robot, root=body))
    afloat = flyer.state(q=state.q, qd=state.qd, base_velocity=np.arange(6.0))
    other = rebase(flyer, "link_2")
    torque = other.to_joint_vector(flyer.from_joint_vector(tau))
    found = dyn.forward_dynamics(other, rebase_state(flyer, other, afloat), torque).joint_acceleration
    before = flyer.from_joint_vector(dyn.forward_dynamics(flyer, afloat, tau).joint_acceleration)
    np.testing.assert_allclose(found, other.to_joint_vector(before), rtol=1e-9)


TWO_PARENTS = (
    '<joint name="again" type="{}"><parent link="base"/><child link="tip"/><origin xyz="{}"/>{}</joint></robot>'
)


def test_a_link_with_two_parents_closes_a_loop_where_its_joint_says_how() -> None:
    text = dyn.urdf_text(dyn.planar_chain(3))
    for kind, axis, expected in (("fixed", "", "rigid"), ("continuous", '<axis xyz="1 0 0"/>', "hinge")):
        with pytest.warns(UserWarning, match="joint 'again': closes a loop, exactly"):
            robot = dyn.load_urdf_text(text.replace("</robot>", TWO_PARENTS.format(kind, "0 0.4 0", axis)))
        assert [loop.kind for loop in robot.loops] == [expected]
    system, state = four_bar()
    np.testing.assert_allclose(
        dyn.forward_dynamics(dyn.single_arm(robot), state).joint_acceleration,
        dyn.forward_dynamics(system, state).joint_acceleration, rtol=1e-9,
    )  # fmt: skip
    for kind in ("prismatic", "floating"):
        slides = text.replace("</robot>", TWO_PARENTS.format(kind, "0 0.4 0", '<axis xyz="1 0 0"/>'))
        with pytest.warns(UserWarning, match=f"of type {kind}, closes no loop here: left out"):
            assert dyn.load_urdf_text(slides).loops == ()
    welded = text.replace("</robot>", TWO_PARENTS.format("fixed", "0 0.4 0", "").replace("base", "link_1"))
    with pytest.warns(UserWarning, match="joint 'again' ties parts of a single body, 0.7 m apart, and is left out"):
        assert dyn.load_urdf_text(welded).loops == ()
    itself = text.replace("</robot>", TWO_PARENTS.format("revolute", "0 0 0", "").replace("base", "tip"))
    assert "joint 'again': joins link 'tip' to itself" in refused(lambda: dyn.load_urdf_text(itself))
