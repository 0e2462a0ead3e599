"""Tables of an instant's identities, sums and methods; a click on an identity moves the cursor to its place."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import panel as pn
from panel.viewable import Viewable

import dynamics as dyn
from app.equations.formula import formula
from app.equations.words import STAGE_TITLES
from app.job import Job
from app.motion.errors import ERRORS
from app.state import Session
from app.state.outcome import LAWS, checks_of
from app.state.walk import called
from app.views.components import RowTable, text_pane
from dynamics.check import Check, PaperSum, paper_sums
from scenes import palette

COLUMNS = [
    {"title": "identity", "kind": "text"},
    {"title": "", "kind": "mark"},
    {"title": "at link", "kind": "text"},
    {"title": "off by", "kind": "number"},
]


SOURCES = {
    "KKT": "KKT: all equations of motion and of contact as one linear system, solved at once without any recursion "
    "(named after Karush, Kuhn and Tucker).",
    "mass matrix": "ℳ is the mass matrix of all joints, M(k) the inertia of one link.",
}
"""Explanations of sources' short names."""


def key_of(check: Check) -> str:
    return f"{check.stage}/{check.identity.key}"


def link_of(check: Check) -> int:
    """The link of a row: where the check fails first, else where it is worst; -1 for the whole."""
    return check.worst_link if check.holds else check.first_link


def where_of(check: Check, system: dyn.System) -> str:
    link = link_of(check)
    return called(system, link) if link >= 0 else "whole"


def rows_of(checks: Sequence[Check], system: dyn.System, about: str = "") -> list[dict[str, Any]]:
    """One row per check, in the order of the algorithm, below its stage's name; a click leads to its stage and link.

    Args:
        about: appended to the stage's name.
    """
    rows: list[dict[str, Any]] = []
    stages: list[str] = []
    for check in checks:
        link = link_of(check)
        if check.stage not in stages:
            stages.append(check.stage)
            rows.append(heading(check.stage, about))
        where = where_of(check, system)
        stage = STAGE_TITLES[check.stage].lower()
        rows.append(
            {
                "key": key_of(check),
                "cells": [
                    check.identity.title,
                    "✓ holds" if check.holds else "✗ fails",
                    where,
                    size_in_words(check.worst),
                ],
                "formula": formula(check.identity.latex),
                "hint": SOURCES.get(check.identity.source, ""),
                "tone": "good" if check.holds else "bad",
                "action": f"Show {stage}, {where}" if link >= 0 else f"Show {stage}",
            }
        )
    return rows


def heading(stage: str, about: str) -> dict[str, Any]:
    return {"key": stage + about, "cells": [STAGE_TITLES[stage] + about, "", "", ""], "tone": "stage", "action": ""}


def size_in_words(size: float) -> str:
    return "no number" if size == float("inf") else f"{size:.0e}" if size else "0"


class IdentityTable(RowTable):
    """Rows of checks; a clicked row stays marked while the cursor is at its stage and link.

    Args:
        failing_first: puts failing checks before the others, and among them the laws of mechanics first.
    """

    def __init__(self, session: Session, failing_first: bool = False, **params: Any) -> None:
        super().__init__(self._go_to, columns=COLUMNS, **params)
        self._failing_first = failing_first
        self._session = session
        self._checks: dict[str, Check] = {}
        self._led = ("", "", -1)

    def show_checks(self, checks: Sequence[Check], system: dyn.System) -> None:
        self._checks = {key_of(check): check for check in checks}
        failing = [check for check in checks if not check.holds] if self._failing_first else []
        if failing:
            laws = [check for check in failing if check.identity.key in LAWS]
            own = [check for check in failing if check.identity.key not in LAWS]
            rest = [check for check in checks if check.holds]
            parts = (laws, " · laws of mechanics that fail"), (own, " · fails"), (rest, " · holds")
            self.show([row for part, about in parts for row in rows_of(part, system, about)])
        else:
            self.show(rows_of(checks, system))

    def _go_to(self, key: str) -> None:
        check = self._checks.get(key)
        if check is None:
            return
        session, link = self._session, link_of(check)
        session.select_stage(check.stage)
        if link >= 0:
            session.select_link(link)
        self._led = (key, session.cursor.stage, link)
        session.checked = self.chosen = key

    def unmark_left(self) -> None:
        """Marks the requested row, if it exists; unmarks the clicked one when the cursor has left it."""
        session = self._session
        key, stage, link = self._led
        cursor = session.cursor
        if session.checked == key and (cursor.stage != stage or link not in (-1, cursor.link)):
            session.checked = ""
        self.chosen = session.checked if session.checked in self._checks else ""


