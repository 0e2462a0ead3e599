"""The papers' letters in text where the code spells them out, as in the rows of the papers' tables."""

from __future__ import annotations

import html
import re

LETTERS = {"omega": "ω", "alpha": "α", "sigma": "σ", " - ": " − ", "<=": "≤", " x ": " × "}


def worded_html(text: str) -> str:
    """Text with the papers' letters as they are printed; an underscore inside a word, as in ``link_3``, stays."""
    for spelled, letter in LETTERS.items():
        text = text.replace(spelled, letter)
    text = re.sub(r"\^(\w)", r"<sup>\1</sup>", html.escape(text))
    return re.sub(
        r"(?<![a-z]{2})_(FREE|\w\d?(?:[+-]\d)?)", lambda found: f"<sub>{found[1].replace('-', '−')}</sub>", text
    )
