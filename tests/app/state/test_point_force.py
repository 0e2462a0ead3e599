"""A hand on a body: the spring, its wrench, the energy it brings in, and what is left when it is undone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import dynamics as dyn
from app.clock import Clock
from app.motion.interventions import Pushed
from app.motion.setup import LONGEST_RUN, Setup
from app.state import Session
from app.state.address import query_of, restore
from app.state.manipulation import TAP, Manipulation
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

FRAMES = 20
FRAME = 1.0 / 30.0
SYSTEMS = ["puma560", "iiwa14", "planar_chain", "two_arms_and_box", "point_contact", "free_flyer"]


def computed(session: Session, until: float) -> Session:
    while session.run.end < until and not session.run.complete:
        session.run.accept(session.run.compute())
    return session


def played(session: Session, manipulation: Manipulation, frames: int = FRAMES) -> None:
    """What the clock does, without its thread."""
    for frame in range(frames):
        computed(session, session.time + FRAME)
        session.cursor.time = min(session.time + FRAME, session.run.end)
        manipulation.attend(frame)


def moving(example: str) -> dyn.Solution:
    """A moment at which everything turns and slides."""
    system, state = dyn.example(example)
    rng = np.random.default_rng(4)
    state = dyn.project(system, system.unpack(system.pack(state)[0], rng.normal(size=system.n_velocity)))
    return dyn.forward_dynamics(system, state, rng.normal(size=system.n_joints))


def grips(solution: dyn.Solution) -> list[BodyPoint]:
    system = solution.system
    bodies = [0, system.n_joints // 2, *([system.n_links] if system.task_object is not None else [])]
    return [BodyPoint(body, np.array([0.03, -0.05, 0.11])) for body in bodies]


@pytest.mark.parametrize("example", SYSTEMS)
def test_the_wrench_is_a_force_at_the_grip(example: str) -> None:
    """Its power is the force times the velocity that the grip's motion has by finite differences."""
    solution = moving(example)
    system, state, h = solution.system, solution.state, 1e-6
    x, v = system.pack(state)
    before, after = (dyn.simulate(system, system.unpack(x, s * v), duration=h, dt=h).state_at(h) for s in (-1.0, 1.0))
    for body_point in grips(solution):
        target = np.array([0.4, 0.3, 0.9])
        point_force = spring(solution, body_point, target)
        places = [frame_of(dyn.forward_dynamics(system, other), body_point.body) for other in (before, after)]
        there, here = (place[:3, :3] @ body_point.place + place[:3, 3] for place in (places[1], places[0]))
        assert point_force.velocity == pytest.approx((there - here) / (2.0 * h), abs=1e-4)
        twist = solution.link_velocity[body_point.body] if body_point.body < system.n_links else state.object_velocity
        assert point_force.wrench[body_point.body] @ twist == pytest.approx(point_force.force @ point_force.velocity)
        assert np.count_nonzero(np.any(point_force.wrench, axis=1)) == 1


@pytest.mark.parametrize("example", SYSTEMS)
def test_the_force_is_the_springs(example: str) -> None:
    solution = moving(example)
    for body_point in grips(solution):
        frame = frame_of(solution, body_point.body)
        point = frame[:3, 3] + frame[:3, :3] @ body_point.place
        point_force = spring(solution, body_point, point + np.array([0.02, -0.01, 0.03]))
        mass = mass_felt(solution, body_point)
        free = mass * PACE**2 * np.array([0.02, -0.01, 0.03]) - DAMPING_SHARE * 2.0 * mass * PACE * point_force.velocity
        shortened = free * min(1.0, mass * STRENGTH / np.linalg.norm(free))
        assert point_force.force == pytest.approx(shortened)
        assert point_force.size == pytest.approx(np.linalg.norm(point_force.force))
        far = spring(solution, body_point, point + np.array([30.0, 0.0, 0.0]))
        assert far.is_limited
        assert far.size == pytest.approx(most_force(solution, body_point))


