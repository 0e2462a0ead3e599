"""The text with some breaks in it."""

from __future__ import annotations

import ast
import functools

from dynamics.checks import brief, is_among, names
from dynamics.errors import ModelError
from dynamics.formulations.letters import ALPHABETS
from dynamics.public import public
from dynamics.reading.breaks import Kind, chosen, lines_by_key
from dynamics.reading.expression import ADDING, INVERTING, MULTIPLYING, is_running
from dynamics.reading.lines import TEXTS, Line, source_of

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
