"""HTML limited to the harmless elements that a text and its formulas need, and its text in one plain line."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser

import nh3

from app.equations.formula import formula

CLOSED = re.compile(r'<span class="math inline">(?:(?!<span).)*?</span>[,.;:!?)]+', re.DOTALL)
"""A formula with its closing punctuation, which must not begin a line."""
DOLLARS = re.compile(r"\$(?![\s$])([^$]*[^$\s])\$(?!\d)")
"""A formula in plain words; prices such as $5 or $6 are not formulas."""
MATHML = (
    *("math", "mrow", "mi", "mo", "mn", "mtext", "ms", "mspace", "mfrac", "msqrt", "mroot", "msub", "msup", "msubsup"),
    *("munder", "mover", "munderover", "mtable", "mtr", "mtd", "mstyle", "mpadded", "mphantom", "menclose", "mfenced"),
)
PLAIN = (
    *("p", "em", "strong", "code", "pre", "ul", "ol", "li", "h3", "h4", "blockquote", "hr", "br", "span", "div"),
    *("table", "thead", "tbody", "tr", "th", "td"),
)
ATTRIBUTES = {
    "math": {"display"}, "mspace": {"width"}, "mi": {"mathvariant"}, "mover": {"accent"}, "munder": {"accentunder"},
    "mo": {"stretchy", "fence", "form", "separator", "largeop", "movablelimits", "lspace", "rspace", "minsize",
           "maxsize"},
    "mtable": {"columnalign", "rowspacing", "columnspacing"}, "mfrac": {"linethickness"},
    "span": {"class"}, "div": {"class"}, "table": {"class"}, "ol": {"start"},
}  # fmt: skip


def cleaned(shown: str) -> str:
    """HTML reduced to what a text needs; anything else that a formula smuggles through the typesetter is removed."""
    shown = nh3.clean(shown, tags={*PLAIN, *MATHML}, attributes=ATTRIBUTES, link_rel=None)
    return CLOSED.sub(r"<span style='white-space: nowrap'>\g<0></span>", shown)


def words_html(text: str) -> str:
    """Plain words as HTML that shows them unchanged, except that formulas between dollar signs are typeset."""
    shown, end = [], 0
    for found in DOLLARS.finditer(text):
        shown += [html.escape(text[end : found.start()]), _typeset(found)]
        end = found.end()
    return "".join([*shown, html.escape(text[end:])])


def _typeset(found: re.Match[str]) -> str:
    """A formula; its source if it cannot be typeset."""
    try:
        return cleaned(formula(found[1]))
    except Exception:  # the typesetter has errors of many kinds
        return html.escape(found[0])


VOID = {"br", "hr"}
SIGNS = {"mfrac": "/", "msup": "^", "msub": "_", "msubsup": "_^", "munderover": "_^"}
"""Separators of the parts of two-dimensional notation."""


def flat(shown: str) -> str:
    """The text of clean HTML, with formulas as in ``1/2`` and ``x^2``, not 12 and x2 as without tags."""
    reader = _Reader()
    reader.feed(shown)
    reader.close()
    return reader.said.strip()


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self._parts: list[list[str]] = [[]]
        """The text so far of each open element."""

    @property
    def said(self) -> str:
        return "".join("".join(parts) for parts in self._parts)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in VOID:
            self._parts.append([])

    def handle_endtag(self, tag: str) -> None:
        if len(self._parts) > 1:
            parts = self._parts.pop()
            self._parts[-1].append(_joined(tag, parts))

    def handle_data(self, data: str) -> None:
        self._parts[-1].append(data)


def _joined(tag: str, parts: list[str]) -> str:
    if tag == "msqrt":
        return f"√{_as_one(''.join(parts))}"
    signs = SIGNS.get(tag, "")
    if not signs or len(parts) != len(signs) + 1:
        return " " if tag == "mspace" else "".join(parts)
    return _as_one(parts[0]) + "".join(sign + _as_one(part) for sign, part in zip(signs, parts[1:], strict=True))


def _as_one(part: str) -> str:
    """The part, in brackets if it is ambiguous in a line."""
    is_one = len(part) < 2 or part.isalpha() or part.replace(".", "").isdecimal()
    return part if is_one else f"({part})"
