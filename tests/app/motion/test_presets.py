"""The menu's titles say what is there, and what moves there is worth a look."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial import cKDTree

import dynamics as dyn
import scenes
from app.motion.presets import MODE_OF_KIND, PRESETS
from app.motion.run import Run
from app.motion.setup import Setup, machine_of_preset
from app.state import Session
from dynamics.study.jazidie_examples import PlanarRun, example_1, example_2

Array = NDArray[np.float64]
CARRIED = [name for name, preset in PRESETS.items() if preset.actuation == "carry" and preset.led is None]
OFF = [name for name, preset in PRESETS.items() if preset.actuation == "free"]
CLEAR = 0.03
"""m between two bodies that are not neighbors, of machines of half a meter and more."""
NEIGHBORS = 2
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


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_in_the_mode_of_its_system(name: str) -> None:
    system, _ = dyn.example(PRESETS[name].example)
    assert PRESETS[name].mode == MODE_OF_KIND[system.kind]


@pytest.mark.parametrize("name", [name for name, preset in PRESETS.items() if "contact" in preset.title])
def test_a_title_that_speaks_of_contacts_speaks_the_truth(name: str) -> None:
    system, _ = dyn.example(PRESETS[name].example)
    counts = {kind: sum(contact.kind == kind for contact in system.contacts) for kind in ("rigid", "point")}
    assert PRESETS[name].title == "Two arms, rigid and point contact"
    assert counts == {"rigid": 1, "point": 1}


@pytest.mark.parametrize("name", PRESETS)
def test_a_presets_motion_meets_no_stop_and_ends_well(name: str, runs: dict[str, Run]) -> None:
    run = run_of(runs, name)
    assert run.events == []
    assert run.failure == ""
    assert run.end == pytest.approx(10.0)


@pytest.mark.parametrize("name", CARRIED)
def test_a_carried_object_swings_and_turns_to_both_sides_of_its_place(name: str, runs: dict[str, Run]) -> None:
    run, (_, placed) = run_of(runs, name), dyn.example(PRESETS[name].example)
    poses = [run.solution_at(time).state.object_pose for time in np.arange(0.0, 10.0, 0.25)]
    ways = np.array([pose[:3, 3] - placed.object_pose[:3, 3] for pose in poses])
    turns = np.unwrap([np.arctan2(pose[1, 0], pose[0, 0]) for pose in poses])
    assert np.linalg.norm(ways[10] - ways[0]) > 0.75 * np.linalg.norm(PRESETS[name].carry[:3]) > 0.09
    assert np.ptp(turns) > 0.75 * PRESETS[name].carry[5] > 0.4
    along = ways @ (ways[10] - ways[0])  # there, after half of the swing
    assert along.min() < 0.0 < along.max()
    assert max(np.linalg.norm(ways[20] - ways[0]), abs(turns[20] - turns[0])) < 0.12  # and back


@pytest.mark.parametrize("name", OFF)
def test_without_motors_it_swings_on_for_seconds(name: str, runs: dict[str, Run]) -> None:
    run = run_of(runs, name)
    joints = run.actuation.system.n_joints
    recording = run.legs[0].recording
    for first, least in ((0, 0.5), (2, 0.25), (4, 0.25)):
        seen = recording.x[(recording.times >= first) & (recording.times < first + 2), :joints]
        assert np.ptp(seen, axis=0).max() > least, first


@pytest.mark.parametrize("name", PRESETS)
def test_nothing_is_folded_into_itself(name: str, runs: dict[str, Run]) -> None:
    run = run_of(runs, name)
    system, rng = run.actuation.system, np.random.default_rng(3)
    scene = scenes.Scene(system, run.solution_at(0.0))
    bodies = [i for i, mesh in enumerate(scene.meshes) if mesh.layer in ("links", "object")]
    surfaces = {i: surface_of(scene.meshes[i], rng) for i in bodies}
    holders = [contact.link for contact in system.contacts]
    pairs = [
        (i, j)
        for i in bodies
        for j in bodies
        if i < j and not are_near(system, holders, scene.meshes[i], scene.meshes[j])
    ]
    assert len(pairs) > 2
    for time in np.arange(0.0, 10.0, 0.4):
        poses = scene.transforms(run.solution_at(time), ("links", "object")).reshape(-1, 3, 4).astype(float)
        trees = {i: cKDTree(surfaces[i] @ poses[i][:, :3].T + poses[i][:, 3]) for i in bodies}
        for i, j in pairs:
            away = trees[i].query(trees[j].data, distance_upper_bound=2.0 * CLEAR)[0].min()
            assert away > CLEAR, (time, scene.meshes[i].name, scene.meshes[j].name)


def surface_of(mesh: scenes.SceneMesh, rng: np.random.Generator, count: int = 400) -> Array:
    """(count, 3) points drawn evenly from a mesh."""
    a, b, c = mesh.points.astype(float)[mesh.faces.reshape(-1, 3).T]
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    k = rng.choice(len(area), count, p=area / area.sum())
    u, v = rng.random((2, count, 1))
    u, v = np.where(u + v > 1.0, 1.0 - u, u), np.where(u + v > 1.0, 1.0 - v, v)
    return np.asarray(a[k] + u * (b[k] - a[k]) + v * (c[k] - a[k]))


def are_near(system: dyn.System, holders: list[int], one: scenes.SceneMesh, other: scenes.SceneMesh) -> bool:
    """Whether two bodies are at most so many joints apart; an object is beside who holds it."""
    if "object" in (one.layer, other.layer):
        link = one.link if other.layer == "object" else other.link
        return link is not None and any(link in path_of(system, holder)[:NEIGHBORS] for holder in holders)
    if one.arm != other.arm:
        return False
    paths = [path_of(system, -1 if mesh.link is None else mesh.link) for mesh in (one, other)]
    shared = next(link for link in paths[0] if link in paths[1])
    return paths[0].index(shared) + paths[1].index(shared) <= NEIGHBORS


def path_of(system: dyn.System, link: int) -> list[int]:
    """Links from one inward to the root, which is -1."""
    path = [link]
    while path[-1] >= 0:
        path.append(int(system.inboard[path[-1]]) if path[-1] < system.n_joints else -1)
    return path


@pytest.mark.parametrize(("number", "study", "near"), [(1, example_1, 1e-5), (2, example_2, 2e-6)])
def test_jazidies_examples_move_as_printed(number: int, study: Callable[..., PlanarRun], near: float) -> None:
    """Example 2 as its own planar arms move; Example 1, which springs lead here, along its path."""
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
