"""What a sheet sends: parameters for good, messages for what passes."""

from __future__ import annotations

import numpy as np
import pytest

from app.equations.sheet import Sheet


@pytest.fixture
def sheet(monkeypatch: pytest.MonkeyPatch) -> Sheet:
    made = Sheet(lambda _: None)
    monkeypatch.setattr(made, "_send_msg", SENT.append)
    SENT.clear()
    made.show("<p></p>", [1.0])
    return made


SENT: list[bytes] = []


def number(packed: bytes) -> float:
    return float(np.frombuffer(packed, "<f8")[0])


def test_numbers_that_pass_come_by_a_message_each_once(sheet: Sheet) -> None:
    for value in (2.0, 2.0, 3.0):
        sheet.show("<p></p>", [value], passing=True)
    assert [number(sent) for sent in SENT] == [2.0, 3.0]
    assert number(sheet.numbers) == 1.0


def test_at_rest_the_parameter_is_right_for_whoever_comes_later(sheet: Sheet) -> None:
    sheet.show("<p></p>", [2.0], passing=True)
    sheet.show("<p></p>", [2.0])
    assert number(sheet.numbers) == 2.0


def test_what_has_passed_is_taken_back_where_the_parameter_was_right_before(sheet: Sheet) -> None:
    sheet.show("<p></p>", [2.0], passing=True)
    sheet.show("<p></p>", [1.0])
    assert [number(sent) for sent in SENT] == [2.0, 1.0]


def test_other_words_take_their_numbers_along(sheet: Sheet) -> None:
    sheet.show("<p></p>", [2.0], passing=True)
    sheet.show("<b></b>", [3.0], passing=True)
    assert (sheet.html, number(sheet.numbers)) == ("<b></b>", 3.0)
    assert len(SENT) == 1
