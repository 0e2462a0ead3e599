"""Visitors are admitted within limits; a page takes no more than its share of computing."""

import asyncio
import time

import pytest

from app.job import LATE, Jobs
from app.messages import Kind, kind_of
from app.service.limits import Allowance, Limits, SettingError, TokenBucket, choice, read
from app.service.sessions import FULL, STARTING, Sessions


def ready(**limits: int) -> Sessions:
    made = Sessions(Limits(**limits))
    made.is_ready = True
    return made


def test_a_full_server_refuses_and_a_place_that_is_left_is_taken() -> None:
    sessions = ready(sessions=2)
    for session in ("a", "b"):
        assert sessions.admit() is None
        sessions.opened(session)
    assert sessions.admit() is FULL
    sessions.closed("a")
    sessions.closed("a")  # twice is once
    sessions.closed("never opened")
    assert (len(sessions), sessions.admit()) == (1, None)
    assert Sessions(Limits()).admit() is STARTING


class Watch:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def watch() -> Watch:
    return Watch()


def test_a_bucket_fills_by_its_measure_a_minute_and_no_further(watch: Watch) -> None:
    bucket = TokenBucket(30.0, watch)
    bucket.take(40.0)
    assert bucket.left == -10.0
    watch.now = 30.0
    assert bucket.left == pytest.approx(5.0)
    watch.now = 3000.0
    assert bucket.left == 30.0


def test_a_page_takes_so_many_files_a_minute(watch: Watch) -> None:
    page = Allowance(1.0, 2.0, lambda: False, watch)
    assert [page.takes_upload() for _ in range(3)] == [True, True, False]
    watch.now = 60.0
    assert page.takes_upload()


def burn() -> int:
    until = time.thread_time() + 0.02
    while time.thread_time() < until:
        pass
    return 1


async def test_work_beyond_the_share_waits_and_of_several_wishes_the_newest_is_done(watch: Watch) -> None:
    told: list[str] = []
    jobs = Jobs(told.append)
    jobs.allowance = Allowance(0.01, 2.0, lambda: False, watch)
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
    assert Limits().sessions >= 100  # a class comes in
    found = read({"ARMSWEEP_SESSIONS": "3", "ARMSWEEP_COMPUTING": "0.25", "OTHER": "x"})
    assert found == Limits(sessions=3, computing=0.25)
    for name, value in (
        *(("SESSIONS", wrong) for wrong in ("many", "2.5", "0")),
        *(("STUDYING", "-1"), ("STUDYING", "nan"), ("COMPUTING", "inf"), ("UPLOADS", "")),
    ):
        with pytest.raises(SettingError, match=rf"ARMSWEEP_{name} is '{value}'; it is to be a"):
            read({f"ARMSWEEP_{name}": value})
    assert choice({}, "FORM", ("text", "json")) == "text"
    with pytest.raises(SettingError, match="FORM is 'xml'; it is to be text or json"):
        choice({"FORM": "xml"}, "FORM", ("text", "json"))
