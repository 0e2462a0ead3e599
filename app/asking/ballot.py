"""The answers to one question: one of each follower, who may change it until it is closed; kept over a reload."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable
from typing import Any, Literal

from app.asking.asked import Answer, Asked, Refusal, Said, read
from app.asking.tally import revealed, tally

WHO = re.compile(r"[\w-]{22}", re.ASCII)
NUMBER = re.compile(r"[0-9a-f]{8}")
MOST = 2000
"""Who may answer one question; as many as may follow (``app.present.presentation``)."""
BURST, PER_SECOND = 6.0, 2.0
"""Answers of one follower at once, and then."""
KEEP = 600.0
"""Seconds for which a question waits for a lecturer's page that is gone."""
MOST_LEFT = 20
"""Questions that wait for their lecturers' pages."""

Phase = Literal["open", "shown", "revealed"]


class Ballot:
    """One question to the class.

    Attributes:
        number: by which followers tell it from others.
        phase: answers are taken while it is open; shown, their distribution is; revealed, the right answer.
    """

    def __init__(self, asked: Asked, now: Callable[[], float] = time.monotonic) -> None:
        self.asked = asked
        self.number = secrets.token_hex(4)
        self.phase: Phase = "open"
        self._now = now
        self._answers: dict[str, Answer] = {}
        self._paces: dict[str, tuple[float, float]] = {}
        self.told: dict[str, Any] = {"number": self.number, "phase": self.phase, **asked.form}

    def take(self, said: Said) -> None:
        """An answer of somebody, instead of the one before.

        Raises:
            Refusal: for one that does not count; nothing has changed then.
        """
        if said.number != self.number or self.phase != "open":
            raise Refusal(409, "This question is closed.")
        if said.who not in self._paces and len(self._paces) >= MOST:
            raise Refusal(503, "As many have answered as the server can take.")
        self._hurry(said.who)
        self._answers[said.who] = read(self.asked.form, said.answer)

    def _hurry(self, who: str) -> None:
        """Counts what somebody sends, whatever it is.

        Raises:
            Refusal: for too much of it.
        """
        now = self._now()
        left, since = self._paces.get(who, (BURST, now))
        left = min(left + (now - since) * PER_SECOND, BURST)
        if left < 1.0:
            raise Refusal(429, "That is too fast; try again in a second.")
        self._paces[who] = (left - 1.0, now)

    @property
    def answered(self) -> frozenset[str]:
        """Who has."""
        return frozenset(self._answers)

    @property
    def can_reveal(self) -> bool:
        """Whether somebody has said what is right."""
        right = self.asked.right
        return right is not None and right not in ((), frozenset())

    def close(self) -> None:
        """No more answers; the class sees how they are distributed."""
        if self.phase == "open":
            self.phase = "shown"
            self.told = {**self.told, "phase": self.phase, "tally": tally(self.asked, list(self._answers.values()))}

    def reveal(self) -> None:
        """The class sees what is right."""
        if self.phase == "shown" and self.can_reveal:
            self.phase = "revealed"
            found = revealed(self.asked, list(self._answers.values()), self.told["tally"])
            self.told = {**self.told, "phase": self.phase, "right": found}


class Ballots:
    """Questions by the codes of their presentations: a page that is loaded anew is another session, and finds its own.

    Args:
        now: the time, s.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._held: dict[str, tuple[Ballot, object]] = {}
        self._left: dict[str, float] = {}

    def hold(self, code: str, ballot: Ballot | None, by: object) -> None:
        """Keeps the question of a presentation, which somebody leads; None ends it."""
        if ballot is not None:
            self._left.pop(code, None)
            self._held[code] = ballot, by
        elif self._is_held(code, by):
            self._drop(code)

    def leave(self, code: str, by: object) -> None:
        """Whoever leads is gone, and may come back within ``KEEP``; nothing if another leads by now."""
        if self._is_held(code, by):
            self._left[code] = self._now()
            if len(self._left) > MOST_LEFT:
                self._drop(next(iter(self._left)))

    def find(self, code: str) -> Ballot | None:
        """What was asked when the page went."""
        for gone in [each for each, since in self._left.items() if self._now() - since > KEEP]:
            self._drop(gone)
        return self._held.get(code, (None, None))[0]

    def _is_held(self, code: str, by: object) -> bool:
        return self._held.get(code, (None, None))[1] is by

    def _drop(self, code: str) -> None:
        self._held.pop(code, None)
        self._left.pop(code, None)


BALLOTS = Ballots()
"""Of this process, as its presentations are."""
