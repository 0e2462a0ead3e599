"""What stays in flight, and how a body turns all the same: from the poses and momenta of the mechanics itself."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import dynamics as dyn
from app.equations.sheet import Figures
from app.instruments.two_filters import TwoFilters
from app.instruments.two_filters_flight import Flight, flight_html, is_pushed, why
from app.motion.interventions import Pushed
from tests.app.instruments.test_two_filters import at, numbers_of
from tests.dynamics.systems import draw_robot
from tests.dynamics.twins import one_arm

pytestmark = pytest.mark.compiled_only


def flown(system: dyn.System, state: dyn.State, torque: float = 0.0, seconds: float = 0.5) -> Flight:
    controller = dyn.ConstantTorque(np.full(system.n_joints, torque))
    recording = dyn.simulate(system, state, controller, duration=seconds, dt=1e-3)
    return Flight(recording.solution_at(0.0), recording.solution_at(seconds), seconds, pushed=False)


def tree(seed: int, gravity: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> tuple[dyn.System, dyn.State]:
    rng = np.random.default_rng(seed)
    twin = one_arm(rng, draw_robot(rng, 6, branching=0.5), floating=True, speed=0.5)
    system = dyn.free_flyer(twin.system.robots[0], gravity=gravity)
    own = twin.state
    return system, system.state(q=own.q, qd=own.qd, base_pose=own.base_pose, base_velocity=own.base_velocity)


@pytest.mark.parametrize(("seed", "gravity"), [(1, (0.0, 0.0, 0.0)), (2, (0.3, -0.7, -9.81)), (4, (0.0, 0.0, -1.6))])
def test_momentum_stays_and_the_mass_center_keeps_its_path(seed: int, gravity: tuple[float, float, float]) -> None:
    flight = flown(*tree(seed, gravity))
    assert flight.linear.apart < 1e-6
    assert flight.angular.apart < 1e-6
    assert flight.off_path < 1e-6
    assert flight.falls is any(gravity)


def test_a_body_turns_because_its_arm_moves() -> None:
    """At rest until the motors act: no momentum at any time, and a body that is elsewhere afterwards."""
    system, state = dyn.example("free_flyer")
    flight = flown(system, system.state(q=state.q), torque=1.0)
    assert flight.angular.is_zero
    assert flight.linear.is_zero
    assert flight.angular.apart < 1e-9
    assert flight.turned > 0.01
    assert "because its arm moved: angular momentum was zero" in why(flight)
    assert np.allclose(flight.omega, flight.by_joints, atol=1e-9)  # nothing else turns it


def test_a_body_that_tumbles_turns_as_far_as_it_tumbles() -> None:
    """A ball with its joints locked by symmetry: about a principal axis it turns at one rate."""
    body = dyn.Link("pin", 0.5, np.zeros(3), 0.1 * np.eye(3))
    root = dyn.Link("ball", 2.0, np.zeros(3), 0.3 * np.eye(3))
    joint = dyn.Joint("axis", "revolute", np.array([0.0, 0.0, 1.0]), np.eye(4))
    robot = dyn.Robot("ball", (body,), (joint,), (1,), root, (dyn.Frame("tip", 0, np.eye(4)),))
    system = dyn.free_flyer(robot)
    flight = flown(system, system.state(base_velocity=[0.0, 0.0, 2.0, 0.1, 0.0, 0.0]))
    assert flight.turned == pytest.approx(np.degrees(1.0), rel=1e-9)
    assert "because it tumbles; its joints stand still" in why(flight)
    assert np.allclose(flight.by_joints, 0.0, atol=1e-12)


def test_what_joints_alone_turn_is_what_is_left_without_momentum() -> None:
    """A machine in the same posture, its base given exactly that velocity, has no momentum."""
    system, state = tree(3)
    solution = dyn.forward_dynamics(system, state)
    M, n = dyn.mass_matrix(system, state), system.n_joints
    base = -np.linalg.inv(M[n:, n:]) @ M[n:, :n] @ state.qd
    still = system.state(q=state.q, qd=state.qd, base_pose=state.base_pose, base_velocity=base)
    momentum = dyn.forward_dynamics(system, still).momentum
    assert np.abs(momentum).max() < 1e-9 * np.abs(solution.momentum).max()
    assert np.allclose(dyn.velocity_without_momentum(system, state), base, atol=1e-12 * np.abs(base).max())


def test_the_instrument_says_what_the_run_has_done() -> None:
    session = at("free_flyer_drifting", 0.4)
    instrument = TwoFilters(session, lambda: None)
    instrument.draw()
    first, now = session.run.solution_at(0.0), session.solution()
    turn = now.link_pose[-1, :3, :3] @ first.link_pose[-1, :3, :3].T
    shown = np.frombuffer(instrument._flight.numbers)
    assert shown[0] == pytest.approx(np.degrees(Rotation.from_matrix(turn).magnitude()), rel=1e-12)
    assert shown[1] == 0.0
    assert "because it tumbles and its arm moved; momentum stayed" in instrument._flight.html
    figures = Figures()
    flight = Flight(first, now, 0.4, pushed=False)
    html = flight_html(flight, 0.0, "light", figures)
    assert np.array_equal(figures.numbers, shown)
    section = html.partition("data-told='angular_momentum'")[2].partition("</section>")[0].partition("numbers")[2]
    found = np.array(numbers_of(section, figures)).reshape(2, 3)
    for values, solution in zip(found, (first, now), strict=True):
        assert np.allclose(values, dyn.mass_center(solution).angular_momentum, rtol=1e-12)
    assert flight.angular.apart < 1e-6


def test_after_a_push_nothing_is_said_to_stay() -> None:
    session = at("free_flyer", 0.2)
    assert not is_pushed(session.run, 0.2)
    wrench = np.zeros((session.system.n_links + 1, 6))
    wrench[0, 3] = 2.0
    session.intervene(Pushed(0.2, wrench))
    while session.run.end < 0.6:
        session.run.accept(session.run.compute())
    session.seek(0.1)
    assert not is_pushed(session.run, session.time)
    session.seek(0.6)
    assert is_pushed(session.run, session.time)
    instrument = TwoFilters(session, lambda: None)
    instrument.draw()
    assert "something has pushed it from outside" in instrument._flight.html
    assert "pushed since: another by" in instrument._flight.html
    assert "stayed" not in instrument._flight.html
