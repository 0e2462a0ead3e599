"""One joint otherwise: what changes, what stays, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import dynamics as dyn


def test_what_is_given_changes_and_all_else_stays() -> None:
    robot = dyn.load("puma560")
    origin = np.eye(4)
    origin[:3, 3] = 0.1, 0.2, 0.3
    made = dyn.with_joint(
        robot, "joint_3", name="elbow", kind="prismatic", axis=(0.0, 2.0, 0.0), origin=origin, lower=-1.0, upper=2.0,
        velocity=3.0, effort=np.inf, damping=0.5, friction=(0.1, 0.2), rotor_inertia=0.7,
    )  # fmt: skip
    at = robot.joint_names.index("joint_3")
    joint = made.joints[at]
    assert (joint.name, joint.kind, joint.lower, joint.upper) == ("elbow", "prismatic", -1.0, 2.0)
    assert (joint.velocity, joint.effort, joint.damping, joint.rotor_inertia) == (3.0, np.inf, 0.5, 0.7)
    assert joint.friction == (0.1, 0.2)
    np.testing.assert_array_equal(joint.axis, (0.0, 1.0, 0.0))
    np.testing.assert_array_equal(joint.origin, origin)
    assert [one for k, one in enumerate(made.joints) if k != at] == [
        one for k, one in enumerate(robot.joints) if k != at
    ]
    assert made.links is robot.links
    assert robot.joints[at].name == "joint_3"


def test_friction_may_be_one_number_for_both_ways() -> None:
    assert dyn.with_joint(dyn.planar_chain(2), "joint_1", friction=0.3).joints[0].friction == (0.3, 0.3)


def test_the_pleasant_posture_follows() -> None:
    robot = dyn.load("puma560")
    assert robot.home["joint_2"] > 0.5
    made = dyn.with_joint(robot, "joint_2", name="shoulder", upper=0.25)
    assert made.home["shoulder"] == 0.25
    assert "joint_2" not in made.home


def test_a_rotor_and_a_length_are_felt() -> None:
    """Of a hanging rod that turns about its end: D grows by its rotor; a longer step to it leaves its own D."""
    robot = dyn.planar_chain(1)

    def gain(robot: dyn.Robot) -> float:
        system = dyn.single_arm(robot)
        stages = dyn.forward_dynamics(system, system.state()).stages
        return float(stages["filter"]["joint_inertia"][0])

    assert gain(dyn.with_joint(robot, "joint_1", rotor_inertia=0.5)) == pytest.approx(gain(robot) + 0.5, abs=1e-15)
    longer = robot.joints[0].origin.copy()
    longer[:3, 3] = 0.0, -1.0, 0.0
    assert gain(dyn.with_joint(robot, "joint_1", origin=longer)) == pytest.approx(gain(robot), abs=1e-15)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"joint": "elbow"}, "there is no joint 'elbow'; the joints are joint_1, joint_2"),
        ({"name": "joint_2"}, "joint name 'joint_2' is used twice"),
        ({"kind": "screw"}, "'screw'"),
        ({"axis": (0, 0, 0)}, "expected a direction"),
        ({"axis": (0, 1)}, "axis"),
        ({"origin": 2 * np.eye(4)}, "origin"),
        ({"lower": 2.0, "upper": 1.0}, "lower limit 2 is above upper limit 1"),
        ({"lower": np.nan}, "lower is nan"),
        ({"damping": -1.0}, "damping is -1"),
        ({"damping": np.inf}, "damping is inf"),
        ({"friction": (1, 2, 3)}, "friction"),
        ({"rotor_inertia": -0.1}, "rotor inertia is -0.1"),
        ({"effort": -1}, "effort limit is -1"),
        ({"velocity": "fast"}, "velocity"),
    ],
)
def test_what_cannot_be_is_refused_by_name(changes: dict, words: str) -> None:
    with pytest.raises(dyn.ModelError, match=words):
        dyn.with_joint(dyn.planar_chain(2), **({"joint": "joint_1"} | changes))
