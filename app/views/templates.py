"""HTML by Jinja2: a room's templates stand beside its modules."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader

from app.equations.plain_text import flat


@cache
def templates(folder: Path) -> Environment:
    """Those of a folder, in which what is not marked as safe is plain text."""
    found = Environment(loader=FileSystemLoader(folder), autoescape=True, trim_blocks=True, lstrip_blocks=True)
    found.filters["flat"] = flat
    return found
