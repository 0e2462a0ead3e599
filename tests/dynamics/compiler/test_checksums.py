"""Machine code that was damaged on its disk is never loaded: it is found by its checksum and made anew."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from dynamics import compilation
from dynamics.compiler.checksums import LIST, LOCK, is_free, remember, remember_at_end, remove_damaged
from tests.dynamics.compiler.test_code_folder import CALL, found, package, settings, start  # noqa: F401

CODE = bytes(range(256)) * 8


def truncated(data: bytes) -> bytes:
    return data[:-3]


def empty(data: bytes) -> bytes:
    return b""


def flipped(data: bytes) -> bytes:
    """In one bit of the code, where no format is hurt."""
    at = data.index(CODE[100:110]) if CODE[100:110] in data else len(data) // 2
    return data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """As numba leaves one: an index, which is two pickles, and what it names."""
    room = tmp_path / "room_1"
    room.mkdir()
    for name in ("one", "two"):
        (room / f"{name}.nbi").write_bytes(pickle.dumps("0.1") + pickle.dumps((1.0, {"key": name})))
        (room / f"{name}.1.nbc").write_bytes(pickle.dumps(("name", CODE)))
    return tmp_path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*.nb?"))


def decay(path: Path, harm: Callable[[bytes], bytes] = flipped) -> None:
    """As on a disk: nobody has written it."""
    times = path.stat().st_atime_ns, path.stat().st_mtime_ns
    path.write_bytes(harm(path.read_bytes()))
    os.utime(path, ns=times)


@pytest.mark.parametrize("harm", [truncated, empty, flipped])
@pytest.mark.parametrize("name", ["one.nbi", "one.1.nbc"])
def test_what_is_damaged_goes_and_what_is_sound_stays(folder: Path, name: str, harm: Callable[[bytes], bytes]) -> None:
    remember(folder, {})
    path = folder / "room_1" / name
    decay(path, harm)
    sound, lost, damaged = remove_damaged(folder)
    assert (lost, damaged) == (1, 1)
    assert names(folder) == sorted({"one.nbi", "one.1.nbc", "two.nbi", "two.1.nbc"} - {name})
    assert len(sound) == 3
    path.write_bytes(pickle.dumps("0.1") + pickle.dumps("made anew"))
    assert remove_damaged(folder).lost == 0


def test_what_another_process_has_written_since_goes_and_is_not_called_damaged(folder: Path) -> None:
    """It still runs, and lists what it made when it ends."""
    remember(folder, {})
    (folder / "room_1" / "one.nbi").write_bytes(pickle.dumps("0.1") + pickle.dumps((1.0, {"key": "one", "other": "x"})))
    later = (folder / LIST).stat().st_mtime_ns + 1_000_000
    os.utime(folder / "room_1" / "one.nbi", ns=(later, later))
    sound, lost, damaged = remove_damaged(folder)
    assert (len(sound), lost, damaged) == (3, 1, 0)
    assert names(folder) == ["one.1.nbc", "two.1.nbc", "two.nbi"]


def test_what_no_list_names_is_not_trusted(folder: Path) -> None:
    """As after a power cut, which may have left one wrong bit."""
    remember(folder, {})
    for name in ("three.nbi", "three.1.nbc"):
        (folder / "room_1" / name).write_bytes(pickle.dumps("0.1"))
    sound, lost, damaged = remove_damaged(folder)
    assert (len(sound), lost, damaged) == (4, 0, 0)  # nothing that was listed is damaged
    assert names(folder) == ["one.1.nbc", "one.nbi", "two.1.nbc", "two.nbi"]


def test_what_a_process_that_still_runs_has_made_stays(folder: Path) -> None:
    """Nobody has listed it yet: neither all of it, in a folder that is new, nor one more of it."""
    assert remove_damaged(folder, alone=False) == ({}, 0, 0)
    assert len(names(folder)) == 4
    remember(folder, {})
    (folder / "room_1" / "three.nbi").write_bytes(pickle.dumps("0.1"))
    decay(folder / "room_1" / "one.1.nbc")
    sound, lost, damaged = remove_damaged(folder, alone=False)
    assert (len(sound), lost, damaged) == (3, 1, 1)
    assert names(folder) == ["one.nbi", "three.nbi", "two.1.nbc", "two.nbi"]


def test_what_nobody_has_listed_is_not_called_damaged(folder: Path) -> None:
    """A process that was killed lists nothing; what it was about to write is of no use to anybody."""
    (folder / "room_1" / "two.1.nbc.tmp.0123456789abcdef").write_bytes(CODE)
    sound, lost, damaged = remove_damaged(folder)
    assert (sound, lost, damaged) == ({}, 4, 0)
    assert not list((folder / "room_1").iterdir())


def test_what_is_written_while_a_list_is_made_is_not_called_damaged(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dump = json.dump

    def rewritten_meanwhile(*arguments: object) -> None:
        (folder / "room_1" / "one.nbi").write_bytes(pickle.dumps("0.1") + pickle.dumps((1.0, {"key": "one", "b": "x"})))
        dump(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(json, "dump", rewritten_meanwhile)
    remember(folder, {})
    assert remove_damaged(folder).damaged == 0


ROOM: list[Path] = []


def make_one(_: bool, index: int) -> str:
    (ROOM[0] / f"{index}.nbi").write_bytes(pickle.dumps("0.1") + pickle.dumps(index))
    return f"number {index}"


@pytest.mark.skipif(sys.platform != "linux", reason="what a test puts in place goes along with a fork only")
def test_what_is_compiled_ahead_is_listed_as_it_is_made(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is killed then has not worked in vain."""
    ROOM[:] = [folder / "room_1"]
    monkeypatch.setattr(compilation, "compile_one", make_one)
    monkeypatch.setattr(compilation, "wanted_calls", lambda _: [None] * 5)
    told: list[str] = []

    def tell(words: str) -> None:
        told.append(words)
        name = f"room_1/{words[words.index('number ') + 7 : -1]}.nbi"
        assert name in json.loads((folder / LIST).read_text())

    assert compilation.compile_together(folder, False, tell)
    assert len(told) == 5


