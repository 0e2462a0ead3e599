"""The identities of an instant as a table: a click on a row leads the cursor to its stage and link."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import dynamics as dyn
from app.state import Session
from app.state.outcome import LAWS
from app.views.identity_rows import COLUMNS, key_of, link_of, rows_of
from app.views.row_table import RowTable


class IdentityTable(RowTable):
    """Rows of checks; the one that was clicked stays marked as long as the cursor is where it led.

    Args:
        failing_first: what fails before what holds, and of that the laws of mechanics before the recursion's own.
    """

    def __init__(self, session: Session, failing_first: bool = False, **params: Any) -> None:
        super().__init__(self._go_to, columns=COLUMNS, **params)
        self._failing_first = failing_first
        self._session = session
        self._checks: dict[str, dyn.Check] = {}
        self._asked = ""

    def show_checks(self, checks: Sequence[dyn.Check], system: dyn.System) -> None:
        """Shows what these checks found."""
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
        self._session.select_stage(check.stage)
        if link_of(check) >= 0:
            self._session.select_link(link_of(check))
        self._session.checked = self.chosen = key

    def unmark_left(self) -> None:
        """Marks the row that is asked for; unmarks the clicked one when the cursor has left it."""
        asked = self._session.checked
        if asked in self._checks and asked != self._asked:
            self.chosen = asked
        self._asked = asked
        if asked == self.chosen:
            return
        if not self.chosen:
            return
        check, cursor = self._checks.get(self.chosen), self._session.cursor
        if check is None or cursor.stage != check.stage or link_of(check) not in (-1, cursor.link):
            self.chosen = ""
