"""HTML limited to harmless elements: those that a text and its formulas need, and plain words with formulas."""

from __future__ import annotations

import html
import re

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
    "math": {"display"},
    "mo": {
        *("stretchy", "fence", "form", "separator", "largeop", "movablelimits"),
        *("lspace", "rspace", "minsize", "maxsize"),
    },
    "mspace": {"width"},
    "mtable": {"columnalign", "rowspacing", "columnspacing"},
    "mi": {"mathvariant"},
    "mover": {"accent"},
    "munder": {"accentunder"},
    "mfrac": {"linethickness"},
    "span": {"class"},
    "div": {"class"},
    "table": {"class"},
    "ol": {"start"},
}


def cleaned(shown: str) -> str:
    """HTML reduced to what a text needs; anything else that a formula smuggles through the typesetter is removed."""
    shown = nh3.clean(
        shown, tags=set(PLAIN) | set(MATHML), attributes={k: set(v) for k, v in ATTRIBUTES.items()}, link_rel=None
    )
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
