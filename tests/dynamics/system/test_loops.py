"""Closed loops: a four-bar in five lines, beside other mechanics; what refuses it; how files have it."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import dynamics as dyn
from dynamics.editing import with_loop, without_link
from dynamics.operators import rebase, rebase_state
from dynamics.posture import move_joint
from tests.dynamics.refusals import refused

Array = NDArray[np.float64]
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
