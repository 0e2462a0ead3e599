"""A run as a MATLAB file: a variable a column, under names that MATLAB takes, and what each is beside them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.io import savemat

from dynamics.files.columns import Column
from dynamics.files.tables import Event
from dynamics.files.written import written

LONGEST = 63
"""MATLAB's own limit of a name."""


def write_mat(path: str | Path, columns: Sequence[Column], events: Sequence[Event], stopped: str | None) -> None:
    """What ``Recording.to_mat`` promises.

    Raises:
        StateError: for what is no path of a file that can be written.
    """
    names = matlab_names([head.name for head, _ in columns])
    content: dict[str, Any] = {name: column.values for name, column in zip(names, columns, strict=True)}
    for told, field in (("names", "name"), ("units", "unit"), ("frames", "frame")):
        content[told] = {name: getattr(head, field) for name, (head, _) in zip(names, columns, strict=True)}
    content["event_times"] = np.array([time for time, _ in events])
    content["events"] = np.array([what for _, what in events], dtype=object)
    content["stopped"] = stopped or ""
    with written(path) as beside, beside.open("wb") as file:
        savemat(file, content, long_field_names=True, do_compression=True, oned_as="column")


def matlab_names(names: Sequence[str]) -> list[str]:
    """Each with what MATLAB forbids turned into ``_``, and a number behind it where two would be alike."""
    found: dict[str, None] = {}
    for name in names:
        plain = re.sub(r"\W", "_", name, flags=re.ASCII)
        plain = (plain if plain[0].isalpha() else f"x{plain}")[:LONGEST]
        own, count = plain, 1
        while own in found:
            count += 1
            own = f"{plain[: LONGEST - len(str(count)) - 1]}_{count}"
        found[own] = None
    return list(found)
