"""Machine code is kept between runs, never used when its sources have changed or its file is damaged."""

import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import dynamics
from dynamics.compiler.checksums import LIST, LOCK, is_free, remember, remember_at_end, remove_damaged

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
    own = {"NUMBA_CACHE_DIR": str(folder / "kept"), "PYTHONPATH": str(folder)}
    own["PYTHONDONTWRITEBYTECODE"] = "1"  # a file rewritten within a second would be taken for the one before
    return {"cwd": folder, "env": os.environ | own | others, "text": True}


def ran_with(folder: Path, program: str, **others: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program], **settings(folder, **others), capture_output=True, timeout=120
    )


def start(folder: Path, program: str = CALL) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", program], **settings(folder), stdout=subprocess.PIPE)


def found(process: subprocess.Popen[str]) -> list[str]:
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


def flipped(data: bytes) -> bytes:
    """In one bit of the code, where no format is hurt."""
    at = data.index(CODE[100:110]) if CODE[100:110] in data else len(data) // 2
    return data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :]


def fill(folder: Path) -> Path:
    """As numba leaves one: an index, which is two pickles, and what it names."""
    (folder / "room").mkdir(parents=True, exist_ok=True)
    for name in ("one", "two"):
        write(folder, f"{name}.nbi", {"key": name})
        (folder / "room" / f"{name}.1.nbc").write_bytes(pickle.dumps(("name", CODE)))
    return folder


def write(folder: Path, name: str, index: dict[str, str]) -> Path:
    path = folder / "room" / name
    path.write_bytes(pickle.dumps("0.1") + pickle.dumps((1.0, index)))
    return path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*.nb?"))


def decay(path: Path, harm: Callable[[bytes], bytes] = flipped) -> None:
    """As on a failing disk: the times of the file stay."""
    times = path.stat().st_atime_ns, path.stat().st_mtime_ns
    path.write_bytes(harm(path.read_bytes()))
    os.utime(path, ns=times)


def written_since(folder: Path) -> None:
    """By another process, which still runs, and lists what it made when it ends."""
    later = (folder / LIST).stat().st_mtime_ns + 1_000_000
    os.utime(write(folder, "one.nbi", {"key": "one", "other": "x"}), ns=(later, later))


def added(folder: Path) -> None:
    """As after a power cut, which may have left one wrong bit."""
    for name in ("three.nbi", "three.1.nbc"):
        write(folder, name, {})


def damaged_beside_a_new_one(folder: Path) -> None:
    write(folder, "three.nbi", {})
    decay(folder / "room" / "one.1.nbc")


WHOLE = {"one.nbi", "one.1.nbc", "two.nbi", "two.1.nbc"}
HARMS: dict[str, Callable[[bytes], bytes]] = {
    "truncated": lambda data: data[:-3], "empty": lambda data: b"", "flipped": flipped
}  # fmt: skip
# What happens, whether no other process runs, then how many are sound, lost and damaged, and the files that stay.
HAPPENS: dict[str, tuple[Callable[[Path], object], bool, tuple[int, int, int], set[str]]] = {
    **{
        f"{kind} {name}": (lambda at, n=name, harm=harm: decay(at / "room" / n, harm), True, (3, 1, 1), WHOLE - {name})
        for name in ("one.nbi", "one.1.nbc") for kind, harm in HARMS.items()
    },
    "written since": (written_since, True, (3, 1, 0), WHOLE - {"one.nbi"}),
    "in no list": (added, True, (4, 0, 0), WHOLE),
    "beside one that still runs": (damaged_beside_a_new_one, False, (3, 1, 1), WHOLE - {"one.1.nbc"} | {"three.nbi"}),
    "a damaged list": (lambda at: (at / LIST).write_text("[1, 2"), True, (0, 4, 4), set()),
    "a list of another kind": (lambda at: (at / LIST).write_text("7"), True, (0, 4, 4), set()),
}  # fmt: skip


def test_damaged_and_unlisted_files_go_and_sound_ones_stay(tmp_path: Path) -> None:
    for name, (happens, alone, expected, stay) in HAPPENS.items():
        folder = fill(tmp_path / name)
        remember(folder, {})
        happens(folder)
        sound, lost, damaged = remove_damaged(folder, alone=alone)
        assert ((len(sound), lost, damaged), set(names(folder))) == (expected, stay), name
        write(folder, "one.nbi", {"made": "anew"})
        remember(folder, sound)
        assert remove_damaged(folder).lost == 0, name
    killed = fill(tmp_path / "killed")  # before it listed anything: of no use to anybody, and not damaged
    assert remove_damaged(killed, alone=False) == ({}, 0, 0)
    assert remove_damaged(killed) == ({}, 4, 0)
    remember_at_end(tmp_path / "gone", {})
    assert not (tmp_path / "gone").exists()


def test_while_one_process_compiles_others_neither_look_nor_list(tmp_path: Path) -> None:
    """Numba rewrites an index for every new signature, and the list is behind until all is compiled."""
    folder = fill(tmp_path)
    remember(folder, {})
    before = (folder / LIST).read_text()
    with (folder / LOCK).open("a") as lock:
        assert is_free(lock)
        write(folder, "two.nbi", {"key": "two", "other": "three"})
        sound, lost, damaged = remove_damaged(folder)
        assert (sound, lost, damaged) == ({}, 0, 0)
        remember_at_end(folder, sound)
        assert (folder / LIST).read_text() == before
    remember_at_end(folder, sound)
    assert remove_damaged(folder).lost == 0


HEAD = CALL.rpartition("remove_older(")[0]


@pytest.mark.full
def test_a_killed_process_has_damaged_nothing_and_a_full_disk_is_told(package: Path) -> None:
    full = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n" + HEAD
    ran = ran_with(package, full)
    assert ran.stdout.split()[1:] == ["2.0", "1"], ran.stderr
    assert "Compiled code cannot be kept between runs" in ran.stderr
    assert not list(package.rglob("*.nb?"))
    ran_with(package, HEAD + "import os, signal\nos.kill(os.getpid(), signal.SIGTERM)\n")
    ran = ran_with(package, CALL)
    assert ran.stdout.split()[1:] == ["2.0", "1"], ran.stderr
    assert "damaged" not in ran.stderr
