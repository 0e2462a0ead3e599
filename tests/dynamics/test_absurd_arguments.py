"""Arguments of the public functions, given an absurd value: a named error, briefly, soon, or a sound answer."""

import dataclasses
import datetime
import inspect
import math
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dynamics as dyn
from dynamics.papers import count_operations, run_redundant
from dynamics.reading import stage_difference
from dynamics.robot_files.library import planar_chain_urdf
from dynamics.solve import sample_estimation
from dynamics.witness import group_inverse

pytestmark = pytest.mark.compiled_only
LONGEST_MESSAGE = 1000
LONGEST = 20.0
"""Seconds that any call may take on a machine that others use, too."""
NAMED = (dyn.ModelError, dyn.StateError, dyn.SingularConfigurationError)


@dataclass(frozen=True)
class Call:
    """A public function with arguments that it takes."""

    function: Callable[..., Any]
    arguments: dict[str, Any]

    def absurd(self, name: str) -> dict[str, tuple[Any, bool]]:
        """What to put in an argument's place, by what it is, and whether nothing but a refusal will do."""
        valid, annotation = self.arguments[name], str(inspect.signature(self.function).parameters[name].annotation)
        values = {told: (make(), False) for told, make in ABSURD.items()}
        if not ("Array" in annotation or annotation == "float" or isinstance(valid, np.ndarray)):
            return values
        array = np.array(valid, dtype=np.float64) if _is_numbers(valid) else np.zeros(())
        values |= {f"{told} in its shape": (make(array), True) for told, make in NO_NUMBERS.items()}
        return values | {f"{told} in its shape": (make(array), False) for told, make in TOO_LARGE.items()}

    def answer(self, **others: Any) -> Any:
        return self.function(**self.arguments | others)


class UnprintableObject:
    """What cannot even be shown."""

    def __repr__(self) -> str:
        raise RuntimeError("no")


class EndlessList:
    """A list that says of itself that it is longer than any memory."""

    def __len__(self) -> int:
        return 10**18

    def __getitem__(self, index: int) -> float:
        return 0.0


def in_itself() -> list[object]:
    endless: list[object] = []
    endless.append(endless)
    return endless


ABSURD: dict[str, Callable[[], Any]] = {
    "text": lambda: "x" * 100_000, "digits": lambda: "1", "bytes": lambda: b"1", "a lone surrogate": lambda: "\ud800",
    "a null character": lambda: "\0", "bytes that can be written": lambda: bytearray(b"1"),
    "a list in itself": in_itself, "dict": lambda: {"a": "y" * 1_000_000}, "a large integer": lambda: 10**5000,
    "a billion": lambda: 10**9, "minus one": lambda: -1, "a half": lambda: 0.5, "1e308": lambda: 1e308,
    "tiny": lambda: 5e-324, "infinite": lambda: math.inf, "nan": lambda: math.nan, "none": lambda: None,
    "nones": lambda: [None, None], "nothing": list, "ragged": lambda: [[1.0], [1.0, 2.0]], "set": lambda: {1},
    "object": object, "unspeakable": UnprintableObject, "class": lambda: int, "function": lambda: len, "endless": count,
    "long": lambda: range(10**12), "boundless": EndlessList, "true": lambda: True, "complex": lambda: 1 + 2j,
    "date": lambda: datetime.datetime(2020, 1, 1), "duration": lambda: np.timedelta64(1, "s"),
    "masked": lambda: np.ma.masked, "records": lambda: np.zeros(2, dtype=[("a", "f8")]),
    "a longer float": lambda: np.longdouble("1e4000"),
}  # fmt: skip
"""By what it is; made anew each time."""
NO_NUMBERS: dict[str, Callable[[np.ndarray], Any]] = {
    "complex": lambda array: array + 1j,
    "dates": lambda array: np.zeros(array.shape, dtype="datetime64[s]"),
    "durations": lambda array: np.zeros(array.shape, dtype="timedelta64[s]"),
    "masked": lambda array: np.ma.masked_array(array, mask=np.ones(array.shape, dtype=bool)),
    "text": lambda array: array.astype(str),
    "objects": lambda array: array.astype(object),
    "nan": lambda array: np.full(array.shape, np.nan),
}
"""They have the right shape and are no numbers: where numbers are expected they must be refused."""
TOO_LARGE: dict[str, Callable[[np.ndarray], Any]] = {
    "1e308": lambda array: np.full(array.shape, 1e308), "-1e308": lambda array: np.full(array.shape, -1e308),
    "1e200": lambda array: np.full(array.shape, 1e200), "5e-324": lambda array: np.full(array.shape, 5e-324),
    "a longer float": lambda array: np.full(array.shape, np.longdouble("1e4000")),
}  # fmt: skip


