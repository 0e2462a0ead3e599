"""Two independent methods, compared at the cursor: the badge and the table behind it."""

from __future__ import annotations

import asyncio
import html
import time
from collections.abc import Callable

import numpy as np
import panel as pn
import panel_material_ui as pmui
from panel.viewable import Viewable, Viewer

import dynamics as dyn
from app.state import Session
from app.views.style import STYLE

PERIOD = 0.5
"""Least seconds between two comparisons."""
STILL = 1e-6
"""Accelerations below this are a rest, in which a relative difference means nothing."""
WITNESS = ("kkt",)
"""What the filter is compared with while the motion plays; at a pause every method joins."""
GOOD, FAIR = 1e-9, 1e-6
"""Worst relative difference up to which the methods agree, and up to which the badge only warns."""


NARROW = """
@media (max-width: 900px) {
  .MuiChip-label { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
}
"""


class Badge(Viewer):
    """A chip with the worst relative difference; the comparison runs in a thread, at most twice a second.

    While the motion plays it is the filter against one witness; at a pause, every method against every other.
    """

    def __init__(self, session: Session, **params: object) -> None:
        super().__init__(**params)
        self._session = session
        self._text = ""
        self._chip = pmui.Chip(
            label="checking", icon="hourglass_empty", color="default", margin=(10, 8), stylesheets=[NARROW]
        )
        self.table = pn.pane.HTML("", stylesheets=[STYLE], sizing_mode="stretch_width", margin=(4, 12))
        self._answer: asyncio.Future[dyn.Agreement | None] | None = None
        self._asked: tuple[object, ...] = ()
        self._asked_at = 0.0

    def draw(self) -> None:
        if self._answer is not None:
            if not self._answer.done():
                return
            done, self._answer = self._answer, None  # first, so that a fault is met once and not at every frame
            self._show(done.result())
        only = WITNESS if self._session.playing else None
        wanted = (self._session.run, self._session.time, only)
        if wanted != self._asked and time.monotonic() >= self._asked_at + PERIOD:
            solution = self._session.solution()
            self._asked, self._asked_at = wanted, time.monotonic()
            if np.abs(solution.packed_acceleration).max() < STILL:
                self._say("at rest", "balance", "default", "Nothing accelerates at this instant.")
                return
            self._answer = asyncio.get_running_loop().run_in_executor(None, compare, solution, only)

    def _show(self, agreement: dyn.Agreement | None) -> None:
        if agreement is None:
            self._say("not determined here", "help", "default", "This posture does not determine the accelerations.")
            return
        worst = agreement.worst
        color, icon = (
            ("success", "check_circle")
            if worst <= GOOD
            else ("warning", "warning")
            if worst <= FAIR
            else ("error", "error")
        )
        label = f"methods agree to {worst:.0e}" if worst <= FAIR else f"methods differ by {worst:.0e}"
        self._say(label, icon, color, table_of(agreement))

    def _say(self, label: str, icon: str, color: str, table: str) -> None:
        if (self._chip.label, self._chip.color) != (label, color):
            self._chip.param.update(label=label, icon=icon, color=color)
        self._text = table

    def on_click(self, action: Callable[[], None]) -> None:
        """What a click on the badge does."""
        self._chip.on_click(lambda _: action())

    def draw_table(self) -> None:
        """Brings the table up to date; while it is out of sight that would only cost."""
        if self.table.object != self._text:
            self.table.object = self._text

    def stop(self) -> None:
        if self._answer is not None:
            self._answer.cancel()

    def __panel__(self) -> Viewable:
        return self._chip


def compare(solution: dyn.Solution, only: tuple[str, ...] | None) -> dyn.Agreement | None:
    """Methods against each other at one instant; None where the accelerations are not determined."""
    try:
        return dyn.agreement(solution.system, solution.state, solution.tau, only=only)
    except (dyn.StateError, dyn.SingularConfigurationError):
        return None


def table_of(agreement: dyn.Agreement) -> str:
    """Which methods, which quantity, how far apart; then the residuals of the equations themselves."""
    rows = "".join(
        f"<tr><td>{html.escape(row.left)} and {html.escape(row.right)}</td><td>{html.escape(row.quantity)}</td>"
        f"<td class='number'>{row.relative:.1e}</td></tr>"
        for row in agreement.rows
    )
    residuals = "".join(
        f"<tr><td colspan='2'>{html.escape(name)}</td><td class='number'>{value:.1e}</td></tr>"
        for name, value in agreement.residuals.items()
    )
    return (
        "<p>Each method solves the same motion its own way. Relative difference at the cursor:</p>"
        f"<table class='numbers'><thead><tr><th>methods</th><th>quantity</th><th>differ by</th></tr></thead>"
        f"<tbody>{rows}</tbody><thead><tr><th colspan='2'>residual</th><th></th></tr></thead>"
        f"<tbody>{residuals}</tbody></table>"
    )
