"""The verdict on a typed line."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from dynamics.checks import Array, brief, text
from dynamics.errors import LineError, ModelError
from dynamics.exercise.exercises import letters_of
from dynamics.exercise.mistakes import Mistake, explained
from dynamics.exercise.moments import places_elsewhere
from dynamics.exercise.places import AGREES, Place, part_with, places_of, right_of
from dynamics.public import public_as_computed
from dynamics.reading.lines import Line
from dynamics.reading.reading import Reading
from dynamics.record import Record
from dynamics.typed.arithmetic import shape_of
from dynamics.typed.grammar import Typed, written

Verdict = Literal["empty", "refused", "misfit", "wrong", "elsewhere", "right"]


@dataclass(frozen=True, eq=False)
class Attempt(Record):
    """A typed line and the verdict on it.

    Attributes:
        key: of the line.
        text: what was typed.
        verdict: ``empty``: nothing was typed; ``refused``: it cannot be worked out; ``misfit``: its shape is another;
            ``wrong``: its value is; ``elsewhere``: it agrees at this moment and not at every other; ``right``.
        words: why it is refused or does not fit, here or on other machines.
        start: the first character that this is about.
        end: the first one after them.
        link: where the value differs most; -1 for none.
        contact: the same of a contact's line.
        value: what was typed comes to there; None where it comes to nothing.
        expected: what the published line comes to there.
        difference: the largest one at this moment, relative to what is added up in the line; None where there is no
            number, or one of another shape.
        beyond: the largest at moments of other machines, likewise.
        mistakes: which usual ones explain it.
    """

    key: str
    text: str
    verdict: Verdict
    words: str = ""
    start: int = 0
    end: int = 0
    link: int = -1
    contact: int = -1
    value: Array | None = None
    expected: Array | None = None
    difference: float | None = None
    beyond: float | None = None
    mistakes: tuple[Mistake, ...] = ()


@public_as_computed
def attempt(reading: Reading, key: str, typed: str) -> Attempt:
    """Judges a typed line at a moment, and at moments of other machines drawn at random.

    It is held against the published line, with the letters as they are when that runs: everywhere at this moment, and
    at some places of a tree, a flying tree, and a tree and a chain that hold an object, all of them moving. Right is
    what is the same everywhere to 1e-12 of what is added up in it, however it is spelled.

    Args:
        reading: of the moment, without breaks.
        key: of the line.
        typed: its right side, or the whole line. Letters without an index are this link's own.

    Returns:
        the verdict, the value beside the published one where they differ most, and the mistakes that explain it.

    Raises:
        ModelError: for a line that the system does not run, or what is no text.
        StateError: for what is no reading.

    Cost: some milliseconds; some tens where a mistake is looked for.
    """
    key, typed = text(key, "key", ModelError), text(typed, "typed", ModelError)
    found = part_with(reading.system, key)
    if found is None:
        raise ModelError(f"this system runs no line {brief(key)}; dynamics.exercise.exercises lists them.")
    line = found[1]
    if not typed.strip():
        return Attempt(key, typed, "empty")
    has_rotors = any(joint.rotor_inertia for robot in reading.system.robots for joint in robot.joints)
    here, elsewhere = _places(reading, key), places_elsewhere(key)
    where, read = "", None
    try:
        read = written(typed, line.letter)
        values = [place.value_of(read) for place in here]
        fit = line.letter == "N" or all(v.shape == place.value.shape for v, place in zip(values, here, strict=True))
        where = ELSEWHERE
        others = [place.value_of(read) for place in elsewhere] if fit else []
    except LineError as error:
        mistakes = () if read is None else _explained(line, read, elsewhere or here, has_rotors)
        return Attempt(key, typed, "refused", where + str(error), error.start, error.end, mistakes=mistakes)
    return _judged(line, read, (here, values), (elsewhere, others), has_rotors)


ELSEWHERE = "this machine works it out, others do not: "
"""Before the reason, whose shapes and neighbors are those of a machine that is not shown."""
Worked = tuple[Sequence[Place], Sequence[Array]]


def _judged(line: Line, read: Typed, here: Worked, elsewhere: Worked, has_rotors: bool) -> Attempt:
    """The verdict on values; there are none elsewhere where they do not fit here."""
    gaps, beyond = (
        [place.difference(value, line.letter) for place, value in zip(*each, strict=False)]
        for each in (here, elsewhere)
    )
    worst = int(np.argmax(gaps))
    place, value = here[0][worst], here[1][worst]
    most, farther = max(gaps), max(beyond, default=float("inf"))
    verdict: Verdict = "wrong" if not most <= AGREES else "elsewhere" if not farther <= AGREES else "right"
    words = ""
    if value.shape != place.value.shape and line.letter != "N":
        verdict = "misfit"
        words = f"{line.letter} is {shape_of(place.value)} here; what is typed comes to {shape_of(value)}."
    elif not np.isfinite(value).all():
        words = "It is not finite here: something is divided by zero, or a matrix is inverted that has no inverse."
    elif verdict == "elsewhere":
        words = _why_elsewhere(line, elsewhere)
    mistakes = () if verdict == "right" else _explained(line, read, elsewhere[0] or here[0], has_rotors)
    start, end = (read.before, len(read.text)) if words else (0, 0)
    difference, off = (gap if np.isfinite(gap) else None for gap in (most, farther))
    return Attempt(
        line.key, read.text, verdict, words, start, end, place.link, place.contact, value, place.value, difference, off,
        mistakes,
    )  # fmt: skip


def _why_elsewhere(line: Line, elsewhere: Worked) -> str:
    """Why there is no number for how far a line is off on other machines; nothing if there is one."""
    for place, value in zip(*elsewhere, strict=True):
        if len(value) != len(place.value) or (line.letter != "N" and value.shape != place.value.shape):
            return f"{line.letter} is {shape_of(place.value)} there; what is typed comes to {shape_of(value)}."
        if not np.isfinite(value).all():
            return "It is not finite there."
    return ""


def _explained(line: Line, read: Typed, places: Sequence[Place], has_rotors: bool) -> tuple[Mistake, ...]:
    return _explained_at(line, read, tuple(places), has_rotors)


@functools.lru_cache(maxsize=256)
def _explained_at(line: Line, read: Typed, places: tuple[Place, ...], has_rotors: bool) -> tuple[Mistake, ...]:
    return explained(written(right_of(line)), read, places, letters_of(line), line.letter, has_rotors)


@functools.lru_cache(maxsize=4)
def _places(reading: Reading, key: str) -> tuple[Place, ...]:
    return places_of(reading, key)
