"""What of an expression's names there is none of in any machine: told as it is read, before anything is computed."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

import dynamics as dyn
from app.lessons.language import Expression, parsed, path_of, refuse_count
from app.lessons.quantities import COUNTED, ONLY_POINTED, QUANTITIES, STAGES, unknown
from app.lessons.values import CONSTANTS, FUNCTIONS, ExpressionError

THREE = ("holds", "text", "answers", "counted")
"""Stand before two names each."""


def known(text: str, live: Collection[str] = ()) -> Expression:
    """Reads an expression of names that there are; what a machine at hand lacks of them is told when it is computed.

    Args:
        live: names that only the page gives a value, as ``link``, or that the step does.

    Raises:
        ExpressionError: for what is not of the language, and for a name that there is none of.
    """
    found = parsed(text)
    for path, values in _asked(found.tree):
        if len(path) == 1 and path[0] in live:
            continue
        if len(path) == 1 and values is not None and path[0] in FUNCTIONS:
            refuse_count(path[0], values)
        elif not (len(path) == 1 and values is None and path[0] in CONSTANTS):
            _refuse_unknown(path)
    return found


def written(text: str, live: Collection[str] = ()) -> Expression:
    """Reads what stands between double braces: of plain numbers alone it would be a number that is typed.

    Args:
        live: names of what the step supposes.

    Raises:
        ExpressionError: for what is not of the language, names what there is none of, or asks nothing of the moment.
    """
    found = known(text, live)
    if asks_nothing(found):
        raise ExpressionError(f"{found.text} asks nothing of the moment, and cannot be wrong; name what gives it.")
    return found


def asks_nothing(expression: Expression, supposed: Collection[str] = ()) -> bool:
    """Whether it is made of plain numbers alone, and so is worth the same of any machine.

    Args:
        supposed: names of numbers that are as plain.
    """
    plain = (*FUNCTIONS, *CONSTANTS, *supposed)
    return all(path[0] in plain for path, _ in _asked(expression.tree))


def is_taken(name: str) -> bool:
    """Whether a name stands for something already, in any step."""
    return name in (*QUANTITIES, *STAGES, *FUNCTIONS, *CONSTANTS, *THREE, "link", "before", "after")


def _asked(node: ast.AST) -> Iterator[tuple[tuple[str, ...], int | None]]:
    """(path, how many values it is given, or None) of everything that is asked for by its name."""
    match node:
        case ast.Name() | ast.Attribute():
            yield path_of(node), None
            return
        case ast.Call(func=func, args=args):
            yield path_of(func), len(args)
            inner: list[ast.AST] = [*args, *(word.value for word in node.keywords)]
        case _:
            inner = list(ast.iter_child_nodes(node))
    for each in inner:
        yield from _asked(each)


def _refuse_unknown(path: tuple[str, ...]) -> None:
    whole = ".".join(path)
    if path[0] in ("before", "after") and len(path) > 1:
        path = path[1:]
    if path == ("link",):
        raise ExpressionError(ONLY_POINTED)
    if path[0] in FUNCTIONS and len(path) == 1:
        raise ExpressionError(f"{path[0]} is asked for with brackets, as {path[0]}(…).")
    if path[0] in THREE and len(path) == 3:
        _, stage, name = path
        if path[0] == "text" and (stage, name) not in dyn.registry:
            raise ExpressionError(unknown(whole))
        if path[0] == "counted" and name not in COUNTED:
            raise ExpressionError(f"{name[:40]} are not counted; there are {', '.join(COUNTED)}.")
        return
    if len(path) == 2 and path[0] in STAGES:
        if path not in dyn.registry:
            raise ExpressionError(unknown(whole))
    elif len(path) > 1 or path[0] not in QUANTITIES:
        raise ExpressionError(unknown(whole))
