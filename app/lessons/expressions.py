"""Expressions of lessons: quantities, arithmetic and comparisons, in Python's syntax but never run by Python.

Python's parser reads the text. Its tree is translated here, and unlisted nodes are refused. Text, depth and
numbers are bounded. Everything here raises ``ExpressionError``.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Value = float | bool | Array
Path = tuple[str, ...]
LONGEST, MOST_NODES, DEEPEST, LARGEST = 300, 120, 20, 1e15
"""Characters, nodes and depth of an expression, and its largest number."""


class ExpressionError(ValueError):
    """An invalid expression, or one without a value; and the line of its text, if known."""

    def __init__(self, words: str, line: int = 0) -> None:
        super().__init__(words)
        self.line = line


class Names(Protocol):
    """Gives a dotted name its value: of a link or an arm (counted from 1), at a time (s) if one is given."""

    def value(self, path: Path, at: tuple[int, ...], time: float | None) -> Value: ...


Evaluate = Callable[[Names], Any]


def _half(spatial: Value, k: int) -> Value:
    """The angular or linear half of a spatial vector or matrix."""
    found = np.reshape(spatial, (2, 3) * np.ndim(spatial))
    return found[k] if found.ndim == 2 else found[k, :, k]


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "abs": lambda one: np.abs(one),
    "max": lambda *values: np.max(np.concatenate([np.ravel(each) for each in values])),
    "min": lambda *values: np.min(np.concatenate([np.ravel(each) for each in values])),
    "sum": lambda one: np.sum(one),
    "norm": lambda one: np.linalg.norm(one),
    "sqrt": lambda one: math.sqrt(one),
    "sin": lambda one: math.sin(one),
    "cos": lambda one: math.cos(one),
    "acos": lambda one: math.acos(one),
    "dot": lambda one, other: np.vecdot(one, other),
    "trace": lambda one: np.trace(one),
    "transposed": lambda one: np.matrix_transpose(one),
    "eigenvalues": lambda one: np.linalg.eigvalsh(one),
    "angular": lambda one: _half(one, 0),
    "linear": lambda one: _half(one, 1),
}
"""Wrapped to take exactly these arguments: numpy could write to a further one."""
OPERATORS: Mapping[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.MatMult: operator.matmul, ast.USub: operator.neg, ast.UAdd: operator.pos,
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.Not: operator.not_, ast.And: lambda *values: all(values), ast.Or: lambda *values: any(values),
    ast.Eq: math.isclose, ast.NotEq: lambda one, other: not math.isclose(one, other),
}  # fmt: skip
KNOWN = (
    "Allowed: quantities, numbers with a decimal point, + - * / @, the comparisons < <= > >= == !=, and, or, not, and "
    + ", ".join(FUNCTIONS)
)


@dataclass(frozen=True)
class Expression:
    """A text of this language, its tree, and the function that evaluates it."""

    text: str
    tree: ast.expr
    evaluate: Evaluate

    def value(self, names: Names) -> Value:
        try:
            with np.errstate(all="ignore"):
                found = self.evaluate(names)
        except ExpressionError:
            raise
        except (ArithmeticError, ValueError, TypeError, IndexError) as error:  # numpy's, for operands that do not fit
            raise ExpressionError(f"{self.text} has no value: {error}.") from None
        return found if isinstance(found, bool) or np.ndim(found) else float(found)

    def number(self, names: Names) -> float:
        found = self.value(names)
        if isinstance(found, bool) or np.ndim(found) or not math.isfinite(found):
            raise ExpressionError(f"{self.text} is not one finite number; take an entry of a vector by [1].")
        return float(found)

    def holds(self, names: Names) -> bool:
        found = self.value(names)
        if not isinstance(found, bool):
            raise ExpressionError(f"{self.text} is a value, not a comparison; write one, as {self.text} > 0.")
        return found

    @property
    def is_size(self) -> bool:
        """Whether it is a magnitude, so that the sign of an answer is ignored."""
        tree = self.tree
        return isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.func.id in ("abs", "norm")


def parse(text: str) -> Expression:
    """Parses an expression, and refuses anything outside this language."""
    text = text.strip()
    if not (0 < len(text) <= LONGEST and text.isascii() and text.isprintable()):
        raise ExpressionError(f"an expression is one line of 1 to {LONGEST} ASCII characters.")
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError, OverflowError):
        raise ExpressionError(f"{text} cannot be read: a sign or a bracket is missing or too many. {KNOWN}.") from None
    if sum(1 for _ in ast.walk(tree)) > MOST_NODES:
        raise ExpressionError("it is too long; write it in several.")
    return Expression(text, tree, _translated(tree, 1))


def _translated(node: ast.expr, depth: int) -> Evaluate:
    if depth > DEEPEST:
        raise ExpressionError("it is too deep; write it in several.")

    def apply(function: Callable[..., Any], *nodes: ast.expr) -> Evaluate:
        parts = [_translated(each, depth + 1) for each in nodes]
        return lambda names: function(*(part(names) for part in parts))

    match node:
        case ast.Constant(value=int() | float() as value) if type(value) is not bool and abs(value) <= LARGEST:
            constant = float(value)
            return lambda names: constant
        case ast.Name(id="pi"):
            return lambda names: math.pi
        case ast.Name() | ast.Attribute():
            path = _path(node)
            return lambda names: names.value(path, (), None)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in FUNCTIONS:
            return apply(FUNCTIONS[name], *args)
        case ast.Call(func=func, args=args, keywords=[] | [ast.keyword(arg="t")] as keywords):
            path, at = _path(func), apply(_indices, *args)
            time = apply(float, keywords[0].value) if keywords else lambda names: None
            return lambda names: names.value(path, at(names), time(names))
        case ast.Subscript(value=value, slice=place):
            places = place.elts if isinstance(place, ast.Tuple) else [place]
            if not all(isinstance(each, ast.Constant) and each.value in range(1, 101) for each in places):
                raise ExpressionError("a place in a vector or matrix is written as [1] or [1, 2], counted from 1.")
            entry = tuple(np.ravel(ast.literal_eval(place)) - 1)
            return apply(lambda whole: float(whole[entry]), value)
        case ast.UnaryOp(op=sign, operand=operand) if type(sign) in OPERATORS:
            return apply(OPERATORS[type(sign)], operand)
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in OPERATORS:
            return apply(OPERATORS[type(sign)], left, right)
        case ast.BoolOp(op=sign, values=values):
            return apply(OPERATORS[type(sign)], *values)
        case ast.Compare(left=left, ops=signs, comparators=others) if all(type(each) in OPERATORS for each in signs):
            tests = [OPERATORS[type(each)] for each in signs]
            return apply(
                lambda *sides: all(test(*pair) for test, pair in zip(tests, pairwise(sides), strict=True)),
                left,
                *others,
            )
    raise ExpressionError(f"{ast.unparse(node)[:40]} is not part of this language. {KNOWN}.")


def _path(node: ast.expr) -> Path:
    """The words of a dotted name; private names are refused."""
    match node:
        case ast.Name(id=name) if not name.startswith("_"):
            return (name,)
        case ast.Attribute(value=value, attr=name) if not name.startswith("_"):
            return (*_path(value), name)
    raise ExpressionError(f"{ast.unparse(node)[:40]} is not the name of a quantity. {KNOWN}.")


def _indices(*values: float) -> tuple[int, ...]:
    if not all(1 <= each <= 1000 and each == round(each) for each in values):  # false for NaN
        raise ExpressionError("links, joints and arms are whole numbers, counted from 1 at the tip.")
    return tuple(int(each) for each in values)
