"""Robots written as URDF: Pinocchio and this project read the same machine from them."""

from dataclasses import replace

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dynamics as dyn
from tests.dynamics.pinocchio_world import coordinates, mass_matrix
from tests.dynamics.refusals import assert_all_refused
from tests.dynamics.systems import GRAVITY, draw_robot

pytestmark = pytest.mark.compiled_only
JOINT = ("name", "kind", "lower", "upper", "velocity", "effort", "damping", "friction", "rotor_inertia")


@given(st.integers(0, 2**31))
def test_pinocchio_reads_the_same_machine(seed: int) -> None:
    """Trees, slides, turned frames, welded bodies; Pinocchio gets the rotors by hand: URDF has no element for them."""
    rng = np.random.default_rng(seed)
    drawn = draw_robot(rng, 7, branching=0.5 * (seed % 2)).load()
    joints = tuple(replace(joint, rotor_inertia=float(rng.uniform(0.0, 0.2))) for joint in drawn.joints)
    robot = replace(drawn, joints=joints)
    text = dyn.urdf_text(robot)
    again = dyn.load_urdf_text(text)
    assert_same(robot, again)
    system = dyn.single_arm(robot, gravity=GRAVITY)
    q, qd, tau = rng.normal(size=(3, 7))
    state = system.state(q=q, qd=qd)
    model = pin.buildModelFromXML(text)
    model.gravity.linear = np.array(GRAVITY)
    rotors = [joint.rotor_inertia for joint in again.joints]
    x, places, (v, t, model.armature) = coordinates(model, robot.joint_names, q, qd, tau, rotors)
    ours = dyn.mass_matrix(system, state)
    mass = mass_matrix(model, x)[np.ix_(places, places)]
    np.testing.assert_allclose(mass, ours, rtol=0, atol=1e-12 * np.abs(ours).max())
    acceleration = pin.aba(model, model.createData(), x, v, t)[places]
    expected = dyn.forward_dynamics(system, state, tau).joint_acceleration
    np.testing.assert_allclose(acceleration, expected, rtol=0, atol=1e-12 * np.abs(expected).max())


def assert_same(one: dyn.Robot, other: dyn.Robot) -> None:
    assert one.joint_names == other.joint_names
    assert one.inboard == other.inboard
    assert (one.title, dict(one.home)) == (other.title, dict(other.home))
    for a, b in zip(one.joints, other.joints, strict=True):
        assert [getattr(a, field) for field in JOINT] == [getattr(b, field) for field in JOINT]
        np.testing.assert_allclose(b.origin, a.origin, rtol=0, atol=1e-14)
        np.testing.assert_allclose(b.axis, a.axis, rtol=0, atol=1e-15)
    for a, b in zip((*one.links, one.root), (*other.links, other.root), strict=True):
        assert (a.name, a.mass) == (b.name, b.mass)
        np.testing.assert_array_equal(b.center_of_mass, a.center_of_mass)
        np.testing.assert_array_equal(b.inertia, a.inertia)
        solids = [(s.kind, s.size, s.color) for s in a.geometry if s.kind != "mesh"]
        assert solids == [(s.kind, s.size, s.color) for s in b.geometry]
    assert set(one.frames) == set(other.frames)
    for a, b in [*zip(one.tips, other.tips, strict=True), *((f, other.frames[key]) for key, f in one.frames.items())]:
        assert (a.name, a.link) == (b.name, b.link)
        np.testing.assert_allclose(b.pose, a.pose, rtol=0, atol=1e-14)


def test_packaged_robots_come_back_as_they_were() -> None:
    """With their rotors, friction by direction, tool points, posture, title and the paths of their meshes."""
    for name in dyn.robot_names():
        robot = dyn.load(name)
        text = dyn.urdf_text(robot)
        assert_same(robot, dyn.load_urdf_text(text))
        meshes = [shape for link in (*robot.links, robot.root) for shape in link.geometry if shape.kind == "mesh"]
        assert all(shape.path is not None and f'filename="{shape.path}"' in text for shape in meshes), name
        assert meshes or name not in ("ur5e", "solo12")


def one_joint(**joint: object) -> dyn.Robot:
    chain = dyn.planar_chain(2)
    return replace(chain, joints=(replace(chain.joints[0], **joint), chain.joints[1]))


def again(robot: dyn.Robot) -> dyn.Joint:
    return dyn.load_urdf_text(dyn.urdf_text(robot)).joints[0]


@pytest.mark.parametrize("angle", [1.5708, 3.1416, -1.5707963, 0.5 * np.pi, 1e-13])
def test_an_angle_is_written_to_its_last_digit(angle: float) -> None:
    """A file's 1.5708 is read as a right angle; a robot whose angle is 1.5708 is not written so."""
    turned = np.eye(4)
    turned[:3, :3] = [[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]]
    np.testing.assert_allclose(again(one_joint(origin=turned)).origin, turned, rtol=0, atol=4e-16)


def test_a_missing_limit_stays_missing() -> None:
    for lower, upper in ((-1.0, np.inf), (-np.inf, 2.0), (-np.inf, np.inf), (-1.0, 2.0)):
        for kind in ("revolute", "prismatic"):
            for effort in (np.inf, 7.0):
                robot = one_joint(kind=kind, lower=lower, upper=upper, effort=effort, axis=np.array([0.0, 0.0, 1.0]))
                joint = again(robot)
                found = joint.kind, joint.lower, joint.upper, joint.effort, joint.velocity
                assert found == (kind, lower, upper, effort, np.inf)
                assert pin.buildModelFromXML(dyn.urdf_text(robot)).nv == 2


def test_extensions_of_the_format_and_names() -> None:
    text = dyn.urdf_text(one_joint(friction=(0.2, 0.5)))
    assert dyn.load_urdf_text(text).joints[0].friction == (0.2, 0.5)
    assert 'friction="0.35"' in text  # their mean, for programs that know one
    text = dyn.urdf_text(one_joint(rotor_inertia=0.25))
    assert dyn.load_urdf_text(text).remarks == ()
    geared = text.replace('gear_ratio value="1"', 'gear_ratio value="4"')  # as Drake has it
    assert [joint.rotor_inertia for joint in dyn.load_urdf_text(geared).joints] == [4.0, 0.0]
    for space in ('xmlns:drake="http://drake.mit.edu"', ""):
        other = geared.replace('xmlns:drake="https://drake.mit.edu/"', space)
        assert [joint.rotor_inertia for joint in dyn.load_urdf_text(other).joints] == [4.0, 0.0], space
    rotor = 'rotor_inertia value="0.25"'
    changes = {
        "no number": (rotor, 'rotor_inertia value="much"', r"line \d+: <rotor_inertia value=.much.> is no"),
        "no value": (rotor, "rotor_inertia", r"line \d+: <rotor_inertia> has no value"),
        "no such tip": ('tip link="tip"', 'tip link="top"', "no link 'top' for a tip"),
        "below zero": (rotor, 'rotor_inertia value="-1"', "rotor inertia is -1"),
    }
    assert all(old in text for old, *_ in changes.values())
    rows = {
        name: (lambda old=old, new=new: dyn.load_urdf_text(text.replace(old, new)), words)
        for name, (old, new, words) in changes.items()
    }
    names = ("", "a\0", "\ud800")
    rows |= {repr(name): (lambda name=name: dyn.urdf_text(one_joint(name=name)), "name") for name in names}
    assert_all_refused(rows)
    assert again(one_joint(name='<"&>')).name == '<"&>'
