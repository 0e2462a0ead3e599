"""Values as tables with placeholders for their numbers; the lines of a text as equations with numbers, and listed."""

from __future__ import annotations

import difflib
import functools
import html
import re
from collections.abc import Sequence
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from app.equations.formula import formula
from app.equations.rounding import JOINED, sizes_beside, sizes_of_bracket, sizes_of_parts
from app.equations.sheet import Figures, Numbering
from dynamics.reading import FactorValue, LineReading

Array = NDArray[np.float64]
LARGEST = 24  # Largest number of rows or columns of a matrix inside an equation; a larger one is opened on demand
MOST_TERMS = 8  # Largest number of terms of a sum inside an equation; a longer one is opened on demand
TILED = 3  # Smallest number of rows and columns of a matrix that is shown as tiles until the user asks for its digits
DARKEST = 92
"""Strength of the darkest tile's color in per cent, as in the sheet; a value 100 times smaller is a tenth as dark."""
DAGGER = r"^{\dagger"  # Beginning of the mark of a pseudoinverse in LaTeX
TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
KINDS = {(6, 1): "column", (1, 6): "row", (6, 6): "square"}


def matrix(rows: int, columns: int, numbering: Numbering, look: str = "", mine: Sequence[int] = ()) -> str:
    """A matrix in brackets, whose cells the sheet adds; a column or row of six has an angular and a linear part.

    Args:
        look: attributes of the group of its cells.
        mine: rows that belong to the current place.
    """
    if rows == columns == 1:
        return numbering.one(look)
    first = numbering.count
    numbering.count += rows * columns
    kind = KINDS.get((rows, columns), "tall" if columns == 1 and rows % 6 == 0 else "other")
    cells = f"data-first='{first}' data-cells='{rows} {columns}'"
    own = f" data-mine='{' '.join(map(str, mine))}'" if mine else ""
    return f"<table class='matrix {kind}' {cells}{own}{look}></table>"


def beside_attributes(first: int, units: Sequence[int], columns: int) -> str:
    """Attributes of a group with its ``sizes_beside``, of shape ``units`` (rows, columns), placed from ``first`` on."""
    down, across = units
    return f" data-beside='{first}' data-units='{down} {across} {columns}'"


def sizes_html(value: Array, figures: Figures, parts: Array | None = None) -> str:
    """The same with the sizes; empty for a group of one unit that is no sum, which is compared with its own largest."""
    sizes = sizes_beside(value, figures.length, 0.0 if parts is None else parts)
    if sizes.size == 1 and parts is None:
        return ""
    figures.put(sizes)
    figures.count += sizes.size
    return beside_attributes(figures.count - sizes.size, sizes.shape, value.shape[1])


def value_html(
    value: Array, figures: Figures, parts: Array | None = None, mine: Sequence[int] = (), share: float = 1.0
) -> str:
    """A value under its symbol; a value too large for that is opened on demand.

    Args:
        parts: ``sizes_of_parts`` of the line that computed it.
        mine: rows that belong to the current place.
        share: its size relative to another value, whose darkest tile has full strength; 1 or more for itself.
    """
    rows, columns = value.shape
    if not value.size:
        return "<span class='none'>none</span>"
    look = sizes_html(value, figures, parts)
    figures.put(value)
    tiled = min(rows, columns) >= TILED
    if tiled:
        look += " data-tiled" if share >= 1.0 else f" data-tiled data-strongest='{DARKEST * np.sqrt(share):.0f}'"
    table = matrix(rows, columns, figures, look=look, mine=mine)
    if max(rows, columns) > LARGEST:
        return f"<details class='large'><summary>{rows}×{columns}</summary><div class='wide'>{table}</div></details>"
    return table


def beside_html(line: LineReading, figures: Figures) -> str:
    """A line's value beside its code: a number, [angular; linear], or a matrix that is opened on demand."""
    rows, columns = line.value.shape
    if not line.value.size:
        return "<span class='none'>none</span>"
    look = sizes_html(line.value, figures, _parts(line, figures))
    figures.put(line.value)
    if line.value.size == 1:
        return figures.one(look)
    if columns > 1 or rows % 6:
        table = matrix(rows, columns, figures, look=look)
        return f"<details><summary>{rows}×{columns}</summary><div class='wide'>{table}</div></details>"
    found = ""
    for _ in range(0, rows, 6):
        first = figures.count
        cells = [f"<span {figures.cell()}></span>" for _ in range(6)]
        found += (
            f"<span class='vector' data-first='{first}'{look}>[{' '.join(cells[:3])}; {' '.join(cells[3:])}]</span>"
        )
    return found


def _parts(line: LineReading, figures: Figures) -> Array:
    """The sizes relative to which a line's value may be rounding, as far as they are known."""
    return sizes_of_parts(line) if figures.loads is None else figures.loads.parts(line)


