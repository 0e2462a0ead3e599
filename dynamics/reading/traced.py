"""A formulation, run: every letter of every sweep, and every half-step in the order in which it was called."""

from __future__ import annotations

import ast
import functools
from collections.abc import Mapping
from dataclasses import dataclass
from types import CodeType
from typing import Any

import numpy as np

from dynamics.reading.breaks import keys_in
from dynamics.reading.broken_text import altered_source
from dynamics.reading.lines import lines_of, room_of, sweeps_of
from dynamics.textbook.stages import Part

VISIT = "visit"


@dataclass(frozen=True, eq=False)
class Visit:
    """One call of a half-step; of a sweep that has none, the sweep itself."""

    part: Part
    block: str
    indices: Mapping[str, int]


@dataclass(frozen=True, eq=False)
class Trace:
    """What a run has left.

    Attributes:
        visits: in their order.
        scopes: for each part its letters: what it was given, what it computed, and the functions that it uses.
        letters: the last value of every letter.
    """

    visits: tuple[Visit, ...]
    scopes: Mapping[Part, Mapping[str, Any]]
    letters: Mapping[str, Any]


def traced(parts: tuple[Part, ...], given: Mapping[str, Any], keys: frozenset[str] = frozenset()) -> Trace:
    """Runs the parts one after the other; each reads its letters by the names of its parameters.

    Args:
        keys: of breaks.
    """
    letters, scopes, visits = dict(given), {}, list[Visit]()
    for part in parts:
        calls = list[tuple[str, dict[str, int]]]()
        names: dict[str, Any] = {"__name__": f"{room_of(part.text)}.{part.text}"}
        names[VISIT] = lambda *call, calls=calls: calls.append(call)
        exec(_compiled(part.text, keys_in(part.text, keys)), names)
        definition = sweeps_of(part.text)[part.function]
        arguments = {each.arg: letters[part.renamed_letter(each.arg)] for each in definition.args.args}
        with np.errstate(all="ignore"):
            found = names[part.function](**arguments)
        results = dict(zip(_results(definition), found, strict=True))
        letters |= results
        scopes[part] = names | arguments | results
        visits += [Visit(part, block, indices) for block, indices in calls] or [Visit(part, "", {})]
    return Trace(tuple(visits), scopes, letters)


def _results(definition: ast.FunctionDef) -> list[str]:
    last = definition.body[-1]
    assert isinstance(last, ast.Return)
    assert isinstance(last.value, ast.Tuple)
    return [each.id for each in last.value.elts if isinstance(each, ast.Name)]


@functools.lru_cache(maxsize=256)
def _compiled(text: str, keys: frozenset[str]) -> CodeType:
    """The module, each of whose half-steps says first that it is called, and for whom."""
    tree = ast.parse(altered_source(text, keys))
    told = {(line.function, line.block) for line in lines_of(text)}
    for sweep in [each for each in tree.body if isinstance(each, ast.FunctionDef)]:
        for block in [each for each in sweep.body if isinstance(each, ast.FunctionDef)]:
            if (sweep.name, block.name) in told:
                indices = ", ".join(f"{each.arg!r}: {each.arg}" for each in block.args.args)
                block.body.insert(0, ast.parse(f"{VISIT}({block.name!r}, {{{indices}}})").body[0])
    return compile(ast.fix_missing_locations(tree), f"{text}.py", "exec")
