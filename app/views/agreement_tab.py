"""The table behind the badge: methods, identities, and the worst moment of the run."""

from __future__ import annotations

import html
from functools import partial

import panel as pn
import panel_material_ui as pmui
from panel.viewable import Viewable

from app.job import Job
from app.state import Session
from app.state.agreement_search import AgreementSearch
from app.views.agreement_curve import AgreementCurve
from app.views.badge import Badge
from app.views.check_csv import identities_csv, methods_csv
from app.views.comparison import Comparison
from app.views.copy_button import CopyButton
from app.views.identity_table import IdentityTable
from app.views.instrument import Instrument
from app.views.method_matrix import STYLE as MATRIX
from app.views.method_matrix import matrix_html, worst_in_words
from app.views.style import STYLE
from app.views.sums_table import SumsTable
from scenes import palette

FEW = "<p>While it plays, the slower methods rest: pause to compare them all.</p>"
SEARCH, STOP = "Worst moment of the run", "Stop looking"


class AgreementTab(Instrument):
    """What agrees at the cursor, how well, and where in the run it is worst."""

    def __init__(self, session: Session, badge: Badge, **params: object) -> None:
        super().__init__(**params)
        self._session, self._badge = session, badge
        self._matrix = pn.pane.HTML("", stylesheets=[STYLE, MATRIX], sizing_mode="stretch_width", margin=(4, 12))
        self._identities = IdentityTable(session, margin=(4, 12))
        self._sums = SumsTable(session)
        self._curve = AgreementCurve()
        self._copies = [
            CopyButton(text, label="Copy CSV", what=f"{what} are", margin=(0, 12))
            for what, text in (("The methods", self._methods), ("The identities", self._checks))
        ]
        self._button = pmui.Button(label=SEARCH, icon="troubleshoot", variant="outlined", size="small", margin=(6, 12))
        self._button.on_click(lambda _: self.search())
        self._told = pn.pane.HTML("", stylesheets=[STYLE], sizing_mode="stretch_width", margin=(0, 12))
        self._shown: Comparison | None = None
        self._asked = ""
        self._search: AgreementSearch | None = None
        self._job: Job[list[tuple[float, float]]] = session.jobs.new("the search cannot go on", self._fail)
        session.param.watch(self._follow_run, "run")

    def _methods(self) -> str:
        found = self._shown
        return "" if found is None or found.agreement is None else methods_csv(found.agreement)

    def _checks(self) -> str:
        found = self._shown
        return "" if found is None else identities_csv(found.checks, found.solution.system)

    def paint(self, theme: palette.Theme) -> None:
        """Colors for a theme."""
        self._identities.paint(theme)
        self._sums.paint(theme)
        self._curve.paint(theme)

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
        if self._matrix.object != text:
            self._matrix.object = text
        if found.checks:
            self._identities.show_checks(found.checks, found.solution.system)

    def search(self) -> None:
        """Starts to look for the worst moment of the run, as far as the run is known; or gives up looking."""
        if self._job.busy and self._search is not None:
            looked = len(self._search.found)
            self._end()
            self._told.object = f"<p role='status'>Stopped after {looked} instants.</p>"
            return
        search = self._search = AgreementSearch(self._session.run)
        self._button.label = STOP
        self._job.start(search.look, partial(self._accept, search))

    def _end(self) -> None:
        self._job.cancel()
        self._search, self._button.label = None, SEARCH

    def _follow_run(self, _: object) -> None:
        """Gives the search up, in sight or not, when its run is no longer there."""
        if self._search is not None:
            self._end()
            self._curve.show([], [], 0.0, 1.0)
            self._told.object = ""

    def _accept(self, search: AgreementSearch, found: list[tuple[float, float]]) -> None:
        """Takes a slice of the search in and starts the next."""
        search.accept(found)
        self._job.report(len(search.found) / search.most)
        self._curve.show(*search.curve, search.begin, search.run.duration)
        self._tell(search)
        if not search.done:
            self._job.start(search.look, partial(self._accept, search))

    def _fail(self, words: str) -> None:
        self._told.object = f"<p role='status'>{html.escape(words[:1].upper() + words[1:])}.</p>"
        self._end()

    def _tell(self, search: AgreementSearch) -> None:
        looked = len(search.found)
        if not search.done:
            share = f"{100 * (self._job.progress or 0.0):.0f} %"
            self._told.object = f"<p role='status'>{share}: looked at {looked} of up to {search.most} instants.</p>"
            return
        self._button.label = SEARCH
        if search.worst is None:
            self._told.object = "<p role='status'>No instant of this run determines the accelerations.</p>"
            return
        instant, worst = search.worst
        self._session.playing = False
        self._session.seek(instant)
        self._told.object = (
            f"<p role='status'>Worst of {looked} instants: {worst:.1e} at {instant:.3f} s, where the page is now.</p>"
        )

    def __panel__(self) -> Viewable:
        return pn.Column(
            self._matrix,
            self._copies[0],
            self._button,
            self._told,
            self._curve.view,
            pn.pane.HTML(
                "<h3>What each stage must satisfy</h3><p>Each link by itself, found without the recursion. "
                "A row leads to its stage and link.</p>",
                stylesheets=[STYLE],
                sizing_mode="stretch_width",
                margin=(4, 12, 0, 12),
            ),
            self._identities,
            self._copies[1],
            self._sums.view,
            sizing_mode="stretch_both",
            scroll="y",
            margin=0,
        )
