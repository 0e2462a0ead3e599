"""The text, run: every letter of every sweep, for one state."""

from __future__ import annotations

import ast
import functools
import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dynamics.reading.altered import altered_source
from dynamics.reading.breaks import keys_in
from dynamics.reading.lines import sweeps_of
from dynamics.textbook.stages import Part

Scope = Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Evaluation:
    """What a run of the text has left.

    Attributes:
        scopes: for each part its letters: what it was given, what it computed, and the functions that it uses.
        computed: for each part the letters that it computed, in its own order.
        letters: the last value of every letter.
    """

    scopes: Mapping[Part, Scope]
    computed: Mapping[Part, tuple[str, ...]]
    letters: Scope


def evaluate(parts: tuple[Part, ...], given: Scope, keys: frozenset[str]) -> Evaluation:
    """Runs the parts one after the other; each reads its letters by the names of its parameters.

    Args:
        keys: of breaks.
    """
    letters, scopes, computed = dict(given), {}, {}
    with np.errstate(all="ignore"):  # a broken algorithm may divide by zero, and then says so by its numbers
        for part in parts:
            sweep = _sweep(part.text, part.function, keys_in(part.text, keys))
            arguments = {name: letters[part.renamed_letter(name)] for name in sweep.parameters}
            found = sweep.function(**arguments)
            results = dict(zip(sweep.results, found, strict=True))
            letters |= results
            scopes[part], computed[part] = sweep.names | arguments | results, sweep.results
    return Evaluation(scopes, computed, letters)


@dataclass(frozen=True, eq=False)
class _Sweep:
    function: Callable[..., tuple[Any, ...]]
    parameters: tuple[str, ...]
    results: tuple[str, ...]
    names: dict[str, Any]


@functools.lru_cache(maxsize=512)
def _names(text: str, keys: frozenset[str]) -> dict[str, Any]:
    """Without breaks those of the module itself, with them what the altered text defines."""
    if not keys:
        return vars(importlib.import_module(f"dynamics.textbook.{text}"))
    names: dict[str, Any] = {"__name__": f"dynamics.textbook.{text}"}
    exec(compile(altered_source(text, keys), f"dynamics/textbook/{text}.py", "exec"), names)
    return names


@functools.lru_cache(maxsize=2048)
def _sweep(text: str, function: str, keys: frozenset[str]) -> _Sweep:
    names, definition = _names(text, keys), sweeps_of(text)[function]  # a break changes neither arguments nor results
    last = definition.body[-1]
    assert isinstance(last, ast.Return)
    assert isinstance(last.value, ast.Tuple)
    results = tuple(each.id for each in last.value.elts if isinstance(each, ast.Name))
    return _Sweep(names[function], tuple(argument.arg for argument in definition.args.args), results, names)
