"""All places where a line runs: the letters at that point, and the value of the published line.

A typed line is compared with the published one also at moments of other machines, drawn at random: everything moves,
nothing is aligned, no term of the text is zero. So a line that agrees only by coincidence at the live moment, for
example at rest or without a rotor, does not agree everywhere.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from dynamics.checks import Array
from dynamics.reading.evaluation import hooked_sweep
from dynamics.reading.grammar import Parse, written
from dynamics.reading.interpreter import Interpreter, SizedMatrix
from dynamics.reading.lines import Line, lines_of, lines_run
from dynamics.reading.moment import read_textbook
from dynamics.reading.reading import Reading
from dynamics.robot.model import Frame, Joint, Link, Robot
from dynamics.robot.task_object import TaskObject
from dynamics.system.assembly import free_flyer, multi_arm, single_arm
from dynamics.system.grasp import grasp
from dynamics.system.plain_kinematics import forward_kinematics
from dynamics.system.state import State
from dynamics.system.system import System
from dynamics.textbook.stages import Part, parts_of

AGREES = 1e-12
"""Largest difference of two values that are equal to rounding, relative to the size of their terms."""
AFTERWARDS = "smoother_final"
"""The stage that runs the lines of another stage again."""


@dataclass(frozen=True, eq=False)
class Place:
    """A line about to run.

    Attributes:
        scope: letters, indices and operators by name, as they are before it runs.
        link, contact: the link and contact; -1 for none.
        value: the published line's value.
        size: the largest entry of that value if nothing cancelled.
        computed: letters that the sweep itself computes.
        known: those already computed, with their indices.
    """

    scope: Mapping[str, Any]
    link: int
    contact: int
    value: Array
    size: float
    computed: frozenset[str]
    known: frozenset[tuple[str, tuple[int, ...]]]

    def is_known(self, letter: str, indices: tuple[int, ...]) -> bool:
        """Whether a letter has already been computed, or was given."""
        return letter not in self.computed or (letter, indices) in self.known

    def value_of(self, typed: Parse, kept: dict[ast.AST, Any] | None = None) -> Array:
        """The value of a typed line here; ``kept`` are nodes whose values are kept from one line to the next."""
        found: Array = Interpreter(typed, self.scope, self.is_known, kept=kept).value(self.value.shape)
        return found

    def difference(self, value: Array, letter: str) -> float:
        """A value's difference from the published one, relative to ``size``; infinite if it has another shape."""
        if value.shape != self.value.shape and letter != "N":
            return float("inf")
        left, right = (spanned(value), spanned(self.value)) if letter == "N" else (value, self.value)
        if left.shape != right.shape:
            return float("inf")
        gap = float(np.abs(left - right).max(initial=0.0))
        if not np.isfinite(gap):
            return float("inf")
        size = max(self.size, 1.0) if letter == "N" else self.size
        return gap / size if size > 0.0 else (0.0 if gap == 0.0 else float("inf"))


def spanned(basis: Array) -> Array:
    """The projector on the span of the columns, the same for every basis."""
    if not np.isfinite(basis).all():
        return np.full((len(basis), len(basis)), np.nan)
    return np.asarray(basis @ np.linalg.pinv(basis))


def part_with(system: System, key: str) -> tuple[Part, Line] | None:
    """The part of a system's text that runs a line first, and the line."""
    for part in parts_of(system):
        for line in lines_run(system, part):
            if line.key == key and part.stage != AFTERWARDS:
                return part, line
    return None


def right_of(line: Line) -> str:
    """The published right side of a line."""
    return ast.unparse(line.statement.value)


def places_of(reading: Reading, key: str) -> tuple[Place, ...]:
    """The places where a line runs at a moment, in the order of the sweep; none if the system does not run it."""
    found = part_with(reading.system, key)
    if found is None:
        return ()
    part, line = found
    recorder = _Recorder(part, line)
    keys = frozenset(each.key for each in lines_of(part.text) if each.function == part.function)
    sweep = hooked_sweep(part, frozenset(), keys, recorder)
    inputs = {name: reading.evaluation.scopes[part][name] for name in sweep.parameters}
    for before, computed in reading.evaluation.computed.items():
        if before is part:
            break  # a letter that the part computes again has the value from the parts before it
        inputs |= {name: reading.evaluation.scopes[before][name] for name in computed if name in inputs}
    with np.errstate(all="ignore"):
        sweep.function(**inputs)
    return tuple(recorder.places)


class _Recorder:
    """Runs the published lines, and records the scope whenever the wanted line runs."""

    def __init__(self, part: Part, line: Line) -> None:
        self._lines = {each.key: each for each in lines_of(part.text) if each.function == part.function}
        self._line, self._typed = line, written(right_of(line))
        self._computed = frozenset(each.letter for each in self._lines.values())
        self._known: set[tuple[str, tuple[int, ...]]] = set()
        self.places: list[Place] = []

    def __call__(self, key: str, published: Callable[[], Any], scope: dict[str, Any]) -> Any:
        value, line = published(), self._lines[key]
        if key == self._line.key:
            self.places.append(self._place(value, scope))
        self._known.add((line.letter, tuple(scope[each.id] for each in line.indices if isinstance(each, ast.Name))))
        return value

    def _place(self, value: Any, scope: dict[str, Any]) -> Place:
        own = {
            name: each.copy() if name in self._computed and isinstance(each, np.ndarray) else each
            for name, each in scope.items()
        }
        sized = Interpreter(self._typed, own, operand=SizedMatrix.of).value()
        found = np.asarray(value, dtype=float) if np.ndim(value) == 2 else np.zeros(np.shape(sized.value))
        if np.ndim(value) == 0:  # a sum over no neighbors
            found = np.zeros(scope[self._line.letter].shape[-2:])
        size = float(np.abs(sized.size).max(initial=0.0))
        link, contact = scope.get("k", -1), scope.get("c", -1)
        return Place(own, link, contact, found, size, self._computed, frozenset(self._known))


