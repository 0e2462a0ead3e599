"""How answers are counted: every number in one row, outliers named, curves bundled."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.asking import Chosen, Drawn, Ordered, Tried, Typed
from app.asking.asked import KNOTS, LARGEST
from app.asking.tally import MOST_CURVES, MOST_INTERVALS, MOST_VALUES, revealed, tally

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


def test_many_numbers_are_grouped_and_outliers_listed() -> None:
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


def test_without_answers_there_is_nothing_to_count() -> None:
    for asked in (
        KG, Chosen("?", ("a", "b")), Drawn("?", "m", 1.0, 0.0, 1.0, (0.0, 1.0)), Ordered("?", ("a", "b"), (1, 0)),
        Tried("?", "a/b", "a:1"),
    ):  # fmt: skip
        told = tally(asked, [])
        assert (told["total"], told["words"]) == (0, "Nobody has answered."), asked
        assert " of 0" not in revealed(asked, [], told)["words"], asked


def test_a_unit_is_words() -> None:
    asked = Typed("How heavy?", "<b>", 0.5, 0.025)
    told = tally(asked, [0.5, *np.linspace(0.0, 1.0, 30)])
    assert "<b>" not in json.dumps([told["rows"], tally(asked, [0.5])["rows"]])
