"""A run computed in pieces is the simulation itself, a branch keeps its past, and presets move as they say."""

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import dynamics as dyn
import scenes
from app.motion.actuation import Actuation
from app.motion.interventions import ForceStep, GripChange, ObjectRelease, Regrasp, passing
from app.motion.leg import LANDS, Leg
from app.motion.presets import MODE_OF_KIND, PRESETS, Preset
from app.motion.robot_file import OwnFile
from app.motion.run import DOUBT, TIME_STEP, Run
from app.motion.setup import Machine, Setup, common_run, machine_of_preset
from app.state import Session
from dynamics.papers.jazidie_examples import example_1, example_2
from tests.app.arrival import computed, plain

Arm = tuple[Leg, Actuation]


@pytest.fixture
def arm() -> Arm:
    system = dyn.single_arm(dyn.load("planar_chain"))
    return beginning(system, system.state(q=np.linspace(0.2, 0.6, system.n_joints)))


def beginning(system: dyn.System, state: dyn.State, torques: Mapping[str, float] | None = None) -> Arm:
    actuation = Actuation(Preset("", "", "Single arm", ""), system, torques or {})
    return Leg(0.0, system, state, actuation.law(system, state)), actuation


def test_it_is_the_same_motion_to_the_bit_however_it_is_waited_for() -> None:
    for preset in ["two_arms_and_box", "jazidie_1"]:
        setup = plain(preset)
        waited, run = setup.run(), setup.run()
        waited.accept(waited.compute(0.9))
        computed(run, 0.9)
        for time in (0.4, 0.9):
            one, other = waited.solution_at(time), run.solution_at(time)
            np.testing.assert_array_equal(one.joint_acceleration, other.joint_acceleration)


def push(run: Run, time: float, newtons: float) -> ForceStep:
    wrench = np.zeros((run.actuation.system.n_links + 1, 6))
    wrench[0, 3:] = newtons, newtons, 0.0
    return ForceStep(time, wrench if newtons else None)


def test_a_branch_keeps_its_past_and_has_another_future(arm: Arm) -> None:
    run = computed(Run(*arm, duration=0.6))
    branch = computed(run.branch(0.3, [push(run, 0.3, 20.0), push(run, 0.4, 0.0)]))
    np.testing.assert_array_equal(branch.solution_at(0.2).state.q, run.solution_at(0.2).state.q)
    assert np.abs(branch.solution_at(0.6).state.q - run.solution_at(0.6).state.q).max() > 1e-3
    assert branch.events == [(0.3, "push"), (0.4, "let go")]


def test_a_branch_where_nothing_happens_is_the_same_motion() -> None:
    """The controller's clock goes on through a branch: a reach is not begun anew."""
    run = computed(Run(*plain("puma560").first_leg(), duration=0.6))
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
    run = Run(*plain("two_arms_and_box").first_leg(), duration=0.1)
    run.accept(run.compute())
    branch = run.branch(0.05, [ObjectRelease(0.05), push(run, 0.05, 1.0)])
    assert (branch.events, branch.branch(0.05, []).events) == ([(0.05, "released, push")], [])
    at_once = run.branch(0.0, [ObjectRelease(0.0)])
    assert (at_once.events, at_once.branch(0.0, []).events) == ([(0.0, "released")], [])
    assert at_once.branch(0.0, []).system_at(0.0).is_held


def test_what_is_taken_again_is_held_as_it_was_last() -> None:
    """Where the tips touch it still, and where it has fallen away and is put back between them."""
    for way, away in (("point", 0.6), ("010111", 0.0)):
        changes = [GripChange(0.02, 2, way), ObjectRelease(0.04), Regrasp(0.05 + away)]
        run = computed(Run(*plain("four_arms_and_box").first_leg(), duration=0.8, interventions=changes))
        first, last = run.system_at(0.0), run.system_at(0.8)
        assert ("put back" in run.events[-1][1]) == (away > 0.0)
        kinds = [passing(contact) for contact in first.contacts]
        kinds[2] = "000111" if way == "point" else way
        assert [passing(contact) for contact in last.contacts] == kinds
        solution = run.solution_at(0.8)
        for contact in last.contacts:
            tip = (solution.link_pose[contact.link] @ contact.tip_pose)[:3, 3]
            hand = solution.link_pose[contact.link] @ last.tips[contact.tip].pose
            place = (solution.state.object_pose @ contact.object_pose)[:3, 3]
            assert np.abs(tip - place).max() < 1e-6
            assert np.linalg.norm(hand[:3, 3] - place) < 0.06  # no holding from afar
        assert dyn.agreement(last, solution.state, solution.tau).worst < 1e-9


