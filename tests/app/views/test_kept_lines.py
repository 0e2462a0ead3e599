"""The letters of kept runs stand apart, however long the runs are and however small their plot."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import numpy as np
import pytest

from app.views.plots.kept_lines import APART, Letters

SMALL, LETTER = 110.0, 11.0
"""Pixels of width of a small plot, and of a letter in it."""


@pytest.mark.parametrize("ends", [(10.0, 10.0), (5.0, 6.0, 5.4), (10.0, 10.0, 9.0, 3.0, 10.0, 7.0), (10.0, 0.2)])
def test_letters_do_not_overlap_in_a_small_plot(ends: tuple[float, ...]) -> None:
    runs = []
    for letter, end in zip("ABCDEF", ends, strict=False):
        times = np.linspace(0.0, end, 200)
        runs.append((letter, times, np.sin(times)[:, None]))
    letters = Letters(11.0)
    letters.show(runs, [SimpleNamespace(color="#000000")])
    placed = dict(zip(letters._source.data["letter"], letters._source.data["time"], strict=True))
    assert set(placed) == set("ABCDEF"[: len(ends)])
    longest = max(ends)
    for one, other in itertools.combinations(placed.values(), 2):
        assert abs(one - other) / longest * SMALL >= LETTER
    for (letter, at), end in zip(placed.items(), ends, strict=True):
        assert 0.0 < at < end, letter


def test_where_there_is_no_room_the_later_letter_is_left_out() -> None:
    short = np.linspace(0.0, 1.0, 50)
    runs = [("A", np.linspace(0.0, 20.0, 50), np.zeros((50, 1))), *((x, short, np.zeros((50, 1))) for x in "BC")]
    letters = Letters(11.0)
    letters.show(runs, [SimpleNamespace(color="#000000")])
    assert letters._source.data["letter"] == ["A", "B"]
    assert APART * 20.0 > 1.0
