"""Packaged robots: complete, sourced, and with the numbers that their sources print."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

from dynamics.robot.validity import check_robot
from dynamics.sources.library import load, robot_names
from dynamics.sources.planar_chain import planar_chain, planar_chain_urdf
from tests.dynamics.refusals import assert_all_refused

pytestmark = pytest.mark.compiled_only
ROBOTS = Path(__file__).parents[3] / "assets" / "robots"
NAMES = (
    *("dual_arm_satellite", "duaro_scara", "free_flyer", "iiwa14", "panda", "planar_chain"),
    *("puma560", "solo12", "stanford", "talos", "two_arm_flyer", "ur5e"),
)
TIPS = {"two_arm_flyer": (0, 6), "dual_arm_satellite": (0, 6), "solo12": (0, 3, 6, 9), "talos": (0, 7)}


def test_packaged_robots_are_complete() -> None:
    """And the home posture leaves room to move."""
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


def test_published_numbers_of_the_puma_the_iiwa_and_the_free_flyer() -> None:
    joints = {joint.name: joint for joint in load("puma560").joints}
    gear, motor = 62.6111, 200e-6
    assert joints["joint_1"].rotor_inertia == pytest.approx(gear**2 * motor, rel=1e-8)
    assert joints["joint_1"].damping == pytest.approx(gear**2 * 1.48e-3, rel=1e-8)
    assert joints["joint_1"].friction == pytest.approx((gear * 0.435, gear * 0.395), rel=1e-8)
    assert joints["joint_6"].rotor_inertia == pytest.approx(76.686**2 * 33e-6, rel=1e-8)
    link = {link.name: link for link in load("puma560").links}["link_3"]
    np.testing.assert_allclose(np.linalg.eigvalsh(link.inertia), [0.0125, 0.066, 0.066], rtol=1e-12)
    # All joints at zero: the flange stands 0.36 + 0.42 + 0.40 + 0.081 + 0.045 m above the floor.
    robot = load("iiwa14")
    pose = np.eye(4)
    for joint in reversed(robot.joints):
        pose = pose @ joint.origin
    np.testing.assert_allclose((pose @ robot.tips[0].pose)[:3, 3], [0, 0, 1.306], atol=1e-12)
    robot = load("free_flyer")
    bus, panel, foot = 300.0, 15.0, 6.0
    assert robot.root.mass == bus + 2 * panel + foot
    mass_centre_x = foot * 0.6 / robot.root.mass
    np.testing.assert_allclose(robot.root.center_of_mass, [mass_centre_x, 0, foot * 0.2 / robot.root.mass], atol=1e-12)
    assert np.linalg.eigvalsh(robot.root.inertia).min() > 60.0


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
