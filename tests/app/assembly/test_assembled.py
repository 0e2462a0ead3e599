"""Every machine that can be put together is exact: by two methods, closed, within its stops, and clear of itself."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import dynamics as dyn
from app.assembly.assembled import MOST_JOINTS, Assembled, assembled
from app.assembly.build import EDGES, KINDS, OWN, Base, Build, Kind, Thing
from app.assembly.chain import Chain, least_gap, segment_gap
from app.assembly.reaching import reaching
from app.assembly.robots import TITLES, packaged
from app.assembly.thing import edges, hands
from tests.dynamics.systems import draw_robot

ACCURACY = 1e-9
MIXES = [
    ("iiwa14", "puma560"),
    ("panda", "planar_chain", "iiwa14"),
    ("jazidie_arm", "iiwa14"),
    ("free_flyer", "panda"),
    ("puma560", "panda", "iiwa14", "puma560", "panda"),
]
COUNTS = [(name, count) for name, count in itertools.product(TITLES, (1, 2, 3, 5, 8)) if count == 2 or name in (
    "puma560", "iiwa14", "planar_chain")]  # fmt: skip


def check(made: Assembled, seed: int = 1) -> None:
    """What holds of every machine."""
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
        assert np.abs(dyn.closure_gap(system, state)).max() < ACCURACY
        poses = dyn.link_poses(system, state)
        for contact in system.contacts:  # all of them rigid
            apart = poses[contact.link] @ contact.tip_pose - state.object_pose @ contact.object_pose
            assert np.abs(apart).max() < 1e-8


def check_hands(made: Assembled) -> None:
    """Hands are on the object's surface, and no two at one place."""
    assert made.thing is not None
    half = 0.5 * np.array(edges(made.thing))
    assert len(made.system.contacts) == len(made.build.robots)
    places = np.array([contact.object_pose[:3, 3] for contact in made.system.contacts])
    for x, y, z in places:
        assert abs(z) < 1e-9
        if made.thing.shape in ("sphere", "cylinder"):
            assert np.hypot(x, y) == pytest.approx(half[0], rel=1e-9)
        else:
            assert max(abs(x) / half[0], abs(y) / half[1]) == pytest.approx(1.0, rel=1e-9)
    apart = [float(np.linalg.norm(a - b)) for a, b in itertools.combinations(places, 2)]
    assert min(apart, default=1.0) > 0.2 * min(half)


@pytest.mark.parametrize("kind", KINDS[::2])
@pytest.mark.parametrize("name", TITLES)
def test_every_robot_is_bolted_down_and_floats(name: str, kind: Kind) -> None:
    made = assembled(Build(kind, (name,)))
    assert made.system.kind == kind
    assert made.system.robots[0].joints == packaged(name).joints
    assert made.title.startswith(TITLES[name])
    check(made)


@pytest.mark.parametrize(("name", "count"), COUNTS)
def test_one_to_eight_of_a_robot_hold_a_box(name: str, count: int) -> None:
    made = assembled(Build("multi_arm", (name,) * count))
    assert made.system.n_arms == count
    check(made)
    check_hands(made)


@pytest.mark.parametrize("count", [1, 2, 4, 7])
@pytest.mark.parametrize("shape", EDGES)
def test_any_object_is_held_by_any_number(shape: str, count: int) -> None:
    made = assembled(Build("multi_arm", ("iiwa14",) * count, Thing(shape, mass=2.5)))
    assert made.system.task_object is not None
    assert made.system.task_object.mass == 2.5
    check(made)
    check_hands(made)


@pytest.mark.parametrize("robots", MIXES)
def test_different_robots_hold_one_object(robots: tuple[str, ...]) -> None:
    made = assembled(Build("multi_arm", robots, Thing("beam")))
    for robot, name in zip(made.system.robots, robots, strict=True):
        assert robot.joints == packaged(name).joints
    check(made)
    check_hands(made)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_a_drawn_robot_is_held_in_every_way(seed: int) -> None:
    rng = np.random.default_rng(seed)
    drawn = draw_robot(rng, int(rng.integers(2, 9)), branching=0.3 * (seed % 2), kinds=("revolute", "continuous"))
    robot = dyn.load_urdf_text(drawn.urdf().encode(), "drawn.urdf")
    for kind in KINDS:
        for robots in [(OWN,) * 3, (OWN, "iiwa14")] if kind == "multi_arm" else [(OWN,)]:
            check(assembled(Build(kind, robots), robot, "drawn.urdf"), seed)


@pytest.mark.parametrize("shape", EDGES)
@pytest.mark.parametrize("mass", [0.01, 40.0])
def test_an_object_is_of_one_stuff(shape: str, mass: float) -> None:
    """Its inertia, beside that of a cloud of points drawn within its shape."""
    made = assembled(Build("multi_arm", ("panda",) * 2, Thing(shape, mass=mass)))
    body, thing = made.system.task_object, made.thing
    assert body is not None
    assert thing is not None
    rng, half = np.random.default_rng(0), 0.5 * np.array(edges(thing))
    points = rng.uniform(-half, half, (200_000, 3))
    if shape == "sphere":
        points = points[np.linalg.norm(points, axis=1) < half[0]]
    if shape == "cylinder":
        points = points[np.hypot(points[:, 0], points[:, 1]) < half[0]]
    spread = mass * (points.T @ points) / len(points)
    assert body.inertia == pytest.approx(np.trace(spread) * np.eye(3) - spread, abs=0.01 * np.trace(body.inertia))


