"""A run as a Parquet file: typed columns that say in the file's own schema what they are."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from dynamics.errors import StateError
from dynamics.files.columns import Column
from dynamics.files.tables import Event
from dynamics.files.written import written

ROWS = 2**20
"""Of a long table that are made at once."""


def parquet(asked: str, extra: str) -> Any:
    """The module ``pyarrow.parquet``.

    Args:
        asked: what wants it.
        extra: of armsweep, which brings it.

    Raises:
        StateError: with the command that installs it, where it is missing.
    """
    try:
        return import_module("pyarrow.parquet")
    except ImportError as cause:
        raise StateError(f"{asked}: Parquet files need pyarrow: pip install armsweep[{extra}].") from cause


def write_parquet(
    path: str | Path, columns: Sequence[Column], events: Sequence[Event], stopped: str | None, long: bool
) -> None:
    """What ``Recording.to_parquet`` promises.

    Raises:
        StateError: for what is no path of a file that can be written, or where pyarrow is missing.
    """
    writer, arrow = parquet("to_parquet", "files"), import_module("pyarrow")
    about = {"armsweep": json.dumps({"form": "long" if long else "wide", "events": events, "stopped": stopped})}
    with written(path) as beside:
        tables = _long(arrow, columns) if long else iter((_wide(arrow, columns),))
        first = next(tables).replace_schema_metadata(about)
        with writer.ParquetWriter(beside, first.schema) as file:
            file.write_table(first)
            for table in tables:
                file.write_table(table.replace_schema_metadata(about))


def _wide(arrow: Any, columns: Sequence[Column]) -> Any:
    """A row a sample; each field tells its unit, its axes and what it is about."""
    fields = []
    for head, _ in columns:
        says = {"unit": head.unit, "frame": head.frame, "part": head.part, "quantity": head.quantity}
        fields.append(arrow.field(head.name, arrow.float64(), nullable=False, metadata=says))
    return arrow.Table.from_arrays([arrow.array(values) for _, values in columns], schema=arrow.schema(fields))


def _long(arrow: Any, columns: Sequence[Column]) -> Iterator[Any]:
    """A row a number, some columns at a time."""
    (_, times), *others = columns
    together = max(ROWS // len(times), 1)
    for first in range(0, len(others), together):
        some = others[first : first + together]
        at = np.repeat(np.arange(len(some), dtype=np.int32), len(times))
        heads = [column.head for column in some]
        yield arrow.table({
            "time": np.tile(times, len(some)),
            "part": arrow.DictionaryArray.from_arrays(at, [head.part for head in heads]),
            "quantity": arrow.DictionaryArray.from_arrays(at, [head.quantity for head in heads]),
            "unit": arrow.DictionaryArray.from_arrays(at, [head.unit for head in heads]),
            "frame": arrow.DictionaryArray.from_arrays(at, [head.frame for head in heads]),
            "value": np.concatenate([column.values for column in some]),
        })  # fmt: skip
