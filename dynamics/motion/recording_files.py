"""Files that a recording is written to."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dynamics.checks import brief, number
from dynamics.errors import StateError

if TYPE_CHECKING:
    from dynamics.motion.recording import Recording

Table = Mapping[str, NDArray[np.float64]]
WRITERS = "armsweep.recordings"
"""Under this name whoever can show a recording says so to Python's packaging: the mechanics knows none of them."""


def write_csv(path: str | Path, table: Table) -> None:
    """What ``Recording.to_csv`` promises."""
    with written(path) as target, open(target, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(table)
        writer.writerows(zip(*(column.tolist() for column in table.values()), strict=True))


def write_npz(path: str | Path, table: Table) -> None:
    """What ``Recording.to_npz`` promises."""
    with written(path) as target:
        np.savez_compressed(target, **table)  # type: ignore[arg-type]


def write_html(recording: Recording, path: str | Path, title: str, walked: float) -> None:
    """What ``Recording.to_html`` promises; nothing is computed for a file that cannot be written."""
    if not isinstance(title, str):
        raise StateError(f"title is {brief(title)}; expected a text.")
    walked = number(walked, "walked", "a time in seconds")
    if not walked > 0.0:
        raise StateError(f"walked is {walked:g} s; expected a time between two instants, above zero.")
    writers = entry_points(group=WRITERS, name="html")
    if not writers:
        raise StateError("nothing that writes HTML is installed: install the whole of armsweep (pip install armsweep).")
    with written(path) as target:
        is_new = not target.exists()
        target.open("ab").close()
        try:
            text = next(iter(writers)).load()(recording, title, walked)
        except BaseException:
            if is_new:
                target.unlink()
            raise
        target.write_text(text, encoding="utf-8")


@contextmanager
def written(path: str | Path) -> Iterator[Path]:
    """The path of a file that is being written; what the system has against it is a ``StateError``."""
    if not isinstance(path, str | Path):
        raise StateError(f"path is {brief(path)}; expected that of a file.")
    try:
        yield Path(path)
    except StateError:
        raise
    except (OSError, ValueError) as error:  # a path with a null character is a ValueError
        reason = getattr(error, "strerror", None) or type(error).__name__
        raise StateError(f"{brief(str(path))} cannot be written: {reason}.") from None
