"""The text itself: its numbered lines, found in its syntax tree."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Set
from dataclasses import dataclass, replace
from importlib.resources import files

from dynamics.reading.expression import Sum, parse
from dynamics.system.system import System
from dynamics.textbook.contents import formulation_for
from dynamics.textbook.letters import ALPHABETS
from dynamics.textbook.stages import Part, meetings
from dynamics.textbook.symbols import SYMBOLS

TEXTS = ("arm", "contact", "free_flyer")


@dataclass(frozen=True, eq=False)
class Line:
    """One line that computes a letter.

    Attributes:
        key: its identifier in an address: sweep, half-step and letter; for another formulation preceded by its module.
        text, function, block: its place: module, sweep, and the half-step within it, empty if a sweep
            has none.
        arguments: of the half-step's call: ``k``, or a contact ``c`` and its link.
        letter, indices: what it computes.
        number: of the line in its file, from 1.
        source: as written, its equation's number included.
        statement: its node in the syntax tree.
    """

    key: str
    text: str
    function: str
    block: str
    arguments: tuple[str, ...]
    letter: str
    indices: tuple[ast.expr, ...]
    number: int
    source: str
    statement: ast.Assign
    right: Sum


@functools.cache
def source_of(text: str) -> str:
    """The source of a module of the text, or of another formulation."""
    return (files("dynamics.textbook") / f"{text}.py").read_text(encoding="utf-8")


@functools.cache
def sweeps_of(text: str) -> dict[str, ast.FunctionDef]:
    """The functions of a module, by name."""
    return {each.name: each for each in ast.parse(source_of(text)).body if isinstance(each, ast.FunctionDef)}


@functools.cache
def lines_of(text: str) -> tuple[Line, ...]:
    """The lines of a module that compute one of its letters from others, in the order of the text."""
    computed = {name for name, symbol in SYMBOLS.items() if symbol.quantity} | ALPHABETS.get(text, {}).keys()
    rows, found = source_of(text).splitlines(), list[Line]()
    for sweep in sweeps_of(text).values():
        blocks = [statement for statement in sweep.body if isinstance(statement, ast.FunctionDef)]
        for block in blocks or [sweep]:
            if not blocks or any(_computes(statement, computed) for statement in block.body):
                found += [
                    _line(text, sweep, block, statement, rows)
                    for statement in block.body
                    if _computes(statement, computed)
                ]
    keys = numbered(line.key for line in found)
    return tuple(replace(line, key=key) for line, key in zip(found, keys, strict=True))


def numbered(names: Iterable[str]) -> list[str]:
    """The names, with _2 appended to the second of a kind, and so on."""
    found: list[str] = []
    count: dict[str, int] = {}
    for name in names:
        count[name] = count.get(name, 0) + 1
        found.append(name if count[name] == 1 else f"{name}_{count[name]}")
    return found


def _computes(statement: ast.stmt, letters: Set[str]) -> bool:
    """Whether a statement is an equation: one letter on the left, and on the right more than a rearranged matrix."""
    if not isinstance(statement, ast.Assign):
        return False
    if isinstance(statement.value, ast.Call) and isinstance(statement.value.func, ast.Attribute):
        return False
    target = statement.targets[0]
    name = target.value if isinstance(target, ast.Subscript) else target
    return isinstance(name, ast.Name) and name.id in letters


def _line(text: str, sweep: ast.FunctionDef, block: ast.FunctionDef, statement: ast.stmt, rows: list[str]) -> Line:
    assert isinstance(statement, ast.Assign)
    target = statement.targets[0]
    indices: tuple[ast.expr, ...] = ()
    if isinstance(target, ast.Subscript):
        indices = tuple(target.slice.elts) if isinstance(target.slice, ast.Tuple) else (target.slice,)
        target = target.value
    assert isinstance(target, ast.Name)
    inner = "" if block is sweep else block.name
    return Line(
        key=".".join(part for part in ("" if text in TEXTS else text, sweep.name, inner, target.id) if part),
        text=text,
        function=sweep.name,
        block=inner,
        arguments=() if block is sweep else tuple(argument.arg for argument in block.args.args),
        letter=target.id,
        indices=indices,
        number=statement.lineno,
        source=rows[statement.lineno - 1].strip(),
        statement=statement,
        right=parse(statement.value),
    )


def lines_run(system: System, part: Part) -> tuple[Line, ...]:
    """The lines of a part that run at some place of a system."""
    return tuple(line for line in lines_of(part.text) if line.function == part.function and _runs(system, line))


def formulation_lines_run(system: System, name: str) -> tuple[Line, ...]:
    """The lines of a formulation that run at some link of a system it serves, in the order of its sweeps."""
    parts = formulation_for(system, name).parts_for(system)
    lines = [line for part in parts for line in lines_of(part.text) if line.function == part.function]
    return tuple(line for line in lines if system.is_floating or line.block != "base")


def _runs(system: System, line: Line) -> bool:
    if line.function == "object_bias":  # a free object has no stage
        return system.is_held
    if line.block == "base":
        return system.is_floating
    if line.block == "coupling":
        return bool(meetings(system))
    return True


@functools.cache
def all_lines() -> tuple[Line, ...]:
    """Every line of the text."""
    return tuple(line for text in TEXTS for line in lines_of(text))


@functools.cache
def formulated_lines() -> tuple[Line, ...]:
    """Every line of the other formulations."""
    return tuple(line for text in ALPHABETS for line in lines_of(text))
