"""A run computed in pieces is the simulation itself, a branch keeps its past, and presets move as they say."""

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
import pytest

import dynamics as dyn
from app.motion.actuation import Actuation
from app.motion.interventions import Gripped, Pushed, Released, Taken, passing
from app.motion.leg import Leg
from app.motion.presets import MODE_OF_KIND, PRESETS, Preset
from app.motion.robot_file import OwnFile
from app.motion.run import DOUBT, TIME_STEP, Run
from app.motion.setup import Setup, common_run, machine_of_preset
from app.state import Session
from dynamics.papers.jazidie_examples import example_1, example_2
from tests.app.arrival import computed

Arm = tuple[Leg, Actuation]


@pytest.fixture
def arm() -> Arm:
    system = dyn.single_arm(dyn.load("planar_chain"))
    return beginning(system, system.state(q=np.linspace(0.2, 0.6, system.n_joints)))


def beginning(system: dyn.System, state: dyn.State, torques: Mapping[str, float] | None = None) -> Arm:
    actuation = Actuation(Preset("", "", "Single arm", ""), system, torques or {})
    return Leg(0.0, system, state, actuation.law(system, state)), actuation


def test_pieces_make_the_simulation(arm: Arm) -> None:
    run = computed(Run(*arm, duration=0.6))
    whole = dyn.simulate(arm[0].system, arm[0].state, duration=0.6, dt=TIME_STEP)
    np.testing.assert_allclose(run.solution_at(0.6).state.q, whole.state_at(0.6).q, rtol=0, atol=1e-13)
    assert run.end == pytest.approx(0.6)


def test_it_is_the_same_motion_to_the_bit_however_it_is_waited_for() -> None:
    for preset in ["two_arms_and_box", "jazidie_1"]:
        setup = Setup(machine_of_preset(PRESETS[preset]))
        waited, run = setup.run(), setup.run()
        waited.accept(waited.compute(0.9))
        computed(run, 0.9)
        for time in (0.4, 0.9):
            one, other = waited.solution_at(time), run.solution_at(time)
            np.testing.assert_array_equal(one.joint_acceleration, other.joint_acceleration)


def push(run: Run, time: float, newtons: float) -> Pushed:
    wrench = np.zeros((run.actuation.system.n_links + 1, 6))
    wrench[0, 3:] = newtons, newtons, 0.0
    return Pushed(time, wrench if newtons else None)


def test_a_branch_keeps_its_past_and_has_another_future(arm: Arm) -> None:
    run = computed(Run(*arm, duration=0.6))
    branch = computed(run.branch(0.3, [push(run, 0.3, 20.0), push(run, 0.4, 0.0)]))
    np.testing.assert_array_equal(branch.solution_at(0.2).state.q, run.solution_at(0.2).state.q)
    assert np.abs(branch.solution_at(0.6).state.q - run.solution_at(0.6).state.q).max() > 1e-3
    assert branch.events == [(0.3, "push"), (0.4, "let go")]


def test_a_branch_where_nothing_happens_is_the_same_motion() -> None:
    """The controller's clock goes on through a branch: a reach is not begun anew."""
    machine = machine_of_preset(PRESETS["puma560"])
    run = computed(Run(*Setup(machine).first_leg(), duration=0.6))
    branch = computed(run.branch(0.3, []))
    assert len(branch.legs) == 2
    np.testing.assert_allclose(branch.solution_at(0.6).state.q, run.solution_at(0.6).state.q, rtol=0, atol=1e-12)


def test_what_is_to_happen_happens_in_its_time(arm: Arm) -> None:
    """Planned from the start or decided on the way, the same pushes make the same motion."""
    plain = computed(Run(*arm, duration=0.6))
    pushes = [push(plain, 0.101, 20.0), push(plain, 0.25, -5.0), push(plain, 0.4, 0.0)]
    planned = computed(Run(*arm, duration=0.6, interventions=pushes))
    decided = plain
    for one in pushes:
        decided = computed(decided.branch(one.time, [one]))
    assert [leg.start for leg in planned.legs] == [0.0, 0.101, 0.25, 0.4]
    assert planned.events == decided.events == [(0.101, "push"), (0.4, "let go")]
    np.testing.assert_allclose(planned.solution_at(0.6).state.q, decided.solution_at(0.6).state.q, rtol=0, atol=1e-12)


def test_two_things_at_the_same_instant_are_both_events() -> None:
    machine = machine_of_preset(PRESETS["two_arms_and_box"])
    run = Run(*Setup(machine).first_leg(), duration=0.1)
    run.accept(run.compute())
    branch = run.branch(0.05, [Released(0.05), push(run, 0.05, 1.0)])
    assert (branch.events, branch.branch(0.05, []).events) == ([(0.05, "released, push")], [])
    at_once = run.branch(0.0, [Released(0.0)])
    assert (at_once.events, at_once.branch(0.0, []).events) == ([(0.0, "released")], [])
    assert at_once.branch(0.0, []).system_at(0.0).is_held


