"""*Cost*: operations counted and times measured against the number of links, for every method."""

from __future__ import annotations

import functools
import html
from pathlib import Path

import numpy as np
import panel as pn
from panel.io.document import unlocked
from panel.viewable import Viewable

from app.cost.counting_job import CountingJob
from app.cost.growth_html import crossings_html, reasons_html, switch_html, table_html
from app.cost.growth_plot import GrowthPlot
from app.cost.paths import Paths
from app.cost.race import RaceControl
from app.cost.race_html import chains_html, race_html
from app.cost.series_plot import SeriesPlot, color_of
from app.cost.tables import Tables
from app.equations.look import colors_of
from app.equations.sheet import Sheet
from app.measures.counts import GROUPS, Group
from app.measures.crossings import crossings
from app.measures.path_graph import FORMS
from app.measures.timing import LENGTHS
from app.number_text import read_index
from app.state import Session
from app.views.instrument import Instrument
from app.views.method_names import method_name
from scenes import palette

NAME = "Cost"
CHOSEN = {"group": len(GROUPS), "table": 5, "form": len(FORMS)}
"""What is chosen by a click, of how many: of methods, of TML's tables, of parallel forms."""
TOLD = (
    "<h3>What a solution costs</h3><p>Sweeps from link to link grow with N, the number of links; a matrix that is "
    "assembled, factored and solved grows with N³.</p>"
)
RACE = (
    "<h3>A race on this machine</h3><p>Two methods, or one and every other, solve this machine as it stands at "
    "the cursor, in turn, for a second and a half; then chains of more and more links.</p>"
)


@functools.cache
def look() -> str:
    """The style sheet; its colors are those of the walk's sheets."""
    return Path(__file__).with_name("cost.css").read_text(encoding="utf-8")


class Cost(Instrument):
    """Counts of one group of methods, drawn and in a table."""

    def __init__(self, session: Session, **params: object) -> None:
        super().__init__(**params)
        self._session = session
        self._theme: palette.Theme = "light"
        self.counting = CountingJob(session)
        self._head, self._table, self._before, self._result, self._grown = (Sheet(self._go) for _ in range(5))
        self._plot, self._times = GrowthPlot(), SeriesPlot("times", "ms a call", LENGTHS)
        self.race = RaceControl(session)
        self.tables, self.paths = Tables(session, self._go), Paths(session, self._go)
        self._before.show(RACE, ())
        self._counted = ""
        self._shown: tuple[object, ...] = ()
        self._raced: tuple[object, ...] = ()

    @property
    def follows(self) -> bool:
        """It shows the machine, at no instant."""
        return False

    def paint(self, theme: palette.Theme) -> None:
        """Colors for a theme."""
        self._theme = theme
        for sheet in (
            self._head,
            self._table,
            self._before,
            self._result,
            self._grown,
            self.tables.sheet,
            self.paths.sheet,
        ):
            sheet.css = colors_of(theme) + look()
        self._plot.paint(theme)
        self._times.paint(theme)
        self.paths.plot.paint(theme)
        self._raced = ()

    def _go(self, where: str) -> None:
        """What was clicked: ``group k``, ``table k``, ``form k``."""
        kind, _, which = where.partition(" ")
        index = read_index(which)
        if index is None:
            return
        if index < CHOSEN.get(kind, 0):
            at = [index if name == kind else own for name, own in zip(CHOSEN, self._shows, strict=True)]
            self._session.counted = self._counted = ":".join(map(str, at)) if any(at) else ""
            self.tables.sought = self.paths.sought = False
            with unlocked():  # figures are Bokeh's own models, and a browser is heard without the document's lock
                self.draw()

    @property
    def _shows(self) -> tuple[int, ...]:
        """Which group, table and picture are shown, by their numbers."""
        return tuple(read_index(word) or 0 for word in (self._session.counted or "0:0:0").split(":"))

    @property
    def _group(self) -> Group:
        at = self._shows[0]
        return GROUPS[at] if at < len(GROUPS) else GROUPS[0]

    @property
    def n_links(self) -> int:
        """Joints of the cursor's arm, which is as many links."""
        system, arm = self._session.system_here, self._session.cursor.arm
        joints = np.asarray(system.arm_of_link)[: system.n_joints]
        return int(np.count_nonzero(joints == arm)) or system.n_joints

    def draw(self) -> None:
        """The group that is chosen, as soon as it is counted, and the race as far as it is."""
        _, table, form = self._shows
        self.tables.choose(table)
        self.paths.choose(form)
        if self._session.counted != self._counted:  # by a link, and what it has chosen stands far below
            self._counted = self._session.counted
            self.paths.sought = form > 0
            self.tables.sought = table > 0 and not form
        self.race.follow()
        self._draw_counts()
        self._draw_race()
        self.tables.draw(self.n_links)
        self.paths.draw(self.n_links)

    def _draw_race(self) -> None:
        race = self.race.race
        wanted = (race, 0.0 if race is None else race.share, self.race.moment, self.n_links)
        if wanted == self._raced:
            return
        self._raced = wanted
        chains = {} if race is None else race.chains
        series = {method_name(method): [(n, 1e3 * seconds) for n, seconds in own] for method, own in chains.items()}
        self._times.show(series, self.n_links)
        colors = [color_of(k, self._theme) for k in range(len(chains))]
        self._result.show("" if race is None else race_html(race, self.race.moment, colors), ())
        self._grown.show("" if race is None else chains_html(race), ())

    def _draw_counts(self) -> None:
        counting = self.counting
        found = counting.of(self._group)
        wanted = (self._group, self.n_links, found.growths is None, counting.share(self._group), counting.told)
        if wanted == self._shown:
            return
        self._shown = wanted
        head = TOLD + switch_html(self._group)
        if found.growths is None:
            told = (
                f"<p role='status' class='warning'>{html.escape(counting.told)}</p>"
                if counting.told
                else (
                    f"<p role='status'>Counting … <progress max='100' value='{100 * counting.share(self._group):.0f}' "
                    "aria-label='Counting'></progress></p>"
                )
            )
            self._head.show(head + told, ())
            self._plot.show((), ())
            self._table.show("", ())
            return
        self._head.show(head, ())
        cross = crossings(found.growths)
        self._plot.show(found.growths, cross)
        self._plot.point(self.n_links)
        table = table_html(found.growths, self.n_links) + crossings_html(cross) + reasons_html(found.reasons)
        self._table.show(table, ())

    def __panel__(self) -> Viewable:
        return pn.Column(
            self._head,
            self._plot.view,
            self._table,
            self._before,
            self.race,
            self._result,
            self._times.view,
            self._grown,
            self.tables.sheet,
            self.paths.sheet,
            self.paths.plot.view,
            sizing_mode="stretch_both",
            scroll="y",
            margin=0,
        )
