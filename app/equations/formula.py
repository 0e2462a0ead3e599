"""Formulas for the page."""

from __future__ import annotations

import functools

from latex2mathml.converter import convert


@functools.lru_cache(maxsize=4096)
def formula(latex: str) -> str:
    """LaTeX as inline MathML, which the browser typesets by itself; each is converted once."""
    return convert(latex)
