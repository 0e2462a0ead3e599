"""Which parallel form is drawn, for the arm that is here, and how its depth grows; counted beside the page."""

from __future__ import annotations

import html
from collections.abc import Callable
from functools import partial
from typing import Any

import dynamics as dyn
from app.cost.path_svg import forms_html, graph_html
from app.cost.series_plot import SeriesPlot
from app.equations.sheet import SOUGHT, Sheet
from app.job import Job
from app.measures.path_graph import FORMS, LENGTHS, MOST_ARMS, MOST_DRAWN, Form, Graph, depth, graph
from app.motion.errors import ERRORS
from app.state import Session

ABOUT = (
    "<h3>What can be done at once</h3><p>With a processor for each task, a solution takes as long as its longest chain "
    "of tasks that wait for one another.</p>"
)
CHAIN, ALL = "along the longest chain", "all steps"
Row = tuple[int, int, int]
Asked = tuple[Form, int, int]


class Paths:
    """A sheet with the picture, and a plot of the depth."""

    def __init__(self, session: Session, go: Callable[[str], None]) -> None:
        self._session = session
        self.sheet, self.plot = Sheet(go), SeriesPlot("depth", "steps", LENGTHS)
        self._form, self._told = FORMS[0], ""
        self.sought = False
        """Whether a link leads to the picture, which is then scrolled into view."""
        self._found: tuple[Asked, Graph] | None = None
        self._rows: tuple[Row, ...] = ()
        self._asked: Asked | None = None
        self._shown: tuple[object, ...] = ()
        self._job: Job[Any] = session.jobs.new("the longest chain could not be counted", self._fail, ERRORS)

    def choose(self, index: int) -> None:
        """Another form; where there is none, nothing changes."""
        if index < len(FORMS):
            self._form = FORMS[index]

    def _fail(self, words: str) -> None:
        self._told = f"{words[:1].upper()}{words[1:]}."

    def _accept(self, asked: Asked, found: Graph) -> None:
        self._found, self._rows, self._told = (asked, found), (), ""
        self._deepen(asked)

    def _deepen(self, asked: Asked) -> None:
        """The depth of the next length, each a piece by itself."""
        form, _, arms = asked
        n = LENGTHS[len(self._rows)]
        self._job.start(partial(depth, form, n, arms), partial(self._accept_depth, asked))

    def _accept_depth(self, asked: Asked, row: Row) -> None:
        self._rows = (*self._rows, row)
        self._job.report(len(self._rows) / len(LENGTHS))
        if len(self._rows) < len(LENGTHS):
            self._deepen(asked)

    def draw(self, n_links: int) -> None:
        """The chosen form for so many links, or as many as can be drawn."""
        system: dyn.System = self._session.system_here
        wanted = (self._form, min(n_links, MOST_DRAWN), min(max(system.n_arms, 2), MOST_ARMS))
        if wanted != self._asked:
            self._asked, self._told = wanted, ""
            self._job.start(partial(graph, *wanted), partial(self._accept, wanted))
        found = self._found if self._found is not None and self._found[0] == wanted else None
        shown = (wanted, n_links, found, self._rows, self._told, self.sought)
        if shown == self._shown:
            return
        self._shown = shown
        head = ABOUT + forms_html(self._form)
        told = f"<p role='status' class='warning'>{html.escape(self._told)}</p>" if self._told else ""
        if found is None:
            self.sheet.show(head + (told or "<p role='status'>Counting …</p>"), ())
            self.plot.show({}, n_links)
            return
        form, links, arms = wanted
        fewer = f"<p class='note'>Drawn for {links} of its {n_links} links.</p>" if links < n_links else ""
        mark = SOUGHT if self.sought else ""
        self.sheet.show(mark + head + graph_html(form, found[1], links, arms) + fewer + told, ())
        rows = self._rows
        self.plot.show(
            {CHAIN: [(n, chain) for n, chain, _ in rows], ALL: [(n, every) for n, _, every in rows]}, n_links
        )
