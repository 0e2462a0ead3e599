"""How long a study takes, by a try: on a clock of its own."""

from __future__ import annotations

import pytest

from app.studies import estimate

ROW = 1e-6
"""s."""


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What the clock says: one number."""
    now = [0.0]
    monkeypatch.setattr(estimate.time, "perf_counter", lambda: now[0])
    return now


@pytest.mark.parametrize("late", [range(0), [0], [2], [0, 3]])
def test_a_try_that_had_to_wait_is_no_measure(late: list[int], seconds: list[float]) -> None:
    tried = []

    def rows(few: int) -> None:
        seconds[0] += ROW * few + 0.8 * (len(tried) in late)
        tried.append(few)

    assert estimate.seconds_each(rows, 64, 100_000) == pytest.approx(ROW)


def test_what_takes_long_is_tried_once(seconds: list[float]) -> None:
    tried = []

    def motion(few: int) -> None:
        seconds[0] += 3.0 * few
        tried.append(few)

    assert estimate.seconds_each(motion, 1, 100) == pytest.approx(3.0)
    assert tried == [1]
