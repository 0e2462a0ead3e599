"""The tab behind the badge: methods, identities, and the worst instant of the run."""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Iterable, Sequence
from functools import partial

import numpy as np
import panel as pn
import panel_material_ui as pmui
from bokeh.models import ColumnDataSource, Range1d, Span
from bokeh.plotting import figure

import dynamics as dyn
from app.job import Job
from app.state import Session
from app.state.agreement_search import AgreementSearch
from app.views.badge import Badge
from app.views.check_tables import (
    MATRIX_STYLE,
    Comparison,
    IdentityTable,
    SumsTable,
    matrix_html,
    where_of,
    worst_in_words,
)
from app.views.components import CopyButton, Instrument, figure_pane, scrolled, text_pane
from dynamics.check import Check
from scenes import palette


def identities_csv(checks: Sequence[Check], system: dyn.System) -> str:
    """One row per identity: where it is worst, or fails first, and by how much."""
    rows = []
    for check in checks:
        rows.append((check.stage, check.identity.title, check.holds, where_of(check, system), repr(check.worst)))
    return _csv(("stage", "identity", "holds", "at link", "off by"), rows)


def methods_csv(agreement: dyn.Agreement) -> str:
    """One row per pair of methods and quantity."""
    rows = [(row.left, row.right, row.quantity, repr(float(row.relative))) for row in agreement.rows]
    return _csv(("method", "other method", "quantity", "relative difference"), rows)


def _csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()


SMALLEST = 1e-17  # Smaller than any rounding error: plotted where two methods agree to the last digit


class AgreementCurve:
    """A small logarithmic plot, with a dot for each instant and a line at the cursor."""

    def __init__(self) -> None:
        self._source = ColumnDataSource({"time": [], "worst": []})
        self._now = Span(location=0.0, dimension="height", line_width=1.5)
        self._plot = figure(
            name="agreement", height=110, sizing_mode="stretch_width", x_range=Range1d(0.0, 1.0),
            y_range=Range1d(SMALLEST, 1e-6), y_axis_type="log", toolbar_location=None, tools="", min_border=4,
        )  # fmt: skip
        self._line = self._plot.line("time", "worst", source=self._source, line_width=1.5)
        self._dots = self._plot.scatter("time", "worst", source=self._source, size=4)
        self._plot.add_layout(self._now)
        self._plot.yaxis.ticker.desired_num_ticks = 3
        self._plot.axis.major_label_text_font_size = "0.6875rem"
        self.view = pn.Column(sizing_mode="stretch_width", margin=0, visible=False)

    def paint(self, theme: palette.Theme) -> None:
        self._now.line_color = palette.INK[theme]
        for renderer in (self._line, self._dots):
            renderer.glyph.line_color = palette.quantity("drift", theme)
        self._dots.glyph.fill_color = palette.quantity("drift", theme)

    def show(self, times: list[float], worst: list[float], begin: float, end: float) -> None:
        """Shows another curve; an empty one hides the plot."""
        values = np.maximum(np.array(worst, dtype=float), SMALLEST)
        there = values[np.isfinite(values)]
        self.view.visible = bool(len(there))
        if len(there):
            if not self.view.objects:
                self.view.append(figure_pane(self._plot))
            self._plot.x_range.update(start=begin, end=end)
            self._plot.y_range.update(start=float(there.min()) / 3.0, end=float(there.max()) * 3.0)
        self._source.data = {"time": times, "worst": values.tolist()}

    def draw(self, now: float) -> None:
        if self.view.visible:
            self._now.location = now


STAGES = (
    "<h3>What each stage must satisfy</h3><p>Each link by itself, found without the recursion. A row leads to its "
    "stage and link.</p>"
)
FEW = "<p>While it plays, the slower methods rest: pause to compare them all.</p>"
SEARCH, STOP = "Worst moment of the run", "Stop looking"


