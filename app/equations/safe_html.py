"""HTML that can do nothing but be read: what a text and its formulas need of it, and plain words with formulas."""

from __future__ import annotations

import html
import re

import nh3

from app.equations.formula import formula

CLOSED = re.compile(r'<span class="math inline">(?:(?!<span).)*?</span>[,.;:!?)]+', re.DOTALL)
"""A formula and what closes it, which begins no line of its own."""
DOLLARS = re.compile(r"\$(?![\s$])([^$]*[^$\s])\$(?!\d)")
"""A formula among plain words; what costs $5 or $6 is none."""
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
    """Only what a text needs: what a formula smuggles through the typesetter goes."""
    shown = nh3.clean(
        shown, tags=set(PLAIN) | set(MATHML), attributes={k: set(v) for k, v in ATTRIBUTES.items()}, link_rel=None
    )
    return CLOSED.sub(r"<span style='white-space: nowrap'>\g<0></span>", shown)


def words_html(text: str) -> str:
    """Plain words, whatever is in them, as HTML that shows them as they are, but formulas between dollars as such."""
    shown, end = [], 0
    for found in DOLLARS.finditer(text):
        shown += [html.escape(text[end : found.start()]), _typeset(found)]
        end = found.end()
    return "".join([*shown, html.escape(text[end:])])


def _typeset(found: re.Match[str]) -> str:
    """A formula; as it is written where it cannot be typeset."""
    try:
        return cleaned(formula(found[1]))
    except Exception:  # the typesetter has errors of many kinds
        return html.escape(found[0])