def test_what_cannot_happen_any_more_is_said_and_left_out() -> None:
    run = computed(Run(*plain("puma560").first_leg(), duration=0.1, interventions=[Regrasp(0.05)]))
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
    run = computed(Run(*arm, 1.0, [ForceStep(0.3, blow)]))
    assert run.end >= 0.3
    assert run.failure.startswith(f"stopped at {run.end:.3f} s: ")
    assert run.events[-1] == (run.end, run.failure)


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


def test_another_setup_and_a_file_of_the_users_own_are_motions_of_their_own() -> None:
    machine = machine_of_preset(PRESETS["planar_chain"])
    for setup in (
        dataclasses.replace(plain("planar_chain"), torques=MappingProxyType({"joint_2": 0.25})),
        Setup(dataclasses.replace(machine, file=OwnFile("mine.urdf", "0" * 64))),
        Setup(dataclasses.replace(machine, origin=machine)),
    ):
        computed(common_run(plain("planar_chain")), 0.3)
        run = common_run(setup)
        assert run.end == 0.0
        assert_same(computed(run, 0.3), computed(setup.run(), 0.3), [0.3])
        shared = setup.machine.file is None and setup.machine.origin is None
        assert common_run(setup).course is (run.course if shared else None)


def test_a_preset_is_what_its_menu_says_meets_no_stop_and_ends_well() -> None:
    for name, preset in PRESETS.items():
        system, _ = dyn.example(preset.example)
        assert preset.mode == MODE_OF_KIND[system.kind]
        run = computed(plain(name).run())
        assert (run.events, run.failure, run.end) == ([], "", pytest.approx(10.0))


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


CARRIED = ["two_arms_and_box", "point_contact"]
HELD = Preset("", "", "Multi-arm", "", "carry", duration=3.0)


def landing_of(preset: str, *interventions: object, duration: float = 3.0) -> Run:
    setup = plain(preset)
    return computed(Run(*setup.first_leg(), duration, interventions))  # type: ignore[arg-type]


def tossed(gravity: tuple[float, float, float], payload: dyn.TaskObject | None = None, turn: float = 0.0) -> Machine:
    held, state = dyn.example("two_arms_and_box")
    system = dyn.multi_arm(list(held.robots), list(held.base_poses), payload or held.task_object, gravity)
    pose = state.object_pose.copy()
    pose[:3, :3] = Rotation.from_rotvec([turn, 0.4 * turn, 0.0]).as_matrix()
    velocity = [2.0 * turn, -turn, 0.5, 0.2, 0.0, 0.7]
    return Machine(HELD, system, replace(state, object_pose=pose, object_velocity=np.array(velocity)))


def lowest(system: dyn.System, pose: np.ndarray) -> float:
    """m, of the object as the scene draws it."""
    scene = scenes.Scene(system)
    points = np.concatenate([scene.meshes[i].points for i in scene.layers["object"]])
    return float((points @ pose[:3, :3].T + pose[:3, 3])[:, 2].min())


def lands(run: Run) -> list[float]:
    return [time for time, word in run.events if LANDS in word]


def energy_of(system: dyn.System, state: dyn.State) -> float:
    """J, of the object alone."""
    payload, pose, velocity = system.task_object, state.object_pose, state.object_velocity
    inertia = pose[:3, :3] @ payload.inertia @ pose[:3, :3].T
    kinetic = 0.5 * velocity[:3] @ inertia @ velocity[:3] + 0.5 * payload.mass * velocity[3:] @ velocity[3:]
    return float(kinetic - payload.mass * np.dot(system.gravity, pose[:3, 3]))


