"""What is done together grows while it is quick, and halves where it was not."""

from __future__ import annotations

import time

import pytest

from app.pace import Pace


def work(seconds: float) -> None:
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


def test_it_begins_with_one_and_doubles_while_it_is_quick() -> None:
    pace, sizes = Pace(0.05, 6), []
    for _ in range(5):
        sizes.append(pace.size)
        with pace.kept(pace.size):
            pass
    assert sizes == [1, 2, 4, 6, 6]


def test_fewer_than_asked_for_say_nothing_of_more() -> None:
    pace = Pace(0.05, 8)
    for count in (1, 2, 1):
        with pace.kept(count):
            pass
    assert pace.size == 4


@pytest.mark.parametrize(("took", "size"), [(0.03, 4), (0.015, 8)])
def test_what_took_too_long_is_halved(took: float, size: int) -> None:
    pace = Pace(0.02, 64)
    while pace.size < 8:
        with pace.kept(pace.size):
            pass
    with pace.kept(8):
        work(took)
    assert pace.size == size


def test_waiting_is_no_work() -> None:
    pace = Pace(0.02, 8)
    with pace.kept(1):
        time.sleep(0.05)
    assert pace.size == 2
