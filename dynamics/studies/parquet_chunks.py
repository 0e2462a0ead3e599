"""A study's columns in a folder of Parquet files, one a chunk: whole or not there, and read by a second run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from dynamics.checks import brief
from dynamics.errors import StateError
from dynamics.files.atomic_write import temporary_file
from dynamics.files.table import installed
from dynamics.record import Record
from dynamics.studies.rows import Found, Problem

MANIFEST = "_study.json"
"""Says which study it is; readers of Parquet leave out what begins so."""


@dataclass(frozen=True)
class Folder(Record):
    """Where a study is kept.

    Attributes:
        path: of the folder.
    """

    path: str

    def part(self, first: int) -> Path:
        """The file of the chunk that begins with this row."""
        return Path(self.path) / f"part-{first:09d}.parquet"

    def write(self, problem: Problem, first: int, found: Found) -> None:
        """A chunk's columns, under another name until they are all there.

        Raises:
            StateError: if the disk is full, or the folder cannot be written.
        """
        arrow, writer = import_module("pyarrow"), installed("pyarrow.parquet", "keep", "study")
        columns: dict[str, Any] = {"row": np.arange(first, first + len(found.values))}
        for one, drawn in zip(problem.variables, found.drawn.T, strict=True):
            columns[one.name] = [one.words[int(at)] for at in drawn] if one.words else np.ascontiguousarray(drawn)
        for watch, values in zip(problem.watches, found.values.T, strict=True):
            columns[watch.name] = arrow.array(np.ascontiguousarray(values), mask=np.isnan(values))
        columns["refused"] = arrow.array(found.refusals, "string")
        with _written(self.path), temporary_file(self.part(first)) as temporary:
            writer.write_table(arrow.table(columns), temporary)

    def read(self, problem: Problem, first: int, count: int) -> Found | None:
        """A chunk's numbers, if they are there.

        Raises:
            StateError: for a file that another program has written, or broken.
        """
        target = self.part(first)
        if not target.exists():
            return None
        names = [one.name for one in problem.watches]
        try:
            table = installed("pyarrow.parquet", "keep", "study").read_table(target, columns=[*names, "refused"])
            if len(table) != count:
                raise ValueError(f"{len(table)} rows, not {count}")
            values = np.stack([np.asarray(table[name].to_numpy(), dtype=float) for name in names], axis=1)
            return Found(np.empty((count, 0)), values, np.array(table["refused"].to_pylist(), dtype=object))
        except (OSError, ValueError, KeyError) as error:
            raise StateError(f"{brief(str(target))} cannot be read ({brief(str(error))[1:-1]}); remove it.") from error


def opened(path: object, problem: Problem) -> Folder:
    """The folder of a question: a new one, or that in which it was left.

    Raises:
        StateError: for a folder of another question, one that cannot be written, or where pyarrow is missing.
    """
    if not isinstance(path, str | Path):
        raise StateError(f"keep is {brief(path)}; expected the path of a folder.")
    installed("pyarrow.parquet", "keep", "study")
    place, page = Path(path), {"fingerprint": problem.fingerprint, "rows": problem.size, "columns": list(problem.names)}
    with _written(path):
        place.mkdir(parents=True, exist_ok=True)
        manifest = place / MANIFEST
        if not manifest.exists() and not any(place.glob("part-*.parquet")):
            with temporary_file(manifest) as temporary:
                temporary.write_text(json.dumps(page, indent=1) + "\n", encoding="utf-8")
        try:
            kept = json.loads(manifest.read_text(encoding="utf-8")) if manifest.exists() else None
        except ValueError:
            kept = None
    if kept != page:
        raise StateError(f"keep: {brief(str(path))} holds another study; give a folder of its own.")
    return Folder(str(place))


@contextmanager
def _written(path: str | Path) -> Iterator[None]:
    """What the system has against a folder, as a ``StateError`` that says what is not lost."""
    try:
        yield
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or type(error).__name__
        raise StateError(
            f"keep: {brief(str(path))} cannot be written: {reason}. Finished chunks are whole; ask the same again to "
            "go on."
        ) from error
