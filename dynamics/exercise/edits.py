"""Common mistakes in a line: every tree that differs from another one by one such mistake.

The same edits work both ways: a published line with an edit is a common mistake; a typed line that an edit corrects
contains that mistake, however it is written.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from dynamics.textbook.symbols import CONSTANTS, NUMBER, SYMBOLS
from dynamics.typed.grammar import FUNCTIONS

Kind = Literal[
    "transposed", "negated", "dropped", "omitted", "repeated", "multiplied", "inverted", "swapped", "direction",
    "index", "letter", "stacked", "elementwise", "divided", "identity", "sides", "within",
]  # fmt: skip
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


def edits(node: ast.expr, letters: Collection[str], indices: Collection[str]) -> Iterator[Edit]:
    """Common mistakes in a line, the likeliest first.

    Args:
        letters: the letters in the line's scope.
        indices: the indices in its scope, without those of its own sums.
    """
    found = [
        Edit(kind, part, new, functools.partial(put, new))
        for part_of, put, inner in parts(node, tuple(indices))
        for kind, new, part in _changed(part_of, letters, inner)
    ]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ADDING):
        found.append(Edit("negated", node, _minus(node), functools.partial(_minus, node)))
    found.sort(key=lambda edit: ORDER.index(edit.kind) + (edit.kind == "letter" and not is_partner(edit)))
    yield from found


Put = Callable[[ast.expr], ast.expr]


def parts(
    node: ast.expr, indices: tuple[str, ...], put: Put = lambda new: new
) -> Iterator[tuple[ast.expr, Put, tuple[str, ...]]]:
    """Every part of a tree, a function that replaces it, and the indices in its scope."""
    yield node, put, indices

    def inside(name: str, at: int | None = None) -> Put:
        def placed(new: ast.expr) -> ast.expr:
            other, own = copied(node), getattr(node, name)
            setattr(other, name, new if at is None else [*own[:at], new, *own[at + 1 :]])
            return put(other)

        return placed

    match node:
        case ast.Call(func=ast.Name(id="sum"), args=[ast.GeneratorExp() as running]):
            put_sum, index = inside("args", 0), running.generators[0].target.id  # type: ignore[attr-defined]
            yield from parts(running.elt, (*indices, index), lambda new: put_sum(with_term(running, new)))
        case ast.Call(func=ast.Name(id=name), args=arguments) if name in FUNCTIONS:
            for at, each in enumerate(arguments):
                yield from parts(each, indices, inside("args", at))
        case ast.BinOp() | ast.UnaryOp() | ast.Attribute():
            for name in ("left", "right", "operand", "value"):
                if (inner := getattr(node, name, None)) is not None:
                    yield from parts(inner, indices, inside(name))


def copied(node: ast.expr) -> Any:
    """Another node with the same parts; ``copy.copy`` would take twenty times as long."""
    other = type(node)()
    vars(other).update(vars(node))
    return other


def with_term(running: ast.GeneratorExp, term: ast.expr) -> ast.GeneratorExp:
    """The same sum over another term."""
    other: ast.GeneratorExp = copied(running)
    other.elt = term
    return other


ORDER: tuple[Kind, ...] = (
    "transposed", "sides", "negated", "dropped", "within", "omitted", "multiplied", "inverted", "divided",
    "elementwise", "direction", "swapped", "index", "stacked", "identity", "repeated", "letter",
)  # fmt: skip


def is_partner(edit: Edit) -> bool:
    """Whether a predicted letter replaces its corrected one, or vice versa."""
    names = [name_of(each) for each in (edit.part, edit.after)]
    return PARTNER.get(names[0]) == names[1]


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
            if name := _leaf(value):
                for other in _turned(name, letters):
                    yield "letter", _renamed(value, other), node
        case ast.Constant(value=1):
            yield "identity", ast.Name("I", ast.Load()), node
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
            if (
                isinstance(left, ast.BinOp)
                and isinstance(left.op, MULTIPLYING)
                and not _are_transposes(left.left, right)
            ):
                yield "swapped", ast.BinOp(ast.BinOp(right, op, left.right), left.op, left.left), node
            yield "transposed", ast.Attribute(node, "T", ast.Load()), node
            if isinstance(left, ast.BinOp) and isinstance(left.op, ast.MatMult) and _are_transposes(left.left, right):
                yield "sides", ast.BinOp(ast.BinOp(right, op, left.right), op, left.left), node
                yield from _turned_round(left.left, left.right, node)
            if isinstance(op, ast.Mult):
                yield "elementwise", ast.BinOp(left, ast.MatMult(), right), node
            if isinstance(right, ast.Call) and name_of(right) == "inv":
                yield "inverted", ast.BinOp(left, op, right.args[0]), right.args[0]
            elif _leaf(right):
                yield "inverted", ast.BinOp(left, op, _called("inv", right)), right
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            yield "omitted", left, right
            yield "multiplied", ast.BinOp(left, ast.Mult(), right), right
            yield "divided", _called("solve", right, left), right
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
            yield "stacked", ast.Call(node.func, [lower, upper], []), node
            yield "dropped", ast.Call(node.func, [ast.Name("o", ast.Load()), lower], []), upper
            yield "dropped", ast.Call(node.func, [upper, ast.Name("o", ast.Load())], []), lower
        case ast.Call(func=ast.Name(id="transpose"), args=[inner]):
            yield "transposed", inner, node
        case ast.Call(func=ast.Name(id="cross"), args=[one, other]):
            yield "swapped", ast.Call(node.func, [other, one], []), node
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ADDING):
        yield "negated", _minus(node), node


def _within(node: ast.expr, term: ast.expr) -> Iterator[ast.expr]:
    """The leading sum with the term that follows it moved inside, where it is added in every iteration."""
    match node:
        case ast.BinOp(left=left, op=ast.Add() as op, right=right):
            for inner in _within(left, term):
                yield ast.BinOp(inner, op, right)
        case ast.Call(func=ast.Name(id="sum") as func, args=[ast.GeneratorExp() as running]):
            yield ast.Call(func, [with_term(running, ast.BinOp(running.elt, ast.Add(), term))], [])


def _turned_round(carrier: ast.expr, carried: ast.expr, node: ast.expr) -> Iterator[Change]:
    """A matrix multiplied on both sides by the transition in the opposite direction."""
    match carrier:
        case ast.Call(func=func, args=[first, second]) if _leaf(carrier):
            other = ast.Call(func, [second, first], [])
            product = ast.BinOp(
                ast.BinOp(other, ast.MatMult(), carried), ast.MatMult(), ast.Attribute(other, "T", ast.Load())
            )
            yield "direction", product, node


def _turned(name: str, letters: Collection[str]) -> Iterator[str]:
    """Letters whose shape is the transpose of this one's."""
    shape = SYMBOLS[name].shape
    for other in letters:
        if other not in CONSTANTS and len(shape) == 2 and shape[0] != shape[1] and SYMBOLS[other].shape == shape[::-1]:
            yield other


