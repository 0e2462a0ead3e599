"""Formulas for the page, and plain words with powers and indices in them."""

from __future__ import annotations

import functools
import html
import re

from latex2mathml.converter import convert


@functools.lru_cache(maxsize=4096)
def formula(latex: str) -> str:
    """LaTeX as inline MathML, which the browser typesets by itself; each is converted once."""
    return convert(latex)


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
"""Of what has parts of several units, in words."""


def unit_html(unit: str) -> str:
    """A unit of the registry; where parts have their own, which part has which."""
    return raised(UNITS.get(unit, unit))


def unit_here(unit: str, slides: bool) -> str:
    """A unit of the registry as it is at a joint of one kind, in a few letters."""
    turning, _, sliding = unit.removesuffix(")").partition(" (or " if " (or " in unit else " or ")
    parts = (sliding if slides and sliding else turning).split("; ")
    return "; ".join("no unit" if part == "1" else part for part in parts)


def raised(words: str) -> str:
    """A unit or a frame in plain words as HTML: powers and indices where they belong."""
    return re.sub(r"_(\w)", r"<sub>\1</sub>", re.sub(r"\^(\d)", r"<sup>\1</sup>", html.escape(words)))
