"""The walk as a film: every half-step of an instant's computation in order, with its sentence and lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.instruments.walk.step_sheet import sentence_of
from app.state.walk import Place, whole_walk
from app.views.scene_options import staged
from dynamics.reading import Reading
from scenes import palette
from scenes.options import Look
from scenes.reel.film import chosen
from scenes.reel.slides import Slide, Slides

BODIES = ("links", "object", "ground")
MOST_LINES = 4
"""Largest number of lines below the sentence; lines without a registered quantity are left out."""


def write_walk(
    recording: dyn.Recording,
    path: Path,
    form: str,
    size: tuple[int, int],
    rate: float,
    walk: float,
    layers: Sequence[str] | None,
    camera: NDArray[np.float64] | None,
    theme: palette.Theme,
    progress: Callable[[int, int], object] | None,
) -> None:
    """Implements ``Recording.to_film`` for the walk through a recording's first instant."""
    solution = recording.solution_at(float(recording.t[0]))
    extra = () if layers is None else chosen(solution.system, layers)
    slides = slides_of(solution, np.asarray(solution.tau), extra)
    try:
        Slides(solution, slides, size, camera, theme).write(path, form, rate, walk, progress)
    except RuntimeError as error:
        raise dyn.StateError(str(error)) from error


def slides_of(solution: dyn.Solution, tau: NDArray[np.float64], extra: Sequence[str]) -> list[Slide]:
    """One slide for each half-step, with the walk's picture of it."""
    system = solution.system
    reading = dyn.read_textbook(system, solution.state, tau)
    order = whole_walk(system)
    return [_slide(system, reading, place, f"{at} of {len(order)}", extra) for at, place in enumerate(order, 1)]


def _slide(system: dyn.System, reading: Reading, place: Place, count: str, extra: Sequence[str]) -> Slide:
    shows = staged(system, place)
    lines = [
        f"{line.source}   ({line.equation})"
        for line in reading.lines(place.stage, place.link, place.half)
        if (place.stage, line.quantity_name) in dyn.registry
    ]
    words = [f"{count}. {sentence_of(system, place)}", *lines[:MOST_LINES]]
    look = Look(only=shows.only, stage=place.stage, link=place.link)
    return Slide((*BODIES, *shows.with_own(extra)), look, words)
