"""Files that others read: tables, and pages that show a recording."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from importlib.metadata import entry_points
from pathlib import Path

import numpy as np

from dynamics.checks import brief, number
from dynamics.errors import StateError
from dynamics.files.columns import Column
from dynamics.files.written import written

Event = tuple[float, str]
"""Its time, s, and what happened."""
LONG = ("time", "part", "quantity", "unit", "value")
WRITERS = "armsweep.recordings"
"""Under this name whoever can show a recording says so to Python's packaging: the mechanics knows none of them."""


def write_csv(path: str | Path, columns: Sequence[Column], long: bool) -> None:
    """What ``Recording.to_csv`` promises."""
    with written(path) as beside, beside.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        if not long:
            writer.writerow(head.name for head, _ in columns)
            writer.writerows(zip(*(values.tolist() for _, values in columns), strict=True))
            return
        writer.writerow(LONG)
        times = columns[0].values.tolist()
        for head, values in columns[1:]:
            told = (head.part, head.quantity, head.unit)
            writer.writerows((time, *told, value) for time, value in zip(times, values.tolist(), strict=True))


def write_npz(path: str | Path, columns: Sequence[Column]) -> None:
    """What ``Recording.to_npz`` promises."""
    with written(path) as beside, beside.open("wb") as file:
        np.savez_compressed(file, **{head.name: values for head, values in columns})  # type: ignore[arg-type]


def write_html(recording: object, path: str | Path, title: str, walked: float) -> None:
    """What ``Recording.to_html`` promises; nothing is computed for a file that cannot be written."""
    if not isinstance(title, str):
        raise StateError(f"title is {brief(title)}; expected a text.")
    walked = number(walked, "walked", "a time in seconds")
    if not walked > 0.0:
        raise StateError(f"walked is {walked:g} s; expected a time between two instants, above zero.")
    writers = entry_points(group=WRITERS, name="html")
    if not writers:
        raise StateError("nothing that writes HTML is installed: install the whole of armsweep (pip install armsweep).")
    with written(path) as beside:
        beside.touch()
        beside.write_text(next(iter(writers)).load()(recording, title, walked), encoding="utf-8")
