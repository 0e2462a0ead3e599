"""Every part of a tree, and how to put another one in its place."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from dynamics.typed.grammar import FUNCTIONS

Put = Callable[[ast.expr], ast.expr]


def spots(
    node: ast.expr, indices: tuple[str, ...], put: Put = lambda new: new
) -> Iterator[tuple[ast.expr, Put, tuple[str, ...]]]:
    """Every part of a tree, how to put another in its place, and the indices that it sees."""
    yield node, put, indices
    for name in ("left", "right", "operand", "value"):
        inner = getattr(node, name, None)
        if isinstance(inner, ast.expr) and not isinstance(node, ast.Subscript):
            yield from spots(inner, indices, _within(node, name, put))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id == "sum" and isinstance(node.args[0], ast.GeneratorExp):
            running = node.args[0]
            target = running.generators[0].target
            assert isinstance(target, ast.Name)
            yield from spots(running.elt, (*indices, target.id), _within_sum(node, put))
        elif node.func.id in FUNCTIONS:
            for at, each in enumerate(node.args):
                yield from spots(each, indices, _within_call(node, at, put))


def copied(node: ast.expr) -> Any:
    """Another node with the same parts; ``copy.copy`` would take twenty times as long."""
    other = type(node)()
    vars(other).update(vars(node))
    return other


def _within(node: ast.expr, name: str, put: Put) -> Put:
    def placed(new: ast.expr) -> ast.expr:
        other = copied(node)
        setattr(other, name, new)
        return put(other)

    return placed


def _within_sum(node: ast.Call, put: Put) -> Put:
    def placed(new: ast.expr) -> ast.expr:
        running = copied(node.args[0])
        running.elt = new
        return put(ast.Call(node.func, [running], []))

    return placed


def _within_call(node: ast.Call, at: int, put: Put) -> Put:
    return lambda new: put(ast.Call(node.func, [*node.args[:at], new, *node.args[at + 1 :]], []))
