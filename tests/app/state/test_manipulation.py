"""Posing the start by a joint, a point of a link, the object or a base; taking a released object again."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dynamics as dyn
from app.clock import Clock
from app.motion.build import Base, Build, Payload
from app.motion.built_machine import bases_of
from app.motion.interventions import passing
from app.state import Session
from app.state.address import asked, query_of
from app.state.manipulation import FELT, BaseAim, Manipulation, set_joint, slid
from app.state.point_force import (
    DAMPING_SHARE,
    PACE,
    STRENGTH,
    BodyPoint,
    end_of,
    frame_of,
    mass_felt,
    most_force,
    spring,
)
from tests.app.arrival import computed, over, paused, restore

Run = Callable[[Coroutine[Any, Any, Any]], Any]
MIXED = Build("multi_arm", ("puma560", "iiwa14"), Payload("sphere"))


@given(st.integers(0, 2**32 - 1))
def test_the_grip_lies_under_the_hand_and_the_arm_faces_the_object_as_before(seed: int) -> None:
    rng = np.random.default_rng(seed)
    far, at, to = rng.uniform(0.6, 2.0), *rng.uniform(-np.pi, np.pi, 2)
    base = Base(far * np.cos(at), far * np.sin(at), rng.uniform(-np.pi, np.pi))
    grip, target = rng.uniform(-0.1, 0.1, 3), rng.uniform(0.6, 2.0) * np.array([np.cos(to), np.sin(to)])
    new = slid(base, grip, target)
    turn = np.array([[np.cos(new.yaw), -np.sin(new.yaw)], [np.sin(new.yaw), np.cos(new.yaw)]])
    np.testing.assert_allclose([new.x, new.y] + turn @ grip[:2], target, atol=1e-6)
    before, after = (one.yaw - np.arctan2(-one.y, -one.x) for one in (base, new))
    assert np.cos(after - before) == pytest.approx(1.0, abs=1e-9)


async def led(session: Session, manipulation: Manipulation, arm: int, ways: list[tuple[float, float]]) -> list[BaseAim]:
    """Drags a base by these ways from where it stands, each tried to its end; what was seen at each."""
    pose = session.solution().system.base_poses[arm]
    seen = []
    manipulation.take_base(arm, np.zeros(3), pose[:3, 3])
    for x, y in ways:
        manipulation.move(pose[:3, 3] + [x, y, 0.3])  # how high the hand is does not count
        manipulation.attend(1)
        await over(session, lambda: session.jobs.running)
        seen.append(session.aim)
    manipulation.let_go()
    while session.opening.awaited is not None:
        assert session.aim is not None  # what was seen stays until the machine is there
        session.jobs.attend()
        await asyncio.sleep(0.001)
    return seen


def posing(build: Build | str, run_async: Run) -> tuple[Session, Manipulation]:
    session = Session(build if isinstance(build, str) else "puma560")
    act = (lambda: session.put_together(build)) if isinstance(build, Build) else (lambda: None)
    run_async(over(session, lambda: session.opening.awaited is not None, act))
    manipulation = Manipulation(session)
    manipulation.mode = "pose"
    return session, manipulation


def test_a_base_is_dragged_and_what_is_seen_is_what_comes(run_async: Run) -> None:
    for build, arm in [(MIXED, 1), ("two_arms_and_box", 0)]:
        session, manipulation = posing(build, run_async)
        before, stood = session.setup, bases_of(session.setup.machine)
        seen = run_async(led(session, manipulation, arm, [(0.03, 0.05), (0.05, 0.12)]))
        assert (session.message, session.aim) == ("", None)
        found = session.build
        new = found.bases[arm]
        assert (new.x - stood[arm].x, new.y - stood[arm].y) == pytest.approx((0.05, 0.12), abs=1e-6)
        others = [[one for k, one in enumerate(bases) if k != arm] for bases in (found.bases, stood)]
        assert others[0] == others[1]
        last = seen[-1]
        assert (last.arm, last.base, last.why_not) == (arm, new, "")
        assert f"Arm {arm + 1}: x {new.x:.2f} m" in last.words
        own = session.loaded.base_poses
        np.testing.assert_allclose(last.solution.system.base_poses, own, atol=1e-9)
        hand = last.solution.tip_pose[arm, :3, 3] - last.solution.state.object_pose[:3, 3]
        contact = session.loaded.contacts[arm]
        np.testing.assert_allclose(hand, contact.object_pose[:3, 3], atol=1e-4)
        shown = asked(query_of(session), Session("puma560")).setup
        assert shown.machine.built.build == found
        session.undo()
        assert session.setup is before


def test_an_arm_that_stands_elsewhere_changes_nothing_else(run_async: Run) -> None:
    """The world, what all weighs, what drives the joints and how each tip holds on stay as they were chosen."""
    for name in ["point_contact", "jazidie_2"]:
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
        for key in ("bodies", "torques", "damping", "numerics"):
            assert getattr(session.setup, key) == getattr(chosen, key), key
        session.run.accept(session.run.compute())
        session.seek(0.0)
        here = session.system_here
        assert [passing(one) for one in here.contacts] == [passing(one) for one in seen.contacts]
        np.testing.assert_array_equal(here.gravity, seen.gravity)
        assert (here.task_object.mass, session.setup.driven) == (seen.task_object.mass, chosen.driven)
        followed = asked(query_of(session), Session("puma560")).setup
        assert (followed.interventions, followed.gravity) == (session.setup.interventions, session.setup.gravity)


def posing_at_start(preset: str) -> tuple[Session, Manipulation]:
    session = Session(preset)
    computed(session.run, 0.4)
    session.seek(0.3)
    manipulation = Manipulation(session)
    manipulation.mode = "pose"
    assert (session.playing, session.time) == (False, 0.0)
    return session, manipulation


def test_a_body_follows_the_pointer_and_all_arms_that_hold_it_with_it() -> None:
    for preset in ["panda", "planar_chain", "free_flyer", "four_arms_and_box", "two_planar_arms", "point_contact"]:
        session, manipulation = posing_at_start(preset)
        system, before = session.system, session.setup
        body_point, way = end_of(system, 0), np.array([0.0, 0.01, 0.012])
        if system.is_held:
            body_point = BodyPoint(system.n_links, np.array([0.02, 0.01, 0.0]))
            way = np.array([0.0, 0.005, 0.0 if "planar" in preset else 0.01])
        start = point_of(session.solution(), body_point)
        manipulation.take(body_point, start)
        for step in range(1, 5):
            target = start + step * way
            manipulation.move(target)
            manipulation.attend(step)
            found = point_of(session.solution(), body_point)
            assert (found, session.aim.words) == (pytest.approx(target, abs=2e-4), "")
        manipulation.let_go()
        assert (session.aim, session.message, session.is_held) == (None, "", system.is_held)
        assert not session.solution().state.qd.any()
        computed(session.run, 0.1)
        assert session.run.failure == ""
        while session.can_undo:
            session.undo()
        assert session.setup == before


def test_out_of_reach_it_comes_as_near_as_it_can_and_says_so() -> None:
    session, manipulation = posing_at_start("puma560")
    body_point = end_of(session.system, 0)
    target = np.array([3.0, 0.0, 1.0])
    manipulation.take(body_point, target)
    for _ in range(12):
        manipulation.move(target + 1e-9 * np.random.default_rng(0).normal(size=3))
        manipulation.attend(0)
    nearest = dyn.inverse_kinematics(session.system, session.solution().state, 0, target, attempts=20)
    miss = float(np.linalg.norm(point_of(session.solution(), body_point) - target))
    assert (miss, session.aim.miss) == (pytest.approx(nearest.position_error, rel=0.02), pytest.approx(miss, abs=1e-6))
    assert "mm short" in session.aim.words


def test_a_joint_is_set_within_its_limit() -> None:
    session = Session("puma560")
    computed(session.run, 0.3)
    session.seek(0.2)
    name = session.system.joint_names[3]
    assert (set_joint(session, name, -0.4), (session.playing, session.time)) == ("", (False, 0.0))
    assert session.solution().state.q[3] == pytest.approx(-0.4)
    limit = session.system.joint_models[3].upper
    assert "its limit" in set_joint(session, name, limit + 1.0)
    assert session.solution().state.q[3] == pytest.approx(limit, abs=FELT)


def test_a_joint_of_a_closed_chain_takes_the_others_along() -> None:
    for preset in ["two_arms_and_box", "two_planar_arms"]:
        session = Session(preset)
        before = session.solution().state
        name = session.system.joint_names[1]
        assert set_joint(session, name, before.q[1] + 0.1) == ""
        after = session.solution().state
        assert after.q[1] == pytest.approx(before.q[1] + 0.1, abs=1e-4)
        assert np.abs(np.delete(after.q - before.q, 1)).max() > 1e-3
        computed(session.run, 0.1)
        assert session.run.failure == ""
        words = set_joint(session, name, before.q[1] + 2.5)
        assert name in words or session.solution().state.q[1] == pytest.approx(before.q[1] + 2.5, abs=FELT)


FRAME = 1.0 / 30.0
SYSTEMS = ("iiwa14", "planar_chain", "two_arms_and_box", "point_contact", "free_flyer")


def played(session: Session, manipulation: Manipulation, frames: int = 20, seconds: float = FRAME) -> None:
    for frame in range(frames):
        computed(session.run, session.time + seconds)
        session.cursor.time = min(session.time + seconds, session.run.end)
        manipulation.attend(frame)
        assert session.point_force is not None


def point_of(solution: dyn.Solution, body_point: BodyPoint) -> np.ndarray:
    frame = frame_of(solution, body_point.body)
    return np.asarray(frame[:3, 3] + frame[:3, :3] @ body_point.place)


def test_the_wrench_is_the_force_of_a_spring_at_the_grip() -> None:
    """Its power is the force times the velocity that the grip's motion has by finite differences."""
    for example in SYSTEMS:
        system, state = dyn.example(example)
        rng, h = np.random.default_rng(4), 1e-6
        state = dyn.project(system, system.unpack(system.pack(state)[0], rng.normal(size=system.n_velocity)))
        solution = dyn.forward_dynamics(system, state, rng.normal(size=system.n_joints))
        x, v = system.pack(solution.state)
        before, after = (
            dyn.simulate(system, system.unpack(x, s * v), duration=h, dt=h).state_at(h) for s in (-1.0, 1.0)
        )
        for body in (0, system.n_joints // 2, *([system.n_links] if system.task_object is not None else [])):
            at = BodyPoint(body, np.array([0.03, -0.05, 0.11]))
            point, pull = point_of(solution, at), np.array([0.02, -0.01, 0.03])
            found = spring(solution, at, point + pull)
            here, there = (point_of(dyn.forward_dynamics(system, other), at) for other in (before, after))
            assert found.velocity == pytest.approx((there - here) / (2.0 * h), abs=1e-4)
            twist = [*solution.link_velocity, solution.state.object_velocity][at.body]
            assert found.wrench[at.body] @ twist == pytest.approx(found.force @ found.velocity)
            assert np.count_nonzero(np.any(found.wrench, axis=1)) == 1
            mass = mass_felt(solution, at)
            free = mass * PACE**2 * pull - DAMPING_SHARE * 2.0 * mass * PACE * found.velocity
            assert found.force == pytest.approx(free * min(1.0, mass * STRENGTH / np.linalg.norm(free)))
            assert found.size == pytest.approx(np.linalg.norm(found.force))
            far = spring(solution, at, point + np.array([30.0, 0.0, 0.0]))
            assert (far.is_limited, far.size) == (True, pytest.approx(most_force(solution, at)))


def test_a_push_is_another_future_and_one_step_back() -> None:
    for preset in ("puma560", "two_arms_and_box", "free_flyer_drifting"):
        session = paused(preset, 0.3)
        manipulation, before, alone = Manipulation(session), session.setup, session.run
        at = end_of(session.system, 0)
        start = point_of(session.solution(), at)
        manipulation.take(at, start + np.array([0.0, 0.1, 0.2]))
        played(session, manipulation)
        manipulation.let_go()
        assert (session.point_force, session.message) == (None, "")
        pushed, end = session.run, session.time
        computed(pushed, end + 0.2)
        assert [word for _, word in pushed.events] == ["push", "let go"]
        assert pushed.solution_at(0.3).state.q == pytest.approx(alone.solution_at(0.3).state.q, abs=1e-12)
        assert np.linalg.norm(point_of(pushed.solution_at(end), at) - start) > 1e-3
        session.undo()
        assert session.setup == before
        ends = [computed(run, 0.9).solution_at(0.9).state.q for run in (session.run, alone)]
        assert ends[0] == pytest.approx(ends[1])


def test_energy_goes_in_as_the_work_of_the_force() -> None:
    """A drifting free flyer without motors: what its energy gains is the force along the way of the grip."""
    session = paused("free_flyer_drifting", 0.2)
    manipulation, body = Manipulation(session), 0
    body_point = end_of(session.system, body)
    manipulation.press(body_point, np.array([0.0, 3.0, 4.0]))
    begin = session.time
    played(session, manipulation, 16)
    manipulation.let_go()
    end = session.time
    computed(session.run, end + 0.1)
    times = np.arange(round(begin * 1e3), round(end * 1e3) + 1) * 1e-3
    solutions = [session.run.solution_at(t) for t in times]
    power = []
    for leg in session.run.legs:
        wrench = leg.leg.wrench
        inside = [(t, s) for t, s in zip(times, solutions, strict=True) if wrench is not None
                  and leg.start - 1e-9 <= t <= leg.start + leg.recording.duration + 1e-9]  # fmt: skip
        values = [wrench[body] @ s.link_velocity[body] for _, s in inside]
        power.append(np.trapezoid(values, [t for t, _ in inside]) if inside else 0.0)
    energies = [s.kinetic_energy + s.potential_energy for s in solutions]
    assert energies[-1] - energies[0] == pytest.approx(sum(power), rel=1e-4)
    assert abs(energies[-1] - energies[0]) > 1e-3


def test_a_run_goes_on_while_a_hand_is_in_it() -> None:
    """Past its end too: a push that vanished there would leave its tether behind."""
    session = Session("planar_chain")
    end = session.run.duration
    computed(session.run, end)
    session.seek(end - 0.05)
    manipulation, before = Manipulation(session), session.setup
    manipulation.press(end_of(session.system, 0), np.array([0.0, 0.0, 2.0]))
    clock = Clock(session, [], [], manipulation)
    for frame in range(17):
        clock._advance(1.0 / 30.0)
        computed(session.run, min(session.time + 0.3, session.run.duration))
        manipulation.attend(frame)
        assert session.point_force is not None
    manipulation.let_go()
    assert (session.point_force, session.message) == (None, "")
    assert session.time > end
    assert session.run.duration == session.setup.duration >= end + 2.0
    restore(other := Session("puma560"), query_of(session))
    assert (other.message, other.run.duration) == ("", session.run.duration)
    session.undo()
    assert (session.setup, session.run.duration) == (before, end)
    assert session.cursor.time <= end
