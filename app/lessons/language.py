"""What numbers and checks of a lesson are written in: names of quantities, arithmetic, comparisons. No code.

Python's parser reads the text, and nothing of Python runs it: the tree is walked here, node by node, and a node that
is not one of the few below is refused by its name. Text, tree and values are bounded.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from app.lessons.values import (
    ARITHMETIC,
    COMPARED,
    CONSTANTS,
    FUNCTIONS,
    ExpressionError,
    Names,
    Value,
    combined,
    number_of,
    refuse_truth,
    truth_of,
)

LONGEST = 300
"""Characters of an expression."""
MOST_NODES = 120
DEEPEST = 20
LARGEST = 1e15
"""Of a number that is written."""
KNOWN = "It knows quantities, numbers, + - * / @, comparisons, and, or, not, and " + ", ".join(FUNCTIONS) + "."
CALLED: Mapping[type[ast.AST], str] = MappingProxyType(
    {
        ast.Pow: "a power (**)",
        ast.Lambda: "a function of its own (lambda)",
        ast.ListComp: "a loop",
        ast.GeneratorExp: "a loop",
        ast.JoinedStr: "a text",
        ast.List: "a list",
        ast.Tuple: "a row of values",
        ast.Dict: "a dictionary",
        ast.IfExp: "a choice (if)",
        ast.NamedExpr: "an assignment (:=)",
        ast.Starred: "a star",
        ast.Slice: "a slice (:)",
        ast.Await: "await",
        ast.BitOr: "a bar (|), but for the digits at the end, from 1 to 8,",
    }
)
"""What is refused, as people call it; anything else by the name of its node."""


@dataclass(frozen=True)
class Expression:
    """A text of this language, of which every node is known."""

    text: str
    tree: ast.expr

    def value(self, names: Names) -> Value:
        """What it is worth.

        Raises:
            ExpressionError: where it has no value.
        """
        try:
            with np.errstate(all="ignore"):
                return value_of(self.tree, names)
        except (ArithmeticError, np.linalg.LinAlgError):
            raise ExpressionError(f"{self.text} has no value: it divides by zero, or is too large.") from None

    def number(self, names: Names) -> float:
        """The same where one number is meant.

        Raises:
            ExpressionError: for anything else.
        """
        found = number_of(self.value(names))
        if not math.isfinite(found):
            raise ExpressionError(f"{self.text} has no finite value.")
        return found

    def holds(self, names: Names) -> bool:
        """The same of a comparison.

        Raises:
            ExpressionError: for anything else.
        """
        found = self.value(names)
        if not isinstance(found, bool):
            raise ExpressionError(f"{self.text} is a value, not a comparison; write one, as {self.text} > 0.")
        return found

    @property
    def is_size(self) -> bool:
        """Whether it is worth the size of something, whatever its sign."""
        match self.tree:
            case ast.Call(func=ast.Name(id="abs" | "norm")):
                return True
            case _:
                return False

    @property
    def is_comparison(self) -> bool:
        """Whether it holds or does not, as far as that is seen from how it is written."""
        match self.tree:
            case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
                return True
            case ast.Name() | ast.Attribute() | ast.Call():
                path = path_of(self.tree.func if isinstance(self.tree, ast.Call) else self.tree)
                return (path[1] if path[0] in ("before", "after") and len(path) > 1 else path[0]) == "holds"
            case _:
                return False

    @property
    def times(self) -> tuple[float, ...]:
        """Every time, s, that is written in it as a number."""
        return tuple(
            float(word.value.value)  # type: ignore[arg-type]
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Call)
            for word in node.keywords
            if isinstance(word.value, ast.Constant) and type(word.value.value) in (int, float)
        )


def parsed(text: str) -> Expression:
    """Reads an expression.

    Raises:
        ExpressionError: for what is not of this language, by the name of what it is.
    """
    text = text.strip()
    if not text:
        raise ExpressionError(f"there is nothing. {KNOWN}")
    if len(text) > LONGEST:
        raise ExpressionError(f"it is longer than {LONGEST} characters.")
    if not text.isprintable() or not text.isascii():
        raise ExpressionError("it goes over several lines, or has signs that are not ASCII; write -, not a long dash.")
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError, OverflowError):
        if is_set_equal(text):
            raise ExpressionError(f"{text} cannot be read: two values are compared by ==.") from None
        lacking = f"{text} cannot be read: a sign or a bracket is missing or too many."
        raise ExpressionError(with_comma(text) or lacking) from None
    places = set[int]()
    for count, (node, depth) in enumerate(_nodes(tree), 1):
        if count > MOST_NODES or depth > DEEPEST:
            raise ExpressionError("it is too long or too deep; write it in several.")
        if isinstance(node, ast.Subscript):
            places.add(id(node.slice))
        elif isinstance(node, ast.Tuple) and id(node) not in places:
            raise ExpressionError(with_comma(text) or f"{CALLED[ast.Tuple]} is not of this language. {KNOWN}")
        _check(node)
    return Expression(text, tree)


def with_comma(text: str) -> str:
    """That a number is written with a decimal comma, and how it is written instead; "" where none is."""
    found = re.search(r"(?<![\w.,])(\d+),(\d+)(?![\w.,])", text)
    return f"{found[0]} is written with a comma: write {found[1]}.{found[2]}." if found else ""


def is_set_equal(text: str) -> bool:
    """Whether one sign of equality stands outside brackets: within them it may be that of ``t=0.5``."""
    depth = 0
    for sign in re.findall(r"[()]|[<>=!]?=+", text):
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if sign == "=" and not depth:
            return True
    return False


def _nodes(tree: ast.AST) -> Iterator[tuple[ast.AST, int]]:
    waiting = [(tree, 1)]
    while waiting:
        node, depth = waiting.pop()
        yield node, depth
        waiting += [(child, depth + 1) for child in ast.iter_child_nodes(node)]


def _check(node: ast.AST) -> None:
    """Refuses what is not of the language."""
    match node:
        case ast.Constant(value=bool()) | ast.Constant(value=None):
            raise ExpressionError(f"{node.value!r} is no number. {KNOWN}")
        case ast.Constant(value=int() | float()):
            if not abs(node.value) <= LARGEST:  # type: ignore[arg-type]  # a whole number of any length, or NaN
                raise ExpressionError(f"a number is too large; {LARGEST:g} is the largest.")
        case ast.Constant():
            raise ExpressionError(f"{node.value!r} is no number. {KNOWN}")
        case ast.Name(id=name) | ast.Attribute(attr=name):
            if name.startswith("_") or not name.isascii():
                raise ExpressionError(f"{name} is no name of a quantity. {KNOWN}")
            if isinstance(node, ast.Attribute) and not isinstance(node.value, ast.Name | ast.Attribute):
                raise ExpressionError("a dot stands between names only, as in filter.joint_inertia(1).")
        case ast.BinOp(op=op):
            if type(op) not in ARITHMETIC:
                raise ExpressionError(f"{_called(op)} is not of this language. {KNOWN}")
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Not()) | ast.BoolOp() | ast.keyword():
            pass
        case ast.Compare(ops=ops):
            for each in ops:
                if type(each) not in COMPARED:
                    raise ExpressionError(f"{_called(each)} is not of this language. {KNOWN}")
        case ast.Call(func=func, keywords=keywords):
            if not isinstance(func, ast.Name | ast.Attribute):
                raise ExpressionError("only a quantity or a function by its name is asked for a value.")
            if len(keywords) > 1 or any(word.arg != "t" for word in keywords):
                raise ExpressionError("a quantity takes links or arms, and t=… for a time in s.")
        case ast.Subscript():
            for place in node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]:
                if not (isinstance(place, ast.Constant) and type(place.value) is int and 1 <= place.value <= 100):
                    raise ExpressionError("a place in a vector or matrix is written as [1] or [1, 2], counted from 1.")
        case ast.Tuple(elts=elts) if len(elts) <= 2 and all(isinstance(each, ast.Constant) for each in elts):
            pass  # of a place in a matrix
        case ast.Load() | ast.operator() | ast.unaryop() | ast.cmpop() | ast.boolop():
            pass
        case _:
            raise ExpressionError(f"{_called(node)} is not of this language. {KNOWN}")


def _called(node: ast.AST) -> str:
    return CALLED.get(type(node), type(node).__name__)


def value_of(node: ast.expr, names: Names) -> Value:
    """What a part of an expression is worth.

    Raises:
        ExpressionError: where it has no value.
    """
    match node:
        case ast.Constant(value=int() | float()):
            return float(node.value)  # type: ignore[arg-type]
        case ast.Name(id=name) if name in CONSTANTS:
            return CONSTANTS[name]
        case ast.Name() | ast.Attribute():
            return names.value(path_of(node), (), None)
        case ast.UnaryOp(op=ast.Not()):
            return not truth_of(value_of(node.operand, names))
        case ast.UnaryOp(op=op):
            one = value_of(node.operand, names)
            refuse_truth(one)
            return -one if isinstance(op, ast.USub) else one
        case ast.BinOp():
            return combined(node.op, value_of(node.left, names), value_of(node.right, names))
        case ast.BoolOp():
            every = [truth_of(value_of(each, names)) for each in node.values]
            return all(every) if isinstance(node.op, ast.And) else any(every)
        case ast.Compare():
            values = [number_of(value_of(each, names)) for each in (node.left, *node.comparators)]
            return all(COMPARED[type(op)](a, b) for op, a, b in zip(node.ops, values, values[1:], strict=False))
        case ast.Call():
            return _asked(node, names)
        case ast.Subscript():
            return _entry(node, names)
        case _:
            raise ExpressionError(f"{_called(node)} is not of this language. {KNOWN}")


def path_of(node: ast.expr) -> tuple[str, ...]:
    """The words of a dotted name."""
    if isinstance(node, ast.Attribute):
        return (*path_of(node.value), node.attr)
    assert isinstance(node, ast.Name)
    return (node.id,)


def _asked(node: ast.Call, names: Names) -> Value:
    path = path_of(node.func)
    values = [value_of(each, names) for each in node.args]
    if len(path) == 1 and path[0] in FUNCTIONS and not node.keywords:
        function = FUNCTIONS[path[0]][1]
        refuse_count(path[0], len(values))
        for each in values:
            refuse_truth(each)
        return function(*values)
    at = tuple(_index(each) for each in values)
    time = number_of(value_of(node.keywords[0].value, names)) if node.keywords else None
    return names.value(path, at, time)


def refuse_count(name: str, values: int) -> None:
    """Refuses a function that is given too many values, or too few."""
    takes = FUNCTIONS[name][0]
    if values != takes if takes else not values:
        raise ExpressionError(f"{name} takes {takes or 'at least one'} value{'s' if takes > 1 else ''}.")


def _index(value: Value) -> int:
    number = number_of(value)
    if not 1 <= number <= 1000 or number != round(number):  # NaN is not within
        raise ExpressionError("links, joints and arms are whole numbers, counted from 1 at the tip.")
    return int(number)


def _entry(node: ast.Subscript, names: Names) -> Value:
    array = np.asarray(value_of(node.value, names), dtype=float)
    places = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    at = tuple(int(each.value) - 1 for each in places if isinstance(each, ast.Constant) and type(each.value) is int)
    if len(at) != array.ndim or any(k >= size for k, size in zip(at, array.shape, strict=True)):
        sizes = " by ".join(map(str, array.shape)) or "a single number"
        raise ExpressionError(f"there is no such place: it is {sizes}.")
    return float(array[at])
