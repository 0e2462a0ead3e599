"""Common mistakes in a line: every tree that differs from another one by one such mistake.

The same edits work both ways: a published line with an edit is a common mistake; a typed line that an edit corrects
contains that mistake, however it is written.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any, Literal, get_args

from dynamics.reading.grammar import FUNCTIONS
from dynamics.textbook.symbols import CONSTANTS, NUMBER, SYMBOLS

Kind = Literal[
    "transposed", "sides", "negated", "dropped", "within", "omitted", "multiplied", "inverted", "direction", "swapped",
    "index", "stacked", "repeated", "letter",
]  # fmt: skip
"""Kinds of mistakes, the likeliest first."""
ADDING, MULTIPLYING = (ast.Add, ast.Sub), (ast.MatMult, ast.Mult)
PAIRS = (
    *(("P", "P_plus"), ("z", "z_plus"), ("S", "S_plus"), ("z_s", "z_s_plus"), ("z_minus", "z_R")),
    *(("alpha", "alpha_plus"), ("Lam", "Lam_plus"), ("W", "W_plus"), ("x_FREE", "x_0"), ("eps", "eps_new")),
)
"""Pairs of letters: predicted and corrected, or inboard and outboard of a joint."""
PARTNER = {one: other for pair in PAIRS for one, other in (pair, pair[::-1])}


@dataclass(frozen=True, eq=False)
class Edit:
    """A tree with one mistake.

    Attributes:
        kind: the kind of mistake.
        part: the part concerned: the dropped term, the omitted factor, the replaced letter.
        after: the new content of the changed place.
        put: builds the whole tree with the mistake.
    """

    kind: Kind
    part: ast.expr
    after: ast.expr
    put: Callable[[], ast.expr]

    @functools.cached_property
    def node(self) -> ast.expr:
        """The whole tree with the mistake, built on demand: most edits are skipped."""
        return self.put()

    @property
    def is_order(self) -> bool:
        """Whether a predicted letter replaces its corrected one, or vice versa."""
        return self.kind == "letter" and PARTNER.get(name_of(self.part)) == name_of(self.after)


def edits(node: ast.expr, letters: Collection[str], indices: Collection[str]) -> list[Edit]:
    """Common mistakes in a line with these letters and indices in scope, the likeliest first."""
    found = [
        Edit(kind, part, new, functools.partial(put, new))
        for part_of, put, inner in parts(node, tuple(indices))
        for kind, new, part in _changed(part_of, letters, inner)
    ]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ADDING):
        found.append(Edit("negated", node, _minus(node), functools.partial(_minus, node)))
    order = get_args(Kind)
    return sorted(found, key=lambda edit: order.index(edit.kind) + (edit.kind == "letter" and not edit.is_order))


Put = Callable[[ast.expr], ast.expr]


def parts(
    node: ast.expr, indices: tuple[str, ...], put: Put = lambda new: new
) -> Iterator[tuple[ast.expr, Put, tuple[str, ...]]]:
    """Every part of a tree, a function that replaces it, and the indices in its scope."""
    yield node, put, indices

    def inside(name: str, at: int | None = None) -> Put:
        def placed(new: ast.expr) -> ast.expr:
            own = getattr(node, name)
            return put(_with(node, name, new if at is None else [*own[:at], new, *own[at + 1 :]]))

        return placed

    match node:
        case ast.Call(func=ast.Name(id="sum"), args=[ast.GeneratorExp() as running]):
            put_sum, index = inside("args", 0), running.generators[0].target.id  # type: ignore[attr-defined]
            yield from parts(running.elt, (*indices, index), lambda new: put_sum(_with(running, "elt", new)))
        case ast.Call(func=ast.Name(id=name), args=arguments) if name in FUNCTIONS:
            for at, each in enumerate(arguments):
                yield from parts(each, indices, inside("args", at))
        case ast.BinOp() | ast.UnaryOp() | ast.Attribute():
            for name in ("left", "right", "operand", "value"):
                if (inner := getattr(node, name, None)) is not None:
                    yield from parts(inner, indices, inside(name))


def _with(node: ast.expr, name: str, value: Any) -> ast.expr:
    """Another node with one part replaced; ``copy.copy`` would take twenty times as long."""
    other = type(node)()
    vars(other).update(vars(node))
    setattr(other, name, value)
    return other


def name_of(node: ast.expr) -> str:
    """The letter of a leaf."""
    if isinstance(node, ast.Subscript):
        node = node.value
    if isinstance(node, ast.Call):
        node = node.func
    return node.id if isinstance(node, ast.Name) else ""


Change = tuple[Kind, ast.expr, ast.expr]
"""The kind of mistake, the new content, and the part concerned."""


def _changed(node: ast.expr, letters: Collection[str], indices: tuple[str, ...]) -> Iterator[Change]:
    if name := _leaf(node):
        yield from _other_leaf(node, name, letters, indices)
    match node:
        case ast.Attribute(value=value):
            yield "transposed", value, node
            for other in _transposes(_leaf(value), letters):
                yield "letter", _renamed(value, other), node
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            yield "negated", operand, operand
        case ast.BinOp(left=left, op=op, right=right) if isinstance(op, ADDING):
            yield "negated", ast.BinOp(left, ast.Sub() if isinstance(op, ast.Add) else ast.Add(), right), right
            yield "negated", ast.BinOp(_minus(left), op, right), left
            yield "dropped", left, right
            yield "dropped", right if isinstance(op, ast.Add) else _minus(right), left
            for within in _within(left, right) if isinstance(op, ast.Add) else ():
                yield "within", within, right
        case ast.BinOp(left=left, op=op, right=right) if isinstance(op, MULTIPLYING):
            yield "omitted", left, right
            yield "omitted", right, left
            yield "swapped", ast.BinOp(right, op, left), node
            yield "transposed", ast.Attribute(node, "T", ast.Load()), node
            if isinstance(left, ast.BinOp) and _are_transposes(left.left, right):
                yield "sides", ast.BinOp(ast.BinOp(right, op, left.right), op, left.left), node
            if isinstance(right, ast.Call) and name_of(right) == "inv":
                yield "inverted", ast.BinOp(left, op, right.args[0]), right.args[0]
            elif _leaf(right):
                yield "inverted", ast.BinOp(left, op, _called("inv", right)), right
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            yield "omitted", left, right
            yield "multiplied", ast.BinOp(left, ast.Mult(), right), right
            yield "repeated", ast.BinOp(node, ast.Div(), right), right
        case ast.Call(func=ast.Name(id="solve" | "least" as name), args=[matrix, right, *more]):
            yield "omitted", right, matrix
            yield "inverted", ast.BinOp(matrix, ast.MatMult(), right), matrix
            yield "swapped", ast.BinOp(right, ast.MatMult(), _called("inv", matrix)), node
            yield "swapped", _called(name, right, matrix, *more), node
            yield "transposed", ast.Attribute(node, "T", ast.Load()), node
            if more:
                yield "dropped", _called(name, matrix, right), more[0]
        case ast.Call(func=ast.Name(id="inv"), args=[matrix]):
            yield "inverted", matrix, matrix
        case ast.Call(func=ast.Name(id="stack"), args=[upper, lower]):
            yield "stacked", _called("stack", lower, upper), node
            yield "dropped", _called("stack", ast.Name("o", ast.Load()), lower), upper
            yield "dropped", _called("stack", upper, ast.Name("o", ast.Load())), lower
        case ast.Call(func=ast.Name(id="transpose"), args=[inner]):
            yield "transposed", inner, node
        case ast.Call(func=ast.Name(id="cross"), args=[one, other]):
            yield "swapped", _called("cross", other, one), node
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ADDING):
        yield "negated", _minus(node), node


def _within(node: ast.expr, term: ast.expr) -> Iterator[ast.expr]:
    """The leading sum with the term that follows it moved inside, where it is added in every iteration."""
    match node:
        case ast.BinOp(left=left, op=ast.Add() as op, right=right):
            for inner in _within(left, term):
                yield ast.BinOp(inner, op, right)
        case ast.Call(func=ast.Name(id="sum"), args=[ast.GeneratorExp() as running]):
            yield _called("sum", _with(running, "elt", ast.BinOp(running.elt, ast.Add(), term)))


def _other_leaf(node: ast.expr, name: str, letters: Collection[str], indices: tuple[str, ...]) -> Iterator[Change]:
    yield "transposed", ast.Attribute(node, "T", ast.Load()), node
    if SYMBOLS[name].shape in ((6, 6), (3, 3), NUMBER):
        yield "repeated", ast.BinOp(node, ast.MatMult(), node), node
    for other in _transposes(name, letters):
        yield "letter", ast.Attribute(_renamed(node, other), "T", ast.Load()), node
    if isinstance(node, ast.Call):
        first, second = node.args
        yield "direction", _called(name, second, first), node
        return
    index = node.slice if isinstance(node, ast.Subscript) else None
    for inner in indices if SYMBOLS[name].at == "link" and not isinstance(index, ast.Tuple) else ():
        if not isinstance(index, ast.Name) or inner != index.id:
            yield "index", ast.Subscript(ast.Name(name, ast.Load()), ast.Name(inner, ast.Load()), ast.Load()), node
    for other in letters:
        is_alike = SYMBOLS[other].shape == SYMBOLS[name].shape or PARTNER.get(name) == other
        if other != name and other not in CONSTANTS and is_alike:
            yield "letter", _renamed(node, other), node


def _transposes(name: str, letters: Collection[str]) -> list[str]:
    """Letters whose shape is the transpose of this one's, and another."""
    shape = SYMBOLS[name].shape[::-1] if name else ()
    is_square = len(set(shape)) < 2
    return [other for other in letters if not is_square and other not in CONSTANTS and SYMBOLS[other].shape == shape]


def _are_transposes(one: ast.expr, other: ast.expr) -> bool:
    first, last = ast.unparse(one), ast.unparse(other)
    return f"{first}.T" == last or first == f"{last}.T"


def _leaf(node: ast.expr) -> str:
    """The letter, if a part of a tree is one."""
    name = name_of(node)
    return name if name in SYMBOLS else ""


def _renamed(node: ast.expr, letter: str) -> ast.expr:
    name = ast.Name(letter, ast.Load())
    return ast.Subscript(name, node.slice, ast.Load()) if isinstance(node, ast.Subscript) else name


def _called(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


def _minus(node: ast.expr) -> ast.expr:
    is_minus = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    return node.operand if is_minus else ast.UnaryOp(ast.USub(), node)  # type: ignore[attr-defined]