def _are_transposes(one: ast.expr, other: ast.expr) -> bool:
    """Whether they are transposes: then reversing a product between them equals forgetting to transpose twice."""
    first, last = ast.unparse(one), ast.unparse(other)
    return f"{first}.T" == last or first == f"{last}.T"


def _called(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


def _minus(node: ast.expr) -> ast.expr:
    is_minus = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    return node.operand if is_minus else ast.UnaryOp(ast.USub(), node)  # type: ignore[attr-defined]


def _leaf(node: ast.expr) -> str:
    """The letter, if a part of a tree is one."""
    name = name_of(node)
    return name if name in SYMBOLS else ""


def _other_leaf(node: ast.expr, name: str, letters: Collection[str], indices: tuple[str, ...]) -> Iterator[Change]:
    yield "transposed", ast.Attribute(node, "T", ast.Load()), node
    if SYMBOLS[name].shape in ((6, 6), (3, 3), NUMBER):
        yield "repeated", ast.BinOp(node, ast.MatMult(), node), node
    if name == "I":
        yield "identity", ast.Constant(1), node
    if isinstance(node, ast.Call):
        first, second = node.args
        yield "direction", ast.Call(node.func, [second, first], []), node
    index = node.slice if isinstance(node, ast.Subscript) else None
    is_of_link = SYMBOLS[name].at == "link" and not isinstance(node, ast.Call)
    for inner in indices if is_of_link and not isinstance(index, ast.Tuple) else ():
        if not isinstance(index, ast.Name) or inner != index.id:
            yield "index", ast.Subscript(ast.Name(name, ast.Load()), ast.Name(inner, ast.Load()), ast.Load()), node
    for other in _turned(name, letters):
        yield "letter", ast.Attribute(_renamed(node, other), "T", ast.Load()), node
    for other in letters:
        if other == name or other in CONSTANTS or isinstance(node, ast.Call):
            continue
        if SYMBOLS[other].shape == SYMBOLS[name].shape or PARTNER.get(name) == other:
            yield "letter", _renamed(node, other), node


def _renamed(node: ast.expr, letter: str) -> ast.expr:
    if isinstance(node, ast.Subscript):
        return ast.Subscript(ast.Name(letter, ast.Load()), node.slice, ast.Load())
    return ast.Name(letter, ast.Load())
