"""What a test may need of the machine, and what happens where it is missing."""

from __future__ import annotations

import ctypes
import functools
import os
import shutil
from pathlib import Path

import pytest

UNCOMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
REQUIRE_ALL = os.environ.get("ARMSWEEP_REQUIRE_ALL", "0") not in ("", "0")


def missing_for_render() -> list[str]:
    """Debian packages that off-screen rendering lacks."""
    lacking = [
        package for package, soname in (("libegl1", "libEGL.so.1"), ("libx11-6", "libX11.so.6")) if not loads(soname)
    ]
    if not any(Path("/usr/lib").glob(pattern) for pattern in ("*/dri/swrast_dri.so", "*/libgallium*.so")):
        lacking.append("libgl1-mesa-dri")
    return lacking


def missing_for_browser() -> list[str]:
    """Debian packages that a browser test lacks."""
    return [] if shutil.which("chromium") else ["chromium"]


def loads(soname: str) -> bool:
    try:
        ctypes.CDLL(soname)
    except OSError:
        return False
    return True


NEEDS = {"browser": functools.cache(missing_for_browser), "render": functools.cache(missing_for_render)}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if UNCOMPILED:
        too_long = [item for item in items if item.get_closest_marker("compiled_only")]
        config.hook.pytest_deselected(items=too_long)
        items[:] = [item for item in items if item not in too_long]


def pytest_runtest_setup(item: pytest.Item) -> None:
    for marker, missing in NEEDS.items():
        if item.get_closest_marker(marker) and (packages := missing()):
            reason = f"{marker} test: Debian package(s) missing, apt-get install {' '.join(packages)}"
            if REQUIRE_ALL:
                pytest.fail(reason, pytrace=False)
            pytest.skip(reason)
