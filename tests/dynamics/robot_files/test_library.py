"""Packaged robots: complete, sourced, and with the numbers that their sources print."""

import re
import warnings
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

import dynamics as dyn
from dynamics.robot import from_denavit_hartenberg
from dynamics.robot.validity import check_robot
from dynamics.robot_files.library import load, planar_chain, planar_chain_urdf, robot_names
from tests.dynamics.pinocchio_world import coordinates
from tests.dynamics.refusals import assert_all_refused

pytestmark = pytest.mark.compiled_only
ROBOTS = Path(__file__).parents[3] / "assets" / "robots"
NAMES = (
    *("dual_arm_satellite", "duaro_scara", "free_flyer", "iiwa14", "panda", "planar_chain"),
    *("puma560", "solo12", "stanford", "talos", "two_arm_flyer", "ur5e"),
)
TIPS = {"two_arm_flyer": (0, 6), "dual_arm_satellite": (0, 6), "solo12": (0, 3, 6, 9), "talos": (0, 7)}


def test_packaged_robots_are_complete() -> None:
    assert robot_names() == NAMES
    for name in NAMES:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            robot = load(name)
        check_robot(robot)
        assert (robot.name, set(robot.home)) == (name, set(robot.joint_names))
        assert robot.title
        assert tuple(tip.link for tip in robot.tips) == TIPS.get(name, (0,))
        assert all(shape.color is not None for link in robot.links for shape in link.geometry), name
        assert all(link.geometry for link in robot.links), name
        for joint in robot.joints:
            room = min(0.1, 0.4 * (joint.upper - joint.lower))
            assert joint.lower + room < robot.home[joint.name] < joint.upper - room, (name, joint.name)


SETTINGS = [
    ("name = 3 3", "Correct the file"), ("colour = 1", "'colour' is unknown"),
    ("urdf = 'none.urdf'", "'none.urdf' cannot be read"), ("[joints.elbow]\ndamping = 1.0", "'elbow' is unknown"),
    ("[joints.joint_1]\nmass = 1.0", "'mass' is unknown"), ("[joints.joint_1]\ndamping = 'much'", "expected a number"),
    ("[joints.joint_1]\nfriction = [1.0, 2.0, 3.0]", "expected a number"),
    ("[joints.joint_1]\nfriction = [1.0, -2.0]", "friction is -2"),
    ("[joints.joint_1]\nrotor_inertia = nan", "rotor inertia is nan"), ("[home]\nelbow = 1.0", "home names 'elbow'"),
    ("[home]\njoint_1 = nan", "home is nan"), ("home = 3", "home is 3"),
    ("[home]\njoint_1 = 'up'", "joint_1': is 'up'"), ("joints = 3", "joints is 3"),
    ("joints = {joint_1 = 3}", "joint_1': is 3"), ("tip = 3", "tip is 3"), ("tip = [3]", "tip is .3."),
]  # fmt: skip


def test_unknown_robots_and_broken_settings_are_refused(tmp_path: Path) -> None:
    names = [
        ("puma650", "Did you mean 'puma560'"), ("", "no packaged robot is called|cannot be read"),
        ("nowhere/none.urdf", "cannot be read"), ("../robots/puma560", "cannot be read"),
        ("none.xml", "cannot be read"),
    ]  # fmt: skip
    table = {name: (lambda name=name: load(name), words) for name, words in names}
    table["switch"] = (lambda: load("puma560", without="mass"), "mass")

    def read(settings: str) -> None:
        (tmp_path / "robot.urdf").write_text(planar_chain_urdf(2))
        (tmp_path / "robot.toml").write_text(settings)
        load(tmp_path)

    table |= {settings: (lambda s=settings: read(s), words) for settings, words in SETTINGS}
    sizes = [
        ({"n_links": 0}, "n_links is 0"), ({"n_links": 1.5}, "n_links is 1.5"), ({"length": 0.0}, "length is 0"),
        ({"mass": -1.0}, "mass is -1"), ({"radius": float("nan")}, "radius is nan"),
    ]  # fmt: skip
    table |= {words: (lambda s=size: planar_chain(**s), words) for size, words in sizes}
    assert_all_refused(table)


def test_the_chain_of_the_paper_paths_tips_and_switches() -> None:
    """R87 section XII: x turns, y points from joint k-1 to joint k."""
    robot = planar_chain(3, length=0.5, mass=2.0, radius=0.01)
    assert robot.joint_names == ("joint_1", "joint_2", "joint_3")
    for joint, link in zip(robot.joints, robot.links, strict=True):
        np.testing.assert_array_equal(joint.axis, [1, 0, 0])
        np.testing.assert_allclose(link.center_of_mass, [0, -0.25, 0])
        assert link.mass == 2.0
        assert link.inertia[0, 0] == pytest.approx(2.0 * (3 * 0.01**2 + 0.5**2) / 12, rel=1e-11)
    np.testing.assert_allclose(robot.joints[0].origin[:3, 3], [0, -0.5, 0])
    np.testing.assert_allclose(robot.tips[0].pose[:3, 3], [0, -0.5, 0])
    assert (ROBOTS / "planar_chain" / "robot.urdf").read_text() == planar_chain_urdf(5)
    bare = load(ROBOTS / "puma560" / "robot.urdf")
    full = load(ROBOTS / "puma560")
    assert bare.joints[0].rotor_inertia == 0.0
    assert full.joints[0].rotor_inertia > 0.0
    assert load(str(ROBOTS / "puma560" / "robot.urdf")).joint_names == full.joint_names
    robot = load("panda", tip="flange", without=("limits", "damping"))
    np.testing.assert_allclose(robot.tips[0].pose[:3, 3], [0, 0, 0.107])
    assert all(np.isinf(joint.upper) for joint in robot.joints)
    assert all(joint.friction == (0.0, 0.0) for joint in load("puma560", without="friction").joints)


