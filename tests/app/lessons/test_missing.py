"""What a task's verdict says: both sides of every comparison that fails, in words, within bounds."""

from __future__ import annotations

import numpy as np
import pytest

from app.lessons.language import LONGEST, parsed
from app.lessons.lesson import Task
from app.lessons.marking import _task
from app.lessons.missing import missing
from app.lessons.values import ExpressionError, Value


class Said:
    """Names with values."""

    def value(self, path: tuple[str, ...], at: tuple[int, ...], time: float | None) -> Value:
        del time
        match path:
            case ("object_acceleration",):
                return np.array([0.0, 0.0, 0.0, 0.0, 0.0, -10.3])
            case ("before", "mass"):
                return 1.0
            case ("mass",):
                return (np.array([3.0, 0.5]) if not at else 3.0) if at != (2,) else 0.5
            case ("holds", "filter", "gain"):
                return False
        raise ExpressionError("none")


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("object_acceleration[6] < -11", "object acceleration [6] is −10.3, asked is less than −11"),
        ("-11 > object_acceleration[6]", "object acceleration [6] is −10.3, asked is less than −11"),
        ("mass(1) > 2 and mass(2) >= 1", "mass 2 is 0.5, asked is at least 1"),
        ("mass(1) == 2 * before.mass(1)", "mass 1 is 3, asked is 2 (2 · mass 1 before the answer)"),
        ("1 < mass(1) <= 2", "mass 1 is 3, asked is at most 2"),
        ("abs(mass(1) - 1) < 0.5", "|mass 1 − 1| is 2, asked is less than 0.5"),
        ("max(mass) < pi / 2", "the largest mass is 3, asked is less than 1.571"),
        ("not mass(1) > 2", "mass 1 is 3, asked is at most 2"),
        ("not (mass(1) > 2 or mass(2) > 2)", "mass 1 is 3, asked is at most 2"),
        ("mass(1) < 1 or mass(2) > 1", "mass 1 is 3, asked is less than 1, or mass 2 is 0.5, asked is more than 1"),
        ("holds.filter.gain", "the identity filter.gain does not hold"),
        ("mass(1) < 2.9999999", "mass 1 is 3, asked is less than 2.9999999"),
    ],
)
def test_both_sides_are_said(asked: str, words: str) -> None:
    assert missing(parsed(asked), Said()) == words


def test_it_is_said_in_the_verdict_and_is_bounded() -> None:
    mark = _task(Task(parsed("object_acceleration[6] < -11")), Said())  # type: ignore[arg-type]
    assert mark.words == ("The page does not show it yet: object acceleration [6] is −10.3, asked is less than −11.")
    many = " and ".join(["mass(1) < 1", "mass(2) > 1", "mass(1) < 2", "mass(2) > 2", "mass(1) == 7"])
    assert missing(parsed(many), Said()).endswith("; and 2 more")
    long = f"{' + '.join(['object_acceleration[6]'] * 11)} < 1"
    assert len(long) < LONGEST
    assert len(missing(parsed(long), Said())) < 200
