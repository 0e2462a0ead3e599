"""A page takes no more than its share: what is over is late, and says so, and the newest wish is what comes then."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from app.job import LATE, Jobs
from app.service.allowance import Allowance, Bucket
from app.state import Session
from app.upload.receiving import TOO_MANY
from app.wording import Kind, kind_of
from tests.app.upload.test_upload import chain, send, tab

Run = Callable[[Coroutine[Any, Any, Any]], Any]


class Watch:
    """A clock that a test sets."""

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


def test_no_bucket_loses_what_two_threads_take() -> None:
    bucket = Bucket(1e9, lambda: 0.0)

    def take() -> None:
        for _ in range(2000):
            bucket.take(1.0)

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert bucket.left == 1e9 - 8000


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


def test_work_beyond_the_share_waits_and_of_several_wishes_the_newest_is_done(run_async: Run, watch: Watch) -> None:
    async def live() -> None:
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
        assert done == ["first", "third"]
        assert told == [LATE, ""]

    run_async(live())


def test_whoever_is_alone_computes_as_much_as_he_likes(run_async: Run, watch: Watch) -> None:
    async def live() -> None:
        jobs = Jobs(print)
        jobs.allowance = allowance(watch, computing=0.001, alone=True)
        jobs.allowance.compute(100.0)
        job = jobs.new("it failed")
        job.start(burn, lambda _: None)
        assert job.running is not None
        await asyncio.wait([job.running])

    run_async(live())


def test_the_word_goes_when_the_work_begins_and_no_other_word_with_it(run_async: Run) -> None:
    async def live() -> None:
        session = Session("puma560")
        jobs = session.jobs
        jobs._tell(LATE)
        session.message = "something else"
        jobs._tell("")
        assert session.message == "something else"

    run_async(live())


def test_a_page_that_sends_too_many_files_is_told_so(run_async: Run, watch: Watch) -> None:
    async def live() -> None:
        session = Session("puma560")
        session.jobs.allowance = allowance(watch, uploads=1.0)
        upload = tab(session)
        for name in ("one.urdf", "two.urdf"):
            send(upload, chain(2), name=name)
            upload._button._handle_msg({"status": "finished"})
        assert session.message == TOO_MANY["page"]
        assert upload._button.value is None
        while session.jobs.running:
            await asyncio.wait(session.jobs.running)
            session.jobs.attend()
        assert session.title == "one.urdf"

    run_async(live())
