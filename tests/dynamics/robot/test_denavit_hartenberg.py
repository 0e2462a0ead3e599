"""Denavit-Hartenberg tables: both conventions; and the Robotics Toolbox's published numbers of the PUMA 560."""

from dataclasses import replace

import numpy as np

import dynamics as dyn
from dynamics.robot.dh_table import from_denavit_hartenberg
from tests.dynamics.every import every
from tests.dynamics.refusals import assert_all_refused
from tests.dynamics.witness.test_newton_euler import FORMULATIONS

# The Robotics Toolbox's table and bodies; link 3 as Armstrong has it, link 1 as in assets/robots/puma560/SOURCE.md.
PUMA_ROWS = [
    (0.0, np.pi / 2, 0.672, 0.0), (0.4318, 0.0, 0.0, 0.0), (0.0203, -np.pi / 2, 0.15005, 0.0),
    (0.0, np.pi / 2, 0.4318, 0.0), (0.0, -np.pi / 2, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0),
]  # fmt: skip
PUMA_MASSES = [13.0, 17.4, 4.8, 0.82, 0.34, 0.09]
PUMA_CENTERS = [(0, 0, 0), (-0.3638, 0.006, 0.2275), (-0.0203, -0.0141, 0.07), (0, 0.019, 0), (0, 0, 0), (0, 0, 0.032)]
PUMA_INERTIAS = [
    (0.35, 0.35, 0.35), (0.13, 0.524, 0.539), (0.066, 0.066, 0.0125), (0.0018, 0.0013, 0.0018),
    (0.0003, 0.0004, 0.0003), (0.00015, 0.00015, 0.00004),
]  # fmt: skip


def puma(**extras: object) -> dyn.Robot:
    return from_denavit_hartenberg(PUMA_ROWS, PUMA_MASSES, PUMA_CENTERS, PUMA_INERTIAS, **extras)


@every(FORMULATIONS.values())
def test_gravity_torque_of_the_puma(formulation) -> None:
    system = dyn.single_arm(puma())
    posture = [0.0, np.pi / 4, np.pi, 0.0, np.pi / 4, 0.0]
    torque = formulation(system, system.state(q=posture[::-1]), np.zeros(6), None)
    np.testing.assert_allclose(torque[::-1], [0, 31.6399, 6.0351, 0, 0.0283, 0], rtol=0, atol=5.1e-5)


def screw(theta: float, d: float, a: float, alpha: float, convention: str) -> np.ndarray:
    """One row's transform, element by element as the textbooks print it."""
    c, s, ca, sa = np.cos(theta), np.sin(theta), np.cos(alpha), np.sin(alpha)
    if convention == "standard":
        return np.array([[c, -s * ca, s * sa, a * c], [s, c * ca, -c * sa, a * s], [0, sa, ca, d], [0, 0, 0, 1]])
    return np.array([[c, -s, 0, a], [s * ca, c * ca, -sa, -sa * d], [s * sa, c * sa, ca, ca * d], [0, 0, 0, 1]])


@every(["standard", "modified"])
def test_transforms_and_mass_centers(convention: str) -> None:
    rng = np.random.default_rng(2)
    n = 6
    rows, centers = rng.normal(size=(n, 4)), 0.1 * rng.normal(size=(n, 3))
    kinds = ["revolute", "prismatic", "revolute", "revolute", "prismatic", "prismatic"]
    tool = np.eye(4)
    tool[:3, 3] = 0.1, 0.2, 0.3
    told = {"convention": convention, "kinds": kinds, "tool": tool}
    robot = from_denavit_hartenberg(rows, np.ones(n), centers, np.ones((n, 3)), **told)
    system = dyn.single_arm(robot)
    limits = [[-0.1 * k, 0.2 * k] for k in range(1, n + 1)]
    bounded = from_denavit_hartenberg(rows, np.ones(n), centers, np.ones((n, 3)), kinds=kinds, limits=limits)
    assert [[joint.lower, joint.upper] for joint in bounded.joints[::-1]] == limits
    q = rng.normal(size=n)
    poses = dyn.forward_kinematics(system, system.state(q=q[::-1])).pose
    frame = np.eye(4)
    for i, (a, alpha, d, theta) in enumerate(rows):
        slides = kinds[i] == "prismatic"
        frame = frame @ screw(theta + (not slides) * q[i], d + slides * q[i], a, alpha, convention)
        at = n - 1 - i
        center = poses[at] @ [*robot.links[at].center_of_mass, 1.0]
        np.testing.assert_allclose(center, frame @ [*centers[i], 1.0], atol=1e-12)
    np.testing.assert_allclose(
        dyn.forward_kinematics(system, system.state(q=q[::-1])).tip_pose[0], frame @ tool, atol=1e-12
    )


