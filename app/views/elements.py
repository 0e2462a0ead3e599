"""What components that build their own elements share: they begin with ``elements.js``."""

from __future__ import annotations

from pathlib import Path

ELEMENTS = Path(__file__).with_name("elements.js")
PROGRESS = Path(__file__).with_name("progress.js")
"""What a browser keeps of lessons: ``keptProgress``."""


TYPE_SIZE = Path(__file__).with_name("type_size.js")
"""How large the type is on whatever screen: the page's rule, and a replay's."""


def with_elements(file: Path) -> str:
    """The text of a component's JavaScript, which may use ``make`` and ``plain``."""
    return ELEMENTS.read_text("utf-8") + file.read_text("utf-8")


def with_type_size(file: Path) -> str:
    """The text of a script that sizes the type of its document: it may use ``sizeType``."""
    return TYPE_SIZE.read_text("utf-8") + file.read_text("utf-8")
