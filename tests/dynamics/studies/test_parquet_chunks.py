"""Who computes, and what is kept: processes, a cluster, and a folder from which a second run goes on."""

import errno
import json
from pathlib import Path
from typing import Any

import distributed
import numpy as np
import pyarrow.parquet as pq
import pytest
from scipy import stats

import dynamics as dyn
from dynamics.motion import table
from dynamics.studies import study
from tests.dynamics.refusals import assert_all_refused
from tests.dynamics.studies.test_study import BASE, MARK, SYSTEM, base_inertia, bits, dies_once

pytestmark = pytest.mark.compiled_only


def ask(keep: Path | None = None, find: Any = BASE, **others: Any) -> dyn.Study:
    over = {"q": (-3.0, 3.0), "qd": stats.norm(0.0, 1.0)} | others.pop("over", {})
    return dyn.study(SYSTEM, over, find, 12_000, keep=keep, **others)


def parts_of(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in sorted(folder.glob("part-*.parquet"))}


def test_columns_are_the_rows_and_a_second_run_reads_them(tmp_path: Path) -> None:
    found = ask(tmp_path)
    assert bits(found) == bits(ask())
    written = parts_of(tmp_path)
    assert len(written) == 6
    table = pq.read_table(tmp_path)
    assert table["row"].to_pylist() == list(range(12_000))
    assert table["refused"].null_count == 12_000
    q = table["q:joint_1"].to_numpy()
    np.testing.assert_allclose(table[BASE].to_numpy(), base_inertia(q), rtol=1e-12)
    np.testing.assert_array_equal(q, found.column("q:joint_1"))
    np.testing.assert_array_equal(table[BASE].to_numpy(), found.column(BASE))
    (tmp_path / "part-000004096.parquet").unlink()
    assert bits(ask(tmp_path)) == bits(found)
    assert written.items() - parts_of(tmp_path).items() == {
        ("part-000004096.parquet", written["part-000004096.parquet"])
    }
    with pytest.raises(dyn.StateError, match="q:joint_1"):
        found.column("q")


def test_refused_rows_are_null_and_say_why(tmp_path: Path) -> None:
    first, again = (dyn.study(SYSTEM, {"mass:link_1": [1.0, -1.0]}, BASE, 3, keep=tmp_path) for _ in range(2))
    assert bits(first) == bits(again)
    table = pq.read_table(tmp_path)
    assert table[BASE].null_count == again.refused == 3
    assert sum("mass is -1" in (why or "") for why in table["refused"].to_pylist()) == 3
    assert np.isnan(again.column(BASE)).tolist() == [False] * 3 + [True] * 3


def test_a_full_disk_loses_no_finished_chunk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_table, calls = pq.write_table, list[object]()

    def write(table: object, where: Path) -> None:
        calls.append(where)
        if len(calls) == 3:
            Path(where).write_bytes(b"half of a chunk")
            raise OSError(errno.ENOSPC, "No space left on device")
        write_table(table, where)

    monkeypatch.setattr(pq, "write_table", write)
    with pytest.raises(dyn.StateError, match=r"No space left on device. Finished chunks are complete"):
        ask(tmp_path)
    before = parts_of(tmp_path)
    assert len(before) == 2
    assert len(list(tmp_path.iterdir())) == 3  # and the page: nothing half written is left
    assert bits(ask(tmp_path)) == bits(ask())
    assert before.items() <= parts_of(tmp_path).items()


def test_a_folder_of_another_study_is_left_alone(tmp_path: Path) -> None:
    ask(tmp_path)
    manifest = tmp_path / study.MANIFEST
    assert json.loads(manifest.read_text())["columns"][-1] == BASE
    rows: dict[str, Any] = {
        str(other): (lambda o=other: ask(tmp_path, **o), "another study")
        for other in (
            {"seed": 1}, {"sample": "sobol"}, {"over": {"tau": (0.0, 1.0)}}, {"state": SYSTEM.state(qd=[1, 0])},
            {"over": {"qd": stats.norm(0.0, 1.1)}}, {"find": "joint_acceleration"},
        )
    }  # fmt: skip
    rows |= {str(keep): (lambda k=keep: ask(k), "keep") for keep in (3, "a\0b", "/proc/nowhere/at/all", manifest)}
    assert_all_refused(rows)
    (tmp_path / "part-000002048.parquet").write_bytes(b"PAR1 and nothing else")
    with pytest.raises(dyn.StateError, match=r"part-000002048.parquet.*remove it"):
        ask(tmp_path)
    for broken in (lambda: manifest.write_text("{"), manifest.unlink):
        broken()
        with pytest.raises(dyn.StateError, match="another study"):
            ask(tmp_path)


def test_processes_give_the_same_bits_and_one_that_is_killed_loses_no_chunk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(MARK, str(tmp_path / "died"))
    with pytest.raises(dyn.StateError, match="was killed"):
        ask(tmp_path / "kept", dies_once, workers=2)
    assert bits(ask(tmp_path / "kept", dies_once, workers=2)) == bits(ask(find=dies_once))
    with pytest.raises(dyn.StateError, match="cannot be sent to another process"):
        ask(find=lambda solution: solution.joint_acceleration[:, 0], workers=2)


def test_a_cluster_gives_the_same_bits_and_one_that_goes_away_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, protocol="tcp://", dashboard_address=None
    ) as cluster:
        assert bits(ask(scheduler=cluster.scheduler_address)) == bits(ask())
        with pytest.raises(dyn.StateError, match="scheduler: it is gone"):
            ask(tmp_path, scheduler=cluster.scheduler_address, progress=lambda done, size: cluster.close())
    assert parts_of(tmp_path)
    assert bits(ask(tmp_path)) == bits(ask())
    monkeypatch.setattr(study, "PATIENCE", 0.5)
    with pytest.raises(dyn.StateError, match="nobody answers"):
        ask(scheduler="tcp://127.0.0.1:9")

    def missing(name: str) -> Any:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(table, "import_module", missing)
    for asked in ({"scheduler": "tcp://127.0.0.1:9"}, {"keep": tmp_path / "new"}):
        with pytest.raises(dyn.StateError, match=r"pip install \"?armsweep\[study\]"):
            ask(**asked)
    assert not (tmp_path / "new").exists()
