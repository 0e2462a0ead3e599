"""One exact call of two arms of seven joints that hold a box."""

from __future__ import annotations

from benchmarks.contest import Result
from benchmarks.held_call import held_call


def contest(rounds: int) -> Result:
    return held_call(2, 0.40, rounds)
