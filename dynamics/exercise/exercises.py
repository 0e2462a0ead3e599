"""The lines of a machine that can be practised, each with the letters that exist when it runs."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from dynamics.exercise.places import AFTERWARDS
from dynamics.public import public
from dynamics.reading import textbook_letters, textbook_lines
from dynamics.reading.lines import Line, lines_run, sweeps_of
from dynamics.record import Record
from dynamics.system.registry import Quantity
from dynamics.system.system import System
from dynamics.textbook.stages import parts_of
from dynamics.textbook.symbols import SYMBOLS, Shape


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
class Exercise(Record):
    """One line of the text for the student to write.

    Attributes:
        key: the line's key.
        stage: the first stage that runs it.
        sweep: the function that contains it.
        left: its left side as typed, ``D[k]``.
        right: its right side as published.
        number: its line number in the file.
        file: the file that contains it.
        equation: paper and number.
        latex_left: its left side in LaTeX.
        latex: the whole equation in LaTeX.
        shape: the shape of its value, in words.
        quantity: what it computes.
        letters: the letters that it may use, in the order of the sweep.
    """

    key: str
    stage: str
    sweep: str
    left: str
    right: str
    number: int
    file: str
    equation: str
    latex_left: str
    latex: str
    shape: str
    quantity: Quantity
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
    meanings = _meanings()
    found = []
    for part in parts_of(system):
        if part.stage == AFTERWARDS:
            continue
        for line in lines_run(system, part):
            if (text := lines_by_key.get((part.stage, line.key))) is None:
                continue
            found.append(
                Exercise(
                    key=line.key,
                    stage=part.stage,
                    sweep=line.function,
                    left=ast.unparse(line.statement.targets[0]),
                    right=text.source.partition(" = ")[2],
                    number=text.number,
                    file=text.file,
                    equation=text.equation,
                    latex_left=text.left,
                    latex=text.latex,
                    shape=shape_in_words(SYMBOLS[line.letter].shape),
                    quantity=text.quantity,
                    letters=tuple(_in_scope(name, line, meanings) for name in letters_of(line)),
                )
            )
    return tuple(found)


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


def _meanings() -> dict[str, str]:
    found: dict[str, str] = {}
    for letter in textbook_letters():
        found.setdefault(letter.name, letter.quantity.mechanics_name)
    return found


def _in_scope(name: str, line: Line, meanings: dict[str, str]) -> ScopeLetter:
    called = {"phi": "phi(i, k)" if "i" in line.arguments else "phi(k, j)", "psi": "psi(k, c)"}
    return ScopeLetter(called.get(name, name), shape_in_words(SYMBOLS[name].shape), meanings.get(name, ""))


def letters_of(line: Line) -> tuple[str, ...]:
    """The inputs and results of the sweep, and the letters for one and zero."""
    sweep = sweeps_of(line.text)[line.function]
    names = [each.arg for each in sweep.args.args]
    for statement in sweep.body:
        if isinstance(statement, ast.FunctionDef):
            names.append(statement.name)
        elif isinstance(statement, ast.Assign) and (line.block or statement.lineno < line.number):
            names += [each.id for each in ast.walk(statement.targets[0]) if isinstance(each, ast.Name)]
    return tuple(name for name in dict.fromkeys((*names, "I")) if name in SYMBOLS)
