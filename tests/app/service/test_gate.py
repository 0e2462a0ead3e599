"""Visitors come in by turns and within limits; a page takes no more than its share of computing."""

import asyncio
import time

import pytest

from app.job import LATE, Jobs
from app.service.allowance import Allowance, Bucket
from app.service.gate import BRIDGE, FEW, Gate
from app.service.lag import Lag
from app.service.limits import Limits, SettingError, choice, read
from app.wording import Kind, kind_of


async def test_a_full_server_refuses_and_a_place_that_is_left_is_taken() -> None:
    gate = Gate(Limits(sessions=2), Lag())
    for session in ("a", "b"):
        assert await gate.enter("here") is None
        gate.opened(session, "here")
    refusal = await gate.enter("there")
    assert (refusal.reason, refusal.words) == ("sessions", "All places of this server are taken.")
    assert await gate.enter("there", times=BRIDGE) is None  # another process has let this one in
    gate.closed("a")
    gate.closed("a")  # twice is once
    gate.closed("never opened")
    assert gate.open == 1


async def test_an_address_has_no_more_than_its_part() -> None:
    gate = Gate(Limits(sessions_per_address=1), Lag())
    assert await gate.enter("here") is None
    refusal = await gate.enter("here")  # the first is on its way in
    assert (refusal.reason, await gate.enter("there")) == ("address", None)


async def test_a_visitor_who_would_wait_too_long_is_refused_at_once() -> None:
    gate = Gate(Limits(wait=3.0), Lag())
    crowd = [asyncio.create_task(gate.enter("crowd")) for _ in range(30)]
    await asyncio.sleep(0)
    begun = time.monotonic()
    refusal = await gate.enter("crowd")
    assert (refusal.reason, 0.0 < refusal.after <= 5.0) == ("late", True)
    assert time.monotonic() - begun < 0.1
    assert gate.refusal("stranger") is None
    found = await asyncio.gather(*crowd)
    assert 0 < found.count(None) < 30


async def test_nobody_waits_for_those_who_have_gone() -> None:
    gate = Gate(Limits(wait=3.0), Lag())
    gone = [asyncio.create_task(gate.enter("one of 30 reloads", lambda: True)) for _ in range(30)]
    await asyncio.sleep(0)
    assert await gate.enter("one of 30 reloads") is None
    for task in gone:
        task.cancel()


async def test_while_the_server_is_late_no_visitor_is_let_in() -> None:
    lag = Lag()
    gate = Gate(Limits(lag=0.2, wait=0.3), lag)
    lag.average = 1.0
    for page in range(FEW + 1):
        assert await gate.enter("a class") is None  # a slow machine is no reason while it is as good as empty
        gate.opened(f"page {page}", "a class")
    lag.average = 0.1
    waiting = [asyncio.create_task(gate.enter("early")) for _ in range(2)]
    await asyncio.sleep(0)
    lag.average = 1.0  # before their turn
    for refusal in (await gate.enter("late"), *await asyncio.gather(*waiting)):
        assert refusal.reason == "late"
    lag.average = 0.1
    assert await gate.enter("late") is None


class Watch:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def watch() -> Watch:
    return Watch()


def allowance(watch: Watch, computing: float = 60.0, uploads: float = 2.0, alone: bool = False) -> Allowance:
    return Allowance(computing, uploads, Bucket(3.0, watch), lambda: alone, watch)


def test_a_bucket_fills_by_its_measure_a_minute_and_no_further(watch: Watch) -> None:
    bucket = Bucket(30.0, watch)
    assert bucket.is_full
    bucket.take(40.0)
    assert (bucket.left, bucket.is_full) == (-10.0, False)
    watch.now = 30.0
    assert bucket.left == pytest.approx(5.0)
    watch.now = 3000.0
    assert bucket.left == 30.0


def test_files_are_counted_for_the_page_and_for_its_address(watch: Watch) -> None:
    shared = Bucket(3.0, watch)
    one, other = (Allowance(1.0, 2.0, shared, lambda: False, watch) for _ in range(2))
    assert [one.refuses_upload() for _ in range(3)] == ["", "", "page"]
    assert [other.refuses_upload() for _ in range(2)] == ["", "address"]
    watch.now = 60.0
    assert one.refuses_upload() == ""


def burn() -> int:
    until = time.thread_time() + 0.02
    while time.thread_time() < until:
        pass
    return 1


async def test_work_beyond_the_share_waits_and_of_several_wishes_the_newest_is_done(watch: Watch) -> None:
    told: list[str] = []
    jobs = Jobs(told.append)
    jobs.allowance = allowance(watch, computing=0.01)
    job, done = jobs.new("it failed"), list[str]()
    job.start(burn, lambda _: done.append("first"))
    assert job.running is not None
    await asyncio.wait([job.running])
    jobs.attend()
    for wish in ("second", "third"):
        job.start(burn, lambda _, wish=wish: done.append(wish))
        assert job.running is None
    assert (told, kind_of(told[0])) == ([LATE], Kind.LATE)
    jobs.attend()
    assert job.busy
    watch.now = 600.0
    jobs.attend()
    assert job.running is not None
    await asyncio.wait([job.running])
    jobs.attend()
    assert (done, told) == (["first", "third"], [LATE, ""])


def test_limits_come_from_the_environment_and_nonsense_is_refused_by_name() -> None:
    assert read({}) == Limits()
    assert min(Limits().sessions, Limits().sessions_per_address) >= 100  # a class behind one router comes in
    found = read({"ARMSWEEP_SESSIONS": "3", "ARMSWEEP_LAG": "0.25", "ARMSWEEP_UPLOADS_PER_ADDRESS": "7", "OTHER": "x"})
    assert found == Limits(sessions=3, lag=0.25, uploads_per_address=7)
    for name, value in (
        *(("SESSIONS", wrong) for wrong in ("many", "2.5", "0")),
        *(("WAIT", "-1"), ("LAG", "nan"), ("COMPUTING", "inf"), ("UPLOADS", "")),
    ):
        with pytest.raises(SettingError, match=rf"ARMSWEEP_{name} is '{value}'; it is to be a"):
            read({f"ARMSWEEP_{name}": value})
    assert choice({}, "FORM", ("text", "json")) == "text"
    with pytest.raises(SettingError, match="FORM is 'xml'; it is to be text or json"):
        choice({"FORM": "xml"}, "FORM", ("text", "json"))
