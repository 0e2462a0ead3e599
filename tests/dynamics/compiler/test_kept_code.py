"""Machine code is kept between runs, never used when its sources have changed or its file is damaged."""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import pytest

import dynamics
from dynamics.compiler import code_folder
from dynamics.compiler.checksums import LIST, LOCK, is_free, remember, remember_at_end, remove_damaged
from dynamics.compiler.compiled import kernel

pytestmark = pytest.mark.compiled_only

INNER = """
from dynamics.compiler.compiled import inlined, kernel

@inlined
def inner(a):
    return a[0] + 1.0
"""

OUTER = """
from dynamics.compiler.compiled import inlined, kernel
from dynamics.inner import inner

@kernel
def outer(a):
    return 2.0 * inner(a)
"""

CALL = """
import numpy as np
from dynamics.compiler.code_folder import code_folder, remove_older
from dynamics.outer import outer
print("FOUND", outer(np.zeros(1)), sum(outer.stats.cache_misses.values()))
remove_older(code_folder())
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package of two kernels in two files, with our compiler."""
    own = tmp_path / "dynamics"
    shutil.copytree(Path(dynamics.__file__).parent / "compiler", own / "compiler")
    (own / "__init__.py").touch()
    (own / "inner.py").write_text(INNER)
    (own / "outer.py").write_text(OUTER)
    return tmp_path


def settings(folder: Path, **others: str) -> dict[str, Any]:
    environment = {
        **os.environ,
        "NUMBA_CACHE_DIR": str(folder / "kept"),
        "PYTHONPATH": str(folder),
        "PYTHONDONTWRITEBYTECODE": "1",  # a file rewritten within a second would be taken for the one before
        **others,
    }
    return {"cwd": folder, "env": environment, "text": True}


def ran_with(folder: Path, program: str, **others: str) -> subprocess.CompletedProcess[str]:
    """A program that has run to its end."""
    return subprocess.run(
        [sys.executable, "-c", program], **settings(folder, **others), capture_output=True, timeout=120
    )


def start(folder: Path, program: str = CALL) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", program], **settings(folder), stdout=subprocess.PIPE)


def found(process: subprocess.Popen[str]) -> list[str]:
    """Result and number of compilations, once it has ended well."""
    out, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    return out.split()[1:]


def test_kept_code_is_used_until_it_is_damaged_or_a_callee_changes(package: Path) -> None:
    """Two processes side by side compile it; the next loads it; a damaged file and an older source are never used."""
    together = [start(package) for _ in range(2)]
    assert {found(process)[0] for process in together} == {"2.0"}
    assert found(start(package)) == ["2.0", "0"]
    (mark := next((package / "kept").iterdir()) / "session").touch()
    (code,) = (package / "kept").rglob("outer*.nbc")
    decay(code)
    ran = ran_with(package, CALL)
    assert ran.stdout.split()[1:] == ["2.0", "1"], ran.stderr
    assert "Compiled code was damaged and is made anew: 1 files" in ran.stderr
    assert not mark.exists()
    (package / "dynamics" / "inner.py").write_text(INNER.replace("1.0", "9.0"))
    assert found(start(package)) == ["18.0", "1"]


def test_folders_of_older_sources_go(tmp_path: Path) -> None:
    """This one stays, however old, with the newest of the others; what is not ours is not touched."""
    for own in (0, 3, 4):
        place = tmp_path / str(own)
        folders = [place / f"{code_folder.NAME}{number}" for number in range(5)]
        for age, folder in enumerate([*folders, place / "another"]):
            (folder / "inner").mkdir(parents=True)
            os.utime(folder, (1e9 + age, 1e9 + age))
        code_folder.remove_older(folders[own])
        others = [folder for folder in folders if folder != folders[own]]
        stays = {folders[own], place / "another", *others[1 - code_folder.KEPT :]}
        assert set(place.iterdir()) == stays
        assert all((folder / "inner").is_dir() for folder in stays)


@pytest.mark.full
def test_what_a_stopped_compiler_left_out_is_compiled_again(package: Path) -> None:
    """Numba renews its list of what is kept before it writes what the list names."""
    found(start(package))
    for kept in (package / "kept").rglob("*.nbc"):
        kept.unlink()
    assert found(start(package)) == ["2.0", "1"]


def test_other_users_of_numba_keep_their_own_folder() -> None:
    before = numba.config.CACHE_DIR
    kernel(lambda a: a)
    assert before == numba.config.CACHE_DIR


@pytest.mark.parametrize("temporary", [False, pytest.param(True, marks=pytest.mark.full)])
def test_a_folder_that_cannot_be_written_falls_back_with_one_line(package: Path, temporary: bool) -> None:
    (package / "file").touch()
    blocked = package / "file" / "cache"  # a folder in a file: even root cannot make it
    home = blocked if temporary else package / "home"
    ran = ran_with(package, CALL, NUMBA_CACHE_DIR=str(blocked), HOME=str(home), TMPDIR=str(package))
    assert ran.stdout.split()[1:] == ["2.0", "1"], ran.stderr
    (folder,) = [path.parents[1] for path in package.rglob("outer.outer*.nbc")]
    assert ran.stderr.splitlines() == [
        f"Compiled code cannot be kept in {blocked} (Not a directory); it is kept in {folder}."
    ]
    assert (folder.parent.name.startswith("armsweep-compiled-")) == temporary


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
    (tmp_path / "room_1").mkdir()
    return fill(tmp_path)


