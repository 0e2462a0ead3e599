"""The HTML of lessons: Markdown texts with mathematics and numbers of the moment; and Jinja2 templates."""

from __future__ import annotations

import functools
import html
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

from app.equations.formula import formula
from app.equations.safe_html import cleaned
from app.lessons.expressions import ExpressionError, Names, Value, parse
from app.lessons.lesson import BRACES, Prose
from app.number_text import RAISED, number_text, size_of
from app.views.components import templates

MATHEMATICS = re.compile(r"\$\$.*?\$\$|\$[^$\n]*\$", re.DOTALL)
UNIT = r"(?:°|%|(?:[kcmµ]?[gmsNJW]|k?Hz|k?Pa|[mµ]?rad|t)(?![A-Za-z])(?:\^?[\-−⁻]?[\d¹²³⁴])?)"
MEASURED = re.compile(rf"(?<=[\d$½]) (?:1/\(?)?{UNIT}(?:[ ·/]{UNIT})*\)?(?![\w$])")
TENFOLD = re.compile(r"·10([⁻⁰¹²³⁴-⁹]+)")
TO_RAISED = str.maketrans("0123456789−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
FULL, DIGITS = 5, 3
"""Powers of ten up to which a number is written in full; and its digits, unless a text gives another number."""


def render(template: str, /, **values: object) -> str:
    return templates(Path(__file__).parent).get_template(f"{template}.html").render(values)


@functools.cache
def _markdown() -> MarkdownIt:
    """CommonMark with tables and mathematics; no HTML of the author's, no pictures, no links."""
    made = MarkdownIt("commonmark", {"html": False, "typographer": False}).enable("table")
    made.disable(["image", "link", "autolink", "reference", "html_block", "html_inline"])
    return made.use(dollarmath_plugin, renderer=_typeset, allow_labels=False, double_inline=True)


def _typeset(latex: str, options: dict[str, bool]) -> str:
    shown = formula(latex)
    if found := re.search(r"\\[A-Za-z]+", shown) or re.search(r"\\not(?![A-Za-z])", latex):
        raise ExpressionError(f"a formula has {found.group()}, a command that is not known.")
    return f"<div class='display'>{shown}</div>" if options.get("display_mode") else shown


def filled(prose: Prose, names: Names) -> str:
    """The text with every expression replaced by its value."""
    formulas = [found.span() for found in MATHEMATICS.finditer(prose.text)]

    def written(found: re.Match[str]) -> str:
        try:
            shown = value_text(parse(found[1]).value(names), int(found[2] or DIGITS))
        except ExpressionError as error:
            line = prose.line + prose.text.count("\n", 0, found.start())
            raise ExpressionError(f"between {{{{ }}}}: {error}", line) from None
        if not any(start <= found.start() < end for start, end in formulas):
            return shown
        latex = TENFOLD.sub(lambda ten: rf"\cdot 10^{{{ten[1].translate(RAISED)}}}", shown.replace("−", "-"))
        return f"{{{latex}}}" if latex.startswith("-") else latex  # a sign is set closer than a minus between terms

    return MEASURED.sub(lambda found: found[0].replace(" ", "\u00a0"), BRACES.sub(written, prose.text))


def value_text(value: Value, digits: int) -> str:
    """A value as written in a sentence."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if np.ndim(value) == 0:
        return _in_sentence(number_text(float(value), digits=digits))
    if np.ndim(value) > 1:
        raise ExpressionError("a whole matrix does not stand in a sentence; take an entry of it, as [1, 1].")
    row = np.asarray(value)
    return f"({', '.join(_in_sentence(number_text(each, size_of(row), digits)) for each in row)})"


def _in_sentence(number: str) -> str:
    """A number with a power of ten as 2·10⁻⁵; in full for small powers."""
    mantissa, power, exponent = number.partition("e")
    if not power:
        return number
    if 0 < int(exponent.replace("−", "-")) <= FULL:
        return f"{float(number.replace('−', '-')):.0f}".replace("-", "−")
    return f"{mantissa}·10{exponent.translate(TO_RAISED)}"


def prose_html(prose: Prose, names: Names) -> str:
    return cleaned(_rendered(_markdown().render, filled(prose, names)))


def line_html(prose: Prose, names: Names) -> str:
    return cleaned(_rendered(_markdown().renderInline, filled(prose, names)))


def reply_html(text: str) -> str:
    """A reply to an answer, with its numbers filled in; plain text if it cannot be typeset."""
    try:
        return cleaned(_rendered(_markdown().renderInline, text))
    except ExpressionError:
        return html.escape(text)


def _rendered(render: Callable[[str], str], text: str) -> str:
    try:
        return render(text)
    except ExpressionError:
        raise
    except Exception as error:  # the typesetter raises many kinds of errors
        raise ExpressionError(f"a formula cannot be typeset: {type(error).__name__}.") from None
