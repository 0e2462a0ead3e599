"""A hand on a body: the spring, its wrench, the energy it brings in, and what is left when it is undone."""

import numpy as np
import pytest

import dynamics as dyn
from app.clock import Clock
from app.state import Session
from app.state.address import query_of, restore
from app.state.manipulation import Manipulation
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
from tests.app.arrival import computed

FRAME = 1.0 / 30.0
SYSTEMS = ("iiwa14", "planar_chain", "two_arms_and_box", "point_contact", "free_flyer")


def started(preset: str, until: float) -> Session:
    session = Session(preset)
    computed(session.run, until)
    return session


def played(session: Session, manipulation: Manipulation, frames: int = 20, seconds: float = FRAME) -> None:
    for frame in range(frames):
        computed(session.run, session.time + seconds)
        session.cursor.time = min(session.time + seconds, session.run.end)
        manipulation.attend(frame)
        assert session.point_force is not None


def point_of(solution: dyn.Solution, body_point: BodyPoint) -> np.ndarray:
    frame = frame_of(solution, body_point.body)
    return np.asarray(frame[:3, 3] + frame[:3, :3] @ body_point.place)


def twist_of(solution: dyn.Solution, body: int) -> np.ndarray:
    inside = body < solution.system.n_links
    return np.asarray(solution.link_velocity[body] if inside else solution.state.object_velocity)


def moving(example: str) -> dyn.Solution:
    system, state = dyn.example(example)
    rng = np.random.default_rng(4)
    state = dyn.project(system, system.unpack(system.pack(state)[0], rng.normal(size=system.n_velocity)))
    return dyn.forward_dynamics(system, state, rng.normal(size=system.n_joints))


def grips(solution: dyn.Solution) -> list[BodyPoint]:
    system = solution.system
    bodies = [0, system.n_joints // 2, *([system.n_links] if system.task_object is not None else [])]
    return [BodyPoint(body, np.array([0.03, -0.05, 0.11])) for body in bodies]


def test_the_wrench_is_the_force_of_a_spring_at_the_grip() -> None:
    """Its power is the force times the velocity that the grip's motion has by finite differences."""
    for example in SYSTEMS:
        solution = moving(example)
        system, h = solution.system, 1e-6
        x, v = system.pack(solution.state)
        before, after = (
            dyn.simulate(system, system.unpack(x, s * v), duration=h, dt=h).state_at(h) for s in (-1.0, 1.0)
        )
        for at in grips(solution):
            point, pull = point_of(solution, at), np.array([0.02, -0.01, 0.03])
            found = spring(solution, at, point + pull)
            here, there = (point_of(dyn.forward_dynamics(system, other), at) for other in (before, after))
            assert found.velocity == pytest.approx((there - here) / (2.0 * h), abs=1e-4)
            assert found.wrench[at.body] @ twist_of(solution, at.body) == pytest.approx(found.force @ found.velocity)
            assert np.count_nonzero(np.any(found.wrench, axis=1)) == 1
            mass = mass_felt(solution, at)
            free = mass * PACE**2 * pull - DAMPING_SHARE * 2.0 * mass * PACE * found.velocity
            assert found.force == pytest.approx(free * min(1.0, mass * STRENGTH / np.linalg.norm(free)))
            assert found.size == pytest.approx(np.linalg.norm(found.force))
            far = spring(solution, at, point + np.array([30.0, 0.0, 0.0]))
            assert (far.is_limited, far.size) == (True, pytest.approx(most_force(solution, at)))


def test_the_mass_felt_is_that_of_an_independent_method() -> None:
    """An acceleration by the mass matrix, or the KKT system, in the direction that gives way most."""
    for example in SYSTEMS:
        system, state = dyn.example(example)
        x = system.pack(moving(example).state)[0]
        state = dyn.project(system, system.unpack(x, np.zeros(system.n_velocity)))
        method = "kkt" if "kkt" in dyn.methods(system) else "mass_matrix"
        still, h = dyn.forward_dynamics(system, state), 1e-5
        alone = dyn.forward_dynamics(system, state, method=method).packed_acceleration
        for at in grips(still):
            lever = frame_of(still, at.body)[:3, :3] @ at.place
            felt = np.zeros((3, 3))
            for column, force in enumerate(np.eye(3)):
                wrench = np.zeros((system.n_links + 1, 6))
                wrench[at.body] = [*np.cross(lever, force), *force]
                pushed = dyn.forward_dynamics(system, state, method=method, external_forces=wrench)
                change = pushed.packed_acceleration - alone
                rates = dyn.forward_dynamics(system, dyn.project(system, system.unpack(x, h * change)))
                twist = twist_of(rates, at.body)
                felt[:, column] = (twist[3:] + np.cross(twist[:3], lever)) / h
            everything = sum(link.mass for link in system.link_models)
            everything += system.task_object.mass if system.task_object is not None else 0.0
            expected = min(1.0 / np.linalg.eigvalsh(0.5 * (felt + felt.T))[-1], everything)
            assert mass_felt(still, at) == pytest.approx(expected, rel=1e-6)


def test_a_push_is_another_future_and_one_step_back() -> None:
    for preset in ("puma560", "two_arms_and_box", "free_flyer_drifting"):
        session = started(preset, 0.5)
        session.seek(0.3)
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
    session = started("free_flyer_drifting", 0.3)
    session.seek(0.2)
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
