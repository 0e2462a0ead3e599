"""What a command has to tell: as JSON for a script, in words for a person; and how far it is."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import click

from app.wording import printable

Told = dict[str, Any]


def tell(told: Told, as_json: bool, words: Callable[[Told], Iterable[str]]) -> None:
    """Prints it."""
    lines = [json.dumps(told, indent=1, allow_nan=False)] if as_json else map(printable, words(told))
    click.echo("\n".join(lines))


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows with their columns one below the other."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def bar(length: int, label: str) -> Any:
    """A bar on a terminal's error output, and nothing anywhere else: what is printed is for others to read."""
    return click.progressbar(length=length, label=label, file=sys.stderr, hidden=not is_watched())


def is_watched() -> bool:
    """Whether somebody sees the error output as it comes."""
    return sys.stderr.isatty()


def aside(line: str) -> None:
    """A line on the error output: what is printed is for others to read."""
    click.echo(printable(line), err=True)
