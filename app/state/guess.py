"""A guess before the answer: of some statements, which will fail in the text as it is broken now?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import dynamics as dyn
from app.state.outcome import first_of
from dynamics.check import Check

OFFERED = 4
"""Statements to choose among, beside that none of them fails."""
MOST_FAILING = 2
"""Of these, so that one has to think."""
NONE = "none"


@dataclass(frozen=True)
class Question:
    """What is asked of one broken text.

    Attributes:
        choices: of each statement its first check, in the order of the algorithm.
        failing: key of each that fails -> its check, all of them, offered or not.
        first: what fails first, or None where nothing does.
    """

    choices: tuple[Check, ...]
    failing: dict[str, Check]
    first: Check | None

    def is_right(self, guess: str) -> bool:
        """Whether what was chosen fails; that none does is right where none does."""
        return guess in self.failing if guess != NONE else not self.failing

    def offers(self, guess: str) -> bool:
        return guess == NONE or any(each.identity.key == guess for each in self.choices)


def question_of(checks: Sequence[Check], system: dyn.System) -> Question:
    """What fails first and one more of what fails, between statements that hold nearby."""
    each: dict[str, Check] = {}  # a statement that fails at one stage fails
    for check in checks:
        if check.identity.key not in each or (each[check.identity.key].holds and not check.holds):
            each[check.identity.key] = check
    order = list(each.values())
    wrong = [at for at, check in enumerate(order) if not check.holds]
    # The first, where the error enters, and the last, by which the motion shows it.
    chosen = sorted({wrong[0], wrong[-1]})[:MOST_FAILING] if wrong else []
    middle = chosen[0] if chosen else len(order) // 2
    whole = [at for at, check in enumerate(order) if check.holds and check.identity.key != "finite"]
    whole.sort(key=lambda at: (abs(at - middle), at))
    offered = sorted(chosen + whole[: OFFERED - len(chosen)])
    failing = {order[at].identity.key: order[at] for at in wrong}
    return Question(tuple(order[at] for at in offered), failing, first_of(checks, system))