def test_what_was_compiled_since_is_listed_too(folder: Path) -> None:
    remember(folder, {})
    sound = remove_damaged(folder).sound
    index = folder / "room_1" / "two.nbi"
    index.write_bytes(pickle.dumps("0.1") + pickle.dumps((1.0, {"key": "two", "other": "three"})))
    (folder / "room_1" / "two.2.nbc").write_bytes(pickle.dumps(("other", CODE)))
    remember(folder, sound)
    assert remove_damaged(folder).lost == 0
    decay(index)
    assert remove_damaged(folder).damaged == 1


@pytest.mark.parametrize("text", ["", "[1, 2", "7", "{"])
def test_a_list_that_is_damaged_itself_is_written_anew(folder: Path, text: str) -> None:
    remember(folder, {})
    (folder / LIST).write_text(text)
    assert remove_damaged(folder) == ({}, 4, 4)  # nobody knows which of them are
    assert not names(folder)
    (folder / "room_1" / "one.nbi").write_bytes(pickle.dumps("0.1") + pickle.dumps("made anew"))
    remember(folder, {})
    assert remove_damaged(folder).lost == 0
    assert names(folder) == ["one.nbi"]


def test_while_somebody_compiles_nobody_else_looks_or_lists(folder: Path) -> None:
    """Numba rewrites an index for every new signature, and the list is behind until all is compiled."""
    remember(folder, {})
    index = folder / "room_1" / "two.nbi"
    before = (folder / LIST).read_text()
    with (folder / LOCK).open("a") as lock:
        assert is_free(lock)
        index.write_bytes(pickle.dumps("0.1") + pickle.dumps((1.0, {"key": "two", "other": "three"})))
        sound, lost, damaged = remove_damaged(folder)
        assert (sound, lost, damaged) == ({}, 0, 0)
        remember_at_end(folder, sound)
        assert (folder / LIST).read_text() == before
    remember_at_end(folder, sound)
    assert remove_damaged(folder).lost == 0


def test_nobody_minds_that_there_is_no_folder_any_more(tmp_path: Path) -> None:
    remember_at_end(tmp_path / "gone", {})
    assert not (tmp_path / "gone").exists()


@pytest.mark.slow
@pytest.mark.compiled_only
def test_a_damaged_kernel_is_compiled_again(package: Path) -> None:  # noqa: F811
    assert found(start(package)) == ["2.0", "1"]
    (mark := next((package / "kept").iterdir()) / "session").touch()
    (code,) = (package / "kept").rglob("outer*.nbc")
    decay(code)
    ran = subprocess.run([sys.executable, "-c", CALL], **settings(package), capture_output=True, timeout=120)
    assert ran.stdout.split()[1:] == ["2.0", "1"], ran.stderr
    assert "Compiled code was damaged and is made anew: 1 files" in ran.stderr
    assert not mark.exists()
    assert found(start(package)) == ["2.0", "0"]


STAYS = (
    CALL.rpartition("remove_older(")[0]
    + """
import sys
sys.stdout.flush()
sys.stdin.readline()
"""
)


@pytest.mark.slow
@pytest.mark.compiled_only
@pytest.mark.skipif(sys.platform == "win32", reason="nobody sees there that somebody else runs")
def test_a_process_uses_what_one_that_still_runs_has_compiled_and_calls_nothing_damaged(package: Path) -> None:  # noqa: F811
    first = subprocess.Popen(
        [sys.executable, "-c", STAYS], **settings(package), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert first.stdout is not None
    assert first.stdout.readline().split()[1:] == ["2.0", "1"]
    second = subprocess.run([sys.executable, "-c", CALL], **settings(package), capture_output=True, timeout=120)
    first.kill()
    first.communicate()
    third = subprocess.run([sys.executable, "-c", CALL], **settings(package), capture_output=True, timeout=120)
    for other in (second, third):
        assert other.stdout.split()[1:] == ["2.0", "0"], other.stderr
        assert "damaged" not in other.stderr


@pytest.mark.slow
@pytest.mark.compiled_only
def test_a_process_that_was_killed_has_damaged_nothing(package: Path) -> None:  # noqa: F811
    killed = CALL.rpartition("remove_older(")[0] + "import os, signal\nos.kill(os.getpid(), signal.SIGTERM)\n"
    subprocess.run([sys.executable, "-c", killed], **settings(package), capture_output=True, timeout=120)
    ran = subprocess.run([sys.executable, "-c", CALL], **settings(package), capture_output=True, timeout=120)
    assert ran.stdout.split()[1:] == ["2.0", "1"], ran.stderr
    assert "damaged" not in ran.stderr


FULL = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
"""


@pytest.mark.slow
@pytest.mark.compiled_only
def test_a_full_disk_is_told_and_nothing_is_kept(package: Path) -> None:  # noqa: F811
    pytest.importorskip("resource")
    ran = subprocess.run(
        [sys.executable, "-c", FULL + CALL.rpartition("remove_older(")[0]],
        **settings(package),
        capture_output=True,
        timeout=120,
    )
    assert ran.stdout.split()[1:] == ["2.0", "1"], ran.stderr
    assert "Compiled code cannot be kept between runs" in ran.stderr
    assert "File too large" in ran.stderr
    assert not list(package.rglob("*.nb?"))
