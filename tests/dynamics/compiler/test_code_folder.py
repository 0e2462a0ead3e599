"""Machine code is kept with the sources that it came from, wherever that is possible."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import pytest

import dynamics
from dynamics.compiler import code_folder
from dynamics.compiler.compiled import kernel
from tests.dynamics.system.test_columns import has_a_kernel

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


def settings(folder: Path) -> dict[str, Any]:
    environment = dict(
        os.environ,
        NUMBA_CACHE_DIR=str(folder / "kept"),
        PYTHONPATH=str(folder),
        PYTHONDONTWRITEBYTECODE="1",  # a file rewritten within a second would be taken for the one before
    )
    return {"cwd": folder, "env": environment, "text": True}


def start(folder: Path, program: str = CALL) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", program], **settings(folder), stdout=subprocess.PIPE)


def found(process: subprocess.Popen[str]) -> list[str]:
    """Result and number of compilations, once it has ended well."""
    out, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    return out.split()[1:]


@pytest.mark.slow
def test_what_is_kept_is_used_until_a_callee_changes(package: Path) -> None:
    assert found(start(package)) == ["2.0", "1"]
    assert found(start(package)) == ["2.0", "0"]
    (package / "dynamics" / "inner.py").write_text(INNER.replace("1.0", "9.0"))
    assert found(start(package)) == ["18.0", "1"]


@pytest.mark.parametrize("own", [0, 3, 4])
def test_folders_of_older_sources_go(tmp_path: Path, own: int) -> None:
    """This one stays, however old, with the newest of the others; what is not ours is not touched."""
    folders = [tmp_path / f"{code_folder.NAME}{number}" for number in range(5)]
    for age, folder in enumerate([*folders, tmp_path / "another"]):
        (folder / "inner").mkdir(parents=True)
        os.utime(folder, (1e9 + age, 1e9 + age))
    code_folder.remove_older(folders[own])
    others = [folder for folder in folders if folder != folders[own]]
    stays = {folders[own], tmp_path / "another", *others[1 - code_folder.KEPT :]}
    assert set(tmp_path.iterdir()) == stays
    assert all((folder / "inner").is_dir() for folder in stays)


@pytest.mark.slow
def test_processes_side_by_side_do_not_disturb_each_other(package: Path) -> None:
    assert {found(process)[0] for process in [start(package) for _ in range(3)]} == {"2.0"}
    assert found(start(package)) == ["2.0", "0"]


@pytest.mark.slow
def test_what_a_stopped_compiler_left_out_is_compiled_again(package: Path) -> None:
    """Numba renews its list of what is kept before it writes what the list names."""
    found(start(package))
    for kept in (package / "kept").rglob("*.nbc"):
        kept.unlink()
    assert found(start(package)) == ["2.0", "1"]


def test_rooms_that_are_left_out_of_the_digest_lend_kernels_nothing() -> None:
    """Neither a kernel, nor a name that a kernel uses, nor what such a name is made of."""
    seen, waiting = set(), [path for path in code_folder.PACKAGE.rglob("*.py") if has_a_kernel(tree_of(path))]
    assert len(waiting) > 30
    while waiting:
        path = waiting.pop()
        seen.add(path)
        room = path.relative_to(code_folder.PACKAGE).parts[0]
        assert room not in code_folder.WITHOUT_KERNELS, path
        waiting += [source for source in lenders(tree_of(path)) if source not in seen]


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def lenders(tree: ast.Module) -> set[Path]:
    """The modules from which kernels, and the constants that a module defines, take names."""
    using = [
        node
        for node in tree.body
        if (isinstance(node, ast.FunctionDef) and has_a_kernel(ast.Module([node], [])))
        or isinstance(node, ast.Assign | ast.AnnAssign)
    ]
    names = {inner.id for node in using for inner in ast.walk(node) if isinstance(inner, ast.Name)}
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("dynamics"):
            for taken in node.names:
                if (taken.asname or taken.name) in names:
                    place = code_folder.PACKAGE.joinpath(*str(node.module).split(".")[1:])
                    inner = place / f"{taken.name}.py"
                    found.add(inner if inner.is_file() else place.with_suffix(".py"))
    return found


def test_other_users_of_numba_keep_their_own_folder() -> None:
    before = numba.config.CACHE_DIR
    kernel(lambda a: a)
    assert before == numba.config.CACHE_DIR


@pytest.mark.slow
@pytest.mark.parametrize("temporary", [False, True])
def test_a_folder_that_cannot_be_written_falls_back_with_one_line(package: Path, temporary: bool) -> None:
    (package / "file").touch()
    blocked = package / "file" / "cache"  # a folder in a file: even root cannot make it
    home = blocked if temporary else package / "home"
    environment = dict(
        os.environ, NUMBA_CACHE_DIR=str(blocked), PYTHONPATH=str(package), HOME=str(home), TMPDIR=str(package)
    )
    ran = subprocess.run(
        [sys.executable, "-c", CALL], cwd=package, env=environment, capture_output=True, text=True, timeout=120
    )
    assert ran.stdout.split()[1:] == ["2.0", "1"], ran.stderr
    (folder,) = [path.parents[1] for path in package.rglob("outer.outer*.nbc")]
    assert ran.stderr.splitlines() == [
        f"Compiled code cannot be kept in {blocked} (Not a directory); it is kept in {folder}."
    ]
    assert (folder.parent.name.startswith("armsweep-compiled-")) == temporary