PUBLISHED = Path(__file__).parent / "published"
STANFORD = [
    # Robotics Toolbox for Python, models/DH/Stanford.py: a, alpha, d, theta; m; r; I; Jm
    (0, -np.pi / 2, 0.412, 0, 9.29, (0, 0.0175, -0.1105), (0.276, 0.255, 0.071), 0.953),
    (0, np.pi / 2, 0.154, 0, 5.01, (0, -1.054, 0), (0.108, 0.018, 0.100), 2.193),
    (0.0203, 0, 0, -np.pi / 2, 4.25, (0, 0, -6.447), (2.51, 2.51, 0.006), 0.782),
    (0, -np.pi / 2, 0, 0, 1.08, (0, 0.092, -0.054), (0.002, 0.001, 0.001), 0.106),
    (0, np.pi / 2, 0, 0, 0.630, (0, 0.566, 0.003), (0.003, 0.0004, 0), 0.097),
    (0, 0, 0, 0, 0.51, (0, 0, 1.554), (0.013, 0.013, 0.0003), 0.020),
]


@pytest.mark.parametrize("name", ["ur5e", "solo12", "talos", "dual_arm_satellite", "duaro_scara"])
def test_it_accelerates_as_pinocchio_says_of_the_source(name: str) -> None:
    """The source's own file in Pinocchio; of the UR5e and the SCARA, which are published in pieces, ours."""
    system, model = dyn.example(name)[0], pinocchio_model(name)
    theirs = [each for each in [*model.names][1:] if model.joints[model.getJointId(each)].nv == 1]
    ours = [system.joint_names.index(named_here(name, each)) for each in theirs]
    for q, rates, torques in np.random.default_rng(5).normal(size=(4, 3, system.n_joints)):
        posture, places, (speed, push) = coordinates(model, theirs, q[ours], rates[ours], torques[ours])
        expected = pin.aba(model, model.createData(), posture, speed, push)
        found = dyn.forward_dynamics(system, system.state(q, rates), torques).joint_acceleration
        gap = np.abs(found[ours] - expected[places]).max()
        assert gap <= 1e-9 * max(1.0, np.abs(expected).max())
    assert len(ours) == system.n_joints


def test_the_mended_stanford_arm_is_its_table() -> None:
    """Mass centres outward of link 1 a tenth of the Toolbox's, link 5 as the Toolbox had it in 2002."""
    rows, masses, centers, moments, motors = (np.array([row[k] for row in STANFORD]) for k in (slice(4), 4, 5, 6, 7))
    centers[4], moments[4] = (0, 0, 0.566), (0.003, 0.003, 0.0004)
    centers[1:] /= 10.0
    kinds = ["prismatic" if number == 2 else "revolute" for number in range(6)]
    table = from_denavit_hartenberg(rows, masses, centers, moments, kinds=kinds, rotor_inertia=motors)
    ours, theirs = dyn.single_arm(dyn.load("stanford")), dyn.single_arm(table)
    rng = np.random.default_rng(7)
    for q, rates, torques in rng.normal(size=(5, 3, 6)):
        both = (dyn.forward_dynamics(each, each.state(q, rates), torques) for each in (ours, theirs))
        np.testing.assert_allclose(*(each.joint_acceleration for each in both), rtol=1e-11)


def source(name: str) -> Path:
    return PUBLISHED / {"dual_arm_satellite": "spacerobot_dualarm.xml"}.get(name, f"{name}.urdf")


def pinocchio_model(name: str) -> pin.Model:
    """The source's machine, of which as much moves as of ours, without what its joints would lose."""
    if name == "dual_arm_satellite":
        model = pin.buildModelFromMJCF(str(source(name)))
    elif name == "solo12":
        model = pin.buildModelFromUrdf(str(source(name)), pin.JointModelFreeFlyer())
    else:
        model = pin.buildModelFromUrdf(str(source(name) if name == "talos" else ROBOTS / name / "robot.urdf"))
    if name in ("solo12", "dual_arm_satellite"):
        model.gravity = pin.Motion.Zero()
    if name == "talos":
        still = [number for number, its_name in enumerate(model.names) if re.match("leg|gripper", its_name)]
        model = pin.buildReducedModel(model, still, pin.neutral(model))
    return model


def named_here(name: str, joint: str) -> str:
    if name != "dual_arm_satellite":
        return joint
    side = "right" if joint.endswith("1") and not joint.endswith("joint") else "left"
    return f"{side}_{joint.removeprefix('arm:').removesuffix('1')}"
