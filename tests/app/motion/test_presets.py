"""The menu's titles say what is there, and what moves there is worth a look."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import dynamics as dyn
from app.motion.presets import MODE_OF_KIND, PRESETS
from app.motion.run import Run
from app.motion.setup import Setup, machine_of_preset
from app.state import Session
from dynamics.study.jazidie_examples import example_1, example_2

Array = NDArray[np.float64]
CARRIED = [name for name, preset in PRESETS.items() if preset.actuation == "carry" and preset.led is None]
OFF = [name for name, preset in PRESETS.items() if preset.actuation == "free"]


"""m between two bodies that are not neighbors, of machines of half a meter and more."""


"""Joints between two bodies that may touch."""


@pytest.fixture(scope="module")
def runs() -> dict[str, Run]:
    return {}


def run_of(runs: dict[str, Run], name: str) -> Run:
    if name not in runs:
        run = runs[name] = Setup(machine_of_preset(PRESETS[name])).run()
        while not run.complete:
            run.accept(run.compute())
    return runs[name]


def test_a_preset_is_what_its_menu_says_meets_no_stop_and_ends_well(
    runs: dict[str, Run], subtests: pytest.Subtests
) -> None:
    for name, preset in PRESETS.items():
        with subtests.test(name=name):
            system, _ = dyn.example(preset.example)
            assert preset.mode == MODE_OF_KIND[system.kind]
            run = run_of(runs, name)
            assert (run.events, run.failure, run.end) == ([], "", pytest.approx(10.0))
    system, _ = dyn.example("point_contact")
    assert PRESETS["point_contact"].title == "Two arms, rigid and point contact"
    assert [contact.kind for contact in system.contacts] == ["rigid", "point"]


def test_a_carried_object_swings_and_turns_to_both_sides_of_its_place(
    subtests: pytest.Subtests, runs: dict[str, Run]
) -> None:
    for name in CARRIED:
        with subtests.test(name=name):
            run, (_, placed) = run_of(runs, name), dyn.example(PRESETS[name].example)
            poses = [run.solution_at(time).state.object_pose for time in np.arange(0.0, 10.0, 0.25)]
            ways = np.array([pose[:3, 3] - placed.object_pose[:3, 3] for pose in poses])
            turns = np.unwrap([np.arctan2(pose[1, 0], pose[0, 0]) for pose in poses])
            assert np.linalg.norm(ways[10] - ways[0]) > 0.75 * np.linalg.norm(PRESETS[name].carry[:3]) > 0.09
            assert np.ptp(turns) > 0.75 * PRESETS[name].carry[5] > 0.4
            along = ways @ (ways[10] - ways[0])  # there, after half of the swing
            assert along.min() < 0.0 < along.max()
            assert max(np.linalg.norm(ways[20] - ways[0]), abs(turns[20] - turns[0])) < 0.12  # and back


def test_without_motors_it_swings_on_for_seconds(subtests: pytest.Subtests, runs: dict[str, Run]) -> None:
    for name in OFF:
        with subtests.test(name=name):
            run = run_of(runs, name)
            joints = run.actuation.system.n_joints
            recording = run.legs[0].recording
            for first, least in ((0, 0.5), (2, 0.25), (4, 0.25)):
                seen = recording.x[(recording.times >= first) & (recording.times < first + 2), :joints]
                assert np.ptp(seen, axis=0).max() > least, first


def test_jazidies_examples_move_as_printed(subtests: pytest.Subtests) -> None:
    """Example 2 as its own planar arms move; Example 1, which springs lead here, along its path."""
    for number, study, near in [(1, example_1, 1e-5), (2, example_2, 2e-6)]:
        with subtests.test(number=number, study=study, near=near):
            run = Session(f"jazidie_{number}").run
            while run.end < 2.0:
                run.accept(run.compute())
            paper = study("staggered", duration=2.0)
            places = paper.desired if number == 1 else paper.simulated
            for t in (0.0, 1.0, 2.0):
                pose = run.solution_at(t).state.object_pose
                expected = places[int(np.argmin(np.abs(paper.times - t)))]
                assert np.allclose(pose[:2, 3], expected[:2], rtol=0.0, atol=near)
                assert abs(np.arctan2(pose[1, 0], pose[0, 0]) - expected[2]) < 2e-6
