"""Packaged robots against their sources: the numbers as these print them, the motion as their own files give it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

import dynamics as dyn

pytestmark = pytest.mark.compiled_only
ROBOTS = Path(__file__).parents[3] / "assets" / "robots"
PUBLISHED = Path(__file__).parent / "published"
SIX = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
UR5E = {
    # Universal_Robots_ROS2_Description, config/ur5e/physical_parameters.yaml: mass, center_of_mass, roll, tensor
    "shoulder_link": (3.761, (0, -0.00193, -0.02561), 1.570796326794897,
                      (0.00700210, 0.00000073, -0.00001053, 0.00648091, 0.00049994, 0.00657286)),
    "upper_arm_link": (8.058, (-0.2125, 0, 0.11336), 0,
                       (0.01505885, -0.00005400, 0.00000563, 0.33388086, -0.00000181, 0.33247207)),
    "forearm_link": (2.846, (-0.2422, 0, 0.0265), 0,
                     (0.00399632, -0.00001365, 0.00137272, 0.07879254, -0.00000660, 0.07848510)),
    "wrist_1_link": (1.37, (0, -0.01634, -0.0018), 1.570796326794897,
                     (0.00165491, -0.00000282, -0.00000438, 0.00135962, 0.00010157, 0.00126279)),
    "wrist_2_link": (1.3, (0, 0.01634, -0.0018), -1.570796326794897,
                     (0.00135617, -0.00000274, 0.00000444, 0.00127827, -0.00005048, 0.00096614)),
    "wrist_3_link": (0.365, (0, 0, -0.001159), 0,
                     (0.00018694, 0.00000006, -0.00000017, 0.00018908, -0.00000092, 0.00025756)),
}  # fmt: skip
STANFORD = [
    # Robotics Toolbox for Python, models/DH/Stanford.py: a, alpha, d, theta; m; r; I; Jm
    (0, -np.pi / 2, 0.412, 0, 9.29, (0, 0.0175, -0.1105), (0.276, 0.255, 0.071), 0.953),
    (0, np.pi / 2, 0.154, 0, 5.01, (0, -1.054, 0), (0.108, 0.018, 0.100), 2.193),
    (0.0203, 0, 0, -np.pi / 2, 4.25, (0, 0, -6.447), (2.51, 2.51, 0.006), 0.782),
    (0, -np.pi / 2, 0, 0, 1.08, (0, 0.092, -0.054), (0.002, 0.001, 0.001), 0.106),
    (0, np.pi / 2, 0, 0, 0.630, (0, 0.566, 0.003), (0.003, 0.0004, 0), 0.097),
    (0, 0, 0, 0, 0.51, (0, 0, 1.554), (0.013, 0.013, 0.0003), 0.020),
]


def test_the_ur5e_has_the_makers_numbers() -> None:
    links = {link.get("name"): link for link in ElementTree.parse(ROBOTS / "ur5e" / "robot.urdf").iter("link")}
    for name, (mass, center, roll, tensor) in UR5E.items():
        body = body_of(links[name])
        assert (body[0], body[1], body[3]) == (mass, center, tensor)
        assert body[2] == (roll, 0.0, 0.0)


@pytest.mark.parametrize("name", ["solo12", "talos"])
def test_bodies_and_frames_are_the_sources_own(name: str) -> None:
    """Every number of every body and frame that was kept, as the source prints it."""
    ours, theirs = (ElementTree.parse(path).getroot() for path in (ROBOTS / name / "robot.urdf", source(name)))
    links, joints = ({each.get("name"): each for each in theirs.findall(tag)} for tag in ("link", "joint"))
    bodies = [link for link in ours.findall("link") if link.find("inertial") is not None]
    assert len(bodies) > 15
    for link in bodies:
        assert body_of(link) == body_of(links[link.get("name")]), link.get("name")
    for joint in ours.findall("joint"):
        other = joints[joint.get("name")]
        assert place_of(joint) == place_of(other), joint.get("name")
        limits = [each.find("limit") for each in (joint, other)]
        if limits[0] is not None:
            assert limits[0].attrib.items() <= limits[1].attrib.items()


@pytest.mark.parametrize("name", ["ur5e", "solo12", "talos", "dual_arm_satellite", "duaro_scara"])
def test_it_accelerates_as_pinocchio_says_of_the_source(name: str) -> None:
    """The source's own file in Pinocchio; of the UR5e and the SCARA, which are published in pieces, ours."""
    system, model = dyn.example(name)[0], pinocchio_model(name)
    rng, data = np.random.default_rng(5), model.createData()
    for _ in range(4):
        q, rates, torques = (
            dict(zip(system.joint_names, row, strict=True)) for row in rng.normal(size=(3, len(system.joint_names)))
        )
        posture, speed, push = pin.neutral(model), np.zeros(model.nv), np.zeros(model.nv)
        for joint, its_name in zip(model.joints[1:], list(model.names)[1:], strict=True):
            if joint.nv == 6:
                continue
            ours = named_here(name, its_name)
            angle = q[ours]
            posture[joint.idx_q : joint.idx_q + joint.nq] = [angle] if joint.nq == 1 else [np.cos(angle), np.sin(angle)]
            speed[joint.idx_v], push[joint.idx_v] = rates[ours], torques[ours]
        expected = pin.aba(model, data, posture, speed, push)
        state = system.state(*(system.to_joint_vector(values) for values in (q, rates)))
        found = dyn.forward_dynamics(system, state, system.to_joint_vector(torques)).joint_acceleration
        acceleration = dict(zip(system.joint_names, found, strict=True))
        for joint, its_name in zip(model.joints[1:], list(model.names)[1:], strict=True):
            if joint.nv == 1:
                far = abs(acceleration[named_here(name, its_name)] - expected[joint.idx_v])
                assert far <= 1e-9 * max(1.0, np.abs(expected).max())


