"""The identities of an instant as a table: a click on a row leads the cursor to its stage and link."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import dynamics as dyn
from app.state import Session
from app.state.outcome import LAWS
from app.views.identity_rows import COLUMNS, key_of, link_of, rows_of
from app.views.row_table import RowTable
from dynamics.check import Check


class IdentityTable(RowTable):
    """Rows of checks; the one that was clicked stays marked as long as the cursor is where it led.

    Args:
        failing_first: what fails before what holds, and of that the laws of mechanics before the recursion's own.
    """

    def __init__(self, session: Session, failing_first: bool = False, **params: Any) -> None:
        super().__init__(self._go_to, columns=COLUMNS, **params)
        self._failing_first = failing_first
        self._session = session
        self._checks: dict[str, Check] = {}
        self._led = ("", "", -1)

    def show_checks(self, checks: Sequence[Check], system: dyn.System) -> None:
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
        session, link = self._session, link_of(check)
        session.select_stage(check.stage)
        if link >= 0:
            session.select_link(link)
        self._led = (key, session.cursor.stage, link)
        session.checked = self.chosen = key

    def unmark_left(self) -> None:
        """Marks the row that is asked for, once it is there; unmarks the clicked one when the cursor has left it."""
        session = self._session
        key, stage, link = self._led
        cursor = session.cursor
        if session.checked == key and (cursor.stage != stage or link not in (-1, cursor.link)):
            session.checked = ""
        self.chosen = session.checked if session.checked in self._checks else ""
