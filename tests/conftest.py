"""How tests share a machine: on every core, each kernel compiled once; and what of it they may lack."""

import asyncio
import ctypes
import functools
import gc
import io
import os
import shutil
import zipfile
from collections.abc import Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import settings

from tests.changed import changed_files, reached_tests

for _pool in ("OPENBLAS", "OMP", "MKL"):  # before NumPy is imported: the tests themselves fill every core
    os.environ.setdefault(f"{_pool}_NUM_THREADS", "1")

UNCOMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
ROOT = Path(__file__).resolve().parents[1]
REACHED = pytest.StashKey[set[str]]()
REQUIRE_ALL = os.environ.get("ARMSWEEP_REQUIRE_ALL", "0") not in ("", "0")
T = TypeVar("T")


def run_apart(work: Coroutine[Any, Any, T]) -> T:
    """What comes of it in a loop of its own, in a thread: a process that drives a browser has one running already."""
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(asyncio.run, work).result()  # noqa: TID251


def zipped(files: Mapping[str, bytes | str]) -> bytes:
    """A zip archive of these files."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return data.getvalue()


def missing_for_render() -> list[str]:
    """Debian packages that off-screen rendering lacks."""
    lacking = [
        package for package, soname in (("libegl1", "libEGL.so.1"), ("libx11-6", "libX11.so.6")) if not loads(soname)
    ]
    if not any(Path("/usr/lib").glob(pattern) for pattern in ("*/dri/swrast_dri.so", "*/libgallium*.so")):
        lacking.append("libgl1-mesa-dri")
    return lacking


def loads(soname: str) -> bool:
    try:
        ctypes.CDLL(soname)
    except OSError:
        return False
    return True


NEEDS = {
    "render": functools.cache(missing_for_render),
    "browser": lambda: [] if shutil.which("chromium") else ["chromium"],
    "nginx": lambda: [] if shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin") else ["nginx"],
    "node": lambda: [] if shutil.which("node") else ["nodejs"],
}
"""Debian packages that are missing for the tests so marked."""


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """A process a core, at most four; a page, its browser and its server keep one busy. A few run in this process."""
    paths = [(config.invocation_params.dir / name.partition("::")[0]).resolve() for name in config.args]
    few = all(path.suffix == ".py" for path in paths) and len(paths) < 3
    return 0 if few else min(os.cpu_count() or 1, 4)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="everything: tests marked full as well, and many more draws")
    parser.addoption("--draws", type=int, default=300, help="with --full: examples of each property; default 300")
    parser.addoption("--changed", action="store_true", help="only the test files that a change reaches by its imports")
    parser.addoption("--since", default="HEAD", help="a revision that --changed compares with; default the last commit")


def pytest_configure(config: pytest.Config) -> None:
    """How many examples a property draws: the same few in the suite, others each time in `--full`."""
    settings.register_profile("suite", max_examples=20, deadline=None, derandomize=True, database=None)
    settings.register_profile("uncompiled", parent=settings.get_profile("suite"), max_examples=2)
    settings.register_profile("full", max_examples=config.getoption("--draws"), deadline=None, database=None)
    settings.load_profile("full" if config.getoption("--full") else "uncompiled" if UNCOMPILED else "suite")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With ``--changed``, test files that the change does not reach are not even imported."""
    if not config.getoption("--changed") or not collection_path.name.startswith("test_"):
        return None
    if REACHED not in config.stash:
        config.stash[REACHED] = reached_tests(changed_files(config.getoption("--since")))
    return collection_path.relative_to(ROOT).as_posix() not in config.stash[REACHED] or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    out = {"full"} if not config.getoption("--full") else set()
    if UNCOMPILED:
        out |= {"compiled_only"}
    left = [item for item in items if out.intersection(mark.name for mark in item.iter_markers())]
    config.hook.pytest_deselected(items=left)
    items[:] = [item for item in items if item not in left]
    items.sort(key=is_short)  # the longest files first: nobody is left alone with one at the end


def pytest_collection_finish(session: pytest.Session) -> None:
    """Where several processes run the tests, the first compiles every kernel, in its own time, and the others wait.

    What imports have left stays for good; the collector looks through what tests leave, and less often.
    """
    if session.items and "PYTEST_XDIST_WORKER" in os.environ and not UNCOMPILED:
        from dynamics import compile_kernels

        compile_kernels(everything=True)
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)


def is_short(item: pytest.Item) -> tuple[bool, bool]:
    """By the marks of whole files, and by where they stand: those of no room look at all of the project."""
    return not any(item.get_closest_marker(marker) for marker in NEEDS), item.path.parent != Path(__file__).parent


def pytest_runtest_setup(item: pytest.Item) -> None:
    for marker, missing in NEEDS.items():
        if item.get_closest_marker(marker) and (packages := missing()):
            reason = f"{marker} test: Debian package(s) missing, apt-get install {' '.join(packages)}"
            if REQUIRE_ALL:
                pytest.fail(reason, pytrace=False)
            pytest.skip(reason)