def factor_html(factor: FactorValue, figures: Figures, link: int, parts: Array | None = None) -> str:
    """A symbol over its value; a negative number is bracketed.

    Args:
        link: the link of its line.
        parts: sizes of what it is added to; None for a factor of a product.
    """
    if factor.inner:
        parts = np.maximum(sizes_of_bracket(factor), 0.0 if parts is None else parts)
        if figures.loads is not None and len(factor.inner) == 1 and not factor.inverse:
            parts = np.maximum(parts, figures.loads.of_bracket(factor, link))
    if figures.loads is not None and factor.letter in JOINED:
        parts = np.maximum(0.0 if parts is None else parts, np.atleast_2d(figures.loads.at(factor.letter, link)))
    power = f"<sup>{'†' if DAGGER in factor.latex else '−1'}</sup>" if factor.inverse else ""
    if factor.value.size != 1:
        return _over(factor.latex, value_html(factor.value, figures, parts) + power)
    look = "" if parts is None else sizes_html(factor.value, figures, parts)
    figures.put(factor.value)
    return _over(factor.latex, figures.one(f" data-bracketed{look}") + power)


def _over(latex: str, value: str) -> str:
    return f"<div class='term'><div class='symbol'>{formula(latex)}</div><div class='value'>{value}</div></div>"


def sum_html(line: LineReading, figures: Figures) -> str:
    """The right side with numbers; zero for an empty sum. A single-factor term is compared with the size of the sum."""
    found, terms = "", line.terms
    for at, term in enumerate(terms):
        sign = "−" if term.sign < 0 else ("+" if at else "")
        found += f"<span class='sign'>{sign}</span>" if sign else ""
        is_alone = len(terms) > 1 == len(term.factors) and not term.factors[0].inverse
        parts = sizes_of_parts(line) if is_alone else None
        found += "".join(factor_html(factor, figures, line.link, parts) for factor in term.factors)
    if len(terms) > MOST_TERMS:
        found = (
            f"<details class='large'><summary>{len(terms)} terms</summary><div class='numbers'>{found}</div></details>"
        )
    return found or _over("0", "<span class='number'>0</span>")


def equation_html(line: LineReading, color: str, names: str, figures: Figures) -> str:
    """The formula, the same with numbers, and what the left side is; the sheet adds what can be opened."""
    left = _over(line.left, value_html(line.value, figures, _parts(line, figures), line.rows))
    change = f"<p class='note published'>As published: {formula(line.published_latex)}</p>" if line.broken else ""
    return (
        f"<section class='equation{' broken' if line.broken else ''}' id='{html.escape(line.key)}' "
        f"data-equation='{line.stage} {line.quantity_name}' style='--own: {color}'>"
        f"<header>{formula(line.lettered)}<details class='origin'><summary class='source'>{html.escape(line.equation)}"
        f"</summary></details></header>{change}"
        f"<div class='numbers'>{left}<span class='sign'>=</span>{sum_html(line, figures)}</div>"
        f"<footer>{names}</footer></section>"
    )


def listing_html(lines: Sequence[LineReading], figures: Figures) -> str:
    """Sweep by sweep, in the order of the text; a click on a line leads to its equation."""
    found = ""
    for heading, calls_of_half in groupby(lines, key=heading_of):
        own = list(calls_of_half)
        rows = "".join(_row(list(calls), figures) for _, calls in groupby(own, key=lambda line: line.key))
        found += (
            f"<p class='sweep'><code>{html.escape(heading)}</code> <span class='file'>dynamics/textbook/"
            f"{html.escape(own[0].file)}</span></p><ol class='text'>{rows}</ol>"
        )
    return found


def heading_of(line: LineReading) -> str:
    """The function that contains a line, as it is defined."""
    sweep, *inner, _ = line.key.removeprefix(f"{line.stage}.").split(".")
    return f"{sweep}: {inner[0]}" if inner else sweep


def _row(calls: list[LineReading], figures: Figures) -> str:
    """One line with its values; several if it runs for several contacts of the link."""
    line = calls[0]
    values = "".join(
        f"<span class='own'><span class='symbol'>{formula(call.left)}</span> = {beside_html(call, figures)}</span>"
        for call in calls
    )
    name = html.escape(f"Line {line.number}, {line.equation}: go to its equation", quote=True)
    return (
        f"<li value='{line.number}' class='ran{' broken' if line.broken else ''}' data-line='{html.escape(line.key)}'>"
        f"<div class='row'><code data-to='{html.escape(line.key)}' tabindex='0' role='link' aria-label='{name}'>"
        f"{changed_html(line.published, line.source)}</code><span class='source'>{html.escape(line.equation)}</span>"
        f"<span class='values'>{values}</span></div></li>"
    )


@functools.lru_cache(maxsize=1024)
def changed_html(before: str, now: str) -> str:
    """The current line, with additions underlined and deletions struck out."""
    if before == now:
        return html.escape(now)
    old, new = TOKEN.findall(before), TOKEN.findall(now)
    found = ""
    for what, i1, i2, j1, j2 in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        gone, come = html.escape("".join(old[i1:i2])), html.escape("".join(new[j1:j2]))
        if what == "equal":
            found += come
            continue
        found += f"<del>{gone}</del>" if gone.strip() else ""
        found += f"<ins>{come}</ins>" if come.strip() else come
    return found
