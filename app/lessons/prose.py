"""A lesson's text as HTML: Markdown, mathematics as the page typesets it, and numbers of the moment."""

from __future__ import annotations

import functools
import html
import re
from collections.abc import Iterator

import numpy as np
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

from app.equations.cleaning import cleaned
from app.equations.formula import formula
from app.lessons.language import parsed
from app.lessons.numerals import SYMBOLS
from app.lessons.values import ExpressionError, Names, Value
from app.number_text import RAISED, number_text, size_of

BRACES = re.compile(r"\{\{([^{}]*)\}\}")
MATHEMATICS = re.compile(r"(\$\$.*?\$\$|\$[^$\n]*\$)", re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
UNPAIRED = re.compile(r"\{\{|\}\}|(?<!\\)\$")
NEGATED = re.compile(r"\\not(?![A-Za-z])")
COMMAND = re.compile(r"\\[A-Za-z]+")
MEASURED = re.compile(rf"(?<=[\d$½]) (?:{SYMBOLS})(?![\w$])")
NO_BREAK = "\u00a0"
NOT_TAKEN = re.compile(r"!?\[[^\]\n]*\]\(|</?[A-Za-z][^>\n]*>")
TENFOLD = re.compile(r"·10([⁻⁰¹²³⁴-⁹]+)")
TO_RAISED = str.maketrans("0123456789−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
FULL = 5
"""Figures of a number that is written in full."""
DIGITS = 3


@functools.cache
def _markdown() -> MarkdownIt:
    """CommonMark with tables and mathematics; no HTML of the writer's, no pictures, no links."""
    made = MarkdownIt("commonmark", {"html": False, "typographer": False}).enable("table")
    made.disable(["image", "link", "autolink", "reference", "html_block", "html_inline"])
    made.use(dollarmath_plugin, renderer=_typeset, allow_labels=False, double_inline=True)
    return made


def _typeset(latex: str, options: dict[str, bool]) -> str:
    if NEGATED.search(latex):
        raise ExpressionError(r"a formula has \not, which is not drawn; say it in words, or write \ne.")
    shown = formula(latex)
    if found := COMMAND.search(shown):
        raise ExpressionError(f"a formula has {found.group()}, a command that is not known.")
    return f"<div class='display'>{shown}</div>" if options.get("display_mode") else shown


def expressions(text: str) -> Iterator[tuple[int, str]]:
    """(lines from the start, source) of every expression in a text."""
    for found in BRACES.finditer(text):
        yield text.count("\n", 0, found.start()), split(found.group(1))[0]


def not_taken(text: str) -> int | None:
    """Where a link, a picture or HTML stands, outside code, mathematics and expressions; None where there is none."""
    found = NOT_TAKEN.search(_running(text))
    return None if found is None else found.start()


def unpaired(text: str) -> int | None:
    """Where braces or a dollar sign stand that nothing closes or opens, and would be read as they are."""
    found = UNPAIRED.search(_running(text))
    return None if found is None else found.start()


def _running(text: str) -> str:
    """A text as long as it is, with nothing where code, mathematics and expressions stand."""

    def blank(found: re.Match[str]) -> str:
        return " " * len(found.group())

    for skipped in (BRACES, MATHEMATICS, CODE):
        text = skipped.sub(blank, text)
    return text


def split(inner: str) -> tuple[str, int]:
    """An expression and to how many digits it is written: ``{{ energy | 5 }}``."""
    source, bar, digits = inner.rpartition("|")
    if bar and digits.strip() in {"1", "2", "3", "4", "5", "6", "7", "8"}:
        return source.strip(), int(digits)
    return inner.strip(), DIGITS


def filled(text: str, names: Names) -> str:
    """The text with every expression's value in its place.

    Raises:
        ExpressionError: for one that has none.
    """

    def plain(found: re.Match[str]) -> str:
        source, digits = split(found.group(1))
        return value_text(parsed(source).value(names), digits)

    def in_latex(found: re.Match[str]) -> str:
        text = plain(found).replace("−", "-")
        shown = TENFOLD.sub(lambda ten: rf"\cdot 10^{{{ten[1].translate(RAISED)}}}", text)
        return f"{{{shown}}}" if text.startswith("-") else shown  # a sign, which stands closer than a difference's

    parts = MATHEMATICS.split(text)
    return unbroken(
        "".join(
            BRACES.sub(in_latex if part.startswith("$") else plain, part) if "{{" in part else part for part in parts
        )
    )


def unbroken(text: str) -> str:
    """The text with every number on one line with its unit."""
    return MEASURED.sub(lambda found: found.group().replace(" ", NO_BREAK), text)


def value_text(value: Value, digits: int) -> str:
    """A value as it stands in a sentence."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if np.ndim(value) == 0:
        return in_running_text(number_text(float(value), digits=digits))
    array = np.asarray(value, dtype=float)
    if array.ndim > 1:
        raise ExpressionError("a whole matrix does not stand in a sentence; take an entry of it, as [1, 1].")
    return "(" + ", ".join(in_running_text(number_text(each, size_of(array), digits)) for each in array) + ")"


def in_running_text(number: str) -> str:
    """A number as it is written, with a power of ten: 2·10⁻⁵; one of a few figures in full."""
    mantissa, power, exponent = number.partition("e")
    if not power:
        return number
    if 0 < int(exponent.replace("−", "-")) <= FULL:
        return f"{float(number.replace('−', '-')):.0f}".replace("-", "−")
    return f"{mantissa}·10{exponent.translate(TO_RAISED)}"


def prose_html(text: str, names: Names) -> str:
    """A text as HTML that can do nothing but be read.

    Raises:
        ExpressionError: for an expression that has no value, or mathematics that cannot be typeset.
    """
    return cleaned(_rendered(filled(text, names), inline=False))


def line_html(text: str, names: Names) -> str:
    """The same of one line, without a paragraph round it."""
    return cleaned(_rendered(filled(text, names), inline=True))


def said_html(text: str) -> str:
    """What is said of an answer, its formulas typeset; as it stands where one cannot be."""
    try:
        return cleaned(_rendered(text, inline=True))
    except ExpressionError:
        return escaped(text)


def spoken(text: str) -> str:
    """The same to be heard: without the signs that only set it."""
    return re.sub(r"[$*]", "", text)


def _rendered(text: str, inline: bool) -> str:
    try:
        return str(_markdown().renderInline(text) if inline else _markdown().render(text))
    except ExpressionError:
        raise
    except Exception as fault:  # of a formula that the typesetter does not understand: it has errors of many kinds
        raise ExpressionError(f"a formula cannot be typeset: {type(fault).__name__}.") from None


def escaped(text: str) -> str:
    return html.escape(text, quote=True)