class AgreementTab(Instrument):
    """The agreement at the cursor, and the instant of the run where it is worst."""

    def __init__(self, session: Session, badge: Badge, **params: object) -> None:
        super().__init__(**params)
        self._session, self._badge = session, badge
        self._matrix = text_pane("", (4, 12), MATRIX_STYLE)
        self._identities = IdentityTable(session, margin=(4, 12))
        self._sums = SumsTable(session)
        self._curve = AgreementCurve()
        self.painted = self._identities, self._sums, self._curve
        self._copies = [
            CopyButton(text, label="Copy CSV", what=f"{what} are", margin=(0, 12))
            for what, text in (("The methods", self._methods), ("The identities", self._checks))
        ]
        self._button = pmui.Button(label=SEARCH, icon="troubleshoot", variant="outlined", size="small", margin=(6, 12))
        self._button.on_click(lambda _: self.search())
        self._outcome = text_pane()
        self._shown: Comparison | None = None
        self._asked = ""
        self._search: AgreementSearch | None = None
        self._job: Job[list[tuple[float, float]]] = session.jobs.new("the search cannot go on", self._fail)
        session.param.watch(self._follow_run, "run")
        methods = (self._matrix, self._copies[0], self._button, self._outcome, self._curve.view)
        self.view = scrolled(
            *methods, text_pane(STAGES, (4, 12, 0, 12)), self._identities, self._copies[1], self._sums.view
        )

    def _methods(self) -> str:
        found = self._shown
        return "" if found is None or found.agreement is None else methods_csv(found.agreement)

    def _checks(self) -> str:
        found = self._shown
        return "" if found is None else identities_csv(found.checks, found.solution.system)

    def draw(self) -> None:
        self._badge.keep_in_sight()
        self._curve.draw(self._session.time)
        found = self._badge.newest
        if found is not None and (found is not self._shown or self._session.checked != self._asked):
            self._shown, self._asked = found, self._session.checked
            self._show(found)
        self._identities.unmark_left()
        self._sums.draw()

    def _show(self, found: Comparison) -> None:
        if found.agreement is None:
            text = "<p>This posture does not determine the accelerations.</p>"
        else:
            agreement = found.agreement
            note = "" if agreement.scale else "<p>At rest, with no load at any joint: there is nothing to compare.</p>"
            note += FEW if found.few else ""
            text = (
                f"<h3>Every method against every other</h3><p>Relative difference at the cursor; "
                f"{worst_in_words(agreement)}.</p>{note}{matrix_html(agreement, self._asked)}"
            )
        self._matrix.object = text
        if found.checks:
            self._identities.show_checks(found.checks, found.solution.system)

    def search(self) -> None:
        """Starts the search for the worst instant of the run computed so far; or stops it."""
        if self._job.busy and self._search is not None:
            looked = len(self._search.found)
            self._end()
            self._outcome.object = f"<p role='status'>Stopped after {looked} instants.</p>"
            return
        search = self._search = AgreementSearch(self._session.run)
        self._button.label = STOP
        self._job.start(search.look, partial(self._accept, search))

    def _end(self) -> None:
        self._job.cancel()
        self._search, self._button.label = None, SEARCH

    def _follow_run(self, _: object) -> None:
        """Stops the search when its run is replaced, whether or not it is in view."""
        if self._search is not None:
            self._end()
            self._curve.show([], [], 0.0, 1.0)
            self._outcome.object = ""

    def _accept(self, search: AgreementSearch, found: list[tuple[float, float]]) -> None:
        search.accept(found)
        self._job.report(len(search.found) / search.most)
        self._curve.show(*search.curve, search.begin, search.run.duration)
        self._report(search)
        if not search.done:
            self._job.start(search.look, partial(self._accept, search))

    def _fail(self, words: str) -> None:
        self._outcome.object = f"<p role='status'>{html.escape(words[:1].upper() + words[1:])}.</p>"
        self._end()

    def _report(self, search: AgreementSearch) -> None:
        looked = len(search.found)
        if not search.done:
            share = f"{100 * (self._job.progress or 0.0):.0f} %"
            self._outcome.object = f"<p role='status'>{share}: looked at {looked} of up to {search.most} instants.</p>"
            return
        self._button.label = SEARCH
        if search.worst is None:
            self._outcome.object = "<p role='status'>No instant of this run determines the accelerations.</p>"
            return
        instant, worst = search.worst
        self._session.playing = False
        self._session.seek(instant)
        self._outcome.object = (
            f"<p role='status'>Worst of {looked} instants: {worst:.1e} at {instant:.3f} s, where the page is now.</p>"
        )
