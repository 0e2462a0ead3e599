"""*Papers*: a paper's tables and figures as a list; one click recomputes one, another opens its machine."""

from __future__ import annotations

import html
from functools import partial
from pathlib import Path

import numpy as np
import panel as pn
from bokeh.models import Renderer
from numpy.typing import NDArray

from app.equations.formula import worded_html
from app.equations.sheet import Sheet
from app.instruments.papers.addresses import ADDRESSES, PAPERS
from app.instruments.small_plot import legend_html, legend_pane, line, small_plot
from app.motion.errors import ERRORS
from app.number_text import number_text, read_index
from app.state import Session
from app.state.address import asked
from app.views.components import Instrument, figure_pane, scrolled, templates
from dynamics.papers import PaperCurve, PaperFigure, Reproduction, paper_results, reproduce
from scenes import palette

Array = NDArray[np.float64]
HEIGHT, TALL = 230, 330
COLORS = ("predicted_force", "torque", "contact_force", "velocity")
DOT = "<circle cx='10' cy='5' r='3.5' fill='{0}'/>"


class ResultPlot:
    """The figure of one result; another result gets another figure."""

    def __init__(self) -> None:
        self._legend = legend_pane((0, 12))
        self._theme: palette.Theme = "light"
        self._drawn: list[tuple[PaperCurve, Renderer]] = []
        self._shown: PaperFigure | None = None
        self.view = pn.Column(sizing_mode="stretch_width", margin=0)

    def paint(self, theme: palette.Theme) -> None:
        self._theme, entries = theme, []
        for k, (curve, drawn) in enumerate(self._drawn):
            color = palette.quantity(COLORS[k % len(COLORS)], theme)
            drawn.glyph.line_color = color
            if curve.style == "points":
                drawn.glyph.fill_color = color
            entries.append((DOT.format(color) if curve.style == "points" else line(color, curve.style), curve.label))
        self._legend.object = legend_html(entries)

    def show(self, shown: PaperFigure | None) -> None:
        if shown is self._shown:
            return
        self._shown, self._drawn = shown, []
        if shown is None:
            self.view[:] = []
            return
        scale = {True: "log", False: "linear"}
        plot = small_plot(
            "result", TALL if shown.equal else HEIGHT, x_axis_type=scale[shown.log_x], x_axis_label=shown.x_label,
            y_axis_type=scale[shown.log_y], y_axis_label=shown.y_label, match_aspect=shown.equal,
        )  # fmt: skip
        plot.axis.axis_label_text_font_style = "normal"
        for curve in shown.curves:
            x, y = (list(np.atleast_2d(values)) for values in (curve.x, curve.y))
            if curve.style == "points":
                drawn = plot.scatter(np.concatenate(x), np.concatenate(y), size=6)
            else:
                drawn = plot.multi_line(x, y, line_width=1.5, line_dash=curve.style.replace("line", "solid"))
            self._drawn.append((curve, drawn))
        self.paint(self._theme)
        self.view[:] = [figure_pane(plot), self._legend]


NAME = "Papers"
HERE = Path(__file__).parent
FIRST = "R87"
DIGITS = 8  # Digits of recomputed values: one more than any table in the papers has
BUSY = "<p role='status'>Recomputing …</p>"
LOOK = (HERE / "papers.css").read_text(encoding="utf-8")


def numbers_html(found: Reproduction) -> str:
    """The table; differences are marked with a letter that refers to the reason below."""
    reasons = list(dict.fromkeys(number.reason for number in found.numbers if number.reason))
    known = {"text": partial(number_text, digits=DIGITS), "worded": worded_html}
    return templates(HERE).get_template("numbers.html").render(found=found, reasons=reasons, **known)


class Papers(Instrument):
    """The list of one paper, or one result of it."""

    follows = False  # the printed numbers do not depend on the instant

    def __init__(self, session: Session, **params: object) -> None:
        super().__init__(**params)
        self._session = session
        self._results = paper_results()
        self._paper, self._name, self._said = FIRST, "", ""
        self._found: dict[str, Reproduction] = {}
        self._failed = ""
        self._head, self._table = (Sheet(self._go, LOOK) for _ in range(2))
        self._plot = ResultPlot()
        self.painted = self._head, self._table, self._plot
        self._job = session.jobs.new("this result could not be recomputed", self._fail, ERRORS)
        self.view = scrolled(self._head, self._plot.view, self._table)

    def _go(self, where: str) -> None:
        """Handles a click: ``paper k``, ``show k`` of all results, or ``open 0``, the machine of the shown result."""
        kind, _, which = where.partition(" ")
        index = read_index(which)
        if index is None:
            return
        if kind == "paper" and index < len(PAPERS):
            self._session.result = "" if index == 0 else list(PAPERS)[index]
        elif kind == "show" and index < len(self._results):
            self._session.result = self._results[index].name
        elif kind == "open" and self._name:  # stays beside what it opens; the former run is a step back
            query = {**ADDRESSES[self._name], "beside": NAME}
            self._session.opening.link(partial(asked, query, self._session), as_a_step=True)
        self.redraw()

    def _follow(self) -> None:
        """Shows the session's result; an unknown one becomes the first paper's list, and is dropped from the link."""
        if self._session.result == self._said:
            return
        said = self._session.result
        found = next((each for each in self._results if each.name == said), None)
        if found is not None:
            self._paper, self._name, self._failed = found.paper, said, ""
            if said in self._found:
                self._job.cancel()
            else:
                self._job.start(partial(reproduce, said), self._take)
        elif said in PAPERS and said != FIRST:
            self._paper, self._name = said, ""
        else:
            self._paper, self._name, self._session.result = FIRST, "", ""
        self._said = self._session.result

    def _take(self, found: Reproduction) -> None:
        self._found[found.result.name] = found
        self.redraw()

    def _fail(self, words: str) -> None:
        self._failed = words
        self.redraw()

    def draw(self) -> None:
        self._follow()
        at = next((k for k, each in enumerate(self._results) if each.name == self._name), None)
        result, found = None if at is None else self._results[at], self._found.get(self._name)
        shown = {"papers": PAPERS, "paper": self._paper, "results": self._results, "result": result, "at": at}
        self._head.show(templates(HERE).get_template("papers.html").render(shown, list=list), ())
        self._plot.show(None if found is None else found.figure)
        table = BUSY if found is None else numbers_html(found)
        if self._failed:
            table = f"<p class='warning'>{html.escape(self._failed)}</p>"
        self._table.show("" if result is None else table, ())
