"""Which of TML's tables stands below, and the counting of them beside the page."""

from __future__ import annotations

import html
from collections.abc import Callable

from app.cost.tables_html import choice_html, paper_table_html
from app.equations.sheet import SOUGHT, Sheet
from app.job import Job
from app.measures.paper_tables import PaperTable, paper_tables
from app.motion.errors import ERRORS
from app.state import Session

ABOUT = (
    "<h3>TML's own tables</h3><p>Turney, Mudge and Lee counted by hand. Beside it what the code does, row by row, and "
    "which products the paper leaves out.</p>"
)


class Tables:
    """One sheet; its numbers are counted when it is first drawn."""

    def __init__(self, session: Session, go: Callable[[str], None]) -> None:
        self.sheet = Sheet(go)
        self._tables: tuple[PaperTable, ...] = ()
        self._chosen, self._told, self._asked = 0, "", False
        self.sought = False
        """Whether a link leads to the table, which is then scrolled into view."""
        self._shown: tuple[object, ...] = ()
        self._job: Job[tuple[PaperTable, ...]] = session.jobs.new("the tables could not be counted", self._fail, ERRORS)

    def choose(self, index: int) -> None:
        """Another table; where there is none, nothing changes."""
        if index < len(self._tables):
            self._chosen = index

    def _fail(self, words: str) -> None:
        self._told = f"{words[:1].upper()}{words[1:]}."

    def _accept(self, tables: tuple[PaperTable, ...]) -> None:
        self._tables = tables

    def draw(self, n_links: int) -> None:
        """The chosen table for so many links."""
        if not self._asked:
            self._asked = True
            self._job.start(paper_tables, self._accept)
        shown = (self._tables, self._chosen, self._told, n_links, self.sought)
        if shown == self._shown:
            return
        self._shown = shown
        if self._tables:
            table = paper_table_html(self._tables[self._chosen], n_links)
            mark = SOUGHT if self.sought else ""
            self.sheet.show(f"{mark}{ABOUT}{choice_html(self._tables, self._chosen)}{table}", ())
        elif self._told:
            self.sheet.show(f"{ABOUT}<p role='status' class='warning'>{html.escape(self._told)}</p>", ())
        else:
            self.sheet.show(f"{ABOUT}<p role='status'>Counting …</p>", ())
