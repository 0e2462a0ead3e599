"""The documentation's entries on quantities: one anchor each, on one page."""

from __future__ import annotations

import re

GIVEN = "given"
"""Stands for the stage of a quantity that no stage computes."""


def anchor(stage: str, name: str) -> str:
    """The fragment of a quantity's entry on that page; lower case only, as the HTML is generated with."""
    small = re.sub("[A-Z]+", lambda found: f" capital {found[0].lower()}", f"{stage or GIVEN} {name}")
    return re.sub("[ _]+", "-", small)
