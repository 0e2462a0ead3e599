"""Tables that others read."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from dynamics.files.columns import Column
from dynamics.files.written import written

Event = tuple[float, str]
"""Its time, s, and what happened."""
LONG = ("time", "part", "quantity", "unit", "frame", "value")


def write_csv(path: str | Path, columns: Sequence[Column], long: bool) -> None:
    """What ``Recording.to_csv`` promises."""
    with written(path) as beside, beside.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        if not long:
            writer.writerow(head.told for head, _ in columns)
            writer.writerows(zip(*(values.tolist() for _, values in columns), strict=True))
            return
        writer.writerow(LONG)
        times = columns[0].values.tolist()
        for head, values in columns[1:]:
            told = (head.part, head.quantity, head.unit, head.frame)
            writer.writerows((time, *told, value) for time, value in zip(times, values.tolist(), strict=True))


def write_npz(path: str | Path, columns: Sequence[Column]) -> None:
    """What ``Recording.to_npz`` promises."""
    arrays = {head.name: values for head, values in columns}
    for told, field in (("names", "name"), ("units", "unit"), ("frames", "frame")):
        arrays[told] = np.array([getattr(head, field) for head, _ in columns])
    with written(path) as beside, beside.open("wb") as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
