"""Answers of a class: one of each, changed as often as is fair; what is hostile changes nothing and grows nothing."""

from __future__ import annotations

import json
import math
import sys
from typing import Any

import pytest

from app.asking import Asked, Chosen, Drawn, Ordered, Tried, Typed
from app.asking import ballot as balloting
from app.asking.asked import KNOTS, Refusal, Said
from app.asking.ballot import BURST, KEEP, MOST_LEFT, WHO, Ballot, Ballots

CHOICE = Chosen("Which?", ("<b>elbow</b>", "wrist", "base"), frozenset({1}))
NUMBER = Typed("How heavy?", "kg m²", 0.5, 0.05)
CURVE = Drawn("How does it go?", "rad", 2.0, -1.0, 1.0, (0.0, 0.5, 1.0))

ORDER = Ordered("What comes first?", ("<b>last</b>", "first", "then"), (1, 2, 0))
TASK = Tried("Make it fall.", "gain/09_task", "gain:9")


class Class:
    """A ballot with a clock of its own, and followers by number."""

    def __init__(self, asked: Asked) -> None:
        self.now = 0.0
        self.ballot = Ballot(asked, lambda: self.now)

    def say(self, who: int, answer: Any, number: str = "") -> None:
        name = f"{who:022d}"
        assert WHO.fullmatch(name)
        self.ballot.take(Said(name, number or self.ballot.number, answer))

    def refused(self, who: int, answer: Any, number: str = "") -> int:
        with pytest.raises(Refusal) as refusal:
            self.say(who, answer, number)
        return refusal.value.status

    def counts(self) -> list[int]:
        self.ballot.close()
        return [row["count"] for row in self.ballot.told["tally"]["rows"]]


def test_a_hundred_answer_and_change_their_minds() -> None:
    class_ = Class(CHOICE)
    for who in range(100):
        class_.say(who, 0)
        class_.say(who, 0)  # again: still one
    for who in range(40):
        class_.say(who, 2)
    assert len(class_.ballot.answered) == 100
    assert "tally" not in class_.ballot.told  # nobody is swayed
    assert class_.counts() == [60, 0, 40]
    assert class_.ballot.told["tally"]["words"] == "100 answers. elbow: 60; wrist: 0; base: 40."
    assert class_.refused(0, 1) == 409  # it is closed
    class_.ballot.reveal()
    assert class_.ballot.told["right"] == {"rows": [1], "words": "Right is: wrist. None of 100 chose it."}


def test_what_is_right_is_told_when_it_is_revealed_and_not_before() -> None:
    for asked in (CHOICE, NUMBER, CURVE, ORDER, TASK):
        class_ = Class(asked)
        class_.ballot.reveal()
        assert class_.ballot.phase == "open"
        class_.ballot.close()
        assert "right" not in class_.ballot.told
        class_.ballot.reveal()
        assert class_.ballot.told["right"]["words"]
        json.dumps(class_.ballot.told, allow_nan=False)
    for nobody in (Chosen("?", ("a", "b")), Typed("?")):
        class_ = Class(nobody)
        class_.ballot.close()
        class_.ballot.reveal()
        assert class_.ballot.phase == "shown"


GOOD: dict[str, Any] = {"choice": 1, "number": "0,5 kg m^2", "curve": [0.5] * KNOTS, "order": [1, 2, 0], "task": 0}
HOSTILE: list[Any] = [
    None, True, -1, 3, 10**30, 1.0, "elbow", "", " ", [], {}, [0], "1e999", "nan", "inf", "NaN", "1e16", "0x10",
    "1" * 61, "１", "<b>1</b>", "1 s", [0.0] * (KNOTS - 1), [0.0] * (KNOTS + 1), [True] * KNOTS, [None] * KNOTS,
    [math.nan] * KNOTS, [math.inf] * KNOTS, [1e300] * KNOTS, ["0"] * KNOTS, [[0.0]] * KNOTS,
    [0, 1, 1], [0, 1, 2, 3], [0, 1], [True, False, 2], [0.0, 1.0, 2.0], ["0", "1", "2"], [[0], [1], [2]],
]  # fmt: skip


@pytest.mark.parametrize("asked", [CHOICE, NUMBER, CURVE, ORDER, TASK])
def test_what_is_no_answer_is_refused_and_changes_nothing(asked: Asked) -> None:
    class_ = Class(asked)
    good = GOOD[asked.form["kind"]]
    class_.say(7, good)
    for answer in HOSTILE:
        class_.now += 10.0
        assert class_.refused(7, answer) == 400
    assert class_.refused(7, good, "0" * 8) == 409
    class_.ballot.close()
    told = class_.ballot.told["tally"]
    assert told["total"] == 1
    assert json.dumps(told, allow_nan=False)


def test_whoever_hurries_waits_and_nobody_else_does() -> None:
    class_ = Class(CHOICE)
    for _ in range(int(BURST)):
        class_.say(1, 0)
    assert class_.refused(1, 1) == 429
    class_.say(2, 1)
    class_.now += 1.0
    class_.say(1, 2)
    assert class_.counts() == [0, 1, 1]


def test_what_is_no_answer_counts_as_haste_too() -> None:
    class_ = Class(CHOICE)
    statuses = [class_.refused(1, "x") for _ in range(20)]
    assert statuses.count(400) == int(BURST)
    assert set(statuses) == {400, 429}


def test_it_grows_no_further_than_a_class(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(balloting, "MOST", 50)
    class_ = Class(NUMBER)
    for who in range(50):
        class_.say(who, "1")
    for who in range(50, 500):
        assert class_.refused(who, "1") == 503
    class_.now += 60.0
    class_.say(3, "2")  # who is in may change
    assert len(class_.ballot.answered) == 50
    assert sys.getsizeof(class_.ballot._paces) < 10_000


def test_an_order_is_counted_place_by_place() -> None:
    class_ = Class(ORDER)
    for who, answer in enumerate(([1, 2, 0], [1, 2, 0], [2, 1, 0])):
        class_.say(who, answer)
    class_.ballot.close()
    told = class_.ballot.told
    assert told["tally"]["places"] == [[0, 0, 3], [2, 1, 0], [1, 2, 0]]
    assert told["tally"]["order"] == [1, 2, 0]
    assert told["tally"]["words"] == "3 answers. The commonest order, of 2 of 3: first · then · last."
    assert "right" not in told
    class_.ballot.reveal()
    words = "Right is: 1. first; 2. then; 3. last. 2 of 3 have all of it in order."
    assert class_.ballot.told["right"] == {"rows": [], "order": [1, 2, 0], "words": words}


def test_who_has_done_what_was_to_be_tried_is_counted() -> None:
    class_ = Class(TASK)
    for who, answer in enumerate((0, 1, 0)):
        class_.say(who, answer)
    assert class_.counts() == [2, 1]
    class_.ballot.reveal()
    assert class_.ballot.told["right"]["words"] == "2 of 3 have done it."


def test_questions_wait_for_their_pages_a_while_and_not_all_of_them() -> None:
    now = [0.0]
    ballots, here = Ballots(lambda: now[0]), object()
    for k in range(MOST_LEFT + 1):
        ballots.hold(str(k), Ballot(CHOICE), here)
        ballots.leave(str(k), here)
    assert ballots.find("0") is None  # too many
    assert ballots.find("1") is not None
    ballots.hold("1", ballots.find("1"), "another page")  # has come back
    ballots.leave("1", here)
    ballots.hold("1", None, here)  # the page before has no say any more
    now[0] = KEEP + 1.0
    assert ballots.find("2") is None
    assert ballots.find("1") is not None
    assert len(ballots._held) == 1
