"""Visitors come in one after the other, every address in its turn; who cannot is told why, and when to try again."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from app.service import gate as gates
from app.service.gate import BRIDGE, Gate
from app.service.lag import Lag
from app.service.limits import Limits

Run = Callable[[Coroutine[Any, Any, Any]], Any]


def test_a_full_house_is_told_and_a_place_that_is_left_is_taken(run_async: Run) -> None:
    async def live() -> None:
        gate = Gate(Limits(sessions=2), Lag())
        for session in ("a", "b"):
            assert await gate.enter("here") is None
            gate.opened(session, "here")
        refusal = await gate.enter("there")
        assert refusal is not None
        assert (refusal.reason, refusal.words) == ("sessions", "All places of this server are taken.")
        assert await gate.enter("there", times=BRIDGE) is None  # another process has let this one in
        gate.closed("a")
        gate.closed("a")  # twice is once
        gate.closed("never opened")
        assert gate.open == 1

    run_async(live())


def test_an_address_has_no_more_than_its_part(run_async: Run) -> None:
    async def live() -> None:
        gate = Gate(Limits(sessions_per_address=1), Lag())
        assert await gate.enter("here") is None
        refusal = await gate.enter("here")  # the first is on its way in
        assert refusal is not None
        assert refusal.reason == "address"
        assert await gate.enter("there") is None

    run_async(live())


def test_a_place_is_not_kept_for_ever(run_async: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    async def live() -> None:
        gate = Gate(Limits(sessions=1), Lag())
        assert await gate.enter("here") is None
        assert await gate.enter("here") is not None
        monkeypatch.setattr(gates, "KEPT", 0.0)
        assert await gate.enter("here") is None

    run_async(live())


def test_a_crowd_at_one_address_keeps_nobody_else_waiting(run_async: Run) -> None:
    order: list[str] = []

    async def live() -> None:
        gate = Gate(Limits(), Lag())

        async def visit(address: str) -> None:
            assert await gate.enter(address) is None
            order.append(address)

        crowd = [asyncio.create_task(visit("crowd")) for _ in range(8)]
        await asyncio.sleep(0)
        await asyncio.gather(*crowd, visit("one"))

    run_async(live())
    assert order.index("one") <= 2


def test_between_two_openings_those_who_are_in_have_their_turn(run_async: Run) -> None:
    turns: list[float] = []

    async def live() -> None:
        gate = Gate(Limits(), Lag())
        gate.opened("somebody", "there")

        async def visit() -> None:
            assert await gate.enter("here") is None
            time.sleep(0.1)  # as an opening does, in the loop
            turns.append(time.monotonic())

        await asyncio.gather(*(visit() for _ in range(3)))

    run_async(live())
    gaps = [after - before for before, after in itertools.pairwise(turns)]
    assert all(gap > 0.14 for gap in gaps)  # the opening, and half as long for the others


def test_who_would_wait_too_long_is_sent_away_at_once_and_a_stranger_is_not(run_async: Run) -> None:
    async def live() -> None:
        gate = Gate(Limits(wait=3.0), Lag())
        crowd = [asyncio.create_task(gate.enter("crowd")) for _ in range(30)]
        await asyncio.sleep(0)
        begun = time.monotonic()
        refusal = await gate.enter("crowd")
        assert refusal is not None
        assert (refusal.reason, 0.0 < refusal.after <= 5.0) == ("late", True)
        assert time.monotonic() - begun < 0.1
        assert gate.refusal("stranger") is None
        found = await asyncio.gather(*crowd)
        assert 0 < found.count(None) < 30

    run_async(live())


def test_while_all_are_late_nobody_new_comes_in(run_async: Run) -> None:
    async def live() -> None:
        lag = Lag()
        gate = Gate(Limits(lag=0.2, wait=0.3), lag)
        lag.average = 1.0
        assert await gate.enter("alone") is None  # a slow machine is no reason while nobody else is there
        gate.opened("alone", "alone")
        lag.average = 0.1
        waiting = [asyncio.create_task(gate.enter("early")) for _ in range(2)]
        await asyncio.sleep(0)
        lag.average = 1.0  # before anybody's turn
        for refusal in (await gate.enter("late"), *await asyncio.gather(*waiting)):
            assert refusal is not None
            assert refusal.reason == "late"
        lag.average = 0.1
        assert await gate.enter("late") is None

    run_async(live())


def test_who_has_gone_takes_nobodys_turn(run_async: Run) -> None:
    async def live() -> None:
        gate = Gate(Limits(), Lag())
        gone = await gate.enter("here", lambda: True)
        assert gone is not None
        assert gate.refusal("here") is None

    run_async(live())


@pytest.mark.slow
def test_the_lag_is_what_a_timer_is_late_by(run_async: Run) -> None:
    async def live() -> tuple[float, float]:
        lag = Lag()
        assert not lag.is_watched
        lag.start()
        await asyncio.sleep(0.05)
        calm = lag.average
        for _ in range(3):
            time.sleep(0.3)
            await asyncio.sleep(0.01)
            await asyncio.sleep(0)
        busy = lag.average
        lag.stop()
        return calm, busy

    calm, busy = run_async(live())
    assert calm < 0.02
    assert busy > 0.05


def test_an_opening_is_no_lag() -> None:
    lag = Lag()
    for _ in range(100):
        lag.note(0.0, 0.5)
    assert lag.average == 0.0
    for _ in range(100):
        lag.note(0.4, 0.5)
    assert lag.average == pytest.approx(0.4, rel=1e-3)