HOLDS = 1e-8  # Relative difference up to which two sides count as equal, as for the identities
SUM_COLUMNS = [
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
    """Shows the sums at instants where the motion is paused; each is computed in the background."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._table = RowTable(lambda _: None, columns=SUM_COLUMNS, margin=(4, 12))
        self._job: Job[tuple[PaperSum, ...]] = session.jobs.new("the sums cannot be formed")
        self._shown_for: tuple[object, ...] = ()
        head = text_pane(ABOUT, (4, 12, 0, 12))
        self.view: Viewable = pn.Column(head, self._table, sizing_mode="stretch_width", margin=0)

    def paint(self, theme: palette.Theme) -> None:
        self._table.paint(theme)

    def draw(self) -> None:
        """Requests the sums of this instant, unless they are there or being computed."""
        session = self._session
        self._table.chosen = session.checked if session.checked.startswith("sum/") else ""
        wanted = session.moment
        if session.playing or wanted == self._shown_for or self._job.busy:
            return
        self._shown_for = wanted
        try:
            solution = session.solution()
        except ERRORS:  # the table above shows the error
            self._table.show([])
            return
        self._job.start(partial(paper_sums, solution), lambda found: self._table.show([row_of(each) for each in found]))


def row_of(each: PaperSum) -> dict[str, Any]:
    """A table row, which is not clickable."""
    holds = each.residual <= HOLDS
    return {
        "key": f"sum/{each.title}",
        "cells": [each.title, "✓ holds" if holds else "✗ fails", each.source, size_in_words(each.residual)],
        "formula": formula(each.latex),
        "hint": "",
        "tone": "good" if holds else "bad",
        "action": "",
    }


METHODS: Mapping[str, tuple[str, str]] = {
    "filter_smoother": (
        "filter and smoother",
        "one sweep inward and one outward, the recursion that this page shows (R87)",
    ),
    "two_filter": ("two filters", "a second filter from the base outward; each link is solved by itself (JR)"),
    "mass_matrix": ("composite-body mass matrix", "sums the inertia of welded bodies, then one dense solve (R87)"),
    "newton_euler": ("Newton–Euler", "unit accelerations, one at a time, through inverse dynamics (TML)"),
    "newton_euler_modified": ("modified Newton–Euler", "the same with fewer operations, in link axes (TML)"),
    "lagrange": ("Lagrange", "derivatives of 4×4 transforms; grows with the cube of the joints (TML)"),
    "appel": ("Appel", "the minimum of the Gibbs–Appell function of the accelerations (Jazidie et al. 1993)"),
    "kkt": (
        "constrained system, dense (KKT)",
        "all equations of motion and of contact as one linear system, no recursion (Karush, Kuhn, Tucker)",
    ),
}
QUANTITIES: Mapping[str, str] = {
    "joint_acceleration": "joint accelerations",
    "base_acceleration": "acceleration of the base",
    "object_acceleration": "acceleration of the object",
    "contact_force": "contact forces",
}


def method_name(key: str) -> str:
    return METHODS[key][0] if key in METHODS else key.replace("_", " ")


MATRIX_STYLE = """
table.matrix { border-collapse: collapse; width: 100%; font-size: 0.8125rem; }
table.matrix th { font-weight: 400; text-align: left; padding: 3px 4px 1px 0; vertical-align: top; }
table.matrix thead th { text-align: right; opacity: 0.8; }
table.matrix td { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap;
  padding: 3px 2px 1px 4px; font-size: 0.75rem; }
table.matrix tbody tr:not(.about) { border-top: 1px solid rgba(128, 128, 128, 0.3); }
table.matrix tr[aria-current], table.matrix tr[aria-current] + tr.about { background: rgba(128, 128, 128, 0.2); }
table.matrix td.worst { outline: 2px solid currentColor; outline-offset: -2px; font-weight: 600; }
table.matrix tr.about td { text-align: left; white-space: normal; font-size: 0.75rem; opacity: 0.8; padding: 0 0 4px; }
"""


def matrix_html(agreement: dyn.Agreement, chosen: str = "") -> str:
    """A row per method with its explanation, a column per preceding method, and a frame around the worst cell.

    Args:
        chosen: key of the marked row, ``method/`` and its name.
    """
    names = list(dict.fromkeys(name for row in agreement.rows for name in (row.left, row.right)))
    worst = {(row.left, row.right): row for row in sorted(agreement.rows, key=lambda row: row.relative)}
    largest = max(worst.values(), key=lambda row: row.relative, default=None)
    heads = "".join(
        f"<th scope='col' title='{html.escape(method_name(name))}'>{i}</th>" for i, name in enumerate(names[:-1], 1)
    )
    body = ""
    for i, name in enumerate(names):
        cells = ""
        for other in names[: len(names) - 1]:
            found = worst.get((other, name))
            if found is None:
                cells += "<td></td>"
                continue
            mark = " class='worst'" if found is largest else ""
            about = html.escape(f"{method_name(other)} and {method_name(name)}: {QUANTITIES[found.quantity]}")
            cells += f"<td{mark} title='{about}'>{size_in_words(found.relative)}</td>"
        line = html.escape(METHODS[name][1]) if name in METHODS else ""
        current = " aria-current='true'" if chosen == f"method/{name}" else ""
        body += (
            f"<tr{current}><th scope='row'>{i + 1}&ensp;{html.escape(method_name(name))}</th>{cells}</tr>"
            f"<tr class='about'><td colspan='{len(names)}'>{line}</td></tr>"
        )
    return (
        f"<table class='matrix'><thead><tr><th scope='col'>method</th>{heads}</tr></thead><tbody>{body}</tbody></table>"
    )


def worst_in_words(agreement: dyn.Agreement) -> str:
    """The two methods that differ most, and in which quantity."""
    row = max(agreement.rows, key=lambda row: row.relative, default=None)
    if row is None:
        return ""
    if not row.relative:
        return "none differs in any digit"
    return (
        f"{method_name(row.left)} and {method_name(row.right)} differ most, by "
        f"{row.relative:.1e} in {QUANTITIES[row.quantity]}"
    )


@dataclass(frozen=True)
class Comparison:
    """Methods against each other, and the identities of the stages; None where there is no answer."""

    solution: dyn.Solution
    agreement: dyn.Agreement | None
    checks: tuple[Check, ...]
    few: bool = False  # whether only some methods were compared, as while the motion plays


def compare(
    solution: dyn.Solution, wrench: np.ndarray | None, only: tuple[str, ...] | None, with_checks: bool
) -> Comparison:
    """Compares at one instant; there is no agreement in a posture that does not determine the accelerations."""
    try:
        agreement = dyn.agreement(solution.system, solution.state, solution.tau, wrench, only)
    except ERRORS:
        agreement = None
    checks: tuple[Check, ...] = ()
    if with_checks:
        reading = dyn.read_textbook(solution.system, solution.state, solution.tau, wrench)
        checks = checks_of(solution, reading, wrench)
    return Comparison(solution, agreement, checks, only is not None)
