"""A study whose question stands in a file: TOML, with the names of ``dyn.study``."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

import dynamics as dyn
from app.commands.machines import machine
from app.commands.report import Told, bar, table

OPTIONS = ("count", "duration", "dt", "sample", "seed", "keep", "workers", "threads", "memory", "worst")
KNOWN = ("machine", "floating", "over", "find", *OPTIONS)
MOST_BYTES = 1_000_000


def study(path: str) -> Told:
    """Asks the question of a file.

    Raises:
        ClickException: for a file that is none, or lacks something.
        ModelError: for whatever the study itself does not know.
        StateError: for numbers that are none.
    """
    asked = question(path)
    system, state = machine(asked["machine"], asked.get("floating", False))
    over = {name: _range(path, name, value) for name, value in asked["over"].items()}
    options = {name: asked[name] for name in OPTIONS if name in asked}
    with bar(1, Path(path).stem) as shown:

        def progress(done: int, size: int) -> None:
            shown.length = size
            shown.update(done - shown.pos)

        found = dyn.study(system, over, asked["find"], state=state, progress=progress, **options)
    return {
        "study": path,
        "fingerprint": found.fingerprint,
        "rows": found.size,
        "refused": found.refused,
        "refusal": found.refusal,
        "found": {name: _told(one) for name, one in found.found.items()},
    }


def question(path: str) -> dict[str, Any]:
    """What stands in the file.

    Raises:
        ClickException: for a file that is none, or lacks something.
    """
    try:
        with open(path, "rb") as file:
            text = file.read(MOST_BYTES + 1)
        if len(text) > MOST_BYTES:
            raise click.ClickException(f"{path} is longer than {MOST_BYTES:,} bytes.")
        asked = tomllib.loads(text.decode())
    except (OSError, ValueError, RecursionError) as error:
        raise click.ClickException(f"{path}: {error}") from None
    unknown = sorted(set(asked) - set(KNOWN))
    if unknown:
        raise click.ClickException(f"{path}: {unknown[0]!r} is unknown; expected {', '.join(KNOWN)}.")
    for name, kind in (("machine", str), ("over", dict), ("find", str | list), ("floating", bool)):
        if not isinstance(asked.get(name, False if name == "floating" else None), kind):
            raise click.ClickException(f"{path}: {name} is missing, or of the wrong kind.")
    return asked


def _range(path: str, name: str, value: object) -> object:
    """A table of two ends is a range, an array is a list of values."""
    if isinstance(value, dict):
        if set(value) != {"low", "high"}:
            raise click.ClickException(f"{path}: over, {name!r}: expected {{ low = …, high = … }}, or an array.")
        return value["low"], value["high"]
    return value


def _told(one: dyn.Distribution) -> Told:
    return {
        "mean": one.mean, "deviation": one.deviation, "minimum": one.minimum, "median": one.quantile(0.5),
        "maximum": one.maximum, "smallest": one.smallest, "largest": one.largest,
    }  # fmt: skip


def in_words(report: Told) -> Iterator[str]:
    """The same for a person."""
    yield f"{report['study']}: {report['rows']} rows, {report['refused']} refused"
    if report["refused"]:
        yield f"the first: {report['refusal']}"
    yield ""
    numbers = ("mean", "deviation", "minimum", "median", "maximum")
    rows = [(name, *(f"{one[number]:.6g}" for number in numbers)) for name, one in report["found"].items()]
    yield from table([("", *numbers), *rows])
    yield ""
    for name, one in report["found"].items():
        for end in ("smallest", "largest"):
            yield f"{end} {name}: " + ", ".join(f"{value:.6g} (row {row})" for row, value in one[end][:3])
