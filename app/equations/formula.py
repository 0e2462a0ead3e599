"""Formulas for the page, and plain words with powers and indices in them."""

from __future__ import annotations

import functools
import html
import re

from latex2mathml.converter import convert
from markupsafe import Markup

BAR = '<mo stretchy="false">&#x0007C;</mo>'
INFINITE = "&#x0221E;"
SIGN = re.compile(r"(<mo[^>]*>(?:\[|&#x0*(?:3D|2C|28|5B|2192|2248|2264|2265|3C|3E);)</mo>)<mo>(?=&#x02212;)")
"""A minus after a relation, a comma or an opening bracket: the sign of a number."""
NAMED = re.compile(r"<mi>(sin|cos|tan|acos|exp|log|ln)</mi>")
CHARACTER = re.compile(r"&#x([0-9A-F]+);")
HEAD = ' xmlns="http://www.w3.org/1998/Math/MathML" display="inline"'  # Attributes that HTML does not need
INNERMOST_ROOT = re.compile(r"<msqrt>((?:(?!<msqrt>).)*?)</msqrt>", re.DOTALL)


@functools.lru_cache(maxsize=4096)
def formula(latex: str) -> str:
    """LaTeX as inline MathML, which the browser typesets by itself; each formula is converted once."""
    return written_out(spaced(without_radicals(convert(latex))))


def spaced(mathml: str) -> str:
    """Spacing as in print: the minus sign of a number, bars around a magnitude, a cosine."""
    mathml = SIGN.sub(r'\1<mo form="prefix">', mathml)
    mathml = mathml.replace(f"<mo>{INFINITE}</mo>", f"<mi>{INFINITE}</mi>")
    mathml = NAMED.sub(r'<mo lspace="0.167em" rspace="0.167em">\1</mo>', mathml)
    pieces = mathml.split(BAR)
    if len(pieces) % 2:  # every bar has its counterpart
        forms = ("prefix", "postfix") * (len(pieces) // 2)
        bars = [BAR.replace("<mo", f'<mo form="{form}"') for form in forms]
        mathml = "".join(piece + bar for piece, bar in zip(pieces, (*bars, ""), strict=True))
    return mathml


def without_radicals(mathml: str) -> str:
    """Replaces a root by its sign and radicand, with parentheses if that is long.

    Browsers draw the sign over its radicand only with a mathematical font; without one they leave it out.
    """

    def plain(found: re.Match[str]) -> str:
        of = found.group(1)
        is_long = len(re.findall(r"<m(?:i|n|o|text)\b", of)) > 1
        opened, closed = ("<mo>(</mo>", "<mo>)</mo>") if is_long else ("", "")
        return f'<mrow><mo form="prefix" stretchy="false">√</mo>{opened}{of}{closed}</mrow>'

    while (found := INNERMOST_ROOT.sub(plain, mathml)) != mathml:
        mathml = found
    return mathml


def written_out(mathml: str) -> str:
    """Replaces character references by the characters: a step of the walk has hundreds."""
    return CHARACTER.sub(lambda found: html.escape(chr(int(found[1], 16))), mathml.replace(HEAD, "", 1))


UNITS = {
    "1": "no unit",
    "N m; N": "moment N m, force N",
    "rad/s^2; m/s^2": "angular rad/s^2, linear m/s^2",
    "rad/s; m/s": "angular rad/s, linear m/s",
    "1; 1/m (or m; 1)": "Mx My Mz without a unit, Fx Fy Fz 1/m (where the joint slides: m, and without a unit)",
    "1, m; 1/m, 1": "moment per moment without a unit, per force m; force per moment 1/m, per force without a unit",
    "kg m^2, kg m; kg m, kg": "moment per angular kg m^2, per linear acceleration kg m; force kg m and kg",
    "1/(kg m^2), 1/(kg m); 1/(kg m), 1/kg": "angular per moment 1/(kg m^2), per force 1/(kg m); "
    "linear 1/(kg m) and 1/kg",
}
"""Units in words, for quantities whose parts have several units."""


def unit_html(unit: str) -> str:
    """A unit of the registry; if its parts have different units, which part has which."""
    return raised(UNITS.get(unit, unit))


def unit_here(unit: str, slides: bool) -> str:
    """A unit of the registry at a joint of one kind, abbreviated."""
    turning, _, sliding = unit.removesuffix(")").partition(" (or " if " (or " in unit else " or ")
    here = sliding if slides and sliding else turning
    return "; ".join("no unit" if part == "1" else part for part in here.split("; "))


def raised(words: str) -> str:
    """A unit or a frame in plain words as HTML with powers and indices."""
    return re.sub(r"_(\w)", r"<sub>\1</sub>", re.sub(r"\^(\d)", r"<sup>\1</sup>", html.escape(words)))


LETTERS = {"omega": "ω", "alpha": "α", "sigma": "σ", " - ": " − ", "<=": "≤", " x ": " × "}
"""The papers' letters as the code spells them out, as in the rows of the papers' tables."""


def worded_html(text: str) -> Markup:
    """Text with the papers' letters as they are printed; an underscore inside a word, as in ``link_3``, stays."""
    for spelled, letter in LETTERS.items():
        text = text.replace(spelled, letter)
    text = re.sub(r"\^(\w)", r"<sup>\1</sup>", html.escape(text))
    lowered = r"(?<![a-z]{2})_(FREE|\w\d?(?:[+-]\d)?)"
    return Markup(re.sub(lowered, lambda found: f"<sub>{found[1].replace('-', '−')}</sub>", text))
