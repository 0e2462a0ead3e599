"""The same bits, whoever computes them: this thread, threads, processes that are killed, a cluster that goes away."""

from __future__ import annotations

import os
import pickle
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from pathlib import Path
from typing import Any

import pytest
from scipy import stats
from threadpoolctl import threadpool_info, threadpool_limits

import dynamics as dyn
from dynamics.ensemble import hands, running
from dynamics.ensemble.asked import problem_of
from dynamics.ensemble.running import Crew, one_thread_each
from dynamics.ensemble.study import chunk_rows
from tests.dynamics.ensemble.two_links import BASE, MARK, SYSTEM, begun_and_lost, dies_once

pytestmark = pytest.mark.compiled_only

OVER = {"q": (-3.0, 3.0), "qd": stats.norm(0.0, 1.0), "gravity": [1.0, 9.81]}


def ask(find: Any = (BASE, "joint_acceleration"), **others: Any) -> dyn.Study:
    return dyn.study(SYSTEM, OVER, find, 6000, **others)


def bits(study: dyn.Study) -> Any:
    assert study.values is not None
    return {name: vars(found) for name, found in study.found.items()}, study.values.tobytes(), study.fingerprint


def test_threads_give_the_same_bits() -> None:
    assert bits(ask(workers=3, threads=True)) == bits(ask())


@pytest.mark.slow
def test_processes_of_which_one_is_killed_give_the_same_bits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyarrow", reason="the extra study is not installed")
    mark = tmp_path / "died"
    monkeypatch.setenv(MARK, str(mark))
    killed = ask((BASE, dies_once), workers=2, keep=tmp_path / "kept")
    assert mark.read_text() == "at work"
    assert bits(killed) == bits(ask((BASE, dies_once)))
    assert len(list((tmp_path / "kept").glob("part-*.parquet"))) == 6


@pytest.mark.slow
def test_a_process_that_is_killed_takes_no_other_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the other one is at goes on; of one pool, all are ended with the one that is lost."""
    monkeypatch.setenv(MARK, str(tmp_path))
    assert list(Crew(2, False, None).answers(begun_and_lost, 8)) == list(range(8))
    begun = [mark.read_text() for mark in sorted(tmp_path.iterdir())]
    assert begun.count("0") == 2
    assert begun.count("1") == 1


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["address", "client"])
def test_a_cluster_gives_the_same_bits(kind: str) -> None:
    distributed = pytest.importorskip("distributed", reason="the extra study is not installed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, protocol="tcp://", dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        scheduler = client if kind == "client" else cluster.scheduler_address
        assert bits(ask(scheduler=scheduler)) == bits(ask())
        assert client.status == "running"


@pytest.mark.slow
def test_a_cluster_of_which_a_worker_is_killed_gives_the_same_bits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its nanny brings another, and what it was at is done again."""
    distributed = pytest.importorskip("distributed", reason="the extra study is not installed")
    pytest.importorskip("pyarrow", reason="the extra study is not installed")
    mark = tmp_path / "died"
    monkeypatch.setenv(MARK, str(mark))
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        killed = ask((BASE, dies_once), scheduler=cluster.scheduler_address, keep=tmp_path / "kept")
    assert mark.read_text() == "at work"
    assert bits(killed) == bits(ask((BASE, dies_once)))


class Cluster:
    """A scheduler and a worker, each a process of its own, at an address that stays."""

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.begin()

    def begin(self) -> None:
        self.scheduler = _dask("scheduler", "--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard")
        self.worker = _dask("worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard")

    def kill(self) -> None:
        for one in (self.scheduler, self.worker):
            one.kill()
            one.wait()