def _is_numbers(value: object) -> bool:
    try:
        return np.asarray(value).dtype.kind in "fiu"
    except ValueError:
        return False


def faults(call: Call, values: Mapping[str, Any], must_refuse: bool = False) -> list[str]:
    """What is wrong with the way in which a call takes some values in the place of its own."""
    found, start = [], time.monotonic()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            answer = call.answer(**values)
        except Exception as error:  # whatever it is
            by_signature = isinstance(error, TypeError) and _raised_in_call(error)
            found += [] if isinstance(error, NAMED) or by_signature else [f"a {type(error).__name__}: {error}"[:200]]
            found += [] if len(str(error)) < LONGEST_MESSAGE else [f"a message of {len(str(error))} characters"]
        else:
            found += ["taken"] if must_refuse else []
            found += [] if is_sound(answer) else ["an answer that is no number"]
    found += sorted({f"the warning {str(each.message)[:80]}" for each in told})
    return found + ([f"{time.monotonic() - start:.0f} s"] if time.monotonic() - start > LONGEST else [])


def _raised_in_call(error: Exception) -> bool:
    return traceback.extract_tb(error.__traceback__)[-1].name == "answer"


def is_sound(answer: object, depth: int = 4) -> bool:
    """Whether all numbers in an answer are finite; the limits of a model's joints need not be."""
    if isinstance(answer, np.ndarray):
        return answer.dtype.kind != "f" or bool(np.isfinite(answer).all())
    if isinstance(answer, float):
        return math.isfinite(answer)
    if depth == 0 or isinstance(answer, dyn.Robot | dyn.System | dyn.ControlLaw):
        return True
    if isinstance(answer, Mapping):
        return all(is_sound(each, depth - 1) for each in answer.values())
    if isinstance(answer, tuple | list):
        return all(is_sound(each, depth - 1) for each in answer)
    if dataclasses.is_dataclass(answer) and not isinstance(answer, type):
        return all(is_sound(getattr(answer, field.name), depth - 1) for field in dataclasses.fields(answer))
    return True


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
        for parameter in call.arguments:
            values = list(call.absurd(parameter))
            yield name, parameter, values[next(turn) % len(values)]


def every_value() -> Iterator[tuple[str, str, str]]:
    for name, call in calls().items():
        for parameter in call.arguments:
            yield from ((name, parameter, words) for words in call.absurd(parameter))


@pytest.mark.parametrize("cases", [in_turn, FOUND.__iter__, pytest.param(every_value, marks=pytest.mark.full)])
def test_an_absurd_value_is_refused_by_name(cases: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # "1" is the name of a file, too
    found = {}
    for name, parameter, words in cases():
        call = calls()[name]
        value, must_refuse = call.absurd(parameter)[words]
        if wrong := faults(call, {parameter: value}, must_refuse):
            found[f"{name}, {parameter}: {words}"] = wrong
    assert not found


def test_numbers_that_once_broke_an_answer() -> None:
    for name, parameter, value in (
        ("identities", "external_forces", np.full((3, 6), 7.7e153)),
        ("study", "seed", [0.0]),
    ):
        assert not faults(calls()[name], {parameter: value})
