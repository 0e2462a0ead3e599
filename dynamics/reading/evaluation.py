"""Runs the text: every letter of every sweep, for one state."""

from __future__ import annotations

import ast
import functools
import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import CodeType
from typing import Any

import numpy as np

from dynamics.checks import Array
from dynamics.errors import LineError
from dynamics.reading.breaks import altered_source, keys_in, lines_by_key
from dynamics.reading.grammar import written
from dynamics.reading.interpreter import Interpreter
from dynamics.reading.lines import all_lines, lines_of, sweeps_of
from dynamics.textbook.stages import Part
from dynamics.textbook.symbols import SYMBOLS

Scope = Mapping[str, Any]
Hook = Callable[[str, Callable[[], Any], dict[str, Any]], Any]
"""Called for the value of a line with its key, a function for its published right side, and the names in scope."""
ASKED = "line_asked_for"


@dataclass(frozen=True, eq=False)
class Visit:
    """One call of a half-step, or of a sweep without half-steps."""

    part: Part
    block: str
    indices: Mapping[str, int]


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The results of running a text.

    Attributes:
        scopes: letters of each part: its inputs, its results, and the functions that it uses.
        computed: letters that each part computed, in its own order.
        letters: the last value of every letter.
        visits: half-steps in order, if they were requested.
    """

    scopes: Mapping[Part, Scope]
    computed: Mapping[Part, tuple[str, ...]]
    letters: Scope
    visits: tuple[Visit, ...] = ()


def evaluate(
    parts: tuple[Part, ...],
    given: Scope,
    keys: frozenset[str],
    typed: Mapping[str, str] | None = None,
    is_traced: bool = False,
) -> Evaluation:
    """Runs the parts in order, with breaks; each reads its letters by the names of its parameters.

    ``typed`` lines, by key, are evaluated by ``interpreter``, the others are executed; ``is_traced``: half-steps are
    listed as they are called.

    Raises:
        LineError: for a typed line that cannot be evaluated.
    """
    letters, scopes, computed, visits = dict(given), {}, {}, list[Visit]()
    with np.errstate(all="ignore"):  # a broken algorithm may divide by zero, which its numbers then show
        for part in parts:
            own = {line.key for line in lines_of(part.text)} & typed.keys() if typed else frozenset()
            broken = keys_in(part.text, keys)
            if is_traced:
                tracer = _Tracer(part, visits)
                sweep = hooked_sweep(part, broken, frozenset(tracer.first), tracer)
            elif own and typed:
                sweep = hooked_sweep(part, broken, frozenset(own), _TypedLines(typed))
            else:
                sweep = _sweep(part.text, part.function, broken)
            arguments = {name: letters[part.renamed.get(name, name)] for name in sweep.parameters}
            found = sweep.function(**arguments)
            results = dict(zip(sweep.results, found, strict=True))
            letters |= results
            scopes[part], computed[part] = sweep.names | arguments | results, sweep.results
    return Evaluation(scopes, computed, letters, tuple(visits))


@dataclass(frozen=True, eq=False)
class _Sweep:
    function: Callable[..., tuple[Any, ...]]
    parameters: tuple[str, ...]
    results: tuple[str, ...]
    names: dict[str, Any]


class _Tracer:
    """Lists each half-step as its first line runs."""

    def __init__(self, part: Part, visits: list[Visit]) -> None:
        own = [line for line in lines_of(part.text) if line.function == part.function]
        self.first = {line.key: line for line in {line.block: line for line in reversed(own)}.values()}
        self._part, self._visits = part, visits

    def __call__(self, key: str, published: Callable[[], Any], scope: dict[str, Any]) -> Any:
        line = self.first[key]
        self._visits.append(Visit(self._part, line.block, {name: scope[name] for name in line.arguments}))
        return published()


class _TypedLines:
    """Evaluates the lines that were typed."""

    def __init__(self, typed: Mapping[str, str]) -> None:
        self._lines = {line.key: line for line in all_lines() if line.key in typed}
        self._read = {key: written(typed[key], line.letter) for key, line in self._lines.items()}

    def __call__(self, key: str, published: Callable[[], Any], scope: dict[str, Any]) -> Array:
        shape = SYMBOLS[self._lines[key].letter].shape
        wanted = shape if all(isinstance(size, int) for size in shape) else np.shape(published())
        value: Array = Interpreter(self._read[key], scope).value(wanted)
        if value.shape != wanted:
            shapes = " instead of ".join(f"{rows}×{columns}" for rows, columns in (value.shape, wanted))
            raise LineError(f"{key}: the typed line is {shapes}.", 0, len(self._read[key].text))
        return value


def hooked_sweep(part: Part, keys: frozenset[str], lines: frozenset[str], hook: Hook) -> _Sweep:
    """A sweep, with breaks in its text, that calls a hook for the value of some of its lines."""
    names = {**_names(part.text, keys), ASKED: hook}
    exec(_hooked(part.text, part.function, keys, lines), names)
    left = {name: each for name, each in names.items() if name != ASKED}
    return _Sweep(names[part.function], *_signature(part.text, part.function), left)


@functools.lru_cache(maxsize=512)
def _hooked(text: str, function: str, keys: frozenset[str], lines: frozenset[str]) -> CodeType:
    """One sweep with these lines rewritten: each calls the hook and passes its own right side."""
    source, own = altered_source(text, keys), lines_by_key(text)
    wanted = {own[key].number: key for key in lines if key in own}
    published = sweeps_of(text)[function]
    first, last = published.lineno - 1, published.end_lineno  # a break does not change line numbers
    tree = ast.parse("\n" * first + "".join(source.splitlines(keepends=True)[first:last]))
    (sweep,) = (each for each in tree.body if isinstance(each, ast.FunctionDef))
    before = [each.arg for each in sweep.args.args]
    for statement in sweep.body:
        if isinstance(statement, ast.FunctionDef):
            names = [*before, *(each.arg for each in statement.args.args)]
            for inner in statement.body:
                _ask(inner, names, wanted)
            before.append(statement.name)
        else:
            _ask(statement, before, wanted)
            if isinstance(statement, ast.Assign):
                targets = [each for target in statement.targets for each in ast.walk(target)]
                before += [each.id for each in targets if isinstance(each, ast.Name)]
    return compile(ast.fix_missing_locations(tree), f"{text}.py", "exec")


def _ask(statement: ast.stmt, names: Iterable[str], wanted: Mapping[int, str]) -> None:
    if isinstance(statement, ast.Assign) and statement.lineno in wanted:
        nothing = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
        given = dict.fromkeys(names)
        scope = ast.Dict([ast.Constant(name) for name in given], [ast.Name(name, ast.Load()) for name in given])
        key = ast.Constant(wanted[statement.lineno])
        asked = ast.Call(ast.Name(ASKED, ast.Load()), [key, ast.Lambda(nothing, statement.value), scope], [])
        statement.value = asked


@functools.lru_cache(maxsize=512)
def _names(text: str, keys: frozenset[str]) -> dict[str, Any]:
    """Without breaks the module's own names, with breaks those that the altered text defines."""
    if not keys:
        return vars(importlib.import_module(f"dynamics.textbook.{text}"))
    names: dict[str, Any] = {"__name__": f"dynamics.textbook.{text}"}
    exec(compile(altered_source(text, keys), f"{text}.py", "exec"), names)
    return names


@functools.lru_cache(maxsize=2048)
def _sweep(text: str, function: str, keys: frozenset[str]) -> _Sweep:
    names = _names(text, keys)
    return _Sweep(names[function], *_signature(text, function), names)


@functools.cache
def _signature(text: str, function: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A sweep's parameters and results; a break changes neither."""
    definition = sweeps_of(text)[function]
    last = definition.body[-1]
    assert isinstance(last, ast.Return)
    assert isinstance(last.value, ast.Tuple)
    results = tuple(each.id for each in last.value.elts if isinstance(each, ast.Name))
    return tuple(argument.arg for argument in definition.args.args), results
