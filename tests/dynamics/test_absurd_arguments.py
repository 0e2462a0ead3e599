"""Arguments of the public functions, given an absurd value: a named error, or a sound answer."""

from collections.abc import Iterator
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dynamics as dyn
from dynamics.counting import count_operations
from dynamics.operators import sample_estimation
from dynamics.papers import run_redundant
from dynamics.reading import stage_difference
from dynamics.sources.planar_chain import planar_chain_urdf
from dynamics.witness import group_inverse
from tests.dynamics.absurd_values import Call, absurd, faults

pytestmark = pytest.mark.compiled_only


@cache
def calls() -> dict[str, Call]:
    """Functions with arguments that they take."""
    arm, robot = dyn.single_arm(dyn.planar_chain(2)), dyn.planar_chain(2)
    (flyer, floats), (held, closed) = dyn.example("free_flyer"), dyn.example("two_arms_and_box")
    state, two, wrench = arm.state(), np.zeros(2), np.zeros((3, 6))
    at: dict[str, Any] = {"system": arm, "state": state}
    x, v = flyer.pack(floats)
    solution, recording = dyn.forward_dynamics(arm, state), dyn.simulate(arm, state, duration=0.1, dt=0.005)
    pushed = {**at, "tau": two, "external_forces": wrench}
    motion = pushed | {"dt": 1e-3, "events": (), "method": "rk4", "controller": None}
    found = {
        "load": (dyn.load, {"name_or_path": "iiwa14", "tip": None, "without": ()}),
        "load_urdf_text": (dyn.load_urdf_text, {"text": planar_chain_urdf(2), "tip": None, "name": "robot"}),
        "robot_report": (dyn.robot_report, {"source": planar_chain_urdf(2).encode(), "name": "robot"}),
        "planar_chain": (dyn.planar_chain, {"n_links": 2, "length": 0.3, "mass": 1.0}),
        "TaskObject": (dyn.TaskObject, {"mass": 1.0, "inertia": np.eye(3), "geometry": ()}),
        "single_arm": (dyn.single_arm, {"robot": robot, "gravity": (0.0, 0.0, -1.0), "base_pose": np.eye(4)}),
        "multi_arm": (dyn.multi_arm, {"robots": [robot], "base_poses": [np.eye(4)], "floating": False}),
        "System.state": (arm.state, {"q": two, "qd": two, "order": "tip"}),
        "System.unpack": (flyer.unpack, {"x": x, "v": v}),
        "System.path_inward": (arm.path_inward, {"k": 0}),
        "grasp": (dyn.grasp, {"system": dyn.release(held), "state": closed, "contacts": ["rigid", "rigid"]}),
        "project": (dyn.project, {"system": held, "state": closed}),
        "forward_dynamics": (dyn.forward_dynamics, pushed | {"method": "filter_smoother"}),
        "forward_dynamics_batch": (dyn.forward_dynamics_batch, {"system": arm, "q": two, "qd": two, "tau": two}),
        "Solver.__call__": (dyn.solver(flyer), {"x": x, "v": v, "tau": np.zeros(flyer.n_joints)}),
        "inverse_dynamics": (dyn.inverse_dynamics, {**at, "joint_acceleration": two, "external_forces": wrench}),
        "group_inverse": (group_inverse, {"system": held, "state": closed, "object_acceleration": np.zeros(6)}),
        "mass_matrix": (dyn.mass_matrix, {**at, "method": "kkt"}),
        "jacobian": (dyn.jacobian, {**at, "of": 0, "point": "origin"}),
        "inverse_kinematics": (dyn.inverse_kinematics, {**at, "tip": 0, "target": np.zeros(3), "attempts": 1}),
        "agreement": (dyn.agreement, {**at, "tau": two, "only": ["kkt"]}),
        "identities": (dyn.identities, {"solution": solution, "external_forces": wrench}),
        "read_textbook": (dyn.read_textbook, {**at, "tau": two, "breaks": ()}),
        "Reading.lines": (dyn.read_textbook(arm, state).lines, {"stage": "filter", "link": 0, "half": 0}),
        "stage_difference": (stage_difference, {"found": solution, "expected": solution}),
        "simulate": (dyn.simulate, motion | {"duration": 0.002, "record_every": 1}),
        "Simulation": (dyn.Simulation, motion),
        "Recording.state_at": (recording.state_at, {"t": 0.004}),
        "run_redundant": (run_redundant, {"system": flyer, "state": floats, "dt": 0.1, "duration": 0.2}),
        "count_operations": (count_operations, {"method": "newton_euler", "n_links": 2}),
        "sample_estimation": (sample_estimation, {**at, "n_samples": 3, "seed": 0}),
        "study": (dyn.study, {"system": arm, "over": {"q": (-1.0, 1.0)}, "find": "mass_matrix", "count": 5, "seed": 0}),
    }  # fmt: skip
    return {name: Call(*parts) for name, parts in found.items()}


FOUND = [  # by functions that answered, hung, or failed otherwise
    ("run_redundant", "dt", "minus one"), ("planar_chain", "n_links", "a billion"),
    ("count_operations", "n_links", "a billion"), ("sample_estimation", "n_samples", "a billion"),
    ("forward_dynamics", "tau", "complex in its shape"), ("forward_dynamics_batch", "tau", "dates in its shape"),
    ("System.state", "qd", "masked in its shape"), ("Simulation", "tau", "text in its shape"),
    ("Reading.lines", "half", "duration"), ("System.path_inward", "k", "true"), ("Recording.state_at", "t", "complex"),
    ("Recording.state_at", "t", "a longer float"), ("inverse_dynamics", "joint_acceleration", "1e308 in its shape"),
    ("group_inverse", "object_acceleration", "1e308 in its shape"), ("read_textbook", "tau", "1e308 in its shape"),
    ("TaskObject", "inertia", "1e308 in its shape"), ("Solver.__call__", "x", "nothing"),
    ("simulate", "tau", "1e308 in its shape"), ("System.unpack", "x", "1e308 in its shape"),
    ("agreement", "system", "text"), ("stage_difference", "found", "none"), ("read_textbook", "breaks", "class"),
    ("simulate", "events", "endless"), ("mass_matrix", "method", "records"),
]  # fmt: skip


def in_turn() -> Iterator[tuple[str, str, str]]:
    """One value a parameter, so that each value is tried at some parameter."""
    turn = count()
    for name, call in calls().items():
        for parameter, annotation in call.annotations.items():
            values = list(absurd(call.arguments[parameter], annotation))
            yield name, parameter, values[next(turn) % len(values)]


def every_value() -> Iterator[tuple[str, str, str]]:
    for name, call in calls().items():
        for parameter, annotation in call.annotations.items():
            yield from ((name, parameter, words) for words in absurd(call.arguments[parameter], annotation))


@pytest.mark.parametrize("cases", [in_turn, FOUND.__iter__, pytest.param(every_value, marks=pytest.mark.full)])
def test_an_absurd_value_is_refused_by_name(cases: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # "1" is the name of a file, too
    found = {}
    for name, parameter, words in cases():
        call = calls()[name]
        value, must_refuse = absurd(call.arguments[parameter], call.annotations[parameter])[words]
        if wrong := faults(call, {parameter: value}, must_refuse):
            found[f"{name}, {parameter}: {words}"] = wrong
    assert not found


def test_numbers_that_once_broke_an_answer() -> None:
    for name, parameter, value in (
        ("identities", "external_forces", np.full((3, 6), 7.7e153)),
        ("study", "seed", [0.0]),
    ):
        assert not faults(calls()[name], {parameter: value})