@pytest.mark.parametrize("example", SYSTEMS)
def test_the_mass_felt_is_that_of_an_independent_method(example: str) -> None:
    """An acceleration by the mass matrix, or the KKT system, in the direction that gives way most."""
    solution = moving(example)
    system, state = solution.system, dyn.project(solution.system, at_rest(solution.system, solution.state))
    method = "kkt" if "kkt" in dyn.methods(system) else "mass_matrix"
    still = dyn.forward_dynamics(system, state)
    for body_point in grips(still):
        frame = frame_of(still, body_point.body)
        lever = frame[:3, :3] @ body_point.place
        felt = np.zeros((3, 3))
        h = 1e-5
        for column, force in enumerate(np.eye(3)):
            wrench = np.zeros((system.n_links + 1, 6))
            wrench[body_point.body] = [*np.cross(lever, force), *force]
            change = (
                dyn.forward_dynamics(system, state, method=method, external_forces=wrench).packed_acceleration
                - dyn.forward_dynamics(system, state, method=method).packed_acceleration
            )
            x, _ = system.pack(state)
            rates = dyn.forward_dynamics(system, dyn.project(system, system.unpack(x, h * change)))
            twist = (
                rates.link_velocity[body_point.body]
                if body_point.body < system.n_links
                else rates.state.object_velocity
            )
            felt[:, column] = (twist[3:] + np.cross(twist[:3], lever)) / h
        everything = sum(link.mass for link in system.link_models)
        everything += system.task_object.mass if system.task_object is not None else 0.0
        expected = min(1.0 / np.linalg.eigvalsh(0.5 * (felt + felt.T))[-1], everything)
        assert mass_felt(still, body_point) == pytest.approx(expected, rel=1e-6)


def at_rest(system: dyn.System, state: dyn.State) -> dyn.State:
    return system.unpack(system.pack(state)[0], np.zeros(system.n_velocity))


@pytest.mark.parametrize("example", SYSTEMS)
def test_where_a_body_ends(example: str) -> None:
    system, state = dyn.example(example)
    poses = dyn.link_poses(system, state)
    for body in range(system.n_links):
        place = poses[body, :3, :3] @ end_of(system, body).place + poses[body, :3, 3]
        ends = [
            pose[:3, 3] for tip, pose in zip(system.tips, dyn.tip_poses(system, state), strict=True) if tip.link == body
        ]
        ends += [poses[k, :3, 3] for k in range(system.n_joints) if system.inboard[k] == body]
        prismatic = any(system.joint_models[k].kind == "prismatic" for k in range(system.n_joints))
        if ends and not prismatic and body < system.n_joints:
            assert min(np.linalg.norm(place - end) for end in ends) < 1e-12


@pytest.mark.parametrize("preset", ["puma560", "two_arms_and_box", "free_flyer_drifting"])
def test_a_push_is_another_future_and_one_step_back(preset: str) -> None:
    session = computed(Session(preset), 0.5)
    session.seek(0.3)
    manipulation, before, alone = Manipulation(session), session.setup, session.run
    body_point = end_of(session.system, 0)
    here = session.solution()
    start = frame_of(here, 0)[:3, :3] @ body_point.place + frame_of(here, 0)[:3, 3]
    manipulation.take(body_point, start + np.array([0.0, 0.1, 0.2]))
    assert session.point_force is not None
    played(session, manipulation)
    manipulation.let_go()
    assert session.point_force is None
    assert session.message == ""
    pushed, end = session.run, session.time
    computed(session, end + 0.2)
    assert [word for _, word in pushed.events] == ["push", "let go"]
    assert pushed.solution_at(0.3).state.q == pytest.approx(alone.solution_at(0.3).state.q, abs=1e-12)
    after = frame_of(pushed.solution_at(end), 0)
    assert np.linalg.norm(after[:3, :3] @ body_point.place + after[:3, 3] - start) > 1e-3
    assert all(not h.wrench.any() for h in session.setup.interventions if h.time > end and h.wrench is not None)
    session.undo()
    assert session.setup == before
    computed(session, 0.9)
    assert session.run.solution_at(0.9).state.q == pytest.approx(
        computed(Session(preset), 0.9).run.solution_at(0.9).state.q
    )


def test_energy_goes_in_as_the_work_of_the_force() -> None:
    """A drifting free flyer without motors: what its energy gains is the force along the way of the grip."""
    session = computed(Session("free_flyer_drifting"), 0.3)
    session.seek(0.2)
    manipulation, body = Manipulation(session), 0
    body_point = end_of(session.system, body)
    manipulation.press(body_point, np.array([0.0, 3.0, 4.0]))
    begin = session.time
    played(session, manipulation, 16)
    manipulation.let_go()
    end = session.time
    computed(session, end + 0.1)
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