def test_bases_stand_where_they_are_put() -> None:
    plain = assembled(Build("multi_arm", ("iiwa14", "puma560"), Thing("box")))
    first, second = plain.bases
    moved = (Base(first.x - 0.1, first.y + 0.08, first.yaw + 0.4), second)
    made = assembled(Build("multi_arm", ("iiwa14", "puma560"), Thing("box"), moved))
    for base, pose in zip(moved, made.system.base_poses, strict=True):
        assert pose[:2, 3] == pytest.approx([base.x, base.y])
        assert pose[:2, 0] == pytest.approx([np.cos(base.yaw), np.sin(base.yaw)])
    check(made)
    check_hands(made)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("build", "words"),
    [
        (Build("multi_arm", ("iiwa14",) * 2, bases=(Base(-3.0, 0.0, 0.0), Base(0.9, 0.0, 3.1))), "Arm 1, KUKA iiwa 14"),
        (Build("multi_arm", ("iiwa14", "panda"), bases=(Base(-0.9, 0.0, 0.0), Base(0.0, 5.0, 0.0))), "Arm 2, Panda"),
        (Build("multi_arm", ("planar_chain",) * 2, bases=(Base(-1.0, 0.5, 0.0), Base(1.0, 0.0, 0.3))), "Arm 1, Planar"),
        (Build("multi_arm", ("puma560",) * 2, Thing("sphere", (0.011,))), "stand in each other"),
        (Build("multi_arm", (OWN,)), "robot file that is not here"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_told_by_name(build: Build, words: str) -> None:
    with pytest.raises(dyn.ModelError, match=words):
        assembled(build)


def test_more_joints_than_a_page_shows_are_refused() -> None:
    robot = dyn.planar_chain(MOST_JOINTS // 8 + 1)
    with pytest.raises(dyn.ModelError, match=f"up to {MOST_JOINTS}. Take fewer arms"):
        assembled(Build("multi_arm", (OWN,) * 8), robot, "chain.urdf")


@pytest.mark.parametrize("name", TITLES)
def test_a_search_looks_at_the_chain_as_the_mechanics_does(name: str) -> None:
    robot, rng = packaged(name), np.random.default_rng(2)
    chain, system = Chain.of(robot), dyn.single_arm(robot)
    for q in rng.uniform(-2.0, 2.0, (4, len(robot.joints))):
        seen = chain.postures(q[None, list(chain.joints)])
        assert seen.tip[0] == pytest.approx(dyn.tip_poses(system, system.state(q=q))[0], abs=1e-12)
        qd = rng.normal(size=len(q))
        step = 1e-6
        turned = chain.postures((q + step * qd)[None, list(chain.joints)]).points[0, -1]
        moved = (turned - seen.points[0, -1]) / step
        assert seen.rows[0, 3:] @ qd[list(chain.joints)] == pytest.approx(moved, abs=1e-4)


@pytest.mark.parametrize("name", TITLES)
def test_an_arm_that_reaches_out_is_not_folded(name: str) -> None:
    arm = reaching(packaged(name))
    assert least_gap(arm.points[None], arm.reach)[0] > 0.03 * arm.reach
    assert arm.points[:, 2].min() > -1e-9
    assert np.hypot(*arm.tip[:2, 3]) > 0.25 * arm.reach


def test_the_gap_of_two_lines_is_the_least_of_many_points() -> None:
    rng, share = np.random.default_rng(3), np.linspace(0.0, 1.0, 201)[:, None]
    for _ in range(40):
        a, b, c, d = rng.normal(size=(4, 3))
        some, others = a + share * (b - a), c + share * (d - c)
        least = np.linalg.norm(some[:, None] - others[None], axis=2).min()
        assert segment_gap(a, b, c, d) == pytest.approx(least, abs=0.03)
        assert segment_gap(a, b, c, d) <= least + 1e-12


@pytest.mark.parametrize("count", range(1, 9))
@pytest.mark.parametrize("shape", EDGES)
def test_hands_are_evenly_round_the_outline(shape: str, count: int) -> None:
    size = {"box": (0.5, 0.3, 0.2), "sphere": (0.2,), "cylinder": (0.2, 0.4), "beam": (1.4, 0.1)}[shape]
    places, away = hands(Thing(shape, size), count)
    assert places[0] == pytest.approx([-0.5 * edges(Thing(shape, size))[0], 0.0])
    assert np.linalg.norm(away, axis=1) == pytest.approx(np.ones(count))
    assert (np.sum(places * away, axis=1) > 0.0).all()
    assert len({tuple(np.round(place, 9)) for place in places}) == count
