"""Single links, locked or massless joints, indeterminate forces, singular grasps: the answer or the named error."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import dynamics as dyn
from dynamics.operators.object_balance import grasp_map
from tests.dynamics.every import every


def test_a_pendulum_swings_as_it_must() -> None:
    """One rod of length l and mass m about its end: theta'' = -(3 g / 2 l) sin(theta)."""
    length = 0.7
    system = dyn.single_arm(dyn.planar_chain(1, length=length, mass=2.0, radius=1e-4))
    for angle in (0.0, 0.4, 1.2):
        state = system.state(q=[angle])
        moment = dyn.inverse_dynamics(system, state, [0.0])[0]
        inertia = dyn.mass_matrix(system, state)[0, 0]
        assert inertia == pytest.approx(2.0 * length**2 / 3.0, rel=1e-5)
        lever = 0.5 * length * np.cos(angle)
        assert abs(moment) == pytest.approx(2.0 * 9.81 * lever, rel=1e-9)
        assert dyn.forward_dynamics(system, state).joint_acceleration[0] == pytest.approx(-moment / inertia, rel=1e-12)


def test_a_locked_joint_is_a_heavy_rotor() -> None:
    """As the rotor's inertia J grows the joint stops, and the others move as if it were welded.

    From M qdd + h = 0: what still moves the joint is the moment that a weld would bear, over J and the inertia s of
    the joint with the others free; the others differ from the welded arm by what that motion takes away.
    """
    robot = dyn.planar_chain(3)
    system = dyn.single_arm(robot)
    state = system.state(q=[0.3, 0.4, -0.5])
    mass, bias = dyn.mass_matrix(system, state), dyn.inverse_dynamics(system, state, np.zeros(3))
    free, locked = [0, 2], 1
    among, across = mass[np.ix_(free, free)], mass[free, locked]
    welded, share = np.linalg.solve(among, -bias[free]), np.linalg.solve(among, across)
    moment, s = -(bias[locked] + across @ welded), mass[locked, locked] - across @ share
    for rotor in (1e3, 1e6, 1e9):
        joints = tuple(replace(joint, rotor_inertia=rotor) if k == 1 else joint for k, joint in enumerate(robot.joints))
        heavy = dyn.single_arm(replace(robot, joints=joints))
        acceleration = dyn.forward_dynamics(heavy, heavy.state(q=state.q)).joint_acceleration
        # Divided by its diagonal, M does not become worse conditioned with J: neither does the difference grow.
        assert dyn.agreement(heavy, heavy.state(q=state.q)).worst < 1e-12
        assert acceleration[locked] == pytest.approx(moment / (rotor + s), rel=1e-12)
        assert np.allclose(acceleration[free], welded - share * acceleration[locked], rtol=1e-12, atol=0.0)


def test_a_massless_link_in_between_is_fine_and_at_the_tip_is_not() -> None:
    robot = dyn.planar_chain(3)
    nothing = replace(robot.links[1], mass=0.0, inertia=np.zeros((3, 3)))
    between = replace(robot, links=(robot.links[0], nothing, robot.links[2]))
    system = dyn.single_arm(between)
    state = system.state(q=[0.3, 0.4, -0.5], qd=[1.0, 0.5, -1.0])
    assert dyn.agreement(system, state, only=["kkt", "appel", "newton_euler"]).worst < 1e-8
    tip = replace(robot.links[0], mass=0.0, inertia=np.zeros((3, 3)))
    empty = dyn.single_arm(replace(robot, links=(tip, *robot.links[1:])))
    for method in dyn.methods(empty):
        with pytest.raises(dyn.ModelError, match="inertia"):
            dyn.forward_dynamics(empty, empty.state(q=[0.3, 0.4, -0.5]), method=method)


def test_indeterminate_forces_are_reported_and_the_smallest_is_given() -> None:
    system, state = dyn.example("two_planar_arms")
    solution = dyn.forward_dynamics(system, state, np.ones(6))
    null = solution.indeterminate
    assert null.shape == (2, 6, 3)  # one force and two moments out of the plane, squeezed between the arms
    flat = null.reshape(12, 3)
    assert np.allclose(flat.T @ flat, np.eye(3), atol=1e-12)
    assert np.allclose(flat.T @ solution.contact_force.ravel(), 0.0, atol=1e-9)
    # Such a force moves nothing: the object feels no sum of it.
    assert np.allclose(grasp_map(system, state) @ flat, 0.0, atol=1e-12)


def test_a_motion_that_no_force_can_close_is_refused() -> None:
    """Two stretched arms that turn at different rates: the chain would have to tear."""
    arm = dyn.planar_chain(2, length=0.5)
    base = np.eye(4)
    base[:3, 3] = (0.0, -2.2, 0.0)
    base[:3, :3] = np.diag([1.0, -1.0, -1.0])
    thing = dyn.TaskObject.box((0.1, 0.2, 0.1), 1.0)
    system = dyn.multi_arm([arm, arm], [np.eye(4), base], thing, gravity=(0, 0, 0))
    tips = dyn.tip_poses(system, system.state())
    middle = np.eye(4)
    middle[:3, 3] = tips[:, :3, 3].mean(axis=0)
    state = system.state(object_pose=middle)
    held = dyn.grasp(system, state, ["rigid", "rigid"])
    still = dyn.forward_dynamics(held, state)
    assert np.allclose(still.packed_acceleration, 0.0, atol=1e-9)
    # Both arms may swing sideways for an instant, but then the way between the bases would have to grow.
    swinging = dyn.project(held, held.state(qd=[0.0, 1.0, 0.0, 1.0], object_pose=middle))
    assert np.abs(swinging.qd).max() > 0.1
    with pytest.raises(dyn.SingularConfigurationError, match=r"no contact force closes the chain here.*arm"):
        dyn.forward_dynamics(held, swinging)
    with pytest.raises(dyn.SingularConfigurationError, match="no contact force closes the chain"):
        dyn.forward_dynamics(held, swinging, method="kkt")


@every(["two_arms_and_box", "point_contact", "free_flyer"])
def test_zero_gravity_at_rest_is_rest(name: str) -> None:
    system, state = dyn.example(name)
    empty, still = dyn.with_parts(system, gravity=(0, 0, 0)), replace(state, qd=0.0 * state.qd)
    if name == "free_flyer":
        still = replace(still, base_velocity=np.zeros(6))
    else:
        still = replace(still, object_velocity=np.zeros(6))
    assert np.abs(dyn.forward_dynamics(empty, still).packed_acceleration).max() < 1e-12
