"""Files that show a recording: a page, a film, a scene; written by whoever says to Python's packaging that it can."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dynamics.checks import (
    brief,
    choices,
    is_among,
    listed,
    must_hear,
    names,
    number,
    numbers,
    whole_number,
)
from dynamics.errors import StateError
from dynamics.files.written import written

WRITERS = "armsweep.recordings"
"""Under this name whoever can show a recording says so: the mechanics knows none of them."""
THEMES = ("light", "dark")
FILMS = (".mp4", ".webm")
MOST_INSTANTS = 1_000_000
FASTEST = 1000.0
LONGEST_STEP = 60.0
"""Seconds."""
SLOWEST_RATE, HIGHEST_RATE = 1.0, 240.0
SMALLEST, LARGEST = 16, 4096
"""Pixels: what the codecs take, and the width of the largest picture that is called 4K."""
CLOSEST, FARTHEST = 1e-3, 1e6
"""m, of a camera from what it looks at, and from the origin."""
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
    with heard(progress) as told, written(path) as beside:
        beside.touch()
        make(recording, beside, rate, theme, told)


def write_film(
    recording: object,
    length: float,
    path: str | Path,
    size: Sequence[int],
    rate: float,
    speed: float,
    layers: Sequence[str] | None,
    camera: ArrayLike | None,
    theme: str,
    progress: Progress | None,
    walk: float | None,
) -> None:
    """What ``Recording.to_film`` promises of a recording of a ``length``, s."""
    form = Path(path).suffix.lower() if isinstance(path, str | Path) else ".mp4"
    if form not in FILMS:
        raise StateError(f"path ends in {brief(form)}; a film's ends in {choices(FILMS)}.")
    speed = number(speed, "speed", "seconds of the recording a second of the film")
    if not 0.0 < speed <= FASTEST:
        raise StateError(f"speed is {speed:g}; expected a number above zero, at most {FASTEST:g}.")
    rate = number(rate, "rate", "pictures a second")
    if not SLOWEST_RATE <= rate <= HIGHEST_RATE:
        raise StateError(f"rate is {rate:g}; expected {SLOWEST_RATE:g} to {HIGHEST_RATE:g} pictures a second.")
    if length / speed * rate > MOST_INSTANTS:
        raise StateError(f"speed is {speed:g}; so slow, the film has more than {MOST_INSTANTS:,} pictures.")
    pixels = _size(size)
    named = None if layers is None else names(layers, "layers")
    view = None if camera is None else _camera(camera)
    theme = _theme(theme)
    must_hear(progress, "progress", "pictures done and pictures in all", 2)
    pace, make = (speed, writer("film")) if walk is None else (_each(walk, speed), writer("walk"))
    with heard(progress) as told, written(path) as beside:
        beside.touch()
        make(recording, beside, form, pixels, rate, pace, named, view, theme, told)


class _Stopped(Exception):
    """What a listener has raised: no fault of the file that is being written."""

    def __init__(self, error: Exception) -> None:
        self.error = error


@contextmanager
def heard(progress: Progress | None) -> Iterator[Progress | None]:
    """A listener whose errors come out as they are, whatever else is caught on the way."""

    def told(done: int, size: int) -> None:
        try:
            if progress is not None:
                progress(done, size)
        except Exception as error:
            raise _Stopped(error) from error

    try:
        yield told
    except _Stopped as stopped:
        raise stopped.error from None


def _size(size: Sequence[int]) -> tuple[int, int]:
    """Width and height of a picture in pixels."""
    expected = f"two even numbers of pixels, {SMALLEST} to {LARGEST}"
    found = listed(size, "size", expected)
    if len(found) != 2:
        raise StateError(f"size is {brief(size)}; expected {expected}.")
    wide, high = (whole_number(one, "size", expected, SMALLEST, most=LARGEST) for one in found)
    if wide % 2 or high % 2:
        raise StateError(f"size is {brief(size)}; expected {expected}.")
    return wide, high


def _camera(camera: ArrayLike) -> NDArray[np.float64]:
    """Where it stands, and what it looks at."""
    found = numbers(camera, (2, 3), "camera")
    if not CLOSEST <= np.abs(found[0] - found[1]).max() <= np.abs(found).max() <= FARTHEST:
        raise StateError(
            f"camera is {brief(camera)}; expected where it stands and another point, within {FARTHEST:g} m."
        )
    return found


def _rate(rate: float, length: float) -> float:
    """Instants a second, of which there are not too many."""
    rate = number(rate, "rate", "instants a second")
    if not rate > 0.0 or length * rate > MOST_INSTANTS:
        raise StateError(f"rate is {rate:g}; expected instants a second, above zero, at most {MOST_INSTANTS:,} in all.")
    return rate


def _each(walk: float, speed: float) -> float:
    """Seconds that a half-step of a walk is shown."""
    walk = number(walk, "walk", "seconds that each half-step is shown")
    if not 0.0 < walk <= LONGEST_STEP:
        raise StateError(f"walk is {walk:g}; expected seconds above zero, at most {LONGEST_STEP:g}.")
    if speed != 1.0:
        raise StateError("speed is of a motion; walk shows one moment.")
    return walk


def _theme(theme: str) -> str:
    if not is_among(theme, THEMES):
        raise StateError(f"theme is {brief(theme)}; expected {choices(THEMES)}.")
    return theme
