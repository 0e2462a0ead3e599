"""The papers' letters where the code's own words spell them out: of the rows of their tables."""

from __future__ import annotations

import html
import re

LETTERS = {"omega": "ω", "alpha": "α", "sigma": "σ", " - ": " − ", "<=": "≤", " x ": " × "}


def worded_html(text: str) -> str:
    """The papers' letters as they are printed; an underscore in a word, as of ``link_3``, stays."""
    for spelled, letter in LETTERS.items():
        text = text.replace(spelled, letter)
    text = re.sub(r"\^(\w)", r"<sup>\1</sup>", html.escape(text))
    return re.sub(
        r"(?<![a-z]{2})_(FREE|\w\d?(?:[+-]\d)?)", lambda found: f"<sub>{found[1].replace('-', '−')}</sub>", text
    )