def _dask(kind: str, *said: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", f"distributed.cli.dask_{kind}", *said], stderr=subprocess.DEVNULL)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["address", "client"])
def test_a_study_goes_on_by_itself_once_its_scheduler_is_back(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed in the middle, and begun anew at the same address; its workers have ended with it."""
    distributed = pytest.importorskip("distributed", reason="the extra study is not installed")
    pytest.importorskip("pyarrow", reason="the extra study is not installed")
    monkeypatch.setattr(hands, "PATIENCE", 60.0)  # processes that begin on a machine that has much else to do
    cluster, seen = Cluster(), list[int]()

    def restart(done: int, size: int) -> None:
        seen.append(done)
        if len(seen) == 2:
            cluster.kill()
            cluster.begin()

    try:
        with distributed.Client(cluster.address, timeout=60, set_as_default=False) as client:
            scheduler = client if kind == "client" else cluster.address
            found = ask(scheduler=scheduler, keep=tmp_path, progress=restart)
    finally:
        cluster.kill()
    assert seen == sorted(set(seen))
    assert bits(found) == bits(ask())


class Leaving:
    """A client whose scheduler goes while it is asked something."""

    status = "running"

    def wait_for_workers(self, many: int, timeout: float) -> None: ...

    def nthreads(self) -> dict[str, int]:
        if self.asked:
            raise OSError("ConnectionPool closing.")
        self.asked = True
        return {"one": 1}

    asked = False


def test_a_scheduler_that_goes_while_it_is_asked_is_a_loss_like_any_other() -> None:
    pytest.importorskip("distributed", reason="the extra study is not installed")
    own = hands.DaskHands(Leaving(), False, 1.0)
    with pytest.raises(own.losses, match="it is gone"):
        own.begun(squared, 1)


@pytest.mark.slow
def test_a_scheduler_that_goes_away_loses_no_finished_chunk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed", reason="the extra study is not installed")
    pytest.importorskip("pyarrow", reason="the extra study is not installed")
    monkeypatch.setattr(hands, "LONGEST_IDLE", 2.0)
    cluster = distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, protocol="tcp://", dashboard_address=None
    )
    with pytest.raises(dyn.StateError, match="scheduler: it is gone"):
        ask(scheduler=cluster.scheduler_address, keep=tmp_path, progress=lambda done, size: cluster.close())
    assert any(tmp_path.glob("part-*.parquet"))
    assert bits(ask(keep=tmp_path)) == bits(ask())


@pytest.mark.slow
def test_a_scheduler_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason="the extra study is not installed")
    monkeypatch.setattr(hands, "PATIENCE", 1.0)
    with pytest.raises(dyn.StateError, match="nobody answers"):
        ask(scheduler="tcp://127.0.0.1:9")


def test_without_dask_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(hands, "import_module", missing)
    with pytest.raises(dyn.StateError, match=r"pip install armsweep\[study\]"):
        ask(scheduler="tcp://127.0.0.1:9")


class Loses(Executor):
    """Breaks at every n-th chunk, for good: nobody who waits gets an answer any more."""

    def __init__(self, every: int) -> None:
        self.every, self.taken = every, 0

    def submit(self, work: Callable[..., Any], /, *given: Any, **named: Any) -> Future[Any]:
        self.taken += 1
        future: Future[Any] = Future()
        if self.taken > self.every:
            raise BrokenExecutor("gone")
        if self.taken == self.every:
            future.set_exception(BrokenExecutor("killed"))
        else:
            future.set_result(work(*given, **named))
        return future


def squared(number: int) -> int:
    return number**2


@pytest.mark.parametrize("every", [2, 3, 7])
def test_what_is_lost_is_done_again_in_order(every: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Crew, "_hired", lambda crew, **_: hands.Hands(Loses(every), 2))
    assert list(Crew(2, False, None).answers(squared, 20)) == [number**2 for number in range(20)]


def test_workers_that_are_always_lost_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Crew, "_hired", lambda crew, **_: hands.Hands(Loses(1), 2))
    with pytest.raises(dyn.StateError, match="lost again and again"):
        list(Crew(2, False, None).answers(squared, 5))


def test_no_more_is_begun_than_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    own = hands.Hands(Loses(10**6), 2)
    monkeypatch.setattr(Crew, "_hired", lambda crew, **_: own)
    answers = Crew(2, False, None).answers(squared, 1000)
    next(answers)
    assert own.executor.taken == 2 * running.AHEAD  # type: ignore[attr-defined]


def test_what_no_other_process_knows_is_named_before_one_is_started() -> None:
    with pytest.raises(dyn.StateError, match="cannot be sent to another process"):
        ask(lambda solution: solution.joint_acceleration[:, 0], workers=2)


def test_sums_are_made_where_rows_are_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes back of rows that memory does not hold is some numbers a chunk, however many rows it has."""
    sent: list[int] = []
    answers = Crew.answers

    def weighed(crew: Crew, work: Callable[[int], Any], count: int) -> Iterator[Any]:
        for answer in answers(crew, work, count):
            sent.append(len(pickle.dumps(answer)))
            yield answer

    monkeypatch.setattr(Crew, "answers", weighed)
    dyn.study(SYSTEM, {"tau": (-1.0, 1.0)}, "joint_acceleration:joint_1", 400_000, memory=2e6)
    rows = 400_000 / len(sent)
    assert rows > 5000
    assert max(sent) < 2.0 * rows


def test_one_blas_thread_each_while_it_lasts_and_no_longer() -> None:
    def threads() -> list[int]:
        return [one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"]

    seen: list[list[int]] = []
    with threadpool_limits(limits=2, user_api="blas"):
        before = threads()
        ask(progress=lambda done, size: seen.append(threads()))
        assert threads() == before
    assert {count for each in seen for count in each} == {1}
    assert set(before) == {2}


def test_a_cluster_without_workers_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed", reason="the extra study is not installed")
    monkeypatch.setattr(hands, "PATIENCE", 0.2)
    with (
        distributed.LocalCluster(n_workers=0, processes=False, protocol="tcp://", dashboard_address=None) as cluster,
        pytest.raises(dyn.StateError, match="no workers"),
    ):
        ask(scheduler=cluster.scheduler_address)


@pytest.mark.slow
def test_a_cluster_that_loses_its_workers_for_good_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="the extra study is not installed")
    monkeypatch.setattr(hands, "LONGEST_IDLE", 0.5)
    monkeypatch.setattr(hands, "LISTENING", 0.2)
    monkeypatch.setattr(running, "AHEAD", 1)  # what is sent already may be done before the worker goes
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, protocol="tcp://", dashboard_address=None
    ) as cluster:

        def lose(done: int, size: int) -> None:
            cluster.scale(0)
            while cluster.scheduler.workers:
                time.sleep(0.01)

        with pytest.raises(dyn.StateError, match="no workers"):
            ask(scheduler=cluster.scheduler_address, keep=tmp_path, progress=lose)
    assert bits(ask(keep=tmp_path)) == bits(ask())


def test_short_chunks_of_what_is_long() -> None:
    """A worker that is killed every ten seconds finishes some: of motions a chunk is some of them."""
    quick, slow, motion = (
        chunk_rows(problem_of(SYSTEM, {"q": (-1.0, 1.0)}, find, 1_000_000, None, "random", 0, duration), 64e6)
        for find, duration in ((BASE, None), ("agreement", None), ("run:duration", 1.0))
    )
    assert quick > 10_000
    assert slow <= 64
    assert motion <= 16


def test_what_a_killed_writer_has_left_is_cleared_away(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="the extra study is not installed")
    ask(keep=tmp_path)
    left = tmp_path / ".part-000001.parquet.123-abcdef01"
    left.write_bytes(b"half")
    ask(keep=tmp_path)
    assert left.exists()  # somebody may be writing it
    os.utime(left, (0.0, 0.0))
    ask(keep=tmp_path)
    assert not left.exists()


def test_the_first_of_several_limits_blas_and_the_last_gives_it_back() -> None:
    def threads() -> set[int]:
        return {one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"}

    with threadpool_limits(limits=2, user_api="blas"):
        first, second = one_thread_each(), one_thread_each()
        first.__enter__()
        second.__enter__()
        first.__exit__(None, None, None)
        assert threads() == {1}
        second.__exit__(None, None, None)
        assert threads() == {2}
