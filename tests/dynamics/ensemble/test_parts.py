"""Columns in a folder: whole files or none, and a study that goes on where it stopped."""

from __future__ import annotations

import errno
import json
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dynamics as dyn
from dynamics.ensemble import parts
from dynamics.files import parquet
from tests.dynamics.ensemble.two_links import BASE, SYSTEM, base_inertia

pytestmark = pytest.mark.compiled_only

ROOT = Path(__file__).parents[3]
pq = pytest.importorskip("pyarrow.parquet", reason="the extra study is not installed")


def ask(keep: Path | None = None, **others: Any) -> dyn.Study:
    return dyn.study(SYSTEM, {"q": (-3.0, 3.0)} | others.pop("over", {}), BASE, 12_000, keep=keep, **others)


def parts_of(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name.startswith("part"))


def bits(study: dyn.Study) -> Any:
    return vars(study.found[BASE]), study.refused, study.refusal


@pytest.fixture
def full_at_the_third(monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk on which two chunks find room."""
    written = pq.write_table
    calls: list[object] = []

    def write(table: object, where: Path) -> None:
        calls.append(where)
        if len(calls) == 3:
            Path(where).write_bytes(b"half of a chunk")
            raise OSError(errno.ENOSPC, "No space left on device")
        written(table, where)

    monkeypatch.setattr(pq, "write_table", write)


def test_columns_are_the_rows(tmp_path: Path) -> None:
    kept = ask(tmp_path / "kept")
    assert bits(kept) == bits(ask())
    assert parts_of(tmp_path / "kept") == [f"part-{k:06d}.parquet" for k in range(6)]
    q, found = kept.column("q:joint_1"), kept.column(BASE)
    np.testing.assert_allclose(found, base_inertia(q), rtol=1e-12)
    table = pq.read_table(tmp_path / "kept")
    assert table["row"].to_pylist() == list(range(12_000))
    assert table["refused"].null_count == 12_000
    assert (np.sort(found)[::-1][:10] == [value for _, value in kept.found[BASE].largest]).all()


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


def test_it_goes_on_with_the_chunks_that_it_began_with(tmp_path: Path) -> None:
    class Stopped(Exception):
        pass

    def stop(done: int, size: int) -> None:
        if done > 4000:
            raise Stopped

    with pytest.raises(Stopped):
        ask(tmp_path, progress=stop)
    assert len(parts_of(tmp_path)) == 2
    assert bits(ask(tmp_path, memory=1e12)) == bits(ask(memory=1e12))
    assert len(parts_of(tmp_path)) == 6


INTERRUPTED = """
import os, signal, sys
from pathlib import Path
from tests.dynamics.ensemble.test_parts import ask

signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever began this may let it be ignored

def stop(done, size):
    if done > 4000:
        os.kill(os.getpid(), signal.SIGINT)

ask(Path(sys.argv[1]), progress=stop)
"""


@pytest.mark.slow
def test_an_interrupt_leaves_the_finished_chunks_whole(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert "KeyboardInterrupt" in ended.stderr
    before = {name: (tmp_path / name).stat().st_mtime_ns for name in parts_of(tmp_path)}
    assert len(before) == 2
    assert len(list(tmp_path.iterdir())) == 3  # and the page: nothing half written is left
    assert bits(ask(tmp_path)) == bits(ask())
    assert {name: (tmp_path / name).stat().st_mtime_ns for name in before} == before


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


def test_a_broken_part_is_named(tmp_path: Path) -> None:
    ask(tmp_path)
    (tmp_path / "part-000002.parquet").write_bytes(b"PAR1 and nothing else")
    with pytest.raises(dyn.StateError, match=r"part-000002.parquet.*remove it"):
        ask(tmp_path)


@pytest.mark.parametrize("keep", [3, "a\0b", "/proc/nowhere/at/all"])
def test_what_is_no_folder_is_refused(keep: Any) -> None:
    with pytest.raises(dyn.StateError, match="keep"):
        ask(keep)


def test_a_file_is_no_folder_however_often_one_asks(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("of somebody's")
    with pytest.raises(dyn.StateError, match=r"kept' is a file; expected the path of a folder\.$"):
        ask(tmp_path / "kept")


def test_columns_are_asked_for_by_name(tmp_path: Path) -> None:
    kept = ask(tmp_path)
    with pytest.raises(dyn.StateError, match="q:joint_1"):
        kept.column("q")
    assert (ask().column(BASE) == kept.column(BASE)).all()
    assert (ask().column("q:joint_1") == kept.column("q:joint_1")).all()
    assert (ask(tmp_path, memory=8.0).column(BASE) == kept.column(BASE)).all()
    with pytest.raises(dyn.StateError, match="keep="):
        ask(memory=8.0).column(BASE)


def test_without_pyarrow_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(parquet, "import_module", missing)
    with pytest.raises(dyn.StateError, match=r"pip install armsweep\[study\]"):
        ask(tmp_path / "kept")
    assert not (tmp_path / "kept").exists()


def scaled(found: Any, by: float) -> Any:
    return by * found.joint_acceleration[:, 0]


class Scale:
    def __init__(self, by: float) -> None:
        self.by = by

    def __call__(self, found: Any) -> Any:
        return scaled(found, self.by)

    def of(self, found: Any) -> Any:
        return scaled(found, self.by)


def closed_over(by: float) -> Any:
    def found(solution: Any) -> Any:
        return scaled(solution, by) if found is not None else None

    return found


@pytest.mark.parametrize(
    "make", [closed_over, lambda by: partial(scaled, by=by), Scale, lambda by: Scale(by).of,
             lambda by: (lambda found, by=by: scaled(found, by))],
    ids=["closure", "partial", "object", "method", "default"],
)  # fmt: skip
def test_functions_of_one_text_and_other_values_are_other_questions(make: Any, tmp_path: Path) -> None:
    def asked(by: float) -> dyn.Study:
        return dyn.study(SYSTEM, {"q": (-3.0, 3.0)}, make(by), 100, keep=tmp_path)

    assert asked(1.0).fingerprint == asked(1.0).fingerprint
    with pytest.raises(dyn.StateError, match="another study"):
        asked(2.0)


def test_parts_of_which_nobody_knows_the_question_are_not_taken_in(tmp_path: Path) -> None:
    ask(tmp_path)
    (tmp_path / parts.MANIFEST).unlink()
    with pytest.raises(dyn.StateError, match="has parts of a study"):
        ask(tmp_path, over={"q": (0.0, 0.1)})
