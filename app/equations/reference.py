"""Where the documentation tells of a quantity: one anchor each, on one page."""

from __future__ import annotations

import re

GIVEN = "given"
"""Stands for the stage of what no stage computes."""


def anchor(stage: str, name: str) -> str:
    """The fragment of a quantity's place on that page; small letters alone, which is what HTML is made with."""
    small = re.sub("[A-Z]+", lambda found: f" capital {found[0].lower()}", f"{stage or GIVEN} {name}")
    return re.sub("[ _]+", "-", small)
