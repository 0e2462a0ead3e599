"""The one compiler setting of all recursions, and a compile cache that notices every source change."""

from __future__ import annotations

import functools
import hashlib
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba

Function = TypeVar("Function", bound=Callable[..., Any])

# Contraction, unsigned zeros and reciprocals only: the other fastmath flags assume that NaN never occurs,
# and a recursion must be able to notice one.
_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "fastmath": {"contract", "nsz", "arcp"},
}


@functools.cache
def _package_stamp() -> str:
    """A digest of every source of this package."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def kernel(function: Function) -> Function:
    """Compile ``function`` on first use, kept on disk between runs.

    Numba refreshes a cached function when its own file changes, not when a function that it calls
    does. Our recursions call each other across files, so the stamp covers the whole package.
    """
    return _compiled(function, _OPTIONS)


def borrowing_kernel(function: Function) -> Function:
    """A ``kernel`` that makes and returns no arrays and does not count references to those it is lent.

    What it calls is compiled in the same way, so that must not make arrays either.

    Each array that is passed on from function to function otherwise costs two atomic instructions, which add
    up where a call works for a microsecond only.
    """
    return _compiled(function, {**_OPTIONS, "_nrt": False})


def part_of_kernel(function: Function) -> Function:
    """A part of a ``borrowing_kernel``, copied into whatever calls it and compiled there only."""
    return _compiled(function, {**_OPTIONS, "_nrt": False, "inline": "always"})


def _compiled(function: Function, options: dict[str, Any]) -> Function:
    try:
        dispatcher = numba.njit(cache=True, **options)(function)
    except RuntimeError as error:  # no folder that the cache can be written to
        warnings.warn(f"compiled code cannot be kept between runs: {error}", RuntimeWarning, stacklevel=3)
        return numba.njit(**options)(function)  # type: ignore[no-any-return]
    cache_file = getattr(getattr(dispatcher, "_cache", None), "_cache_file", None)
    if cache_file is not None:
        cache_file._source_stamp = (cache_file._source_stamp, _package_stamp())
    return dispatcher  # type: ignore[no-any-return]
