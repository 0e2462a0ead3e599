"""A run computed piece by piece is the simulation computed at once, and a branch keeps its past."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

import dynamics as dyn
from app.motion.actuation import Actuation
from app.motion.grips import passing
from app.motion.interventions import Gripped, Pushed, Released, Taken
from app.motion.leg import Leg
from app.motion.presets import PRESETS, Preset
from app.motion.run import DOUBT, MOST_STRETCHES, STRETCH, TIME_STEP, Run
from app.motion.setup import Setup, machine_of_preset

Arm = tuple[Leg, Actuation]


@pytest.fixture
def arm() -> Arm:
    system = dyn.single_arm(dyn.load("planar_chain"))
    return beginning(system, system.state(q=np.linspace(0.2, 0.6, system.n_joints)))


def beginning(system: dyn.System, state: dyn.State, torques: Mapping[str, float] | None = None) -> Arm:
    actuation = Actuation(Preset("", "", "Single arm", ""), system, torques or {})
    return Leg(0.0, system, state, actuation.law(system, state)), actuation


def finished(run: Run) -> Run:
    while not run.complete:
        run.accept(run.compute())
    return run


def test_pieces_make_the_simulation(arm: Arm) -> None:
    run = finished(Run(*arm, duration=0.6))
    whole = dyn.simulate(arm[0].system, arm[0].state, duration=0.6, dt=TIME_STEP)
    np.testing.assert_allclose(run.solution_at(0.6).state.q, whole.state_at(0.6).q, rtol=0, atol=1e-13)
    assert run.end == pytest.approx(0.6)


def test_it_comes_at_once_to_what_somebody_waits_for_unless_that_is_far(arm: Arm) -> None:
    for until, end in ((0.0, STRETCH), (1.1, 5 * STRETCH), (4.0, MOST_STRETCHES * STRETCH), (STRETCH / 2, STRETCH)):
        run = Run(*arm, duration=5.0)
        run.accept(run.compute(until))
        assert run.end == pytest.approx(end)
    run = Run(*arm, duration=0.6)
    run.accept(run.compute(3.0))
    assert run.end == pytest.approx(0.6)
    assert run.complete


@pytest.mark.parametrize("preset", ["iiwa14", "two_arms_and_box", "jazidie_1"])
def test_it_is_the_same_motion_to_the_bit_whoever_waits(preset: str) -> None:
    setup = Setup(machine_of_preset(PRESETS[preset]))
    waited, run = setup.run(), setup.run()
    waited.accept(waited.compute(0.9))
    while run.end < 0.9:
        run.accept(run.compute())
    for time in (0.4, 0.9):
        one, other = waited.solution_at(time), run.solution_at(time)
        np.testing.assert_array_equal(one.joint_acceleration, other.joint_acceleration)


def test_what_is_not_computed_yet_shows_the_last_instant_known(arm: Arm) -> None:
    run = Run(*arm, duration=5.0)
    np.testing.assert_array_equal(run.solution_at(4.0).state.q, arm[0].state.q)
    run.accept(run.compute())
    np.testing.assert_array_equal(run.solution_at(4.0).state.q, run.solution_at(run.end).state.q)


def push(run: Run, time: float, newtons: float) -> Pushed:
    wrench = np.zeros((run.actuation.system.n_links + 1, 6))
    wrench[0, 3:] = newtons, newtons, 0.0
    return Pushed(time, wrench if newtons else None)


def test_a_branch_keeps_its_past_and_has_another_future(arm: Arm) -> None:
    run = finished(Run(*arm, duration=0.6))
    branch = finished(run.branch(0.3, [push(run, 0.3, 20.0), push(run, 0.4, 0.0)]))
    np.testing.assert_array_equal(branch.solution_at(0.2).state.q, run.solution_at(0.2).state.q)
    assert np.abs(branch.solution_at(0.6).state.q - run.solution_at(0.6).state.q).max() > 1e-3
    assert branch.events == [(0.3, "push"), (0.4, "let go")]


def test_moments_of_several_legs_are_solved_together(arm: Arm) -> None:
    run = finished(Run(*arm, duration=0.6))
    branch = finished(run.branch(0.3, [push(run, 0.3, 20.0), push(run, 0.4, 0.0)]))
    times = [0.1, 0.35, 0.05, 0.3, 0.55, 0.2997, 9.0]
    for time, found in zip(times, branch.solutions_at(times), strict=True):
        alone = branch.solution_at(time)
        assert found is not None
        np.testing.assert_array_equal(found.state.q, alone.state.q)
        np.testing.assert_allclose(found.joint_acceleration, alone.joint_acceleration, rtol=1e-13)
    assert branch.solutions_at([]) == []


def test_a_moment_without_a_solution_takes_no_other_along(arm: Arm, monkeypatch: pytest.MonkeyPatch) -> None:
    run = finished(Run(*arm, duration=0.6))
    exact = dyn.Recording._moment_at  # type: ignore[attr-defined]

    def singular(recording: dyn.Recording, t: float) -> object:
        if abs(t - 0.2) < 1e-9:
            raise dyn.SingularConfigurationError("it cannot move")
        return exact(recording, t)

    monkeypatch.setattr(dyn.Recording, "_moment_at", singular)
    found = run.solutions_at([0.1, 0.2, 0.3])
    assert [one is None for one in found] == [False, True, False]


def test_a_branch_where_nothing_happens_is_the_same_motion() -> None:
    """The controller's clock goes on through a branch: a reach is not begun anew."""
    machine = machine_of_preset(PRESETS["puma560"])
    run = finished(Run(*Setup(machine).first_leg(), duration=0.6))
    branch = finished(run.branch(0.3, []))
    assert len(branch.legs) == 2
    np.testing.assert_allclose(branch.solution_at(0.6).state.q, run.solution_at(0.6).state.q, rtol=0, atol=1e-12)


