"""How answers are counted: every number in one row, outliers told, curves bundled, never anything that is no number."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.asking import Asked, Chosen, Drawn, Ordered, Tried, Typed
from app.asking.asked import KNOTS, LARGEST
from app.asking.tally import MOST_CURVES, MOST_INTERVALS, MOST_VALUES, revealed, tally
from app.equations.cleaning import words_html

KG = Typed("How heavy?", "kg", 0.5, 0.025)


def test_few_numbers_have_a_row_each() -> None:
    told = tally(KG, [0.5, 0.5, 2.0, 0.51])
    assert [(row["label"], row["count"]) for row in told["rows"]] == [("0.5 kg", 2), ("0.51 kg", 1), ("2 kg", 1)]
    assert told["words"] == "4 answers. 0.5 kg: 2; 0.51 kg: 1; 2 kg: 1."
    right = revealed(KG, [0.5, 0.5, 2.0, 0.51], told)
    assert right == {"rows": [0, 1], "words": "Right is: 0.5 kg. 3 of 4 said so, to within 0.025 kg."}


def test_where_a_size_is_asked_for_a_sign_does_not_count() -> None:
    size = replace(KG, in_size=True)
    told = tally(size, [0.5, -0.5, -2.0])
    assert [(row["label"], row["count"]) for row in told["rows"]] == [("0.5 kg", 2), ("2 kg", 1)]
    assert "2 of 3 said so" in revealed(size, [0.5, -0.5, -2.0], told)["words"]


def test_many_numbers_are_put_together_and_those_far_away_are_told() -> None:
    answers = [*np.linspace(0.41, 0.62, 30), 1e9, -40.0]
    told = tally(KG, answers)
    assert told["rows"][0]["label"] == "below 0.4 kg"
    assert told["rows"][-1]["label"].startswith("above 0.6")
    assert told["notes"] == ["Far from the others: −40, 1e9."]
    (right,) = revealed(KG, answers, told)["rows"]
    assert told["rows"][right]["least"] <= 0.5 < told["rows"][right]["most"]
    nearly_all_alike = [1.0] * 90 + [float(k) for k in range(2, 12)]
    assert sum(row["count"] for row in tally(KG, nearly_all_alike)["rows"]) == 100


@given(st.lists(st.floats(-LARGEST, LARGEST), max_size=120))
def test_every_number_is_counted_once(answers: list[float]) -> None:
    told = tally(KG, answers)
    assert sum(row["count"] for row in told["rows"]) == told["total"] == len(answers)
    assert len(told["rows"]) <= max(MOST_VALUES, MOST_INTERVALS + 3)
    assert "NaN" not in json.dumps([told, revealed(KG, answers, told)], allow_nan=False)


def test_how_near_is_near_enough_is_not_rounded_up() -> None:
    arm, answers = Typed("How heavy?", "kg", 35.0, 1.75), [33.22, 36.0]  # the first is within 1.8 kg, and too far off
    assert revealed(arm, answers, tally(arm, answers))["words"] == "Right is: 35 kg. 1 of 2 said so, to within 1.75 kg."


def test_what_is_large_is_told_without_a_power_of_ten() -> None:
    heavy, high = Typed("How heavy?", "kg", 3000.0, 150.0), Drawn("How?", "N", 2.0, 0.0, 900.0, (0.0, 1.0))
    assert "within 150 kg" in revealed(heavy, [3000.0], tally(heavy, [3000.0]))["words"]
    assert "from 250 to 250 N" in tally(high, [(250.0,) * KNOTS])["words"]


def test_curves_are_bundled() -> None:
    curve = Drawn("How?", "rad", 2.0, -1.0, 1.0, tuple(np.linspace(-1.0, 1.0, 41)))
    answers = [tuple(np.full(KNOTS, value)) for value in np.linspace(-1.0, 1.0, 143)]
    told = tally(curve, answers)
    assert len(told["curves"]) == MOST_CURVES
    assert f"{MOST_CURVES} of them are drawn." in told["notes"]
    assert [row[0] for row in told["band"]] == [250, 500, 750]
    assert "half of them end between −0.5 and 0.5 rad" in told["words"]
    assert revealed(curve, answers, told)["curve"] == list(range(0, 1001, 25))
    assert len(json.dumps(told)) < 12_000  # what each follower gets


ONE_OF_EACH = [
    KG, Chosen("?", ("a", "b")), Drawn("?", "m", 1.0, 0.0, 1.0, (0.0, 1.0)), Ordered("?", ("a", "b"), (1, 0)),
    Tried("?", "a/b", "a:1"),
]  # fmt: skip


@pytest.mark.parametrize("asked", ONE_OF_EACH)
def test_nobody_has_answered(asked: Asked) -> None:
    told = tally(asked, [])
    assert (told["total"], told["words"]) == (0, "Nobody has answered.")
    assert " of 0" not in revealed(asked, [], told)["words"]


def test_a_right_answer_in_a_formula_is_said_as_it_is() -> None:
    asked = Chosen("How much?", (words_html("$2$"), words_html(r"$\frac{1}{2}$")), frozenset({1}))
    told = tally(asked, [1, 1, 0])
    assert told["words"] == "3 answers. 2: 1; 1/2: 2."
    assert revealed(asked, [1, 1, 0], told)["words"] == "Right is: 1/2. 2 of 3 chose it."
