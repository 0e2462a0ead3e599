"""*Estimation*: the random problem that shares its equations with the arm, in words, and sampled and filtered."""

from __future__ import annotations

import time
from pathlib import Path

from app.equations.rounding import shortest_radius
from app.equations.sheet import Figures, Sheet, action_html
from app.instruments.estimation_draws import (
    INNOVATIONS,
    MEASURED,
    ConvergenceCurve,
    Draws,
    covariances_html,
    links_html,
    variance_html,
    whiteness_html,
)
from app.instruments.estimation_words import ENTRIES, Moment, place_of, words_html
from app.number_text import read_index
from app.state import Session
from app.views.components import Instrument, scrolled, text_pane
from dynamics.operators import smoothed_force_covariance
from scenes import palette

NAME = "Estimation"
PERIOD = 0.3  # Shortest time in seconds between two updates of the numbers while the motion plays
INTRODUCTION = (
    "<h3>Estimation</h3><p>Take the force at a joint as the state of a random process, and the joint's torque as the "
    "measurement of it: then a Kalman filter's covariances are the arm's inertias. Draw such a process at this "
    "posture, filter it, and see.</p>"
)
SEEN = (INNOVATIONS, MEASURED)


LOOK = Path(__file__).with_name("estimation.css").read_text(encoding="utf-8")


class Estimation(Instrument):
    """Draws at the cursor's posture, their statistics at the cursor's link, and the words for all quantities there."""

    def __init__(self, session: Session, **params: object) -> None:
        super().__init__(**params)
        self._session = session
        self.draws = Draws(session)
        self._links, self._variance, self._tests, self._words = (Sheet(self._go, LOOK) for _ in range(4))
        self._curve = ConvergenceCurve()
        self.painted = self._links, self._variance, self._tests, self._words, self._curve
        self._shown: tuple[object, ...] = ()
        self._worded: tuple[object, ...] = ()
        self._read_at = 0.0
        introduction = text_pane(INTRODUCTION, (4, 12, 0, 12))
        below = (self._variance, self._curve.view, self._tests, self._words)
        self.view = scrolled(introduction, self.draws, self._links, *below)

    def paint(self, theme: palette.Theme) -> None:
        super().paint(theme)
        self._shown = self._worded = ()

    def _go(self, where: str) -> None:
        """Handles a click: ``step n``, a row of the words; ``link k``; ``see n``, a matrix; ``anew n``, for draws."""
        kind, _, which = where.partition(" ")
        index, session = read_index(which), self._session
        if index is None:
            return
        if kind == "step" and index < len(ENTRIES):
            session.walk_to(place_of(ENTRIES[index], session.system_here, self._link))
            session.param.update(tab="", beside=NAME)
        elif kind == "link" and index < session.system.n_joints:
            session.select_link(index)
        elif kind == "see" and index < len(SEEN):
            session.choose("estimation", white=index)
            self.draw()
        elif kind == "anew" and self.draws.drawing is not None:
            self.draws.start(self.draws.drawing.wanted)

    @property
    def _seen(self) -> str:
        """The matrix of draws that is tested for whiteness."""
        at = self._session.estimation.white
        return SEEN[at] if at < len(SEEN) else SEEN[0]

    @property
    def _link(self) -> int:
        return min(self._session.place.link, self._session.system_here.n_joints - 1)  # the base has no uncertainty

    def draw(self) -> None:
        self._draw_words()
        self._draw_numbers()

    def _draw_words(self) -> None:
        session, now = self._session, time.monotonic()
        wanted = (session.moment, session.system_here, self._link, self.theme)
        if wanted == self._worded or (session.playing and now < self._read_at + PERIOD):
            return
        self._read_at, self._worded = now, wanted
        solution = session.solution()
        system = solution.system
        moment = Moment(solution, session.whole_reading(), smoothed_force_covariance(system, solution.state))
        figures = Figures(shortest_radius(system))
        self._links.show(links_html(system, self._link), ())
        self._words.show(words_html(moment, self._link, self.theme, figures), figures.numbers, session.playing)

    def _draw_numbers(self) -> None:
        draws, link = self.draws, self._link
        drawing = draws.drawing
        count = 0 if drawing is None else drawing.drawn
        wanted = (drawing, count, link, self.theme, self._seen, draws.is_here, draws.moment)
        if wanted == self._shown:
            return
        self._shown = wanted
        figures = Figures()
        if drawing is None or not count:
            self._variance.show("", ())
            self._tests.show("", ())
            self._curve.show([], [], [])
            return
        self._variance.show(self._head() + variance_html(drawing, link, self.theme), ())
        counts, error = drawing.convergence(link)
        others = [drawing.convergence(k)[1] for k in range(drawing.system.n_joints) if k != link]
        self._curve.show(counts, error, others)
        tests = whiteness_html(drawing, self._seen, link, figures) + covariances_html(drawing, link, self.theme)
        self._tests.show(tests, figures.numbers)

    def _head(self) -> str:
        """The instant of the numbers, and that of the draws if it differs."""
        draws, drawing = self.draws, self.draws.drawing
        assert drawing is not None
        held = "<p class='note'>The arms are drawn as if they held nothing.</p>" if drawing.system.is_held else ""
        if drawing.system.is_floating:
            held += (
                "<p class='note'>The free base is measured, too, in all six components: nothing is inboard of it. "
                "Smoothing leaves nothing uncertain there.</p>"
            )
        if draws.is_here:
            return held
        return (
            f"<p class='note warning' role='status'>These draws belong to <b>{draws.moment}</b>. "
            f"{action_html('anew 0', 'Draw anew here')}</p>{held}"
        )
