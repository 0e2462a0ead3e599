"""The walk through the computation for a page without a server: every half-step of every link at many instants."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.equations.rounding import Loads
from app.equations.sheet import Figures
from app.equations.sheet_style import css
from app.instruments.walk.diagram import Diagram
from app.instruments.walk.map_layout import map_of
from app.instruments.walk.step_sheet import step_html
from app.motion.errors import ERRORS
from app.replay.curves import Parcel
from app.state import Session, walk
from app.state.walk import Place
from dynamics.reading import Reading, StageDifference, stage_difference
from scenes import palette

Array = NDArray[np.float64]
COLOR = re.compile("#[0-9A-Fa-f]{6}")
BLANK = "#______"
Sheet = tuple[str, Array, Callable[[palette.Theme], str]]
"""The words in the first theme, the numbers, and a function that gives the words in any theme."""
FIRST: palette.Theme = palette.THEMES[0]
EMPTY = "<p class='note' role='status'>The mechanics has no answer at this moment.</p>"
COMING = "<p class='note' role='status'>The numbers of this run are on their way.</p>"


@dataclass(frozen=True)
class Page:
    """The words of a half-step, with placeholders for its numbers, and the colors for its blanks in each theme."""

    text: str
    colors: dict[palette.Theme, list[str]]


@dataclass
class Stretch:
    """Instants of a run with the same system, and therefore the same steps of the walk.

    Attributes:
        pages: of each half-step, as it is at nearly every instant.
        columns: for each instant, all numbers of all steps, end to end.
        odd: (instant, half-step) -> a page whose placeholders differ, and its numbers.
        is_blank: whether nothing has been read yet.
        like: index of an earlier stretch with the same steps and pages.
    """

    system: dyn.System
    places: tuple[Place, ...]
    pages: list[Page]
    counts: list[int]
    times: list[float] = field(default_factory=list)
    columns: list[Array] = field(default_factory=list)
    odd: dict[tuple[int, int], tuple[Page, Array]] = field(default_factory=dict)
    is_blank: bool = False
    like: int | None = None

    def take(self, time: float, sheets: list[Sheet]) -> None:
        """Adds the sheets of one more instant, one per half-step."""
        numbers = []
        for step, (page, own, painted) in enumerate(sheets):
            same = COLOR.sub(BLANK, page) == self.pages[step].text and len(own) == self.counts[step]
            numbers.append(own if same else np.full(self.counts[step], np.nan))
            if not same:
                self.odd[len(self.times), step] = (page_of(painted), own)
        self.times.append(time)
        self.columns.append(np.concatenate(numbers))


class Walks:
    """Reads the textbook at instants of a run.

    Args:
        known: stretches that the page already has, in order; new ones are appended.
    """

    def __init__(self, session: Session, times: Array, known: list[Stretch] | None = None) -> None:
        self._session, self._times = session, times
        self._known = [] if known is None else known
        self._stretches: list[Stretch] = []

    def read(self) -> Iterator[None]:
        """Reads every instant, each in at most a quarter of a second."""
        for time in self._times:
            run = self._session.run
            system = run.system_at(float(time))
            places = walk.whole_walk(system)
            sheets = self._sheets(float(time), places)
            if not self._stretches or self._stretches[-1].system is not system:
                self._stretches.append(self._stretch(system, places, sheets))
            self._stretches[-1].take(float(time), sheets)
            yield

    def _stretch(self, system: dyn.System, places: tuple[Place, ...], sheets: list[Sheet]) -> Stretch:
        """The next stretch, with the pages of its first instant, or of a stretch that the page already has."""
        for number, known in enumerate(self._known):
            if known.system is system:
                return Stretch(system, places, known.pages, known.counts, like=number)
        counts = [len(numbers) for _, numbers, _ in sheets]
        new = Stretch(system, places, [page_of(painted) for *_, painted in sheets], counts)
        self._known.append(new)
        return new

    def _sheets(self, time: float, places: tuple[Place, ...]) -> list[Sheet]:
        session = self._session
        try:
            shown = session.run.solution_at(time)
            wrench = session.run.wrench_at(time)
            reading = dyn.read_textbook(shown.system, shown.state, shown.tau, wrench, session.breaks)
            difference = stage_difference(reading.solution, shown)
        except ERRORS:
            return [(EMPTY, np.empty(0), lambda _: EMPTY)] * len(places)
        found: list[Sheet] = []
        loads = Loads.of(reading.system, reading.solution.stages)
        for place in places:
            figures = Figures(loads.length, loads)
            page = step_html(reading, difference, place, FIRST, figures)
            painted = partial(_painted, reading, difference, place)
            found.append((page, figures.numbers, painted))
        return found

    def outline(self) -> None:
        """The steps at the instants without numbers, for a page that receives them later."""
        for time in self._times:
            system = self._session.run.system_at(float(time))
            if not self._stretches or self._stretches[-1].system is not system:
                places = walk.whole_walk(system)
                pages = [Page(COMING, {theme: [] for theme in palette.THEMES})] * len(places)
                self._stretches.append(Stretch(system, places, pages, [0] * len(places), is_blank=True))
            self._stretches[-1].times.append(float(time))
            self._stretches[-1].columns.append(np.zeros(1))

    def data(self, parcel: Parcel) -> dict[str, Any]:
        cursor = self._session.cursor
        return {
            "css": {theme: css(theme) for theme in palette.THEMES},
            "colors": {theme: _colors(theme) for theme in palette.THEMES},
            "start": [cursor.stage, cursor.link, cursor.half],
            "stretches": [_data(stretch, parcel) for stretch in self._stretches],
        }


def _painted(reading: Reading, difference: StageDifference, place: Place, theme: palette.Theme) -> str:
    return step_html(reading, difference, place, theme, Figures.of(reading))


def page_of(painted: Callable[[palette.Theme], str]) -> Page:
    """One page for all themes, which differ in colors alone."""
    texts = {theme: painted(theme) for theme in palette.THEMES}
    blank = {COLOR.sub(BLANK, text) for text in texts.values()}
    assert len(blank) == 1, "a half-step says the same in every theme"
    return Page(blank.pop(), {theme: COLOR.findall(text) for theme, text in texts.items()})


def _colors(theme: palette.Theme) -> dict[str, str]:
    diagram = Diagram(lambda place: None)
    diagram.paint(theme)
    return dict(diagram.colors)


def _data(stretch: Stretch, parcel: Parcel) -> dict[str, Any]:
    own = {
        "times": stretch.times,
        "numbers": parcel.series(np.stack(stretch.columns, axis=1)),
        "odd": [[at, step, asdict(page), parcel.array(own)] for (at, step), (page, own) in stretch.odd.items()],
    }
    return {**own, "like": stretch.like} if stretch.like is not None else {**_steps(stretch), **own}


def _steps(stretch: Stretch) -> dict[str, Any]:
    system, places = stretch.system, stretch.places
    return {
        "map": map_of(system).as_dict(),
        "steps": [[place.stage, place.link, place.half] for place in places],
        "links": [[places.index(walk.at_link(system, place, link, place.half)) for link in range(system.n_links)]
                  for place in places],
        "moves": {
            name: [[places.index(move(system, place, count)) for count in (-1, 1)] for place in places]
            for name, move in MOVES.items()
        },
        "pages": [asdict(page) for page in stretch.pages],
        "counts": stretch.counts,
        "blank": stretch.is_blank,
    }  # fmt: skip


MOVES = {"half": walk.walk_half, "link": walk.walk_link, "stage": walk.walk_stage, "arm": walk.walk_arm}
"""The walk functions, by what they step along."""
