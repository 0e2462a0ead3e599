"""A how-to's numbered sentences, which a test does to the letter."""

from __future__ import annotations

import re

from tests.browser.conftest import ROOT


def steps_of(page: str) -> dict[int, str]:
    """Those of a page of the documentation, by number."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return {int(number): words for number, words in re.findall(r"^(\d+)\. (.+)$", text, re.MULTILINE)}
