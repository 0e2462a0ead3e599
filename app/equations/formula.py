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


def raised(words: str) -> str:
    """A unit or a frame in plain words as HTML: powers and indices where they belong."""
    return re.sub(r"_(\w)", r"<sub>\1</sub>", re.sub(r"\^(\d)", r"<sup>\1</sup>", html.escape(words)))
