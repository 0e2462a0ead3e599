"""Equations with their numbers under them, and matrices as tables that wait for their numbers."""

from __future__ import annotations

import html
import re

from app.equations.formula import formula
from app.equations.term import Equation, Term
from app.walker.sheet import Numbering


def raised(words: str) -> str:
    """A unit or a frame in plain words as HTML: powers and indices where they belong."""
    return re.sub(r"_(\w)", r"<sub>\1</sub>", re.sub(r"\^(\d)", r"<sup>\1</sup>", html.escape(words)))


def matrix(rows: int, columns: int, numbering: Numbering, heat: int = 0) -> str:
    """An empty matrix in brackets; a column or row of six is divided into its angular and its linear part."""
    if rows == columns == 1:
        return numbering.one()
    first = numbering.count
    body = "".join(f"<tr>{''.join(f'<td {numbering.cell()}></td>' for _ in range(columns))}</tr>" for _ in range(rows))
    kind = {(6, 1): "column", (1, 6): "row", (6, 6): "square"}.get((rows, columns), "other")
    warm = f" data-heat='{heat}'" if heat else ""
    return f"<table class='matrix {kind}' data-first='{first}'{warm}><tbody>{body}</tbody></table>"


def term_html(term: Term, numbering: Numbering) -> str:
    """A symbol over its value."""
    label = formula(term.latex + ("^{-1}" if term.inverse else ""))
    power = "<sup>−1</sup>" if term.inverse else ""
    rows, columns = term.value.shape
    value = matrix(rows, columns, numbering)
    return f"<div class='term'><div class='symbol'>{label}</div><div class='value'>{value}{power}</div></div>"


def equation_html(equation: Equation, names: str, color: str, numbering: Numbering) -> str:
    """The formula, then the same with numbers, then what the left side is."""
    left = term_html(equation.left, numbering)
    right = ""
    for at, product in enumerate(equation.right):
        sign = "−" if product.sign < 0 else ("+" if at else "")
        right += f"<span class='sign'>{sign}</span>" if sign else ""
        right += "".join(term_html(factor, numbering) for factor in product.factors)
    key = " ".join(equation.key) if equation.key else ""
    return (
        f"<section class='equation' data-equation='{html.escape(key)}' style='--own: {color}'>"
        f"<header>{formula(equation.latex)}<span class='source'>{html.escape(equation.source)}</span></header>"
        f"<div class='numbers'>{left}<span class='sign'>=</span>{right}</div>"
        f"<footer>{names}</footer></section>"
    )
