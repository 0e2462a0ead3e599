"""What can be broken in the text, found in its syntax tree, and the text with some breaks in it."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from dynamics.checks import brief, is_among, names
from dynamics.errors import ModelError
from dynamics.public import public
from dynamics.reading.expression import ADDING, INVERTING, MULTIPLYING, Factor, Sum, Term, is_running
from dynamics.reading.lines import TEXTS, Line, all_lines, formulated_lines, lines_of, numbered, source_of
from dynamics.textbook.letters import ALPHABETS
from dynamics.textbook.symbols import CONSTANTS

Kind = Literal["drop", "negate", "omit", "untranspose", "multiply"]


@dataclass(frozen=True, eq=False)
class Break:
    """One possible change of a line.

    Attributes:
        key: its identifier in an address: the line's key, the part's name, the kind.
        line: the key of its line.
        part: the letters of the term or factor; preceded by those of the enclosing term and a dot.
        kind: ``drop`` a term, ``negate`` it, ``omit`` a factor, ``untranspose`` it, ``multiply`` instead of dividing.
        node: the affected node of the syntax tree.
        acts_on: the same as a term or a factor.
    """

    key: str
    line: str
    part: str
    kind: Kind
    node: ast.AST
    acts_on: Term | Factor


@functools.cache
def breaks_of(line: Line) -> tuple[Break, ...]:
    """Every break of a line.

    A factor, or a transposition, can be left out if the matrices still fit together, so if it is square
    or a number. One and zero cannot be broken. The sizes of a formulation's own letters are not declared,
    so only whole terms of them can be broken. A line that copies the other half of its own symmetric letter cannot be
    broken: on the diagonal it would read what it has just written.
    """
    if _copies(line):
        return ()
    return tuple(
        Break(f"{line.key}~{part}~{kind}", line.key, part, kind, acts_on.node, acts_on)
        for part, kind, acts_on in _in_sum(line.right, "", line.text)
    )


def _copies(line: Line) -> bool:
    factors = [factor for term in line.right.terms for factor in term.factors]
    return len(factors) == 1 and factors[0].letter == line.letter


def is_known(factor: Factor, text: str) -> bool:
    """Whether a factor's size follows from its letters: they are the textbook's."""
    if factor.letter:
        return factor.letter not in ALPHABETS.get(text, {})
    if factor.function in ("", "stack"):
        return all(is_known(each, text) for total in factor.inner for term in total.terms for each in term.factors)
    return factor.function in ("tilde", "null")


def _in_sum(total: Sum, path: str, text: str) -> Iterator[tuple[str, Kind, Term | Factor]]:
    for term, name in zip(total.terms, numbered(term.name for term in total.terms), strict=True):
        if all(factor.letter in CONSTANTS for factor in term.factors):
            continue
        part = path + name
        yield part, "drop", term
        yield part, "negate", term
        if len(term.factors) == 1:
            yield from _in_factor(term.factors[0], part, text, has_company=False)
        else:
            for factor, own in zip(term.factors, numbered(factor.name for factor in term.factors), strict=True):
                yield from _in_factor(factor, f"{part}.{own}", text, has_company=True)


def _in_factor(factor: Factor, part: str, text: str, has_company: bool) -> Iterator[tuple[str, Kind, Term | Factor]]:
    if factor.letter not in CONSTANTS and is_known(factor, text) and factor.is_square:
        if has_company:
            yield part, "omit", factor
        if factor.inverse:
            yield part, "multiply", factor
        if factor.transposed:
            yield part, "untranspose", factor
    if factor.function == "stack":
        for place, inner in zip(("upper", "lower"), factor.inner, strict=True):
            yield from _in_sum(inner, f"{part}.{place}.", text)
    elif factor.function == "" and factor.inner:
        (inner,) = factor.inner
        if len(inner.terms) > 1:
            yield from _in_sum(inner, f"{part}.", text)
        else:  # a product in brackets: its one term is the factor itself
            factors = inner.terms[0].factors
            for each, own in zip(factors, numbered(each.name for each in factors), strict=True):
                yield from _in_factor(each, f"{part}.{own}", text, has_company=len(factors) > 1)


@functools.cache
def all_breaks() -> dict[str, Break]:
    """Every break of the text and of the other formulations, by key."""
    return {each.key: each for line in (*all_lines(), *formulated_lines()) for each in breaks_of(line)}


def chosen(keys: Iterable[str]) -> tuple[Break, ...]:
    """Breaks by their keys; a key that the text does not have is refused."""
    known = all_breaks()
    for key in keys:
        if key not in known:
            listed = "dynamics.reading.textbook_lines and formulation_lines list all"
            raise ModelError(f"nothing to break is called {brief(key)}; {listed}.")
    return tuple(known[key] for key in keys)


def keys_in(text: str, keys: frozenset[str]) -> frozenset[str]:
    """The breaks that are in one module of the text."""
    return frozenset(each.key for each in chosen(keys) if each.line in lines_by_key(text)) if keys else keys


@public
def textbook_breaks(keys: Iterable[str]) -> frozenset[str]:
    """The breaks among these that are in the textbook; the others belong to another formulation.

    Args:
        keys: of breaks, see ``textbook_lines`` and ``formulation_lines``.

    Returns:
        their keys.

    Raises:
        ModelError: for a key that no text has.

    Cost: negligible.
    """
    return frozenset(each.key for each in chosen(names(keys, "keys", ModelError)) if each.line in _of_textbook())


@functools.cache
def _of_textbook() -> frozenset[str]:
    return frozenset(line.key for line in all_lines())


@functools.cache
def lines_by_key(text: str) -> dict[str, Line]:
    """The lines of a module."""
    return {line.key: line for line in lines_of(text)}


Acts = dict[ast.AST, Kind]


@public
def altered_source(text: str, keys: frozenset[str]) -> str:
    """The source of a module of the text with some breaks in it; without any, the text as it is.

    Args:
        text: ``arm``, ``contact`` or ``free_flyer``, or that of another formulation, e.g. ``newton_euler``.
        keys: of breaks, see ``textbook_lines`` and ``formulation_lines``.

    Returns:
        The module's source as it then runs.

    Raises:
        ModelError: for another text, an unknown key, or two breaks that contradict each other.

    Cost: a millisecond; none for repeated calls.
    """
    if not is_among(text, (*TEXTS, *ALPHABETS)):
        raise ModelError(f"there is no text {brief(text)}; expected one of {', '.join((*TEXTS, *ALPHABETS))}.")
    return "".join(row + "\n" for row in _altered_rows(text, frozenset(names(keys, "keys", ModelError))))


@functools.lru_cache(maxsize=1024)
def altered_line(line: Line, keys: frozenset[str]) -> str:
    """A line with some breaks in it, its equation's number included."""
    return _altered_rows(line.text, keys)[line.number - 1].strip()


