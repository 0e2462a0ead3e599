"""A study's columns in a folder, chunk by chunk: whole files or none, and a page that says which question it was."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from dynamics.checks import Array, brief, is_index
from dynamics.errors import StateError
from dynamics.files.parquet import parquet
from dynamics.files.written import in_its_place
from dynamics.record import Record
from dynamics.rows.draws import MOST
from dynamics.rows.problem import Found, Problem
from dynamics.rows.ranges import Listed

MANIFEST = "_study.json"
"""Readers of Parquet leave out what begins so."""
OLD = 3600.0
"""s after which nobody is still writing a file."""
FORM = 1
"""Of the files; another form is another folder."""


@dataclass(frozen=True)
class Folder(Record):
    """Where a study is kept.

    Attributes:
        path: of the folder.
        rows: of a chunk: one file each.
    """

    path: str
    rows: int

    def part(self, number: int) -> Path:
        """The file of a chunk."""
        return Path(self.path) / f"part-{number:06d}.parquet"

    def write(self, problem: Problem, number: int, found: Found) -> None:
        """A chunk's columns, under another name until they are all there.

        Raises:
            StateError: if the disk is full, or the folder cannot be written.
        """
        target, writer = self.part(number), _parquet()
        with _written(self.path), in_its_place(target) as beside:
            writer.write_table(_table(problem, number * self.rows, found), beside)
            with beside.open("rb") as file:
                os.fsync(file.fileno())

    def clear(self) -> None:
        """Removes what writers that were killed have left; what is young may be somebody's who writes it just now."""
        with suppress(OSError):
            for left in Path(self.path).glob(".part-*.parquet.*"):
                if left.stat().st_mtime < time.time() - OLD:
                    left.unlink(missing_ok=True)

    def read(self, problem: Problem, number: int) -> Found | None:
        """A chunk's columns, if they are there.

        Raises:
            StateError: for a file that another program has written, or broken.
        """
        target = self.part(number)
        if not target.exists():
            return None
        first, size = number * self.rows, min(self.rows, problem.size - number * self.rows)
        try:
            table = _parquet().read_table(target, columns=[*(one.name for one in problem.watches), "refused"])
            if len(table) != size:
                raise ValueError(f"{len(table)} rows, not {size}")
            found = [np.asarray(table[one.name].to_numpy(), dtype=float) for one in problem.watches]
            reasons = table["refused"].to_pylist()
        except (OSError, ValueError, KeyError) as error:
            raise StateError(f"{brief(str(target))} cannot be read ({brief(str(error))[1:-1]}); remove it.") from error
        refused = {first + at: reason for at, reason in enumerate(reasons) if reason is not None}
        return Found(np.empty((size, 0)), np.stack(found, axis=1), refused)


def opened(path: str | Path, problem: Problem, rows: int) -> Folder:
    """The folder of a question: a new one, or that in which it was left.

    Args:
        rows: of a chunk, if it is new.

    Raises:
        StateError: for a folder of another question, one that cannot be written, or where pyarrow is missing.
    """
    if not isinstance(path, str | Path):
        raise StateError(f"keep is {brief(path)}; expected the path of a folder.")
    _parquet()
    place = Path(path)
    page = {"form": FORM, "fingerprint": problem.fingerprint, "rows": rows, "size": problem.size}
    page |= {"columns": list(problem.names)}
    with _written(path):
        if place.exists() and not place.is_dir():
            raise StateError(f"keep: {brief(str(path))} is a file; expected the path of a folder.")
        place.mkdir(parents=True, exist_ok=True)
        manifest = place / MANIFEST
        if not manifest.exists():
            if any(place.glob("part-*.parquet")):
                raise StateError(
                    f"keep: {brief(str(path))} has parts of a study and no {MANIFEST}; give another folder."
                )
            with in_its_place(manifest) as beside:
                beside.write_text(json.dumps(page, indent=1) + "\n", encoding="utf-8")
        kept = _page(manifest)
    if kept.get("fingerprint") != problem.fingerprint or kept.get("form") != FORM:
        raise StateError(f"keep: {brief(str(path))} holds another study; give a folder of its own.")
    whole = kept.get("rows")
    if not is_index(whole, MOST, least=1) or whole % problem.together:
        raise StateError(f"keep: {brief(str(manifest))} is broken: rows is {brief(whole)}.")
    return Folder(str(place), whole)


def _page(manifest: Path) -> dict[str, Any]:
    try:
        page = json.loads(manifest.read_text(encoding="utf-8"))
        return page if isinstance(page, dict) else {}
    except ValueError:
        return {}


def column(folder: Folder, size: int, name: str) -> Array:
    """(size,) of one column, of the chunks that hold so many rows; nan where a row is refused.

    Raises:
        StateError: if a chunk is missing.
    """
    found = []
    for number in range(-(-size // folder.rows)):
        with _written(folder.path):
            found.append(np.asarray(_parquet().read_table(folder.part(number), columns=[name])[name].to_numpy()))
    return np.concatenate(found)[:size]


def _table(problem: Problem, first: int, found: Found) -> Any:
    arrow = import_module("pyarrow")
    size = len(found.found)
    columns: dict[str, Any] = {"row": np.arange(first, first + size)}
    for one, values in zip(problem.variables, found.drawn.T, strict=True):
        words = isinstance(one.range, Listed) and isinstance(one.range.values[0], str)
        columns[one.name] = [one.range.values[int(at)] for at in values] if words else np.ascontiguousarray(values)  # type: ignore[union-attr]
    for watch, values in zip(problem.watches, found.found.T, strict=True):
        columns[watch.name] = arrow.array(np.ascontiguousarray(values), mask=np.isnan(values))
    reasons = [found.refused.get(first + at) for at in range(size)] if found.refused else arrow.nulls(size, "string")
    return arrow.table(columns | {"refused": arrow.array(reasons, "string")})


def _parquet() -> Any:
    return parquet("keep", "study")


@contextmanager
def _written(path: str | Path) -> Iterator[None]:
    """What the system has against a folder, as a ``StateError`` that says what is not lost."""
    try:
        yield
    except (OSError, ValueError) as error:
        if isinstance(error, StateError):
            raise
        reason = getattr(error, "strerror", None) or type(error).__name__
        raise StateError(
            f"keep: {brief(str(path))} cannot be written: {reason}. Finished chunks are whole; ask the same again to "
            "go on."
        ) from error
