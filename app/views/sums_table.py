"""The papers' sums and operators at the cursor's instant, each with how far its two sides are apart."""

from __future__ import annotations

from functools import partial
from typing import Any

import panel as pn
from panel.viewable import Viewable

from app.equations.formula import formula
from app.job import Job
from app.motion.errors import ERRORS
from app.state import Session
from app.views.identity_rows import size_in_words
from app.views.row_table import RowTable
from app.views.style import STYLE
from dynamics.check import PaperSum, paper_sums
from scenes import palette

HOLDS = 1e-8
"""Relative difference up to which two sides are the same, as for the identities."""
COLUMNS = [
    {"title": "equation", "kind": "text"},
    {"title": "", "kind": "mark"},
    {"title": "paper", "kind": "text"},
    {"title": "off by", "kind": "number"},
]
ABOUT = (
    "<h3>The papers' sums and operators</h3><p>What the papers write as one sum over all links, beside what sweeps or "
    "a dense solve found for this instant. While it plays they rest.</p>"
)


class SumsTable:
    """Follows the instants at which the motion rests; each is computed beside the page."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._table = RowTable(lambda _: None, columns=COLUMNS, margin=(4, 12))
        self._job: Job[tuple[PaperSum, ...]] = session.jobs.new("the sums cannot be formed")
        self._told: tuple[object, ...] = ()
        head = pn.pane.HTML(ABOUT, stylesheets=[STYLE], sizing_mode="stretch_width", margin=(4, 12, 0, 12))
        self.view: Viewable = pn.Column(head, self._table, sizing_mode="stretch_width", margin=0)

    def paint(self, theme: palette.Theme) -> None:
        """Colors for a theme."""
        self._table.paint(theme)

    def draw(self) -> None:
        """Asks for those of this instant, unless they are there or on their way."""
        session = self._session
        self._table.chosen = session.checked if session.checked.startswith("sum/") else ""
        wanted = session.moment
        if session.playing or wanted == self._told or self._job.busy:
            return
        self._told = wanted
        try:
            solution = session.solution()
        except ERRORS:  # the table above says so
            self._table.show([])
            return
        self._job.start(partial(paper_sums, solution), self._take)

    def _take(self, found: tuple[PaperSum, ...]) -> None:
        self._table.show([row_of(each) for each in found])


def row_of(each: PaperSum) -> dict[str, Any]:
    """As a row; it leads nowhere."""
    holds = each.residual <= HOLDS
    return {
        "key": f"sum/{each.title}",
        "cells": [each.title, "✓ holds" if holds else "✗ fails", each.source, size_in_words(each.residual)],
        "formula": formula(each.latex),
        "hint": "",
        "tone": "good" if holds else "bad",
        "action": "",
    }
