"""What components that build their own elements share: they begin with ``elements.js``."""

from __future__ import annotations

from pathlib import Path

ELEMENTS = Path(__file__).with_name("elements.js")
PROGRESS = Path(__file__).with_name("progress.js")
"""What a browser keeps of lessons: ``keptProgress`` and ``isStepRight``."""


def with_elements(file: Path) -> str:
    """The text of a component's JavaScript, which may use ``make`` and ``plain``."""
    return ELEMENTS.read_text("utf-8") + file.read_text("utf-8")
