"""The same bits from one thread, several, processes that are killed, and a cluster that goes away."""

import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import distributed
import pytest
from scipy import stats

import dynamics as dyn
from dynamics.ensemble import hands
from dynamics.files import parquet
from tests.dynamics.ensemble.two_links import BASE, MARK, SYSTEM, dies_once

pytestmark = pytest.mark.compiled_only
OVER = {"q": (-3.0, 3.0), "qd": stats.norm(0.0, 1.0), "gravity": [1.0, 9.81]}


def ask(find: Any = (BASE, "joint_acceleration"), **others: Any) -> dyn.Study:
    return dyn.study(SYSTEM, OVER, find, 6000, **others)


def bits(study: dyn.Study) -> Any:
    return {name: vars(found) for name, found in study.found.items()}, study.values.tobytes(), study.fingerprint


def test_threads_and_processes_give_the_same_bits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mark = tmp_path / "died"
    monkeypatch.setenv(MARK, str(mark))
    killed = ask((BASE, dies_once), workers=2, keep=tmp_path / "kept")
    assert mark.read_text() == "at work"
    assert bits(killed) == bits(ask((BASE, dies_once)))
    assert len(list((tmp_path / "kept").glob("part-*.parquet"))) == 6
    assert bits(ask(workers=3, threads=True)) == bits(ask())
    with pytest.raises(dyn.StateError, match="cannot be sent to another process"):
        ask(lambda solution: solution.joint_acceleration[:, 0], workers=2)


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


@pytest.mark.full
def test_a_study_goes_on_by_itself_once_its_scheduler_is_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed in the middle, and begun anew at the same address; its workers have ended with it."""
    monkeypatch.setattr(hands, "PATIENCE", 60.0)  # processes that begin on a machine that has much else to do
    cluster, seen = Cluster(), list[int]()

    def restart(done: int, size: int) -> None:
        seen.append(done)
        if len(seen) == 2:
            cluster.kill()
            cluster.begin()

    try:
        found = ask(scheduler=cluster.address, keep=tmp_path, progress=restart)
    finally:
        cluster.kill()
    assert seen == sorted(set(seen))
    assert bits(found) == bits(ask())


@pytest.mark.full
def test_a_scheduler_that_goes_away_loses_no_finished_chunk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hands, "LONGEST_IDLE", 2.0)
    cluster = distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, protocol="tcp://", dashboard_address=None
    )
    with pytest.raises(dyn.StateError, match="scheduler: it is gone"):
        ask(scheduler=cluster.scheduler_address, keep=tmp_path, progress=lambda done, size: cluster.close())
    assert any(tmp_path.glob("part-*.parquet"))
    assert bits(ask(keep=tmp_path)) == bits(ask())


def test_a_scheduler_or_a_package_that_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hands, "PATIENCE", 1.0)
    with pytest.raises(dyn.StateError, match="nobody answers"):
        ask(scheduler="tcp://127.0.0.1:9")
    monkeypatch.setattr(hands, "PATIENCE", 0.2)
    with (
        distributed.LocalCluster(n_workers=0, processes=False, protocol="tcp://", dashboard_address=None) as cluster,
        pytest.raises(dyn.StateError, match="no workers"),
    ):
        ask(scheduler=cluster.scheduler_address)

    def missing(name: str) -> Any:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(hands, "import_module", missing)
    monkeypatch.setattr(parquet, "import_module", missing)
    for asked in ({"scheduler": "tcp://127.0.0.1:9"}, {"keep": tmp_path / "kept"}):
        with pytest.raises(dyn.StateError, match=r"pip install armsweep\[study\]"):
            ask(**asked)
    assert not (tmp_path / "kept").exists()
