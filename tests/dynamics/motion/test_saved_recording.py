"""A saved recording is the same to the bit; a file that was changed is refused with a reason."""

import json
import tracemalloc
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dynamics as dyn
from dynamics.motion.recording_file import HEAD
from tests.dynamics.motion.test_tables import drawn
from tests.dynamics.refusals import assert_all_refused
from tests.dynamics.textbook.cases import NAMES

pytestmark = pytest.mark.compiled_only
SAMPLES = ("t", "x", "v", "acceleration", "tau", "drift", "unexplained_energy")


def held() -> dyn.Recording:
    system, state = dyn.example("two_arms_and_box")
    wrench = np.zeros((system.n_links + 1, 6))
    wrench[-1, 4] = 2.0
    return dyn.simulate(system, state, duration=0.06, dt=0.01, events=[dyn.Release(0.03)], external_forces=wrench)


def flying() -> dyn.Recording:
    system, state = dyn.example("free_flyer")
    return dyn.simulate(system, state, duration=0.05, dt=0.01)


def turned() -> dyn.Recording:
    pose = np.eye(4)
    pose[:3, :3] = [[0.36, 0.48, -0.8], [-0.8, 0.6, 0.0], [0.48, 0.64, 0.6]]
    system = dyn.single_arm(dyn.load("iiwa14"), gravity=(0.0, 1.0, -3.7), base_pose=pose)
    return dyn.simulate(system, system.state(q=np.linspace(0.1, 0.7, 7)), duration=0.05, dt=0.01)


RUNS: dict[str, Callable[[], dyn.Recording]] = {
    "held": held, "flying": flying, "turned": turned, **{name: partial(drawn, name) for name in NAMES}
}  # fmt: skip


def test_a_saved_recording_is_the_same_to_the_bit(tmp_path: Path) -> None:
    for name, run in RUNS.items():
        recording = run()
        recording.save(tmp_path / "run.armsweep")
        again = dyn.load_recording(tmp_path / "run.armsweep")
        assert (again.events, again.limits_met) == (recording.events, recording.limits_met), name
        assert again.stopped == recording.stopped, name
        assert len(again.segments) == len(recording.segments), name
        for sample in SAMPLES:
            np.testing.assert_array_equal(getattr(again, sample), getattr(recording, sample), err_msg=name)
        for time in np.linspace(0.0, recording.duration, 7):
            one, other = recording.solution_at(time), again.solution_at(time)
            np.testing.assert_array_equal(other.joint_acceleration, one.joint_acceleration, err_msg=name)
            for stage, arrays in one.stages.items():
                for key, array in arrays.items():
                    np.testing.assert_array_equal(other.stages[stage][key], array, err_msg=f"{name} {stage}.{key}")
            assert other.system.joint_names == one.system.joint_names
            assert other.system.is_held == one.system.is_held
        again.save(tmp_path / "again.armsweep")
        assert dyn.load_recording(tmp_path / "again.armsweep").duration == recording.duration
        assert sorted(path.name for path in tmp_path.iterdir()) == ["again.armsweep", "run.armsweep"]


@pytest.fixture
def changed(tmp_path: Path) -> Callable[[Callable[[Any], object]], Path]:
    path = tmp_path / "run"
    held().save(path)

    def change(act: Callable[[Any], object]) -> Path:
        with zipfile.ZipFile(path) as file:
            parts = {info.filename: file.read(info) for info in file.infolist()}
        head = json.loads(parts[HEAD])
        act(head)
        parts[HEAD] = json.dumps(head).encode()
        with zipfile.ZipFile(tmp_path / "other", "w") as file:
            for name, part in parts.items():
                file.writestr(name, part)
        return tmp_path / "other"

    return change


def records(head: Any, kind: str) -> list[Any]:
    return [one["has"] for one in head["tree"]["records"] if one["kind"] == kind]


