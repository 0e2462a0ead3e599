"""The lines of a machine that can be practised, each with the letters that exist when it runs."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from dynamics.public import public
from dynamics.reading.contents import TextLine, textbook_letters, textbook_lines
from dynamics.reading.lines import Line, lines_run, sweeps_of
from dynamics.reading.places import AFTERWARDS
from dynamics.record import Record
from dynamics.system.system import System
from dynamics.textbook.stages import parts_of
from dynamics.textbook.symbols import CONSTANTS, SYMBOLS, Shape


@dataclass(frozen=True, eq=False)
class ScopeLetter(Record):
    """A letter that a line may use.

    Attributes:
        name: as it is typed.
        shape: rows and columns, in words.
        meaning: its meaning in mechanics.
    """

    name: str
    shape: str
    meaning: str


@dataclass(frozen=True, eq=False)
class Exercise(TextLine):
    """One line of the text for the student to write.

    Attributes:
        sweep: the function that contains it.
        typed_left: its left side as typed, ``D[k]``.
        right: its right side as published.
        shape: the shape of its value, in words.
        letters: the letters that it may use, in the order of the sweep.
    """

    sweep: str
    typed_left: str
    right: str
    shape: str
    letters: tuple[ScopeLetter, ...]


@public
def exercises(system: System) -> tuple[Exercise, ...]:
    """Every line that a system runs, each once, in the order of the text: the exercises.

    Args:
        system: determines the stages.

    Returns:
        One exercise per line.

    Cost: about 10 ms.
    """
    lines_by_key = {(line.stage, line.key): line for line in textbook_lines(system)}
    meanings = {letter.name: letter.quantity.mechanics_name for letter in reversed(textbook_letters())}
    found = []
    for part in parts_of(system):
        for line in lines_run(system, part) if part.stage != AFTERWARDS else ():
            text, called = lines_by_key[part.stage, line.key], dict(CALLED)
            right = text.source.partition(" = ")[2]
            own = dict(meanings)
            if carried := re.search(r"phi\((\w), (\w)\)", right):
                called["phi"], (to, start) = carried.group(), carried.groups()
                own["phi"] = own["phi"].replace("from O_j to O_k", f"from O_{start} to O_{to}")
            letters = (
                ScopeLetter(called.get(name, name), shape_in_words(SYMBOLS[name].shape), own.get(name, ""))
                for name in letters_of(line)
            )
            left, shape = ast.unparse(line.statement.targets[0]), shape_in_words(SYMBOLS[line.letter].shape)
            found.append(Exercise(**vars(text), sweep=line.function, typed_left=left, right=right, shape=shape,
                                  letters=tuple(letters)))  # fmt: skip
    return tuple(found)


CALLED = {"phi": "phi(k, j)", "psi": "psi(k, c)"}
"""Letters that are typed with both of their places; phi with those that the line carries between."""


def shape_in_words(shape: Shape) -> str:
    """Rows by columns."""
    return f"{shape[0]}×{shape[1]}" if isinstance(shape[0], int) else f"{shape[0]} × {shape[1]}"


def has_rotors(system: System) -> bool:
    """Whether any joint has a rotor; if none has, the feedback mentions none.

    Args:
        system: The machine whose equations are written.

    Returns:
        True if at least one joint has a rotor inertia that is not zero.
    """
    return any(joint.rotor_inertia for robot in system.robots for joint in robot.joints)


def letters_of(line: Line) -> tuple[str, ...]:
    """The inputs and results of the sweep, and the letters for one and zero."""
    sweep = sweeps_of(line.text)[line.function]
    names = [each.arg for each in sweep.args.args]
    for statement in sweep.body:
        if isinstance(statement, ast.FunctionDef):
            names.append(statement.name)
        elif isinstance(statement, ast.Assign) and (line.block or statement.lineno < line.number):
            names += [each.id for each in ast.walk(statement.targets[0]) if isinstance(each, ast.Name)]
    return tuple(name for name in dict.fromkeys((*names, *CONSTANTS)) if name in SYMBOLS)
