"""*Methods*: another formulation at the cursor's moment, step by step, with its result beside the run's."""

from __future__ import annotations

import html
import time
from pathlib import Path

import panel_material_ui as pmui

import dynamics as dyn
from app.binding import Binding
from app.equations.rounding import Loads
from app.equations.sheet import Figures, Sheet
from app.equations.words import METHODS
from app.formulations.acceleration_input import AccelerationInput, check_html, torques_html
from app.formulations.sheet import (
    ASKED,
    absent,
    arrival_html,
    bar_html,
    beside_html,
    broken_html,
    map_html,
    step_html,
    walkable,
)
from app.messages import in_words
from app.motion.errors import ERRORS
from app.number_text import read_index
from app.state import Session
from app.state.arrangement import Line, MethodStep
from app.views.components import Instrument, scrolled
from dynamics.reading import FormulationReading, formulation_lines, read_formulation
from scenes import palette

NAME, BREAK_IT = "Methods", "Break it"
PERIOD = 0.3  # Least seconds between two evaluations while the motion plays
LOOK = Path(__file__).with_name("methods.css").read_text(encoding="utf-8")


class Methods(Instrument):
    """One formulation, its map, the current step, and its result."""

    def __init__(self, session: Session, **params: object) -> None:
        super().__init__(**params)
        self._session = session
        self._menu = pmui.Select(
            label="Method", options={}, size="small", sizing_mode="stretch_width", margin=(10, 12, 2, 12)
        )
        self._chosen = Binding(self._menu, lambda: self.name_here, self._choose)
        self._map, self._step, self._answer = (Sheet(self._go, LOOK) for _ in range(3))
        self.painted = self._map, self._step, self._answer
        self._wanted = AccelerationInput(session, self._redraw)
        self._here, self._links = 0, tuple[int, ...]()
        self._shown: tuple[object, ...] = ()
        self._looked_at = 0.0
        self.view = scrolled(self._menu, self._wanted, self._map, self._step, self._answer)

    def paint(self, theme: palette.Theme) -> None:
        super().paint(theme)
        self._shown = ()

    @property
    def name_here(self) -> str:
        """The shown formulation: the chosen one, if it applies to this machine."""
        there = walkable(self._session.system_here)
        name = self._session.methods.method
        return name if name in there else there[0]

    @property
    def at(self) -> int:
        """Index of the chosen step, from 0."""
        chosen = self._session.methods
        return chosen.step if chosen.method == self.name_here else 0

    def _choose(self, name: str) -> None:
        if name in METHODS:
            self._stand(name, 0)

    def _stand(self, name: str, at: int) -> None:
        self._session.methods = MethodStep(name, at)
        self._redraw()

    def _redraw(self) -> None:
        self._shown = ()
        self.draw()

    def _go(self, where: str) -> None:
        """Handles a click: ``back``, ``on``, ``at`` and a step, ``break`` and a line's key, or ``mend``."""
        kind, _, which = where.partition(" ")
        lines = formulation_lines(self._session.system_here, self.name_here)
        if kind == "break" and which in {each.key for each in lines}:
            self._session.param.update(line=Line(self.name_here, which), tab=BREAK_IT, beside=NAME)
            return
        if kind == "mend":
            self._session.break_texts(frozenset())
            return
        at = {"back": self._here - 1, "on": self._here + 1, "at": read_index(which)}.get(kind)
        if at is None or not 0 <= at < len(self._links):
            return
        link = self._links[at]
        if link >= 0:
            self._session.select_link(link)
        self._stand(self.name_here, at)

    def draw(self) -> None:
        session = self._session
        system, name = session.system_here, self.name_here
        there = walkable(system)
        self._chosen.follow(options={METHODS[each].title: each for each in METHODS if each in there})
        wanted = (*session.moment, name, self.at, session.breaks, session.accelerations)
        now = time.monotonic()
        if wanted == self._shown or (
            session.playing and now < self._looked_at + PERIOD and self._shown[3:] == wanted[3:]
        ):
            return
        self._shown, self._looked_at = wanted, now
        try:
            solution = session.solution()
            self._wanted.follow(solution, name)
            wrench, (joints, payload) = session.run.wrench_at(session.time), self._wanted.of(solution, name)
            reading = read_formulation(
                solution.system, solution.state, name, solution.tau, joints, wrench, payload, session.breaks
            )
        except ERRORS as error:
            said = f"<p class='warning'>{html.escape(in_words(error))}</p>"
            for sheet, text in ((self._map, said), (self._step, ""), (self._answer, "")):
                sheet.show(text, ())
            return
        self._show(reading, solution)

    def _show(self, reading: FormulationReading, solution: dyn.Solution) -> None:
        system, passing = reading.system, self._session.playing
        at = min(self.at, len(reading.steps) - 1)
        self._here, self._links = at, tuple(step.link for step in reading.steps)
        about, none = html.escape(METHODS[reading.name].about), html.escape(absent(system))
        figures, below, loads = Figures(), Figures(), Loads.of(system, solution.stages)
        if reading.name in ASKED:
            arrival = check_html(reading, solution, self._session.run.wrench_at(self._session.time), figures)
            text = torques_html(reading, solution, below)
        else:
            arrival = arrival_html(reading, solution, figures)
            text = beside_html(reading, solution, loads, below)
        self._map.show(
            f"<p>{about}</p>{broken_html(reading)}{arrival}{map_html(reading, at)}{bar_html(reading, at)}",
            figures.numbers,
            passing=passing,
        )
        figures = Figures(loads.length, loads.along(reading.steps[at].joint))
        self._step.show(step_html(reading, at, self.theme, figures), figures.numbers, passing=passing)
        self._answer.show(f"{text}<p class='note'>{none}</p>", below.numbers, passing=passing)