FAULTS: dict[str, tuple[Callable[[Any], object], str]] = {
    "another form": (lambda head: head.update(form=2), "newer version"),
    "a mass below zero": (lambda head: records(head, "Link")[0].update(mass=-1.0), "mass"),
    "not a number": (lambda head: records(head, "Link")[0].update(mass={"float": "nan"}), "mass"),
    "another field": (lambda head: records(head, "Joint")[0].update(other=1), "a Joint has"),
    "an unknown kind": (lambda head: head["tree"]["records"][0].update(kind="Path"), "is not part of a recording"),
    "a tip that is not there": (lambda head: records(head, "Contact")[0].update(tip=9), "not a contact"),
    "twice the same tip": (lambda head: records(head, "Contact")[1].update(records(head, "Contact")[0]), "holds twice"),
    "samples of another length": (
        lambda head: head["tree"]["segments"][0].update(tau=head["tree"]["segments"][0]["x"]), "tau"),
    "no segment": (lambda head: head["tree"].update(segments=[]), "no sample"),
    "the order turned round": (lambda head: head["tree"]["segments"].reverse(), "begins before"),
    "an array that is not there": (lambda head: head["tree"]["segments"][0].update(x={"array": 10_000}), "is not part"),
    "another shape": (lambda head: head["arrays"][0].update(shape=[2**40, 2**20]), "does not have the shape"),
    "an infinite shape": (lambda head: head["arrays"][0].update(shape=[float("inf")]), "does not have the shape"),
    "a shape of many axes": (lambda head: head["arrays"][0]["shape"].extend([1] * 100), "does not have the shape"),
    "no arrays": (lambda head: head.update(arrays=3), "is not a recording"),
    "an event without words": (lambda head: head["tree"].update(events=[[0.0, 1]]), "event"),
    "a list for all": (lambda head: head.update(tree=[]), "is not a recording"),
}  # fmt: skip


def test_a_changed_file_is_refused(changed: Callable[[Callable[[Any], object]], Path]) -> None:
    assert_all_refused({n: (lambda a=act: dyn.load_recording(changed(a)), words) for n, (act, words) in FAULTS.items()})


@pytest.mark.parametrize(("claimed", "words"), [(2**33, "8,589.*at most"), (8, "is not a recording")])
def test_a_compression_bomb_is_refused_before_it_is_unpacked(
    changed: Callable[[Callable[[Any], object]], Path], claimed: int, words: str
) -> None:
    path = changed(lambda head: head["arrays"][0].update(shape=[1]))
    with zipfile.ZipFile(path) as file:
        head = file.read(HEAD)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(HEAD, head)
        file.writestr("arrays/0", bytes(2**26))
        file.getinfo("arrays/0").file_size = claimed
    assert path.stat().st_size < 2**20
    tracemalloc.start()
    with pytest.raises(dyn.StateError, match=words):
        dyn.load_recording(path)
    assert tracemalloc.get_traced_memory()[1] < 2**24
    tracemalloc.stop()


def test_a_file_that_is_cut_off_or_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run"
    flying().save(path)
    whole = path.read_bytes()
    for part in (whole[: len(whole) // 2], whole[:10], b"", b"solid text", whole[:-30]):
        path.write_bytes(part)
        with pytest.raises(dyn.StateError, match="is not a recording"):
            dyn.load_recording(path)
    with pytest.raises(dyn.StateError, match="cannot be read"):
        dyn.load_recording(tmp_path / "nothing")
    with pytest.raises(dyn.StateError, match="path is"):
        dyn.load_recording(3)
    deep = '{"form": 1, "arrays": [], "tree": ' + "[" * 100_000 + "]" * 100_000 + "}"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr(HEAD, deep)
    with pytest.raises(dyn.StateError, match="is not a recording"):
        dyn.load_recording(path)


def test_a_file_that_cannot_be_written_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, recording = tmp_path / "run", flying()
    recording.save(path)
    before = path.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(zipfile.ZipFile, "writestr", full)
    with pytest.raises(dyn.StateError, match="No space left"):
        recording.save(path)
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["run"]
