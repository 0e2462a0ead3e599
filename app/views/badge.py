"""The badge in the bar: independent methods, compared at the cursor."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import panel_material_ui as pmui

from app.job import Job
from app.state import Session
from app.views.check_tables import Comparison, compare, worst_in_words
from app.views.components import View

PERIOD = 0.5  # Shortest time in seconds between two comparisons
PLAYED_PERIOD, TABLE_PERIOD = 5.0, 1.0  # The same while the motion plays, and while it plays with the table in view
SIGHT = 3.0  # Seconds for which a drawn table counts as in view: the clock may draw it only once a second
WITNESS = ("kkt",)  # The filter's counterpart while the motion plays; at a pause all methods are compared
MANY_JOINTS = 10  # Lagrange's method costs the most: for more joints than this it waits for a pause
GOOD, FAIR = 1e-9, 1e-6  # Worst relative difference up to which the methods agree, and up to which the badge only warns


LOOK = """
/* As wide as its longest words, or what stands beside it would move with them. */
@media (min-width: 1181px) { .MuiChip-root { min-width: 11.9rem; } }
@media (max-width: 1180px) { /* the sign alone, in the middle */
  .MuiChip-root { width: 2rem; justify-content: center; }
  .MuiChip-root .MuiChip-icon { margin: 0 !important; }
  .MuiChip-label { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
}
"""


UNDECIDED = {
    "&.MuiChip-colorDefault": {"backgroundColor": "#FFFFFF", "color": "#17466F"},
    "&.MuiChip-colorDefault .MuiChip-icon": {"color": "inherit"},
}
"""Colors while there is no answer: dark on white in the bar of either theme."""


AT_REST = "at rest, in balance"
"""Holds for one instant: while the clock runs it is soon checked again, and removed if no answer comes."""

CHECKING = "checking"
TRUE_RUN = "true run"
"""Label while a broken text is shown beside the true run: the methods of the true run are compared."""


class Badge(View):
    """A chip with the worst relative difference; the comparison runs in a thread.

    While the motion plays, the filter is compared with one other method, or with all if the table is in view; at a
    pause, every method is compared with every other.
    """

    def __init__(self, session: Session, **params: object) -> None:
        super().__init__(**params)
        self._session = session
        self.view = pmui.Chip(
            label=CHECKING, icon="hourglass_empty", color="default", margin=(10, 8), css_classes=["badge"],
            stylesheets=[LOOK], sx=UNDECIDED,
        )  # fmt: skip
        self._job: Job[Comparison] = session.jobs.new("the methods could not be compared", self._fail)
        self._asked: tuple[object, ...] = ()
        self._asked_at = 0.0
        self._in_sight_at = -SIGHT
        self._rested = self._beside_broken = self._rests_on = False
        self.newest: Comparison | None = None

    def keep_in_sight(self) -> None:
        """Notes that the table is in view now, and therefore needs every method and every identity."""
        self._in_sight_at = time.monotonic()

    def draw(self) -> None:
        session, now = self._session, time.monotonic()
        if self._beside_broken != bool(session.textbook_breaks):
            self._beside_broken = bool(session.textbook_breaks)
            if self.view.label != CHECKING:
                self._update()
        goes_on = session.playing and self._asked[:3] != session.moment
        if self._rested and goes_on and now > self._asked_at + 2.0 * PERIOD:
            self._say(CHECKING, "hourglass_empty", "default")
        if self._job.busy:
            return
        in_sight = now < self._in_sight_at + SIGHT
        only = self._methods(in_sight)
        wanted = (*session.moment, only, in_sight)
        period = PERIOD
        if session.playing and self._asked[:1] == (session.run,) and not self._rested:
            period = TABLE_PERIOD if in_sight else PLAYED_PERIOD
        if wanted != self._asked and now >= self._asked_at + period:
            solution, wrench = session.solution(), session.run.wrench_at(session.time)
            self._asked, self._asked_at = wanted, now
            self._job.start(partial(compare, solution, wrench, only, in_sight), self._show)

    def _methods(self, in_sight: bool) -> tuple[str, ...] | None:
        if not self._session.playing:
            return None
        if not in_sight:
            return WITNESS
        if self._session.system.n_joints <= MANY_JOINTS:
            return None
        system = self._session.system_here
        return WITNESS if system.is_held or system.is_floating else ("mass_matrix", "appel", *WITNESS)

    def _fail(self, words: str) -> None:
        self._say("not compared", "error", "error")
        self._session.message = words

    def _show(self, found: Comparison) -> None:
        self.newest = found
        rested, self._rested = self._rested, found.agreement is not None and found.agreement.scale == 0.0
        # A moving run may start at rest: while it plays, one instant at rest does not imply the next.
        self._rests_on = self._rested and (rested or not self._session.playing)
        self._update()

    def _update(self) -> None:
        """Shows the result; beside a broken text, which it does not judge, the label says that it is the true run's."""
        found = self.newest
        if found is None:
            return
        if found.agreement is None:
            self._say("not determined here", "help", "default")
        elif self._rested and not self._rests_on:
            self._say(CHECKING, "hourglass_empty", "default")
        elif self._rested:
            self._say(f"{TRUE_RUN}: at rest" if self._beside_broken else AT_REST, "balance", "default")
        else:
            worst = found.agreement.worst
            color, icon = (
                ("success", "check_circle")
                if worst <= GOOD
                else ("warning", "warning")
                if worst <= FAIR
                else ("error", "error")
            )
            words = f"methods {'agree' if not worst else 'agree to' if worst <= FAIR else 'differ by'}"
            size = f"{worst:.0e}" if worst else "exactly"
            self._say(f"{TRUE_RUN + ':' if self._beside_broken else words} {size}", icon, color)

    def _say(self, label: str, icon: str, color: str) -> None:
        self.view.param.update(label=label, icon=icon, color=color)

    @property
    def in_words(self) -> str:
        """The tab that a click opens, for screen readers: its result, and the two methods that differ most."""
        found = self.newest
        most = "" if found is None or found.agreement is None or self._rested else worst_in_words(found.agreement)
        return f"Check is open: {self.view.label}{most and f'; {most}'}."

    def on_click(self, action: Callable[[], None]) -> None:
        """Sets the action of a click on the badge."""
        self.view.on_click(lambda _: action())
