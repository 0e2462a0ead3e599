"""Files that show a recording: a page, a scene; written by whoever says to Python's packaging that it can."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from dynamics.checks import brief, choices, is_among, must_hear, number
from dynamics.errors import StateError
from dynamics.files.written import written

WRITERS = "armsweep.recordings"
"""Under this name whoever can show a recording says so: the mechanics knows none of them."""
THEMES = ("light", "dark")
MOST_INSTANTS = 1_000_000
Progress = Callable[[int, int], object]


def writer(form: str) -> Any:
    """What writes that form.

    Raises:
        StateError: where nothing that is installed does.
    """
    found = entry_points(group=WRITERS, name=form)
    if not found:
        raise StateError(
            f"nothing that writes {form} is installed: install the whole of armsweep (pip install armsweep)."
        )
    return next(iter(found)).load()


def write_html(recording: object, path: str | Path, title: str, walked: float) -> None:
    """What ``Recording.to_html`` promises; nothing is computed for a file that cannot be written."""
    if not isinstance(title, str):
        raise StateError(f"title is {brief(title)}; expected a text.")
    walked = number(walked, "walked", "a time in seconds")
    if not walked > 0.0:
        raise StateError(f"walked is {walked:g} s; expected a time between two instants, above zero.")
    make = writer("html")
    with written(path) as beside:
        beside.touch()
        beside.write_text(make(recording, title, walked), encoding="utf-8")


def write_gltf(
    recording: object, length: float, path: str | Path, rate: float, theme: str, progress: Progress | None
) -> None:
    """What ``Recording.to_gltf`` promises of a recording of a ``length``, s."""
    rate = _rate(rate, length)
    theme = _theme(theme)
    must_hear(progress, "progress", "instants done and instants in all", 2)
    make = writer("gltf")
    with written(path) as beside:
        beside.touch()
        make(recording, beside, rate, theme, progress)


def _rate(rate: float, length: float) -> float:
    """Instants a second, of which there are not too many."""
    rate = number(rate, "rate", "instants a second")
    if not rate > 0.0 or length * rate > MOST_INSTANTS:
        raise StateError(f"rate is {rate:g}; expected instants a second, above zero, at most {MOST_INSTANTS:,} in all.")
    return rate


def _theme(theme: str) -> str:
    if not is_among(theme, THEMES):
        raise StateError(f"theme is {brief(theme)}; expected {choices(THEMES)}.")
    return theme