def test_a_tap_lasts_a_fifth_of_a_second() -> None:
    session = computed(Session("puma560"), 0.5)
    session.seek(0.3)
    manipulation = Manipulation(session)
    manipulation.tap(end_of(session.system, 0), np.array([0.0, 0.0, 20.0]))
    computed(session, 1.0)
    assert session.run.events == [(pytest.approx(0.3), "push"), (pytest.approx(0.3 + TAP), "let go")]
    session.undo()
    assert session.setup.interventions == ()


def test_a_paused_run_plays_when_it_is_pushed() -> None:
    session = computed(Session("puma560"), 0.5)
    session.param.update(playing=False)
    Manipulation(session).take(end_of(session.system, 0), np.array([0.5, 0.5, 0.5]))
    assert session.playing


@pytest.mark.parametrize("preset", ["planar_chain", "puma560"])
def test_a_run_goes_on_while_a_hand_is_in_it(preset: str) -> None:
    """Past its end too: a push that vanished there would leave its tether behind."""
    session = Session(preset)
    end = session.run.duration
    computed(session, end)
    session.seek(end - 0.05)
    manipulation, before = Manipulation(session), session.setup
    manipulation.press(end_of(session.system, 0), np.array([0.0, 0.0, 2.0]))
    assert session.run.duration == end + 2.0
    clock = Clock(session, [], [], manipulation)
    frame, last = 0, 0.0
    while session.time < end + 0.5:
        clock._advance(1.0 / 30.0)
        computed(session, min(session.time + 0.3, session.run.duration))
        manipulation.attend(frame)
        assert session.point_force is not None
        assert session.time >= last
        frame, last = frame + 1, session.time
    manipulation.let_go()
    assert session.point_force is None
    assert session.message == ""
    assert session.run.duration == session.setup.duration >= end + 2.0
    other = Session("puma560")
    restore(other, query_of(session))
    assert other.message == ""
    assert (other.run.duration, other.cursor.time) == (session.run.duration, pytest.approx(session.time, abs=2e-3))
    session.undo()
    assert session.setup == before
    assert session.run.duration == end
    assert session.cursor.time <= end


def test_a_run_does_not_grow_for_ever() -> None:
    session = Session("puma560")
    setup = replace(session.setup, interventions=(Pushed(9_000.0, None),))
    assert setup.duration == LONGEST_RUN
    assert session.setup.duration == session.preset.duration
    machine = session.setup.machine
    brief = Setup(replace(machine, preset=replace(machine.preset, duration=0.3)))
    assert brief.duration == 0.3  # nothing is done in it: it is as long as it is


def test_a_push_ends_with_the_run_and_with_another_machine() -> None:
    session = computed(Session("puma560"), 0.5)
    session.seek(0.4)
    manipulation = Manipulation(session)
    manipulation.take(end_of(session.system, 0), np.array([0.5, 0.5, 0.5]))
    computed(session, 0.6)
    session.open_preset("planar_chain")
    manipulation.attend(0)
    assert not manipulation.is_holding
    assert session.point_force is None
    assert session.setup.interventions == ()
    assert session.message == ""


@pytest.mark.parametrize("preset", ["puma560", "puma560_falling", "iiwa14", "panda", "two_arms_and_box"])
def test_a_pulled_tip_comes_to_rest_where_the_spring_holds_it(preset: str) -> None:
    """Force renewed fifteen times a second, at double speed, shakes nothing loose."""
    session = computed(Session(preset), 0.2)
    manipulation, body_point = Manipulation(session), end_of(session.system, 0)
    session.seek(0.1)
    frame = frame_of(session.solution(), 0)
    manipulation.take(body_point, frame[:3, 3] + frame[:3, :3] @ body_point.place + [0.05, 0.05, 0.1])
    for frame_number in range(60):
        computed(session, session.time + 2.0 * FRAME)
        session.cursor.time = min(session.time + 2.0 * FRAME, session.run.end)
        manipulation.attend(frame_number)
        assert session.point_force is not None
        assert session.point_force.size <= session.point_force.limit * (1.0 + 1e-9)
    assert session.run.failure == ""
    assert np.abs(session.solution().link_velocity).max() < 5.0