GRAVITY = (0.7, -1.9, -9.2)
TREE = (1, 4, 3, 4, 6, 6, 7)
"""Links 0 and 2 are tips, 5 a third; 3 links meet at link 4 and, with another branch, at link 6."""
CHAIN = (1, 2, 3, 4)
MOST_PLACES = 6
"""The most places of a line at one moment."""
SEED = 1987


def _robot(rng: np.random.Generator, name: str, inboard: tuple[int, ...]) -> Robot:
    """A tree of links of a few kilograms and decimetres; every third joint slides."""

    def link(name: str) -> Link:
        return Link(name, float(rng.uniform(1.0, 3.0)), rng.normal(size=3) * 0.2, _inertia(rng, 0.2))

    def joint(k: int) -> Joint:
        axis, origin = rng.normal(size=3), _pose(rng, 0.4)
        return Joint(
            f"joint_{k}", "prismatic" if k % 3 == 1 else "revolute", axis / np.linalg.norm(axis), origin,
            damping=float(rng.uniform(0.1, 0.5)), friction=(0.2, 0.3), rotor_inertia=float(rng.uniform(0.1, 0.4)),
        )  # fmt: skip

    numbers = range(len(inboard))
    tips = tuple(Frame(f"tip_{k}", k, _pose(rng, 0.2)) for k in numbers if k not in inboard)
    links, joints = tuple(link(f"link_{k}") for k in numbers), tuple(map(joint, numbers))
    return Robot(name, links, joints, inboard, link("base"), tips)


def _inertia(rng: np.random.Generator, size: float) -> Array:
    """The inertia of a cloud of points."""
    points = rng.normal(size=(3, 5)) * size
    spread = points @ points.T
    return np.asarray(np.trace(spread) * np.eye(3) - spread)


def _pose(rng: np.random.Generator, reach: float) -> Array:
    pose = np.eye(4)
    pose[:3, :3] = Rotation.from_rotvec(rng.normal(size=3)).as_matrix()
    pose[:3, 3] = rng.normal(size=3) * reach
    return pose


def _read(rng: np.random.Generator, system: System, at: State | None = None) -> Reading:
    """The reading of a moment at which everything moves."""
    given: dict[str, Any] = {
        "q": rng.normal(size=system.n_joints) if at is None else at.q,
        "qd": rng.normal(size=system.n_joints),
    }
    if system.kind == "free_flyer":
        given |= {"base_pose": _pose(rng, 1.0), "base_velocity": rng.normal(size=6)}
    if at is not None and at.object_pose is not None:
        given |= {"object_pose": at.object_pose, "object_velocity": rng.normal(size=6)}
    wrench = 5.0 * rng.normal(size=(system.n_links + 1, 6))
    if system.task_object is None:
        wrench[-1] = 0.0
    return read_textbook(system, system.state(**given), 5.0 * rng.normal(size=system.n_joints), wrench)


@functools.cache
def moments() -> tuple[Reading, ...]:
    """Moments of a tree, of a tree in flight, and two of a tree and a chain that hold an object together."""
    rng = np.random.default_rng(SEED)
    tree, chain = _robot(rng, "tree", TREE), _robot(rng, "chain", CHAIN)
    return (
        _read(rng, single_arm(tree, gravity=GRAVITY)),
        _read(rng, free_flyer(tree, gravity=GRAVITY)),
        _holding(rng, tree, chain, ("rigid", "rigid", "point", "rigid")),
        _holding(rng, tree, chain, ("point", None, None, "rigid")),
    )


def _holding(rng: np.random.Generator, tree: Robot, chain: Robot, contacts: tuple[str | None, ...]) -> Reading:
    bases = [_pose(rng, 1.0), _pose(rng, 1.0)]
    system = multi_arm([tree, chain], bases, TaskObject(3.0, _inertia(rng, 0.3), (), "thing"), gravity=GRAVITY)
    q, middle = rng.normal(size=system.n_joints), np.eye(4)
    middle[:3, 3] = forward_kinematics(system, system.state(q=q)).tip_pose[:, :3, 3].mean(axis=0)
    state = system.state(q=q, object_pose=middle)
    return _read(rng, grasp(system, state, contacts), state)


@functools.cache
def places_elsewhere(key: str) -> tuple[Place, ...]:
    """Some of the places where a line runs at these moments."""
    found: list[Place] = []
    for reading in moments():
        if part_with(reading.system, key) is not None:
            places = places_of(reading, key)
            chosen = np.linspace(0, len(places) - 1, min(len(places), MOST_PLACES)).round().astype(int)
            found += [places[at] for at in sorted(set(chosen.tolist()))]
    return tuple(found)