def fill(folder: Path) -> Path:
    for name in ("one", "two"):
        (folder / "room_1" / f"{name}.nbi").write_bytes(pickle.dumps("0.1") + pickle.dumps((1.0, {"key": name})))
        (folder / "room_1" / f"{name}.1.nbc").write_bytes(pickle.dumps(("name", CODE)))
    return folder


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*.nb?"))


def decay(path: Path, harm: Callable[[bytes], bytes] = flipped) -> None:
    """As on a failing disk: the times of the file stay."""
    times = path.stat().st_atime_ns, path.stat().st_mtime_ns
    path.write_bytes(harm(path.read_bytes()))
    os.utime(path, ns=times)


@pytest.mark.parametrize("harm", [truncated, empty, flipped])
@pytest.mark.parametrize("name", ["one.nbi", "one.1.nbc"])
def test_a_damaged_file_goes_and_sound_ones_stay(folder: Path, name: str, harm: Callable[[bytes], bytes]) -> None:
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


def test_files_that_no_list_names_are_not_trusted(folder: Path) -> None:
    """As after a power cut, which may have left one wrong bit."""
    remember(folder, {})
    for name in ("three.nbi", "three.1.nbc"):
        (folder / "room_1" / name).write_bytes(pickle.dumps("0.1"))
    sound, lost, damaged = remove_damaged(folder)
    assert (len(sound), lost, damaged) == (4, 0, 0)  # nothing that was listed is damaged
    assert names(folder) == ["one.1.nbc", "one.nbi", "two.1.nbc", "two.nbi"]


def test_what_a_process_that_still_runs_has_made_stays(folder: Path) -> None:
    """It is not listed yet: neither all of it, in a new folder, nor one file more."""
    assert remove_damaged(folder, alone=False) == ({}, 0, 0)
    assert len(names(folder)) == 4
    remember(folder, {})
    (folder / "room_1" / "three.nbi").write_bytes(pickle.dumps("0.1"))
    decay(folder / "room_1" / "one.1.nbc")
    sound, lost, damaged = remove_damaged(folder, alone=False)
    assert (len(sound), lost, damaged) == (3, 1, 1)
    assert names(folder) == ["one.nbi", "three.nbi", "two.1.nbc", "two.nbi"]


def test_unlisted_files_are_not_called_damaged(folder: Path) -> None:
    """A process that was killed lists nothing; what it was about to write is of no use to anybody."""
    (folder / "room_1" / "two.1.nbc.tmp.0123456789abcdef").write_bytes(CODE)
    sound, lost, damaged = remove_damaged(folder)
    assert (sound, lost, damaged) == ({}, 4, 0)
    assert not list((folder / "room_1").iterdir())


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


def test_a_list_that_is_damaged_itself_is_written_anew(folder: Path) -> None:
    for text in ("", "[1, 2", "7", "{"):
        fill(folder)
        remember(folder, {})
        (folder / LIST).write_text(text)
        assert remove_damaged(folder) == ({}, 4, 4), text  # which of them are damaged cannot be known
        assert not names(folder)
        (folder / "room_1" / "one.nbi").write_bytes(pickle.dumps("0.1") + pickle.dumps("made anew"))
        remember(folder, {})
        assert remove_damaged(folder).lost == 0
        assert names(folder) == ["one.nbi"]


def test_while_one_process_compiles_others_neither_look_nor_list(folder: Path) -> None:
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


def test_a_folder_that_is_gone_is_no_error(tmp_path: Path) -> None:
    remember_at_end(tmp_path / "gone", {})
    assert not (tmp_path / "gone").exists()


STAYS = (
    CALL.rpartition("remove_older(")[0]
    + """
import sys
sys.stdout.flush()
sys.stdin.readline()
"""
)


@pytest.mark.full
def test_a_process_uses_what_one_that_still_runs_has_compiled_and_calls_nothing_damaged(package: Path) -> None:
    first = subprocess.Popen(
        [sys.executable, "-c", STAYS], **settings(package), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert first.stdout is not None
    assert first.stdout.readline().split()[1:] == ["2.0", "1"]
    second = ran_with(package, CALL)
    first.kill()
    first.communicate()
    third = ran_with(package, CALL)
    for other in (second, third):
        assert other.stdout.split()[1:] == ["2.0", "0"], other.stderr
        assert "damaged" not in other.stderr


@pytest.mark.full
def test_a_process_that_was_killed_has_damaged_nothing(package: Path) -> None:
    killed = CALL.rpartition("remove_older(")[0] + "import os, signal\nos.kill(os.getpid(), signal.SIGTERM)\n"
    ran_with(package, killed)
    ran = ran_with(package, CALL)
    assert ran.stdout.split()[1:] == ["2.0", "1"], ran.stderr
    assert "damaged" not in ran.stderr


FULL = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
"""


@pytest.mark.full
def test_a_full_disk_is_told_and_nothing_is_kept(package: Path) -> None:
    pytest.importorskip("resource")
    ran = ran_with(package, FULL + CALL.rpartition("remove_older(")[0])
    assert ran.stdout.split()[1:] == ["2.0", "1"], ran.stderr
    assert "Compiled code cannot be kept between runs" in ran.stderr
    assert "File too large" in ran.stderr
    assert not list(package.rglob("*.nb?"))
