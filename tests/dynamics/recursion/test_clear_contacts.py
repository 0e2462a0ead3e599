"""Directions in which an arm gives way a millionth as much as in others: their answer is not lost."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import dynamics as dyn
from dynamics.robot.model import Frame, Joint, Link
from tests.fuzz.systems import agree


@pytest.mark.parametrize("kind", ["point", "soft_finger"])
def test_a_heavy_object_hangs_on_the_bearings_of_a_tilted_planar_arm(kind: str) -> None:
    tilted = np.eye(4)
    tilted[:3, :3] = Rotation.from_rotvec([0.3, 0.5, 0.7]).as_matrix()
    box = dyn.TaskObject.box((0.1, 0.1, 0.1), 1e6)
    system = dyn.multi_arm([dyn.planar_chain(3)], [tilted], box)
    q = [0.4, 0.7, -0.3]
    place = tilted.copy()
    place[:3, 3] = dyn.tip_poses(system, system.state(q=q))[0, :3, 3] + 0.05 * tilted[:3, 0]
    state = system.state(q=q, qd=[0.3, -0.2, 0.5], object_pose=place)
    agree(dyn.grasp(system, state, [kind]), state, np.array([1.0, 2.0, 3.0]))


@pytest.mark.parametrize("kind", ["point", "soft_finger"])
def test_a_heavy_object_hangs_on_a_tip_that_lies_on_its_joints_axis(kind: str) -> None:
    """The arm's own answer there is what two large numbers leave of each other: it is squared nowhere."""
    axis = np.array([0.36, 0.48, 0.8])
    tip = np.eye(4)
    tip[:3, 3] = 4.0 * axis
    link = Link("spindle", 0.2, 0.1 * axis, 0.02 * np.eye(3))
    robot = dyn.Robot(
        "spindle",
        (link,),
        (Joint("turn", "revolute", axis, np.eye(4)),),
        (1,),
        Link("root", 1.0, np.zeros(3), np.eye(3)),
        (Frame("tip", 0, tip),),
    )
    system = dyn.multi_arm([robot], task_object=dyn.TaskObject.box((0.9, 0.7, 0.4), 1e6), gravity=(1.0, -2.0, 5.0))
    place = tip.copy()
    place[:3, 3] += (0.8, -0.5, 0.4)
    state = system.state(q=[0.4], qd=[70.0], object_pose=place, object_velocity=[20.0, -30.0, 10.0, 0.0, 0.0, 0.0])
    agree(dyn.grasp(system, state, [kind]), state, np.array([300.0]))


def test_a_flyer_whose_masses_lie_twelve_decades_apart_keeps_its_digits_by_two_filters() -> None:
    """S of a heavy base, seen through its joints, is what rounding leaves of it: the answer is refined."""
    robot = dyn.planar_chain(4)
    masses = (1e-6, 1e-3, 2e-5, 1e-6)
    links = tuple(replace(link, mass=m, inertia=m * link.inertia) for link, m in zip(robot.links, masses, strict=True))
    heavy = Link("root", 1e6, np.array([0.1, 0.2, 0.3]), 1e5 * np.diag([2.0, 3.0, 4.0]))
    system = dyn.free_flyer(replace(robot, links=links, root=heavy))
    state = system.state(
        q=[0.4, -0.9, 0.7, 1.1], qd=[1.0, -2.0, 0.5, 3.0], base_velocity=[0.3, 0.1, -0.2, 1.0, 2.0, 3.0]
    )
    tau = np.array([1e-7, -2e-7, 3e-6, 1e-6])
    expected = dyn.forward_dynamics(system, state, tau, "kkt").packed_acceleration
    found = dyn.forward_dynamics(system, state, tau, "two_filter").packed_acceleration
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())
