"""The verdict on a typed line."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from dynamics.checks import Array, brief, text
from dynamics.errors import LineError, ModelError
from dynamics.public import public_as_computed
from dynamics.reading.exercises import has_rotors, letters_of
from dynamics.reading.grammar import Parse, written
from dynamics.reading.interpreter import shape_of
from dynamics.reading.lines import Line
from dynamics.reading.mistakes import Mistake, explained
from dynamics.reading.places import AGREES, Place, part_with, places_elsewhere, places_of, right_of
from dynamics.reading.reading import Reading
from dynamics.record import Record

Verdict = Literal["empty", "refused", "misfit", "wrong", "elsewhere", "right"]


@dataclass(frozen=True, eq=False)
class Attempt(Record):
    """A typed line and the verdict on it.

    Attributes:
        key: the line's key.
        text: what was typed.
        verdict: ``empty``: nothing was typed; ``refused``: it cannot be evaluated; ``misfit``: its shape is wrong;
            ``wrong``: its value is wrong; ``elsewhere``: it agrees at this moment but not at every other; ``right``.
        words: why it is refused or does not fit, here or on other machines.
        start: the first character concerned.
        end: the first character after them.
        link: the link where the value differs most; -1 for none.
        contact: the same for a line of contacts.
        value: the typed line's value there; None if it has none.
        expected: the published line's value there.
        difference: the largest difference at this moment, relative to the terms of the line; None if there is no
            value, or one of another shape.
        beyond: the same at moments of other machines.
        mistakes: the common mistakes that explain it.
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

    It is compared with the published line, with the letters as they are when that runs: everywhere at this moment, and
    at some places of a tree, a flying tree, and a tree and a chain that hold an object, all of them moving. A line is
    right if it agrees everywhere to 1e-12 of the size of its terms, however it is written.

    Args:
        reading: the reading of the moment, without breaks.
        key: the line's key.
        typed: its right side, or the whole line. Letters without an index belong to the current link.

    Returns:
        The verdict, the typed and the published value where they differ most, and the mistakes that explain it.

    Raises:
        ModelError: for a line that the system does not run, or a ``typed`` that is not text.
        StateError: if ``reading`` is not a reading.

    Cost: a few milliseconds; a few tens if a mistake is searched for.
    """
    key, typed = text(key, "key", ModelError), text(typed, "typed", ModelError)
    found = part_with(reading.system, key)
    if found is None:
        raise ModelError(f"this system runs no line {brief(key)}; dynamics.reading.exercises lists them.")
    line = found[1]
    if not typed.strip():
        return Attempt(key, typed, "empty")
    here, elsewhere = _places(reading, key), places_elsewhere(key)
    read, where = None, ""
    try:
        read = written(typed, line.letter)
        values = [place.value_of(read) for place in here]
        fit = line.letter == "N" or all(v.shape == place.value.shape for v, place in zip(values, here, strict=True))
        where = ELSEWHERE
        others = [place.value_of(read) for place in elsewhere] if fit else []
    except LineError as error:
        refused = Attempt(key, typed, "refused", where + str(error), error.start, error.end)
        return refused if read is None else _explained(refused, line, read, elsewhere or here, reading)
    judged = _judged(line, read, (here, values), (elsewhere, others))
    return judged if judged.verdict == "right" else _explained(judged, line, read, elsewhere or here, reading)


ELSEWHERE = "it can be evaluated on this machine, but not on others: "
"""Precedes a reason whose shapes and neighbors belong to a machine that is not shown."""
Worked = tuple[Sequence[Place], Sequence[Array]]


def _judged(line: Line, read: Parse, here: Worked, elsewhere: Worked) -> Attempt:
    """The verdict on values; there are none elsewhere if they do not fit here."""
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
        words = f"{line.letter} is {shape_of(place.value)} here; the typed line is {shape_of(value)}."
    elif not np.isfinite(value).all():
        words = "It is not finite here: something is divided by zero, or a matrix without an inverse is inverted."
    elif verdict == "elsewhere":
        words = _why_elsewhere(line, elsewhere)
    start, end = (read.before, len(read.text)) if words else (0, 0)
    difference, off = (gap if np.isfinite(gap) else None for gap in (most, farther))
    return Attempt(
        line.key, read.text, verdict, words, start, end, place.link, place.contact, value, place.value, difference, off
    )


def _why_elsewhere(line: Line, elsewhere: Worked) -> str:
    """Why a line's difference on other machines is not a number; empty if it is one."""
    for place, value in zip(*elsewhere, strict=True):
        if len(value) != len(place.value) or (line.letter != "N" and value.shape != place.value.shape):
            return f"{line.letter} is {shape_of(place.value)} there; the typed line is {shape_of(value)}."
        if not np.isfinite(value).all():
            return "It is not finite there."
    return ""


def _explained(found: Attempt, line: Line, read: Parse, places: Sequence[Place], reading: Reading) -> Attempt:
    return replace(found, mistakes=_mistakes(line, read, tuple(places), has_rotors(reading.system)))


@functools.lru_cache(maxsize=256)
def _mistakes(line: Line, read: Parse, places: tuple[Place, ...], has_rotors: bool) -> tuple[Mistake, ...]:
    return explained(written(right_of(line)), read, places, letters_of(line), line.letter, has_rotors)


_places = functools.lru_cache(maxsize=4)(places_of)