def test_a_released_object_lies_on_the_floor_from_the_first_touch_on() -> None:
    for preset in CARRIED:
        run = landing_of(preset, ObjectRelease(1.3))
        assert not run.failure
        (at,) = lands(run)
        system, floor = run.system_at(at), machine_of_preset(PRESETS[preset]).ground.height
        assert lowest(system, run.solution_at(at).state.object_pose) == pytest.approx(floor, abs=1e-6)
        falling, lying = run.legs[-2].recording, run.legs[-1].recording
        before = falling.state_at(falling.duration)
        assert 0.0 < lowest(system, before.object_pose) - floor < -2.0 * TIME_STEP * before.object_velocity[5]
        assert np.abs(lying.v[:, -6:]).max() < 1e-12
        assert np.ptp(lying.x[:, -7:], axis=0).max() < 1e-12
        assert np.abs(lying.v[:, : system.n_joints]).max() > 0.0  # the arms go on
        assert run.doubtful == np.inf


def test_what_the_landing_takes_is_the_objects_energy() -> None:
    for turn in [0.0, 1.1, -2.0]:
        machine = tossed((0.0, 0.0, -9.81), turn=turn)
        run = computed(Setup(machine, drive="free").run())
        (at,), system = lands(run), machine.system
        (words,) = [word for _, word in run.events if LANDS in word]
        taken, impulse = map(float, re.search(r"takes (\S+) J and (\S+) N s", words).groups())
        before = run.legs[0].recording.state_at(run.legs[0].recording.duration)
        after = run.solution_at(at).state
        assert taken == pytest.approx(energy_of(system, before) - energy_of(system, after), rel=6e-3)
        assert taken == pytest.approx(energy_of(system, machine.state) - energy_of(system, after), rel=6e-3)
        assert impulse == pytest.approx(system.task_object.mass * np.linalg.norm(before.object_velocity[3:]), rel=6e-3)
        assert lowest(system, after.object_pose) == pytest.approx(machine.ground.height, abs=1e-6)
        late = run.solution_at(2.5)
        agreed = dyn.agreement(system, late.state, late.tau, run.wrench_at(2.5))
        assert agreed.worst < 1e-9
        assert np.abs(late.object_acceleration).max() < 1e-12


def test_it_lands_on_the_level_floor_that_is_drawn_where_gravity_points_to_it() -> None:
    for gravity, pull, falls in [
        ((0.0, 0.0, 0.0), None, False), ((0.0, 0.0, 9.81), None, False), ((0.0, -5.0, -8.0), None, False),
        ((0.0, 0.0, -9.81), (1.0, 0.0, -9.7), True), ((0.0, 0.0, -9.81), (0.0, 0.0, -1.62), True),
    ]:  # fmt: skip
        setup = Setup(tossed(gravity), drive="free", gravity=pull)
        run = computed(setup.run())
        assert len(lands(run)) == falls
        state = run.solution_at(3.0).state
        assert (np.linalg.norm(state.object_velocity[3:]) > 0.1) != falls
        if falls:
            height = setup.machine.ground.height
            assert lowest(run.system_at(3.0), state.object_pose) == pytest.approx(height, abs=1e-6)


def test_the_ground_bears_a_push_and_the_object_is_taken_again() -> None:
    wrench = np.zeros((15, 6))
    wrench[14] = 1.0, 2.0, -1.0, 30.0, 10.0, 60.0
    wrench[3, 3] = 5.0
    run = landing_of("two_arms_and_box", ObjectRelease(0.5), ForceStep(1.5, wrench), ForceStep(1.8, None), Regrasp(2.2))
    words = [word for _, word in run.events]
    assert [word.partition(":")[0] for word in words] == ["released", LANDS, "push", "let go", "put back"]
    assert np.ptp(run.legs[3].recording.x[:, -7:], axis=0).max() < 1e-12
    assert np.array_equal(run.wrench_at(1.6)[3], wrench[3])
    assert run.legs[3].leg.wrench is wrench  # the arrows are the pushes
    assert run.system_at(2.5).is_held
    assert not run.lies_at(2.5)
    assert (run.wrench_at(2.5), run.doubtful) == (None, np.inf)
