"""A recording as a page, a film or a 3D scene: arguments are checked here, packages that can draw write the files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dynamics.checks import brief, choices, is_among, listed, must_hear, names, number, numbers, whole_number
from dynamics.errors import StateError
from dynamics.motion.atomic_write import atomic_write

WRITERS = "armsweep.recordings"
"""The entry-point group in which packages register writers of a form; the mechanics imports none of them."""
THEMES = ("light", "dark")
FILMS = (".mp4", ".webm")
MOST_INSTANTS = 1_000_000
FASTEST = 1000.0
LONGEST_STEP = 60.0  # s: the longest time for which a half-step of a walk is shown
LEAST_RATE = 1e-3  # instants per second of a 3D scene
SLOWEST_RATE, HIGHEST_RATE = 1.0, 240.0  # frames per second of a film
SMALLEST, LARGEST = 16, 4096  # pixels: the smallest size that codecs accept, and the largest width called 4K
CLOSEST, FARTHEST = 1e-3, 1e6  # m: distance of a camera from its target (least) and from the origin (most)
Progress = Callable[[int, int], object]


def writer(form: str) -> Any:
    """The function that writes a form.

    Raises:
        StateError: if no installed package does.
    """
    found = entry_points(group=WRITERS, name=form)
    if not found:
        raise StateError(
            f"nothing that writes {form} is installed: install the whole of armsweep (pip install armsweep)."
        )
    return next(iter(found)).load()


def write_html(recording: object, path: str | Path, title: str, walked: float) -> None:
    """See ``Recording.to_html``; nothing is computed if the file cannot be written."""
    if not isinstance(title, str):
        raise StateError(f"title is {brief(title)}; expected a text.")
    walked = number(walked, "walked", "a time in seconds")
    if not walked > 0.0:
        raise StateError(f"walked is {walked:g} s; expected a time between two instants, above zero.")
    make = writer("html")
    with atomic_write(path) as temporary:
        temporary.touch()
        temporary.write_text(make(recording, title, walked), encoding="utf-8")


def write_gltf(
    recording: object, length: float, path: str | Path, rate: float, theme: str, progress: Progress | None
) -> None:
    """See ``Recording.to_gltf``; ``length`` is the recording's, s."""
    rate = number(rate, "rate", "instants a second")
    if rate < LEAST_RATE or length * rate > MOST_INSTANTS:
        raise StateError(
            f"rate is {rate:g}; expected instants a second, at least {LEAST_RATE:g}, at most {MOST_INSTANTS:,} in all."
        )
    _check_theme(theme)
    must_hear(progress, "progress", "instants done and instants in all", 2)
    make = writer("gltf")
    with atomic_write(path) as temporary:
        temporary.touch()
        make(recording, temporary, rate, theme, progress)


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
    """See ``Recording.to_film``; ``length`` is the recording's, s."""
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
        raise StateError(f"speed is {speed:g}; at this speed the film has more than {MOST_INSTANTS:,} pictures.")
    if walk is not None:
        walk = number(walk, "walk", "seconds that each half-step is shown")
        if not 0.0 < walk <= LONGEST_STEP:
            raise StateError(f"walk is {walk:g}; expected seconds above zero, at most {LONGEST_STEP:g}.")
        if speed != 1.0:
            raise StateError("speed is of a motion; walk shows one moment.")
    pixels = _size(size)
    chosen = None if layers is None else names(layers, "layers")
    view = None if camera is None else _camera(camera)
    _check_theme(theme)
    must_hear(progress, "progress", "pictures done and pictures in all", 2)
    pace, make = (speed, writer("film")) if walk is None else (walk, writer("walk"))
    with atomic_write(path) as temporary:
        temporary.touch()
        make(recording, temporary, form, pixels, rate, pace, chosen, view, theme, progress)


def _size(size: Sequence[int]) -> tuple[int, int]:
    expected = f"two even numbers of pixels, {SMALLEST} to {LARGEST}"
    pixels = [whole_number(one, "size", expected, SMALLEST, most=LARGEST) for one in listed(size, "size", expected)]
    if len(pixels) != 2 or any(count % 2 for count in pixels):
        raise StateError(f"size is {brief(size)}; expected {expected}.")
    return pixels[0], pixels[1]


def _camera(camera: ArrayLike) -> NDArray[np.float64]:
    found = numbers(camera, (2, 3), "camera")
    if not CLOSEST <= np.abs(found[0] - found[1]).max() <= np.abs(found).max() <= FARTHEST:
        raise StateError(f"camera is {brief(camera)}; expected its position and another point, within {FARTHEST:g} m.")
    return found


def _check_theme(theme: str) -> None:
    if not is_among(theme, THEMES):
        raise StateError(f"theme is {brief(theme)}; expected {choices(THEMES)}.")
