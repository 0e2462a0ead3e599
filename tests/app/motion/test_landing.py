"""An object that is let go lands on the floor that one sees, once, and what the landing takes is said."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import dynamics as dyn
import scenes
from app.motion.interventions import Pushed, Released, Taken
from app.motion.landing import LANDS
from app.motion.presets import PRESETS, Preset
from app.motion.run import TIME_STEP, Run
from app.motion.setup import Machine, Setup, machine_of_preset
from app.state import Session
from app.state.address import query_of, restore
from app.state.broken_run import broken_run
from app.state.manipulation import LIES, Manipulation
from app.state.point_force import BodyPoint
from tests.dynamics.scaled import Units

CARRIED = ["two_arms_and_box", "four_arms_and_box", "point_contact"]
HELD = Preset("", "", "Multi-arm", "", "carry", duration=3.0)


def finished(run: Run) -> Run:
    while not run.complete:
        run.accept(run.compute())
    return run


def run_of(preset: str, *interventions: object, duration: float = 3.0) -> Run:
    setup = Setup(machine_of_preset(PRESETS[preset]))
    return finished(Run(*setup.first_leg(), duration, interventions))  # type: ignore[arg-type]


def tossed(gravity: tuple[float, float, float], thing: dyn.TaskObject | None = None, turn: float = 0.0) -> Machine:
    """Two arms whose object is let go as it turns and flies upward."""
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


@pytest.mark.parametrize("preset", CARRIED)
def test_a_released_object_lies_on_the_floor_from_the_first_touch_on(preset: str) -> None:
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


@pytest.mark.parametrize("turn", [0.0, 0.3, 1.1, -2.0])
def test_what_the_landing_takes_is_the_objects_energy(turn: float) -> None:
    machine = tossed((0.0, 0.0, -9.81), turn=turn)
    run = finished(Setup(machine, drive="free").run())
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


@pytest.mark.parametrize("gravity", [(0.0, 0.0, 0.0), (0.0, 0.0, 9.81), (9.81, 0.0, 0.0), (0.0, -5.0, -8.0)], ids=str)
def test_nothing_lands_where_gravity_does_not_point_to_a_level_floor(gravity: tuple[float, float, float]) -> None:
    run = finished(Setup(tossed(gravity), drive="free").run())
    assert lands(run) == []
    assert np.linalg.norm(run.solution_at(3.0).state.object_velocity[3:]) > 0.1


@pytest.mark.parametrize("pull", [(1.0, 0.0, -9.7), (0.0, 0.0, -1.62)], ids=str)
def test_under_another_gravity_it_lands_on_the_floor_that_is_still_drawn(pull: tuple[float, float, float]) -> None:
    setup = Setup(tossed((0.0, 0.0, -9.81)), drive="free", gravity=pull)
    run = finished(setup.run())
    assert len(lands(run)) == 1
    assert lowest(run.system_at(3.0), run.solution_at(3.0).state.object_pose) == pytest.approx(
        setup.machine.ground.height, abs=1e-6
    )


def test_what_gravity_lifts_stays_not_on_the_floor() -> None:
    run = finished(Setup(tossed((0.0, 0.0, -9.81)), drive="free", gravity=(0.0, 0.0, 5.0)).run())
    assert lands(run) == []


def test_a_tiny_machines_object_lands_as_the_large_ones() -> None:
    large = tossed((0.0, 0.0, -9.81), turn=0.7)
    small = Machine(HELD, *Units(length=0.01, mass=1e-6, time=0.1).system(large.system, large.state))
    there, here = (finished(Setup(machine, drive="free").run()) for machine in (large, small))
    assert lands(here)[0] == pytest.approx(0.1 * lands(there)[0], abs=2 * TIME_STEP)
    pose = here.solution_at(1.0).state.object_pose
    assert lowest(small.system, pose) == pytest.approx(small.ground.height, abs=1e-8)


def test_an_object_without_a_shape_lands_as_it_is_drawn() -> None:
    machine = tossed((0.0, 0.0, -9.81), dyn.TaskObject(2.0, np.diag([0.02, 0.03, 0.04])), turn=0.5)
    run = finished(Setup(machine, drive="free").run())
    pose = run.solution_at(3.0).state.object_pose
    assert lowest(machine.system, pose) == pytest.approx(machine.ground.height, abs=1e-6)


def test_one_floor_for_the_mechanics_and_every_picture() -> None:
    """However far things have fallen when the picture is made anew."""
    machine = machine_of_preset(PRESETS["two_arms_and_box"])
    free = dyn.release(machine.system)
    pose = machine.first.state.object_pose.copy()
    pose[2, 3] = -30.0
    fallen = dyn.forward_dynamics(free, replace(machine.first.state, object_pose=pose))
    scene = scenes.Scene(machine.system, fallen, start=machine.first)
    assert scene.ground_height == machine.ground.height
    assert scenes.Scene(machine.system, fallen).ground_height != machine.ground.height


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
    assert run.wrench_at(2.5) is None
    assert run.doubtful == np.inf


@pytest.mark.slow
def test_undo_links_and_a_kept_run_land_alike() -> None:
    session = Session("four_arms_and_box")
    while session.run.end < 1.0:
        session.run.accept(session.run.compute())
    session.seek(0.8)
    session.release()
    first = finished(session.run)
    session.seek(2.0)
    manipulation, corner = Manipulation(session), BodyPoint(session.system.n_links, np.array([0.2, 0.2, 0.0]))
    for push in (manipulation.press, manipulation.take, manipulation.tap):
        session.message = ""
        push(corner, np.array([0.0, 0.0, 9.0]))
        assert session.message == LIES
        assert not manipulation.is_holding
    assert len(session.setup.interventions) == 1
    session.grasp()
    assert session.is_held
    session.undo()
    assert finished(session.run).events == first.events
    other = Session("puma560")
    restore(other, query_of(session))
    assert finished(other.run).events == first.events
    session.undo()
    assert finished(session.run).events == []


def test_a_push_ends_when_its_object_lands() -> None:
    session = Session("two_arms_and_box")
    session.setup = replace(session.setup, interventions=(Released(0.5),))
    session.run = session.setup.run()
    while session.run.end < 0.7:
        session.run.accept(session.run.compute())
    session.cursor.time = 0.6
    manipulation = Manipulation(session)
    manipulation.press(BodyPoint(session.system.n_links, np.zeros(3)), np.array([0.0, 4.0, 0.0]))
    for frame in range(60):
        session.run.accept(session.run.compute())
        session.cursor.time = min(session.time + 1.0 / 30.0, session.run.end)
        manipulation.attend(frame)
    assert session.run.lies_at(session.time)
    assert not manipulation.is_holding
    assert session.point_force is None


@pytest.mark.slow
def test_a_broken_object_lands_too() -> None:
    run = run_of("two_arms_and_box", Released(0.5))
    breaks = frozenset({next(each.key for line in dyn.textbook_lines(run.system_at(0.6)) for each in line.breaks)})
    broken = finished(broken_run(run, breaks, 0.6))
    assert lands(broken)[0] == pytest.approx(lands(run)[0], abs=5e-3)
    assert not broken.failure