def test_inertia_formats_and_faults() -> None:
    principal = [(1.0, 2.0, 2.5)] * 2
    full = [np.diag(p) for p in principal]
    six = [(*p, 0.0, 0.0, 0.0) for p in principal]
    rows, masses, centers = np.zeros((2, 4)), [1.0, 1.0], np.zeros((2, 3))
    robots = [from_denavit_hartenberg(rows, masses, centers, given) for given in (principal, full, six)]
    for robot in robots:
        np.testing.assert_allclose(robot.links[0].inertia, full[0])
    mixed = from_denavit_hartenberg(rows, masses, centers, [(1, 2, 2.5, 0.1, 0.2, 0.3)] * 2)
    np.testing.assert_allclose(mixed.links[1].inertia, [[1, 0.1, 0.3], [0.1, 2, 0.2], [0.3, 0.2, 2.5]])
    sound = {"rows": np.zeros((2, 4)), "masses": [1, 1], "centers": np.zeros((2, 3)), "inertias": np.ones((2, 3))}
    assert_all_refused({f"{c}": (lambda c=c: from_denavit_hartenberg(**(sound | c)), words) for c, words in FAULTS})


FAULTS = [
    ({"rows": np.zeros((0, 4))}, "rows"), ({"rows": [[1, 2], [3]]}, "rows"), ({"rows": [[1, 2, 3]]}, "rows"),
    ({"masses": [1.0, np.nan]}, "masses"), ({"centers": [[0, 0, 0]]}, "centers"),
    ({"inertias": [[0.0125, 0.066, 0.086]] * 2}, "triangle inequality"), ({"convention": "craig"}, "convention"),
    ({"kinds": "helical"}, "kinds"), ({"kinds": ["revolute"]}, "kinds"), ({"limits": [[0, 1]]}, "limits"),
    ({"limits": [[1, 0], [0, 1]]}, "limit"), ({"friction": [0.1, 0.2]}, "friction"),
    ({"tool": np.zeros((4, 4))}, "tool"),
]  # fmt: skip


POSTURE = dict(zip([f"joint_{k}" for k in range(1, 7)], [0, np.pi / 4, np.pi, 0, np.pi / 4, 0], strict=True))
RATES = dict(zip(POSTURE, [0.1, 0.2, 0.8, 0.2, 0.5, 1.0], strict=True))
TORQUES = dict(zip(POSTURE, [1.0, 3.2, 1.8, 0.1, 0.7, 4.6], strict=True))
REST = dict.fromkeys(POSTURE, 0.0)
WITH_FRICTION = [-7.4102, -9.8432, -10.9694, -4.4314, -0.9881, 21.0228]
WITHOUT = [-0.3540, -6.3989, -2.0685, 0.5112, 4.0212, 23.6985]


def toolbox_puma(*without: str) -> dyn.System:
    """With the Toolbox's link 3, whose inertia no body can have; its posture lies outside its own limits."""
    robot = dyn.load("puma560", tip="link_6").without("limits", *without)
    # (0.066, 0.086, 0.0125) in D-H axes; the link's own axes are turned by -90 degrees about x
    links = (replace(x, inertia=np.diag([0.066, 0.0125, 0.086])) if x.name == "link_3" else x for x in robot.links)
    return dyn.single_arm(replace(robot, links=tuple(links)), gravity=(0, 0, -9.81))


def accelerations(system: dyn.System, rates: dict[str, float], torques: dict[str, float], method: str) -> np.ndarray:
    state = system.state(q=system.to_joint_vector(POSTURE), qd=system.to_joint_vector(rates))
    solution = dyn.forward_dynamics(system, state, system.to_joint_vector(torques), method=method)
    named = system.from_joint_vector(solution.joint_acceleration)
    return np.array([named[joint] for joint in POSTURE])


@every(["filter_smoother", "kkt"])
def test_published_numbers(method: str) -> None:
    """The Toolbox's, digit by digit; and at rest these are affine in the torque, by the inverse mass matrix."""
    for without, published in (((), WITH_FRICTION), (("friction", "damping"), WITHOUT)):
        system = toolbox_puma(*without)
        found = accelerations(system, RATES, TORQUES, method)
        np.testing.assert_allclose(found, published, rtol=0, atol=5.1e-5)
    still = accelerations(system, REST, REST, method)
    columns = [accelerations(system, REST, REST | {joint: 1.0}, method) - still for joint in POSTURE]
    mass_matrix = np.linalg.inv(np.column_stack(columns))
    np.testing.assert_allclose(np.diag(mass_matrix)[:3], [3.6594, 4.4137, 0.9378], rtol=0, atol=5.1e-5)
    gravity_torque = -mass_matrix @ still
    np.testing.assert_allclose(gravity_torque, [0, 31.6399, 6.0351, 0, 0.0283, 0], rtol=0, atol=5.1e-5)
