"""Every machine that can be put together is exact: by two methods, closed, within its stops, and clear of itself."""

import itertools

import numpy as np
import pytest

import dynamics as dyn
from app.motion.assembly import Assembly, assembled
from app.motion.build import EDGES, KINDS, OWN, TITLES, Base, Build, Payload, edges, packaged
from tests.dynamics.dense_machine import dense
from tests.dynamics.systems import draw_robot

ACCURACY = 1e-9
MIXES = [("iiwa14", "puma560"), ("panda", "planar_chain", "iiwa14"), ("jazidie_arm", "iiwa14")]


def check(made: Assembly, seed: int = 1) -> None:
    system, state = made.system, made.state
    rng = np.random.default_rng(seed)
    for joint, q in zip(system.joint_models, state.q, strict=True):
        assert joint.lower - 1e-9 <= q <= joint.upper + 1e-9, joint.name
    tau = rng.normal(size=system.n_joints)
    if not system.is_held:
        rates = 0.3 * rng.normal(size=system.n_joints)
        state = system.state(q=state.q, qd=rates, base_pose=state.base_pose, base_velocity=state.base_velocity)
    two = [dyn.forward_dynamics(system, state, tau, method=name) for name in ("filter_smoother", "kkt")]
    accelerations = [solution.joint_acceleration for solution in two]
    size = np.abs(accelerations[1]).max()
    assert np.abs(accelerations[0] - accelerations[1]).max() <= ACCURACY * size
    assert dyn.agreement(system, state, tau).worst <= ACCURACY
    if system.is_held:
        assert np.abs(dense(system, state).constraint @ system.pack(state)[1]).max() < ACCURACY
        poses = dyn.forward_kinematics(system, state).pose
        for contact in system.contacts:  # all of them rigid
            apart = poses[contact.link] @ contact.tip_pose - state.object_pose @ contact.object_pose
            assert np.abs(apart).max() < 1e-8


def check_hands(made: Assembly) -> None:
    assert made.payload is not None
    half = 0.5 * np.array(edges(made.payload))
    assert len(made.system.contacts) == len(made.build.robots)
    places = np.array([contact.object_pose[:3, 3] for contact in made.system.contacts])
    for x, y, z in places:
        assert abs(z) < 1e-9
        if made.payload.shape in ("sphere", "cylinder"):
            assert np.hypot(x, y) == pytest.approx(half[0], rel=1e-9)
        else:
            assert max(abs(x) / half[0], abs(y) / half[1]) == pytest.approx(1.0, rel=1e-9)
    apart = [float(np.linalg.norm(a - b)) for a, b in itertools.combinations(places, 2)]
    assert min(apart, default=1.0) > 0.2 * min(half)


def test_every_robot_is_bolted_down_and_floats() -> None:
    for name in TITLES:
        for kind in KINDS[::2]:
            made = assembled(Build(kind, (name,)))
            assert (made.system.kind, made.system.robots[0].joints) == (kind, packaged(name).joints)
            assert made.title.startswith(TITLES[name])
            check(made)


def test_any_object_is_held_by_any_number_of_any_robots() -> None:
    builds = [(name, count, "box") for name in TITLES for count in (2, *((1, 5, 8) if name in ("puma560",) else ()))]
    builds += [("iiwa14", count, shape) for shape, count in zip(EDGES, (7, 1, 4, 3), strict=True)]
    for robots, payload in [
        *(((name,) * count, Payload(shape)) for name, count, shape in builds),
        *((robots, Payload("beam", mass=2.5)) for robots in MIXES),
    ]:
        made = assembled(Build("multi_arm", robots, payload))
        assert [robot.joints for robot in made.system.robots] == [packaged(name).joints for name in robots]
        assert made.system.task_object.mass == made.payload.mass
        check(made)
        check_hands(made)


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.full) for seed in range(2, 8))])
def test_a_drawn_robot_is_held_in_every_way(seed: int) -> None:
    rng = np.random.default_rng(seed)
    drawn = draw_robot(rng, int(rng.integers(2, 9)), branching=0.3 * (seed % 2), kinds=("revolute", "continuous"))
    robot = dyn.load_urdf_text(drawn.urdf().encode(), "drawn.urdf")
    for kind in KINDS:
        for robots in [(OWN,) * 3, (OWN, "iiwa14")] if kind == "multi_arm" else [(OWN,)]:
            check(assembled(Build(kind, robots), robot, "drawn.urdf"), seed)


def test_an_object_is_of_one_stuff() -> None:
    """Its inertia, beside that of a cloud of points drawn within its shape."""
    for mass in [0.01, 40.0]:
        for shape in EDGES:
            made = assembled(Build("multi_arm", ("panda",) * 2, Payload(shape, mass=mass)))
            body, payload = made.system.task_object, made.payload
            assert body is not None
            assert payload is not None
            rng, half = np.random.default_rng(0), 0.5 * np.array(edges(payload))
            points = rng.uniform(-half, half, (200_000, 3))
            if shape == "sphere":
                points = points[np.linalg.norm(points, axis=1) < half[0]]
            if shape == "cylinder":
                points = points[np.hypot(points[:, 0], points[:, 1]) < half[0]]
            spread = mass * (points.T @ points) / len(points)
            assert body.inertia == pytest.approx(
                np.trace(spread) * np.eye(3) - spread, abs=0.01 * np.trace(body.inertia)
            )


def test_bases_stand_where_they_are_put() -> None:
    plain = assembled(Build("multi_arm", ("iiwa14", "puma560"), Payload("box")))
    first, second = plain.bases
    moved = (Base(first.x - 0.1, first.y + 0.08, first.yaw + 0.4), second)
    made = assembled(Build("multi_arm", ("iiwa14", "puma560"), Payload("box"), moved))
    for base, pose in zip(moved, made.system.base_poses, strict=True):
        assert pose[:2, 3] == pytest.approx([base.x, base.y])
        assert pose[:2, 0] == pytest.approx([np.cos(base.yaw), np.sin(base.yaw)])
    check(made)
    check_hands(made)


def test_an_arm_that_cannot_reach_is_named() -> None:
    for build, words in [
        (Build("multi_arm", ("iiwa14",) * 2, bases=(Base(-3.0, 0.0, 0.0), Base(0.9, 0.0, 3.1))), "Arm 1, KUKA iiwa 14"),
        (Build("multi_arm", ("iiwa14", "panda"), bases=(Base(-0.9, 0.0, 0.0), Base(0.0, 5.0, 0.0))), "Arm 2, Panda"),
        (Build("multi_arm", ("planar_chain",) * 2, bases=(Base(-1.0, 0.5, 0.0), Base(1.0, 0.0, 0.3))), "Arm 1, Planar"),
        (Build("multi_arm", ("puma560",) * 2, Payload("sphere", (0.011,))), "would overlap"),
        (Build("multi_arm", (OWN,)), "robot file that is not here"),
    ]:
        with pytest.raises(dyn.ModelError, match=words):
            assembled(build)