def test_what_is_taken_again_is_held_as_it_was_last() -> None:
    """Where the tips touch it still, and where it has fallen away and is put back between them."""
    for way, away in (("point", 0.6), ("010111", 0.0)):
        machine = machine_of_preset(PRESETS["four_arms_and_box"])
        changes = [Gripped(0.02, 2, way), Released(0.04), Taken(0.05 + away)]
        run = computed(Run(*Setup(machine).first_leg(), duration=0.8, interventions=changes))
        first, last = run.system_at(0.0), run.system_at(0.8)
        assert ("put back" in run.events[-1][1]) == (away > 0.0)
        kinds = [passing(contact) for contact in first.contacts]
        kinds[2] = "000111" if way == "point" else way
        assert [passing(contact) for contact in last.contacts] == kinds


def test_what_cannot_happen_any_more_is_said_and_left_out() -> None:
    machine = machine_of_preset(PRESETS["puma560"])
    run = computed(Run(*Setup(machine).first_leg(), duration=0.1, interventions=[Taken(0.05)]))
    assert run.complete
    assert not run.failure
    assert "could not happen" in run.events[0][1]


def test_a_motion_too_quick_for_its_step_is_doubtful_from_there_on() -> None:
    for speed, is_doubtful in [(1.0, False), (400.0, True)]:
        system, state = dyn.example("planar_chain")
        fast = system.state(state.q, speed * np.array([(-1.0) ** k for k in range(system.n_joints)]))
        run = computed(Run(*beginning(system, fast), duration=0.5))
        told = [time for time, word in run.events if word == DOUBT]
        assert (bool(told), run.doubtful) == (is_doubtful, told[0] if told else np.inf)


def test_where_it_stops_is_said_in_its_own_time(arm: Arm) -> None:
    system = arm[0].system
    blow = np.zeros((system.n_links + 1, 6))
    blow[0, 3:] = 1e9
    run = computed(Run(*arm, 1.0, [Pushed(0.3, blow)]))
    assert run.end >= 0.3
    assert run.failure.startswith(f"stopped at {run.end:.3f} s: ")
    assert run.events[-1] == (run.end, run.failure)


def plain(preset: str) -> Setup:
    return Setup(machine_of_preset(PRESETS[preset]))


def assert_same(one: Run, other: Run, times: list[float]) -> None:
    assert (one.end, one.failure, one.doubtful, one.events) == (other.end, other.failure, other.doubtful, other.events)
    for time in times:
        ours, alone = one.solution_at(time), other.solution_at(time)
        np.testing.assert_array_equal(ours.joint_acceleration, alone.joint_acceleration)
        np.testing.assert_array_equal(ours.state.q, alone.state.q)
        assert one.lies_at(time) == other.lies_at(time)


def test_the_next_one_has_all_of_it_at_once() -> None:
    for preset in ["stanford", "two_planar_arms"]:
        first = computed(common_run(plain(preset)))
        second = common_run(plain(preset))
        assert second.complete
        assert second.compute() is second.compute()
        assert_same(second, computed(plain(preset).run()), [0.0, 0.31, first.end])


def test_another_setup_is_another_motion() -> None:
    computed(common_run(plain("planar_chain")))
    setup = dataclasses.replace(plain("planar_chain"), torques=MappingProxyType({"joint_2": 0.25}))
    run = common_run(setup)
    assert run.end == 0.0
    assert_same(computed(run), computed(setup.run()), [0.7])


def test_a_file_of_the_users_own_is_shared_with_no_other_page() -> None:
    machine = machine_of_preset(PRESETS["planar_chain"])
    own = Setup(dataclasses.replace(machine, file=OwnFile("mine.urdf", "0" * 64)))
    edited = Setup(dataclasses.replace(machine, origin=machine))
    for setup in (own, edited):
        computed(common_run(setup))
        assert common_run(setup).end == 0.0


@pytest.fixture(scope="module")
def runs() -> dict[str, Run]:
    return {}


def run_of(runs: dict[str, Run], name: str) -> Run:
    if name not in runs:
        run = runs[name] = Setup(machine_of_preset(PRESETS[name])).run()
        computed(run)
    return runs[name]


def test_a_preset_is_what_its_menu_says_meets_no_stop_and_ends_well(runs: dict[str, Run]) -> None:
    for name, preset in PRESETS.items():
        system, _ = dyn.example(preset.example)
        assert preset.mode == MODE_OF_KIND[system.kind]
        run = run_of(runs, name)
        assert (run.events, run.failure, run.end) == ([], "", pytest.approx(10.0))
    system, _ = dyn.example("point_contact")
    assert PRESETS["point_contact"].title == "Two arms, rigid and point contact"
    assert [contact.kind for contact in system.contacts] == ["rigid", "point"]


def test_jazidies_examples_move_as_printed() -> None:
    """Example 2 as its own planar arms move; Example 1, which springs lead here, along its path."""
    for number, study, near in [(1, example_1, 1e-5), (2, example_2, 2e-6)]:
        run = Session(f"jazidie_{number}").run
        computed(run, 2.0)
        paper = study(duration=2.0)
        places = paper.desired if number == 1 else paper.simulated
        for t in (0.0, 1.0, 2.0):
            pose = run.solution_at(t).state.object_pose
            expected = places[int(np.argmin(np.abs(paper.times - t)))]
            assert np.allclose(pose[:2, 3], expected[:2], rtol=0.0, atol=near)
            assert abs(np.arctan2(pose[1, 0], pose[0, 0]) - expected[2]) < 2e-6