def test_what_is_to_happen_happens_in_its_time(arm: Arm) -> None:
    """Planned from the start or decided on the way, the same pushes make the same motion."""
    plain = finished(Run(*arm, duration=0.6))
    pushes = [push(plain, 0.101, 20.0), push(plain, 0.25, -5.0), push(plain, 0.4, 0.0)]
    planned = finished(Run(*arm, duration=0.6, interventions=pushes))
    decided = plain
    for one in pushes:
        decided = finished(decided.branch(one.time, [one]))
    assert [leg.start for leg in planned.legs] == [0.0, 0.101, 0.25, 0.4]
    assert planned.events == decided.events == [(0.101, "push"), (0.4, "let go")]
    np.testing.assert_allclose(planned.solution_at(0.6).state.q, decided.solution_at(0.6).state.q, rtol=0, atol=1e-12)


def test_two_things_at_the_same_instant_are_both_told() -> None:
    machine = machine_of_preset(PRESETS["two_arms_and_box"])
    run = Run(*Setup(machine).first_leg(), duration=0.1)
    run.accept(run.compute())
    branch = run.branch(0.05, [Released(0.05), push(run, 0.05, 1.0)])
    assert branch.events == [(0.05, "released, push")]
    assert branch.branch(0.05, []).events == []
    at_once = run.branch(0.0, [Released(0.0)])
    assert at_once.events == [(0.0, "released")]
    assert at_once.branch(0.0, []).events == []
    assert at_once.branch(0.0, []).system_at(0.0).is_held


@pytest.mark.parametrize("away", [0.0, 0.6])
@pytest.mark.parametrize("way", ["point", "010111"])
def test_what_is_taken_again_is_held_as_it_was_last(way: str, away: float) -> None:
    """Where the tips touch it still, and where it has fallen away and is put back between them."""
    machine = machine_of_preset(PRESETS["four_arms_and_box"])
    changes = [Gripped(0.02, 2, way), Released(0.04), Taken(0.05 + away)]
    run = finished(Run(*Setup(machine).first_leg(), duration=0.8, interventions=changes))
    first, last = run.system_at(0.0), run.system_at(0.8)
    assert ("put back" in run.events[-1][1]) == (away > 0.0)
    kinds = [passing(contact) for contact in first.contacts]
    kinds[2] = "000111" if way == "point" else way
    assert [passing(contact) for contact in last.contacts] == kinds


def test_what_cannot_happen_any_more_is_said_and_left_out() -> None:
    machine = machine_of_preset(PRESETS["puma560"])
    run = finished(Run(*Setup(machine).first_leg(), duration=0.1, interventions=[Taken(0.05)]))
    assert run.complete
    assert not run.failure
    assert "could not happen" in run.events[0][1]


@pytest.mark.parametrize(("speed", "is_doubtful"), [(1.0, False), (400.0, True)])
def test_a_motion_too_quick_for_its_step_is_told_from_there_on(speed: float, is_doubtful: bool) -> None:
    system, state = dyn.example("planar_chain")
    fast = system.state(state.q, speed * np.array([(-1.0) ** k for k in range(system.n_joints)]))
    run = finished(Run(*beginning(system, fast), duration=0.5))
    told = [time for time, word in run.events if word == DOUBT]
    assert bool(told) == is_doubtful
    assert run.doubtful == (told[0] if told else np.inf)


def test_where_it_stops_is_said_in_its_own_time(arm: Arm) -> None:
    system = arm[0].system
    blow = np.zeros((system.n_links + 1, 6))
    blow[0, 3:] = 1e9
    run = finished(Run(*arm, 1.0, [Pushed(0.3, blow)]))
    assert run.end >= 0.3
    assert run.failure.startswith(f"stopped at {run.end:.3f} s: ")
    assert run.events[-1] == (run.end, run.failure)
