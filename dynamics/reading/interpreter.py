"""Evaluates a typed line node by node with the letters of one place.

A value is a matrix alone, or a matrix with its size if nothing cancelled. Matrices that do not fit are refused with
their shapes, and with what would fit.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from dynamics.checks import Array, brief, choices
from dynamics.errors import LineError
from dynamics.reading.grammar import FUNCTIONS, NEIGHBORS, OPERATORS, Parse, span
from dynamics.textbook import blackboard
from dynamics.textbook.symbols import CONSTANTS, SYMBOLS

MOST_ENTRIES = 40_000
"""Limit for a matrix: larger than any letter of the largest machine that a page opens."""


@dataclass(frozen=True, eq=False, slots=True)
class SizedMatrix:
    """A matrix, and an upper bound of each entry if no two parts of it had different signs.

    Rounding errors of a value scale with that bound, not with what cancellation has left.
    """

    value: Array
    size: Array

    @classmethod
    def of(cls, given: Array) -> SizedMatrix:
        """A matrix in which nothing has cancelled."""
        return cls(given, np.abs(given))

    @property
    def T(self) -> SizedMatrix:
        return SizedMatrix(self.value.T, self.size.T)

    def __neg__(self) -> SizedMatrix:
        return SizedMatrix(-self.value, self.size)

    def __add__(self, other: SizedMatrix) -> SizedMatrix:
        return SizedMatrix(self.value + other.value, self.size + other.size)

    def __sub__(self, other: SizedMatrix) -> SizedMatrix:
        return SizedMatrix(self.value - other.value, self.size + other.size)

    def __matmul__(self, other: SizedMatrix) -> SizedMatrix:
        return SizedMatrix(self.value @ other.value, self.size @ other.size)

    def __mul__(self, other: SizedMatrix) -> SizedMatrix:
        return SizedMatrix(self.value * other.value, self.size * other.size)

    def __truediv__(self, other: SizedMatrix) -> SizedMatrix:
        """A divisor that has cancelled amplifies."""
        return SizedMatrix(self.value / other.value, self.size * (other.size / (other.value * other.value)))


def value_of(found: Array | SizedMatrix) -> Array:
    return found.value if isinstance(found, SizedMatrix) else found


def called(name: str, given: list[Any]) -> Any:
    """The value of a function of matrices, sized if they are; the caller has checked their shapes."""
    first = given[0]
    if name == "transpose":
        return first.T
    if isinstance(first, SizedMatrix):
        return _sized(name, first, given)
    if name == "inv":
        return blackboard.solve(first, np.eye(len(first)))
    return blackboard.tilde(first) @ given[1] if name == "cross" else getattr(blackboard, name)(*given)


def _sized(name: str, first: SizedMatrix, given: list[SizedMatrix]) -> SizedMatrix:
    value = called(name, [each.value for each in given])
    if name in ("solve", "least", "inv"):
        # |A^-1| (|A| |A^-1| |b|): how far errors in A and b relative to their sizes may move the solution
        right = np.eye(len(first.value)) if name == "inv" else given[1].size
        is_finite = np.isfinite(first.value).all()
        inverse = np.abs(np.linalg.pinv(first.value)) if is_finite else np.full(first.value.T.shape, np.nan)
        return SizedMatrix(value, inverse @ (first.size @ (inverse @ right)))
    if name == "null":
        return SizedMatrix(value, np.full_like(value, _turning(first.value)))
    if name == "cross":
        return SizedMatrix(value, np.abs(blackboard.tilde(first.size)) @ given[1].size)
    return SizedMatrix(value, np.abs(called(name, [each.size for each in given])))


def _turning(a: Array) -> float:
    """Limit of a null space's rotation by a symmetric matrix's relative change: largest over least eigenvalue."""
    scaled, _ = blackboard.measured(a, a)
    if not np.isfinite(scaled).all():
        return 1.0
    seen = np.abs(blackboard.taken_apart(scaled)[0])[len(a) - blackboard.rank(scaled) :]
    return float(seen[-1] / seen[0]) if len(seen) else 1.0


def shape_of(value: Array) -> str:
    """Rows by columns."""
    return f"{value.shape[0]}×{value.shape[1]}"


def operands_misfit(sign: str, a: Array, b: Array) -> str:
    """Why an operation is impossible, or an empty text; ``{left}`` and ``{right}`` stand for the operands."""
    if sign == "@":
        fits = a.shape[1] == b.shape[0] and a.shape[0] * b.shape[1] <= MOST_ENTRIES
    else:
        fits = a.shape == b.shape if sign in "+-" else b.size == 1 or (sign == "*" and a.size == 1)
    if fits:
        return ""
    both = f"{{left}} is {shape_of(a)} and {{right}} is {shape_of(b)}"
    if sign == "@" and a.shape[1] == b.shape[0]:
        return f"{both}: their product would have more than {MOST_ENTRIES} entries."
    if sign == "@":
        return (
            f"{both}: they cannot be multiplied. The left one's {a.shape[1]} columns must be as many as the right "
            f"one's {b.shape[0]} rows."
        )
    if sign in "+-":
        return f"{both}: only matrices of the same shape can be added."
    if sign == "*":
        return f"{both}: * multiplies by a number, element by element. The product of matrices is @."
    return f"{{right}} is {shape_of(b)}: only a number can be a divisor. A matrix is inverted: solve({{right}}, …)."


def arguments_misfit(name: str, given: list[Array]) -> str:
    """Why a function cannot take these arguments, or an empty text."""
    first = given[0]
    if name in ("solve", "inv", "least", "null") and first.shape[0] != first.shape[1]:
        return "only a square matrix can be inverted"
    if name in ("solve", "least") and len(given[1]) != len(first):
        return "both must have the same number of rows"
    if name == "least" and len(given) == 3 and given[2].shape != first.shape:
        return "the whole must be as large as the part"
    most = np.abs(first).max(initial=0.0)
    if name in ("least", "null") and not np.allclose(first, first.T, rtol=1e-6, atol=1e-6 * most):
        return "it must be symmetric"
    if name == "stack" and first.shape[1] != given[1].shape[1]:
        return "both must have the same number of columns"
    if name == "stack" and first.size + given[1].size > MOST_ENTRIES:
        return f"it would have more than {MOST_ENTRIES} entries"
    if name in ("tilde", "cross") and any(each.shape != (3, 1) for each in given):
        return "it takes vectors of three, 3×1"
    return ""


Scope = Mapping[str, Any]
OWN_INDEX = {"link": "k", "tip": "c", "contact": "c"}
"""The default index of a letter that is written without one: this link, or this contact."""
OPERATIONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "@": operator.matmul,
}  # fmt: skip
BLACKBOARD = {name: getattr(blackboard, name) for name in CONSTANTS}
WORLD = -1


EMPTY_SUM = object()
"""The value of a sum over no neighbors: zero of whatever size it is added to."""


class Interpreter:
    """Evaluates typed text.

    Args:
        typed: parsed by ``written``.
        scope: the letters of the place and its indices, by name.
        is_known: whether a letter has already been computed for some indices; others are refused.
        operand: makes an operand of a letter's matrix, such as ``SizedMatrix.of``.
        kept: values of the nodes that are its keys, shared by other trees of this place; initially None.
    """

    def __init__(
        self,
        typed: Parse,
        scope: Scope,
        is_known: Callable[[str, tuple[int, ...]], bool] = lambda letter, indices: True,
        operand: Callable[[Array], Any] = lambda matrix: matrix,
        kept: dict[ast.AST, Any] | None = None,
    ) -> None:
        self._typed, self._known, self._operand = typed, is_known, operand
        self._kept = kept or {}
        self._scope = {**BLACKBOARD, **scope}

    def value(self, shape: Sequence[Any] | None = None) -> Any:
        """The value of the line; ``shape`` is its letter's, the only source of the size of a sum over no neighbors.

        Raises:
            LineError: if shapes do not fit, a letter does not exist or is not known yet, or a matrix is too large.
        """
        with np.errstate(all="ignore"):  # a result that is not finite shows in its value
            found = self._of(self._typed.node)
        return self._operand(np.zeros(tuple(shape or (1, 1)))) if found is EMPTY_SUM else found

    def _refuse(self, node: ast.AST, words: str) -> NoReturn:
        raise LineError(words, *span(node, self._typed.before))

    def _named(self, node: ast.AST) -> str:
        return brief(self._typed.source(node))[1:-1]

    def _of(self, node: ast.expr) -> Any:
        found = self._kept.get(node)
        if found is None:
            found = self._worked_out(node)
            if node in self._kept:
                self._kept[node] = found
        return found

    def _worked_out(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=value):
                return self._operand(np.array([[float(value)]]))  # type: ignore[arg-type]
            case ast.Name() | ast.Subscript():
                return self._letter(node)
            case ast.UnaryOp(op=op, operand=operand):
                found = self._of(operand)
                return -found if isinstance(op, ast.USub) and found is not EMPTY_SUM else found
            case ast.Attribute(value=value):
                found = self._of(value)
                return found if found is EMPTY_SUM else found.T
            case ast.BinOp():
                return self._operation(node)
            case ast.Call(func=ast.Name(id="sum")):
                return self._sum(node)
            case ast.Call(func=ast.Name(id=name)) if name in FUNCTIONS:
                return self._function(node, name)
            case ast.Call():
                return self._carried(node)
        raise AssertionError(type(node))  # the grammar admits no other node

    # Letters and indices

    def _letter(self, node: ast.Name | ast.Subscript) -> Any:
        name = node.id if isinstance(node, ast.Name) else node.value.id  # type: ignore[attr-defined]
        array = self._scope.get(name)
        if name not in SYMBOLS or array is None:
            if name in FUNCTIONS or name in (*NEIGHBORS, "sum", "inboard"):
                self._refuse(node, f"{name} is a function: call it, {name}(…).")
            if isinstance(array, int):
                self._refuse(node, f"{name} is an index; it goes in brackets after a letter.")
            known = choices(each for each in self._scope if each in SYMBOLS)
            product = " A product is typed as @, a transpose as .T."
            self._refuse(node, f"there is no letter {name} in this line; its letters are {known}.{product}")
        if not isinstance(array, np.ndarray):
            self._refuse(node, f"{name} carries between two places: call it with both, for example {name}(k, j).")
        wanted = array.ndim - 2
        if isinstance(node, ast.Name):
            indices = self._own_index(node, name) if wanted == 1 else ()
        else:
            given = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            indices = tuple(self._index(each) for each in given)
        if len(indices) != wanted:
            needs = {0: "no index", 1: "one index", 2: "two indices"}[wanted]
            self._refuse(node, f"{name} has {needs} here.")
        self._check_indices(node, name, array, indices)
        return self._operand(array[indices] if indices else array)

    def _own_index(self, node: ast.AST, name: str) -> tuple[int, ...]:
        own = self._scope.get(OWN_INDEX.get(SYMBOLS[name].at, ""))
        if not isinstance(own, int):
            self._refuse(node, f"{name} needs an index in brackets here.")
        return (own,)

    def _index(self, node: ast.expr) -> int:
        if isinstance(node, ast.Call):
            link = self._index(node.args[0])
            if link == WORLD or not callable(self._scope.get("inboard")):
                self._refuse(node, "inboard is not available in this line.")
            return int(self._scope["inboard"](link))
        assert isinstance(node, ast.Name)
        found = self._scope.get(node.id)
        if not isinstance(found, int):
            known = choices(name for name, value in self._scope.items() if isinstance(value, int)) or "none"
            ways = [f" A sum runs over neighbors: sum(… for j in {name}(k))." for name in self._summed()]
            inner = " The link inboard of k is inboard(k)." * callable(self._scope.get("inboard"))
            words = f"{node.id} is not an index in this line; its indices are {known}."
            self._refuse(node, f"{words}{''.join(ways)}{inner}")
        return found

    def _summed(self) -> list[str]:
        return [name for name in NEIGHBORS if callable(self._scope.get(name))]

    def _check_indices(self, node: ast.AST, name: str, array: Array, indices: tuple[int, ...]) -> None:
        for at, index in enumerate(indices):
            if index == WORLD and array.shape[at] <= len(self._scope.get("links", ())):
                words = "is the world's here, and the world has none: the base stands on it."
                self._refuse(node, f"{self._named(node)} {words}")
            if not WORLD <= index < array.shape[at]:
                self._refuse(node, f"{self._named(node)}: there is none at this place; a base has no joint.")
        if WORLD not in indices and not self._known(name, indices):
            words = (
                "is not known yet when this line runs: its own line comes later in the sweep, or does not run at this"
            )
            self._refuse(node, f"{self._named(node)} {words} link.")

    def _carried(self, node: ast.Call) -> Any:
        """phi(k, j), psi(k, c): operators that the text calls with two indices."""
        name = node.func.id  # type: ignore[attr-defined]
        operator = self._scope.get(name)
        if not callable(operator):
            self._refuse(node, f"{name} is not available in this line.")
        indices = [self._index(each) for each in node.args]
        try:
            return self._operand(operator(*indices))
        except (KeyError, ValueError, IndexError):
            self._refuse(node, f"{self._named(node)}: it carries between neighbors, and these two are not.")

    # Operations

    def _operation(self, node: ast.BinOp) -> Any:
        sign, left, right = OPERATORS[type(node.op)], self._of(node.left), self._of(node.right)
        if left is EMPTY_SUM or right is EMPTY_SUM:
            if sign == "+":
                return right if left is EMPTY_SUM else left
            if sign == "-":
                return left if right is EMPTY_SUM else -right
            return EMPTY_SUM
        if fault := operands_misfit(sign, value_of(left), value_of(right)):
            self._refuse(node, fault.format(left=self._named(node.left), right=self._named(node.right)))
        return OPERATIONS[sign](left, right)

    def _sum(self, node: ast.Call) -> Any:
        running: Any = node.args[0]
        through = running.generators[0]
        name, index = through.iter.func.id, through.target.id
        neighbors = self._scope.get(name)
        if not callable(neighbors):
            known = choices(self._summed()) or "none"
            self._refuse(node, f"{name} is not available in this line; a sum runs over {known}.")
        if index in SYMBOLS or index in FUNCTIONS or index in self._scope:  # it would hide that name
            self._refuse(node, f"{index} is already in use; give the sum another index, such as j.")
        link = self._index(through.iter.args[0])
        if link == WORLD:
            self._refuse(node, "nothing is summed at the world.")
        total: Any = EMPTY_SUM
        kept, self._kept = self._kept, {}  # the summand differs for each index
        try:
            for one in neighbors(link):
                self._scope[index] = int(one)
                term = self._of(running.elt)
                if total is EMPTY_SUM or term is EMPTY_SUM:
                    total = term if total is EMPTY_SUM else total
                else:
                    total = total + term
        finally:
            self._scope.pop(index, None)
            self._kept = kept
        return total

    def _function(self, node: ast.Call, name: str) -> Any:
        given = [self._of(each) for each in node.args]
        if any(each is EMPTY_SUM for each in given):
            if name in ("solve", "least", "transpose"):
                return EMPTY_SUM
            self._refuse(node, f"{name}: its argument is a sum over no neighbors.")
        matrices = [value_of(each) for each in given]
        if fault := arguments_misfit(name, matrices):
            shapes = [f"{self._named(each)} is {shape_of(one)}" for each, one in zip(node.args, matrices, strict=True)]
            self._refuse(node, f"{name}: {', '.join(shapes)}; {fault}.")
        return called(name, given)
