"""An object that is let go lands on the floor that is drawn, once, and the landing says what it takes."""

import re
from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import dynamics as dyn
import scenes
from app.motion.interventions import Pushed, Released, Taken
from app.motion.leg import LANDS
from app.motion.presets import PRESETS, Preset
from app.motion.run import TIME_STEP, Run
from app.motion.setup import Machine, Setup, machine_of_preset
from tests.app.arrival import computed

CARRIED = ["two_arms_and_box", "point_contact"]
HELD = Preset("", "", "Multi-arm", "", "carry", duration=3.0)


def run_of(preset: str, *interventions: object, duration: float = 3.0) -> Run:
    setup = Setup(machine_of_preset(PRESETS[preset]))
    return computed(Run(*setup.first_leg(), duration, interventions))  # type: ignore[arg-type]


def tossed(gravity: tuple[float, float, float], thing: dyn.TaskObject | None = None, turn: float = 0.0) -> Machine:
    held, state = dyn.example("two_arms_and_box")
    system = dyn.multi_arm(list(held.robots), list(held.base_poses), thing or held.task_object, gravity)
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
    thing, pose, velocity = system.task_object, state.object_pose, state.object_velocity
    inertia = pose[:3, :3] @ thing.inertia @ pose[:3, :3].T
    kinetic = 0.5 * velocity[:3] @ inertia @ velocity[:3] + 0.5 * thing.mass * velocity[3:] @ velocity[3:]
    return float(kinetic - thing.mass * np.dot(system.gravity, pose[:3, 3]))


def test_a_released_object_lies_on_the_floor_from_the_first_touch_on() -> None:
    for preset in CARRIED:
        run = run_of(preset, Released(1.3))
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


def test_nothing_lands_where_gravity_does_not_point_to_a_level_floor() -> None:
    for gravity in [(0.0, 0.0, 0.0), (0.0, 0.0, 9.81), (9.81, 0.0, 0.0), (0.0, -5.0, -8.0)]:
        run = computed(Setup(tossed(gravity), drive="free").run())
        assert lands(run) == []
        assert np.linalg.norm(run.solution_at(3.0).state.object_velocity[3:]) > 0.1


def test_under_another_gravity_it_lands_on_the_floor_that_is_still_drawn() -> None:
    for pull in [(1.0, 0.0, -9.7), (0.0, 0.0, -1.62)]:
        setup = Setup(tossed((0.0, 0.0, -9.81)), drive="free", gravity=pull)
        run = computed(setup.run())
        assert len(lands(run)) == 1
        assert lowest(run.system_at(3.0), run.solution_at(3.0).state.object_pose) == pytest.approx(
            setup.machine.ground.height, abs=1e-6
        )


def test_the_ground_bears_a_push_and_the_object_is_taken_again() -> None:
    wrench = np.zeros((15, 6))
    wrench[14] = 1.0, 2.0, -1.0, 30.0, 10.0, 60.0
    wrench[3, 3] = 5.0
    run = run_of("two_arms_and_box", Released(0.5), Pushed(1.5, wrench), Pushed(1.8, None), Taken(2.2))
    words = [word for _, word in run.events]
    assert [word.partition(":")[0] for word in words] == ["released", LANDS, "push", "let go", "put back"]
    assert np.ptp(run.legs[3].recording.x[:, -7:], axis=0).max() < 1e-12
    assert np.array_equal(run.wrench_at(1.6)[3], wrench[3])
    assert run.legs[3].leg.wrench is wrench  # the arrows are the pushes
    assert run.system_at(2.5).is_held
    assert not run.lies_at(2.5)
    assert (run.wrench_at(2.5), run.doubtful) == (None, np.inf)