def test_the_scara_has_kawasakis_numbers() -> None:
    """The mass matrix of two arms and a quill, written down from the published numbers."""
    m1, m2, m3, m4 = 11.463, 3.747, 3.476, 0.5
    i1, i2, c1, c2, l1, l2 = 0.503, 0.109, 0.162827, 0.124537, 0.36, 0.40
    system, _ = dyn.example("duaro_scara")
    end = sum(float(link.inertia[2, 2]) for link in system.robots[0].links[:2])  # of quill and flange, assumed
    assert end < 0.01 * (i1 + i2)
    for bent in (0.3, 1.2, -2.0):
        q = {"lower_joint1": 0.4, "lower_joint2": bent, "lower_joint3": 0.1, "lower_joint4": -0.7}
        state = system.state(q=system.to_joint_vector(q))
        matrix = dyn.mass_matrix(system, state)[::-1, ::-1]  # base to tip
        inner = i2 + m2 * c2**2 + (m3 + m4) * l2**2 + end
        across = (m2 * c2 + (m3 + m4) * l2) * l1 * np.cos(bent)
        first = i1 + m1 * c1**2 + (m2 + m3 + m4) * l1**2 + inner + 2.0 * across
        np.testing.assert_allclose(matrix[:2, :2], [[first, inner + across], [inner + across, inner]], rtol=1e-12)
        np.testing.assert_allclose(matrix[2], [0.0, 0.0, m3 + m4, 0.0], atol=1e-12)


def test_the_mended_stanford_arm_is_its_table() -> None:
    """Mass centres outward of link 1 a tenth of the Toolbox's, link 5 as the Toolbox had it in 2002."""
    rows, masses, centers, moments, motors = (
        np.array([row[part] for row in STANFORD]) for part in (slice(4), 4, 5, 6, 7)
    )
    centers[4], moments[4] = (0, 0, 0.566), (0.003, 0.003, 0.0004)
    centers[1:] /= 10.0
    kinds = ["prismatic" if number == 2 else "revolute" for number in range(6)]
    table = dyn.from_denavit_hartenberg(rows, masses, centers, moments, kinds=kinds, rotor_inertia=motors)
    ours, theirs = dyn.single_arm(dyn.load("stanford")), dyn.single_arm(table)
    rng = np.random.default_rng(7)
    for q, rates, torques in rng.normal(size=(5, 3, 6)):
        found, expected = (
            dyn.forward_dynamics(each, each.state(q, rates), torques).joint_acceleration for each in (ours, theirs)
        )
        np.testing.assert_allclose(found, expected, rtol=1e-11)


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
    """Our name of a source's joint."""
    if name != "dual_arm_satellite":
        return joint
    side = "right" if joint.endswith("1") and not joint.endswith("joint") else "left"
    return f"{side}_{joint.removeprefix('arm:').removesuffix('1')}"


def body_of(link: ElementTree.Element) -> tuple[float, tuple[float, ...], tuple[float, ...], tuple[float, ...]]:
    """Mass, its centre, the turn of the inertia's axes, and the inertia, as they are written."""
    inertial = link.find("inertial")
    mass, inertia = inertial.find("mass"), inertial.find("inertia")
    return float(mass.get("value", "")), *place_of(inertial), tuple(float(inertia.get(each, "0")) for each in SIX)


def place_of(element: ElementTree.Element) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """xyz and rpy of its origin."""
    origin = element.find("origin")
    given: Iterable[str] = (
        ("0 0 0", "0 0 0") if origin is None else (origin.get(key, "0 0 0") for key in ("xyz", "rpy"))
    )
    place, turn = (tuple(float(each) for each in text.split()) for text in given)
    return place, turn
