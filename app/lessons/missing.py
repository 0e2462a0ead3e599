"""What of a comparison does not hold: what is there, and what is asked, in words."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from itertools import pairwise
from types import MappingProxyType

from app.lessons.language import Expression, path_of, value_of
from app.lessons.values import CONSTANTS, Names, number_of, truth_of
from app.number_text import number_text

MOST, LONGEST = 3, 80
"""Comparisons that are told, and characters of what a side of one is called."""
ASKED: Mapping[type[ast.cmpop], str] = MappingProxyType(
    {
        ast.Lt: "less than ",
        ast.LtE: "at most ",
        ast.Gt: "more than ",
        ast.GtE: "at least ",
        ast.Eq: "",
        ast.NotEq: "another value than ",
    }
)
Signs = Mapping[type[ast.cmpop], type[ast.cmpop]]
TURNED: Signs = MappingProxyType({ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE})
"""The same said from the other side; of any other sign, that sign."""
OPPOSITE: Signs = MappingProxyType(
    {
        ast.Lt: ast.GtE,
        ast.GtE: ast.Lt,
        ast.Gt: ast.LtE,
        ast.LtE: ast.Gt,
        ast.Eq: ast.NotEq,
        ast.NotEq: ast.Eq,
    }
)
SIGNS: Mapping[type[ast.operator], str] = MappingProxyType(
    {ast.Add: " + ", ast.Sub: " − ", ast.Mult: " · ", ast.Div: " / ", ast.MatMult: " · "}
)
FORMS: Mapping[str, str] = MappingProxyType(
    {"abs": "|{}|", "max": "the largest {}", "min": "the smallest {}", "norm": "the size of {}"}
)


def missing(asked: Expression, names: Names) -> str:
    """What does not hold, a clause each; "" where nothing can be told.

    Raises:
        ExpressionError: for what has no value.
    """
    told = list(dict.fromkeys(_missing(asked.tree, names, True)))
    return "; ".join(told[:MOST]) + (f"; and {len(told) - MOST} more" if len(told) > MOST else "")


def _missing(node: ast.expr, names: Names, wanted: bool) -> Iterator[str]:
    """Of everything that would have to be ``wanted``, and is not."""
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _missing(operand, names, not wanted)
        case ast.BoolOp(op=op, values=values):
            # Of what would do as well as another, all is told as one.
            either = isinstance(op, ast.Or) is wanted
            if either and any(truth_of(value_of(each, names)) is wanted for each in values):
                return
            clauses = [clause for each in values for clause in _missing(each, names, wanted)]
            if either and clauses:
                yield ", or ".join(clauses[:MOST])
            else:
                yield from clauses
        case ast.Compare(left=left, ops=ops, comparators=others):
            failing = [
                _compared(one, op, other, names, wanted)
                for (one, other), op in zip(pairwise([left, *others]), ops, strict=True)
                if truth_of(value_of(ast.Compare(one, [op], [other]), names)) is not wanted
            ]
            yield from failing if wanted or len(failing) == len(ops) else ()
        case _:
            if truth_of(value_of(node, names)) is not wanted:
                yield f"{_called(node)} {'does not hold' if wanted else 'holds'}"


def _compared(one: ast.expr, op: ast.cmpop, other: ast.expr, names: Names, wanted: bool) -> str:
    kind = type(op) if wanted else OPPOSITE[type(op)]
    if _is_plain(one) and not _is_plain(other):
        one, other, kind = other, one, TURNED.get(kind, kind)
    here, there = number_of(value_of(one, names)), number_of(value_of(other, names))
    beside = "" if _is_plain(other) else f" ({_called(other)})"
    digits = next((k for k in (4, 6, 9) if number_text(here, digits=k) != number_text(there, digits=k)), 4)
    shown, asked = number_text(here, digits=digits), number_text(there, digits=digits)
    return f"{_called(one)} is {shown}, asked is {ASKED[kind]}{asked}{beside}"


def _is_plain(node: ast.expr) -> bool:
    """Whether it is a number that does not change."""
    return not any(isinstance(each, ast.Name) and each.id not in CONSTANTS for each in ast.walk(node))


def _called(node: ast.expr) -> str:
    text = _words(node)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _words(node: ast.expr) -> str:
    match node:
        case ast.Constant(value=int() | float()):
            return number_text(float(node.value))  # type: ignore[arg-type]
        case ast.Name() | ast.Attribute():
            name, moment = _named(node)
            return f"{name}{moment}"
        case ast.Call(func=func, args=args, keywords=keywords):
            inner = ", ".join(map(_words, args))
            name, moment = _named(func)
            if name in FORMS:
                return FORMS[name].format(inner)
            given = f" {inner}" if all(isinstance(each, ast.Constant) for each in args) else f"({inner})"
            at = f" at {_words(keywords[0].value)} s" if keywords else ""
            return f"{name}{given}{at}{moment}"
        case ast.Subscript(value=value, slice=place):
            return f"{_words(value)} [{ast.unparse(place).strip('()')}]"
        case ast.BinOp(left=left, op=op, right=right):
            return f"{_part(left)}{SIGNS[type(op)]}{_part(right)}"
        case ast.UnaryOp(operand=operand):
            return f"−{_part(operand)}"
        case _:
            return ast.unparse(node).replace("_", " ")


def _named(node: ast.expr) -> tuple[str, str]:
    """(what it is called, of which moment if that is said)."""
    path = path_of(node)
    if path[0] == "holds":
        return f"the identity {'.'.join(path[1:])}", ""
    moment = f" {path[0]} the answer" if path[0] in ("before", "after") and len(path) > 1 else ""
    return " ".join(path[1:] if moment else path).replace("_", " "), moment


def _part(node: ast.expr) -> str:
    return f"({_words(node)})" if isinstance(node, ast.BinOp) else _words(node)