@functools.lru_cache(maxsize=256)
def _altered_rows(text: str, keys: frozenset[str]) -> tuple[str, ...]:
    rows = source_of(text).splitlines()
    acts: dict[str, Acts] = {}
    for each in chosen(sorted(keys)):
        acts.setdefault(each.line, {})
        if each.node in acts[each.line] and acts[each.line][each.node] != each.kind:
            raise ModelError(f"{each.key} contradicts another break of the same part; choose one of them.")
        acts[each.line][each.node] = each.kind
    for key in acts:
        if line := lines_by_key(text).get(key):
            value, row = line.statement.value, rows[line.number - 1]
            written = _Writer(row, acts[key]).total(value)
            rows[line.number - 1] = row[: value.col_offset] + written + row[value.end_col_offset :]
    return tuple(rows)


class _Writer:
    """Writes the expression in a row of the text with some of its parts altered; the others stay as written."""

    def __init__(self, row: str, acts: Acts) -> None:
        self._row, self._acts = row, acts

    def _is_touched(self, node: ast.AST) -> bool:
        return any(inner in self._acts for inner in ast.walk(node))

    def _as_written(self, node: ast.expr) -> str:
        return self._row[node.col_offset : node.end_col_offset]

    def total(self, node: ast.expr) -> str:
        """A sum: dropped terms vanish, negated ones change sign; an empty sum is zero of the right size."""
        if not self._is_touched(node):
            return self._as_written(node)
        text = ""
        for sign, operand in _operands(node, 1):
            act = self._acts.get(operand)
            if act == "drop":
                continue
            sign = -sign if act == "negate" else sign
            written = self._product(operand)
            if written.startswith("-"):
                sign, written = -sign, written[1:]
            joint = (" + " if sign > 0 else " - ") if text else ("" if sign > 0 else "-")
            text += joint + written
        return text or f"0 * ({self._as_written(node)})"

    def _product(self, node: ast.expr) -> str:
        if not self._is_touched(node):
            return self._as_written(node)
        if isinstance(node, ast.BinOp) and isinstance(node.op, MULTIPLYING):
            return self._joined(*_chain(node))
        if isinstance(node, ast.UnaryOp):
            return "-" + self._product(node.operand)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return self._call(node, node.func.id)
        if isinstance(node, ast.Attribute):
            inner = self._bracketed(node.value)
            if self._acts.get(node) == "untranspose":
                return inner
            is_product = isinstance(ast.parse(inner, mode="eval").body, ast.BinOp) and not inner.startswith("(")
            return f"({inner}).{node.attr}" if is_product else f"{inner}.{node.attr}"
        if isinstance(node, ast.BinOp):
            return f"({self.total(node)})"
        return self._as_written(node)

    def _joined(self, sign: int, chain: list[tuple[str, ast.expr]]) -> str:
        text, held = "", ""
        for mark, factor in chain:
            act = self._acts.get(factor)
            if act == "omit":
                held = mark if mark == "*" else held  # a number before it still multiplies what follows
                continue
            mark = "*" if act == "multiply" else held or mark
            held = ""
            written = self._bracketed(factor)
            if text:
                text += f" {mark} {written}"
            else:
                text = f"1 / {written}" if mark == "/" else written
        return ("-" if sign < 0 else "") + (text or "1")

    def _bracketed(self, node: ast.expr) -> str:
        if not isinstance(node, ast.BinOp):
            return self._product(node)
        text = self.total(node)
        left = [operand for _, operand in _operands(node, 1) if self._acts.get(operand) != "drop"]
        alone = len(left) == 1 and not isinstance(left[0], ast.BinOp) and not text.startswith("-")
        return text if alone else f"({text})"

    def _call(self, node: ast.Call, function: str) -> str:
        if function == "sum":
            running = node.args[0]
            assert isinstance(running, ast.GeneratorExp)
            body, whole = self._as_written(running.elt), self._as_written(node)
            return whole.replace(body, self.total(running.elt), 1)
        if function in INVERTING:
            divisor, right, *_ = node.args
            act = self._acts.get(divisor)
            if act == "omit":
                return self._bracketed(right)
            if act == "multiply":
                return f"{self._bracketed(divisor)} @ {self._bracketed(right)}"
        return f"{function}({', '.join(self.total(argument) for argument in node.args)})"


def _operands(node: ast.expr, sign: int) -> list[tuple[int, ast.expr]]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ADDING):
        return _operands(node.left, sign) + _operands(node.right, sign if isinstance(node.op, ast.Add) else -sign)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and is_running(node.operand):
        return [(-sign, node.operand)]
    return [(sign, node)]


def _chain(node: ast.expr) -> tuple[int, list[tuple[str, ast.expr]]]:
    """The sign of a product, and its factors from left to right, each with the operator before it."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, MULTIPLYING):
        mark = {ast.MatMult: "@", ast.Mult: "*", ast.Div: "/"}[type(node.op)]
        sign, factors = _chain(node.left)
        return sign, [*factors, (mark, node.right)]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -1, [("", node.operand)]
    return 1, [("", node)]
