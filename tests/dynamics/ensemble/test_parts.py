"""Columns in a folder: whole files or none, and a study that goes on where it stopped."""

import errno
import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

import dynamics as dyn
from dynamics.ensemble import parts
from tests.dynamics.ensemble.two_links import BASE, SYSTEM, base_inertia
from tests.dynamics.refusals import assert_all_refused

pytestmark = pytest.mark.compiled_only


def ask(keep: Path | None = None, **others: Any) -> dyn.Study:
    return dyn.study(SYSTEM, {"q": (-3.0, 3.0)} | others.pop("over", {}), BASE, 12_000, keep=keep, **others)


def parts_of(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name.startswith("part"))


def bits(study: dyn.Study) -> Any:
    return vars(study.found[BASE]), study.refused, study.refusal


@pytest.fixture
def full_at_the_third(monkeypatch: pytest.MonkeyPatch) -> None:
    written = pq.write_table
    calls: list[object] = []

    def write(table: object, where: Path) -> None:
        calls.append(where)
        if len(calls) == 3:
            Path(where).write_bytes(b"half of a chunk")
            raise OSError(errno.ENOSPC, "No space left on device")
        written(table, where)

    monkeypatch.setattr(pq, "write_table", write)


def test_columns_are_the_rows_and_are_asked_for_by_name(tmp_path: Path) -> None:
    kept = ask(tmp_path / "kept")
    assert bits(kept) == bits(ask())
    assert parts_of(tmp_path / "kept") == [f"part-{k:06d}.parquet" for k in range(6)]
    q, found = kept.column("q:joint_1"), kept.column(BASE)
    np.testing.assert_allclose(found, base_inertia(q), rtol=1e-12)
    table = pq.read_table(tmp_path / "kept")
    assert table["row"].to_pylist() == list(range(12_000))
    assert table["refused"].null_count == 12_000
    assert (np.sort(found)[::-1][:10] == [value for _, value in kept.found[BASE].largest]).all()
    with pytest.raises(dyn.StateError, match="q:joint_1"):
        kept.column("q")
    assert (ask().column(BASE) == kept.column(BASE)).all()
    assert (ask().column("q:joint_1") == kept.column("q:joint_1")).all()
    assert (ask(tmp_path / "kept", memory=8.0).column(BASE) == kept.column(BASE)).all()
    with pytest.raises(dyn.StateError, match="keep="):
        ask(memory=8.0).column(BASE)


def test_refused_rows_are_null_and_say_why(tmp_path: Path) -> None:
    over = {"mass:link_1": [1.0, -1.0]}
    kept = dyn.study(SYSTEM, over, BASE, 3, keep=tmp_path, sample="sobol")
    again = dyn.study(SYSTEM, over, BASE, 3, keep=tmp_path, sample="sobol")
    assert bits(kept) == bits(again)
    assert kept.refused == 3
    table = pq.read_table(tmp_path)
    assert table[BASE].null_count == 3
    assert sum("mass is -1" in (why or "") for why in table["refused"].to_pylist()) == 3
    assert np.isnan(kept.column(BASE)).tolist() == [False] * 3 + [True] * 3


def test_a_full_disk_loses_no_finished_chunk(tmp_path: Path, full_at_the_third: None) -> None:
    with pytest.raises(dyn.StateError, match=r"No space left on device. Finished chunks are whole"):
        ask(tmp_path)
    assert parts_of(tmp_path) == ["part-000000.parquet", "part-000001.parquet"]
    assert len(list(tmp_path.iterdir())) == 3  # and the page: nothing half written is left
    before = {name: (tmp_path / name).stat().st_mtime_ns for name in parts_of(tmp_path)}
    went_on = ask(tmp_path)
    assert bits(went_on) == bits(ask())
    assert {name: (tmp_path / name).stat().st_mtime_ns for name in before} == before
    assert len(parts_of(tmp_path)) == 6


def test_a_folder_of_another_study_is_left_alone(tmp_path: Path) -> None:
    ask(tmp_path)
    page = json.loads((tmp_path / parts.MANIFEST).read_text())
    assert page["size"] == 12_000
    assert page["columns"] == ["q:joint_1", "q:joint_2", BASE]
    for other in ({"seed": 1}, {"sample": "sobol"}, {"over": {"tau": (0.0, 1.0)}}, {"state": SYSTEM.state(qd=[1, 0])}):
        with pytest.raises(dyn.StateError, match="another study"):
            ask(tmp_path, **other)
    (tmp_path / parts.MANIFEST).write_text(json.dumps(page | {"rows": 0}))
    with pytest.raises(dyn.StateError, match="rows is 0"):
        ask(tmp_path)
    (tmp_path / parts.MANIFEST).write_text("{")
    with pytest.raises(dyn.StateError, match="another study"):
        ask(tmp_path)


def test_a_broken_part_and_an_impossible_folder_are_refused(tmp_path: Path) -> None:
    file, folder = tmp_path / "file", tmp_path / "kept"
    file.write_text("something else")
    ask(folder)
    (folder / "part-000002.parquet").write_bytes(b"PAR1 and nothing else")
    rows: dict[str, tuple[Any, str]] = {
        "broken part": (lambda: ask(folder), r"part-000002.parquet.*remove it"),
        "file": (lambda: ask(file), r"file' is a file; expected the path of a folder\.$"),
    }
    rows |= {str(keep): (lambda k=keep: ask(k), "keep") for keep in (3, "a\0b", "/proc/nowhere/at/all")}
    assert_all_refused(rows)
    (folder / parts.MANIFEST).unlink()
    with pytest.raises(dyn.StateError, match="has parts of a study"):
        ask(folder, over={"q": (0.0, 0.1)})
