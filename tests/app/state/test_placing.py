"""An arm's base dragged over the ground: where it comes to stand, what is seen meanwhile, and what cannot be."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import numpy as np
import pytest

import dynamics as dyn
from app.assembly.build import Base, Build, Thing
from app.motion.built_machine import bases_of
from app.motion.grips import passing
from app.state import Session
from app.state.address import asked, query_of
from app.state.manipulation import Manipulation
from app.state.placing import BaseAim, slid
from app.state.robot_editing import RobotEditing

Run = Callable[[Coroutine[Any, Any, Any]], Any]
MIXED = Build("multi_arm", ("puma560", "iiwa14"), Thing("sphere"))


@pytest.mark.parametrize("seed", range(6))
def test_the_grip_lies_under_the_hand_and_the_arm_faces_the_object_as_before(seed: int) -> None:
    rng = np.random.default_rng(seed)
    far, at = rng.uniform(0.6, 2.0), rng.uniform(-np.pi, np.pi)
    base = Base(far * np.cos(at), far * np.sin(at), rng.uniform(-np.pi, np.pi))
    grip, target = rng.uniform(-0.1, 0.1, 3), rng.uniform(0.6, 2.0) * np.array([np.cos(seed), np.sin(seed)])
    new = slid(base, grip, target)
    turn = np.array([[np.cos(new.yaw), -np.sin(new.yaw)], [np.sin(new.yaw), np.cos(new.yaw)]])
    np.testing.assert_allclose([new.x, new.y] + turn @ grip[:2], target, atol=1e-6)

    def faces(one: Base) -> float:
        return one.yaw - np.arctan2(-one.y, -one.x)

    assert np.cos(faces(new) - faces(base)) == pytest.approx(1.0, abs=1e-9)


def test_a_base_at_the_object_itself_is_still_a_place() -> None:
    found = slid(Base(1.0, 0.0, 3.0), np.zeros(3), np.zeros(2))
    assert np.isfinite([found.x, found.y, found.yaw]).all()


async def led(session: Session, manipulation: Manipulation, arm: int, ways: list[tuple[float, float]]) -> list[BaseAim]:
    """Drags a base by these ways from where it stands, each tried to its end; what was seen at each."""
    pose = session.solution().system.base_poses[arm]
    seen = []
    manipulation.take_base(arm, np.zeros(3), pose[:3, 3])
    for x, y in ways:
        manipulation.move(pose[:3, 3] + [x, y, 0.3])  # how high the hand is does not count
        manipulation.attend(1)
        while session.jobs.running:
            session.jobs.attend()
            await asyncio.sleep(0.001)
        seen.append(session.aim)
    manipulation.let_go()
    while session.opening.awaited is not None:
        assert session.aim is not None  # what was seen stays until the machine is there
        session.jobs.attend()
        await asyncio.sleep(0.001)
    return seen


def posing(build: Build | str, run_async: Run) -> tuple[Session, Manipulation]:
    session = Session(build if isinstance(build, str) else "puma560")

    async def live() -> None:
        if isinstance(build, Build):
            session.put_together(build)
        while session.opening.awaited is not None:
            session.jobs.attend()
            await asyncio.sleep(0.001)

    run_async(live())
    manipulation = Manipulation(session)
    manipulation.mode = "pose"
    return session, manipulation


@pytest.mark.parametrize(("build", "arm"), [(MIXED, 0), (MIXED, 1), ("two_arms_and_box", 1)])
def test_a_base_is_dragged_and_what_is_seen_is_what_comes(build: Build | str, arm: int, run_async: Run) -> None:
    session, manipulation = posing(build, run_async)
    before, stood = session.setup, bases_of(session.setup.machine)
    seen = run_async(led(session, manipulation, arm, [(0.03, 0.05), (0.05, 0.12)]))
    assert (session.message, session.aim) == ("", None)
    found = session.build
    assert found is not None
    assert found.bases is not None
    new = found.bases[arm]
    assert (new.x - stood[arm].x, new.y - stood[arm].y) == pytest.approx((0.05, 0.12), abs=1e-6)
    assert [one for k, one in enumerate(found.bases) if k != arm] == [one for k, one in enumerate(stood) if k != arm]
    last = seen[-1]
    assert (last.arm, last.base, last.why_not) == (arm, new, "")
    assert f"Arm {arm + 1}: x {new.x:.2f} m" in last.words
    own = session.loaded.base_poses
    np.testing.assert_allclose(last.solution.system.base_poses, own, atol=1e-9)
    hand = last.solution.tip_pose[arm, :3, 3] - last.solution.state.object_pose[:3, 3]
    contact = session.loaded.contacts[arm]
    np.testing.assert_allclose(hand, contact.object_pose[:3, 3], atol=1e-4)
    shown = asked(query_of(session), Session("puma560")).setup
    assert shown.machine.built is not None
    assert shown.machine.built.build == found
    session.undo()
    assert session.setup is before


@pytest.mark.slow
def test_a_base_out_of_reach_says_so_in_the_hand_and_when_it_is_let_go(run_async: Run) -> None:
    session, manipulation = posing(MIXED, run_async)
    before = session.setup
    seen = run_async(led(session, manipulation, 0, [(-0.02, 0.0), (-2.5, 0.0)]))
    assert seen[0].why_not == ""
    assert seen[1].words.startswith("Arm 1, PUMA 560, does not reach the object from there: its hand stays ")
    pose = seen[1].solution.system.base_poses[0]
    assert pose[0, 3] == pytest.approx(before.machine.system.base_poses[0, 0, 3] - 2.5)
    assert "does not reach the object from there" in session.message
    assert "Move its base nearer" in session.message
    assert (session.setup, session.aim) == (before, None)


def test_a_base_that_is_only_touched_stays(run_async: Run) -> None:
    session, manipulation = posing(MIXED, run_async)
    before = session.setup
    run_async(led(session, manipulation, 0, [(0.0, 0.0)]))
    assert (session.setup, session.message, session.aim) == (before, "", None)
    assert not session.can_undo or session.history.past[-1].setup is not before


@pytest.mark.parametrize("name", ["puma560", "free_flyer", "two_arms_and_box"])
def test_only_who_poses_arms_round_an_object_takes_a_base(name: str) -> None:
    session = Session(name)
    manipulation = Manipulation(session)
    assert not manipulation.moves_bases
    manipulation.take_base(0, np.zeros(3), np.ones(3))
    assert not manipulation.is_holding
    manipulation.mode = "pose"
    assert manipulation.moves_bases == (name == "two_arms_and_box")


@pytest.mark.parametrize("name", ["point_contact", "jazidie_2", "two_arms_and_box"])
def test_an_arm_that_stands_elsewhere_changes_nothing_else(name: str, run_async: Run) -> None:
    """The world, what all weighs, what drives the joints and how each tip holds on stay as they were chosen."""
    session, manipulation = posing(name, run_async)
    before = session.system
    session.set_mass(1.5 * session.setup.body(before.n_links).mass)
    session.set_torque(before.joint_names[0], 1.5)
    session.set_damping(0.25)
    session.grip(0, "soft_finger")
    session.seek(0.0)
    chosen, seen = session.setup, session.system_here
    run_async(led(session, manipulation, 1, [(0.01, 0.02)]))
    assert session.message == ""
    assert session.setup.machine is not chosen.machine
    assert {key: getattr(session.setup, key) for key in ("bodies", "torques", "damping", "numerics")} == {
        key: getattr(chosen, key) for key in ("bodies", "torques", "damping", "numerics")
    }
    session.run.accept(session.run.compute())
    session.seek(0.0)
    here = session.system_here
    assert [passing(one) for one in here.contacts] == [passing(one) for one in seen.contacts]
    np.testing.assert_array_equal(here.gravity, seen.gravity)
    assert here.task_object.mass == seen.task_object.mass
    assert session.setup.driven == chosen.driven
    followed = asked(query_of(session), Session("puma560")).setup
    assert (followed.interventions, followed.gravity) == (session.setup.interventions, session.setup.gravity)


@pytest.mark.slow
def test_a_base_of_an_edited_robot_keeps_its_meshes_and_its_edits(run_async: Run) -> None:
    """The file of an edited robot has none, from which the machine is put together anew."""
    session, manipulation = posing(Build("multi_arm", ("ur5e", "ur5e"), Thing("sphere")), run_async)
    name = session.loaded.robots[0].links[1].name
    assert RobotEditing(session).apply(lambda robot: dyn.with_body(robot, name, mass=9.0))
    before = session.loaded
    run_async(led(session, manipulation, 1, [(0.01, 0.02)]))
    assert session.loaded is not before
    for robot, own in zip(session.loaded.robots, before.robots, strict=True):
        assert robot.links[1].mass == 9.0
        shapes = [[shape.kind for shape in link.geometry] for link in (*robot.links, robot.root)]
        assert shapes == [[shape.kind for shape in link.geometry] for link in (*own.links, own.root)]
        assert "mesh" in shapes[1]
