"""The one compiler setting of all recursions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba

from dynamics.compiler.code_folder import keeping_code

Function = TypeVar("Function", bound=Callable[..., Any])

# Contraction, unsigned zeros and reciprocals only: the other fastmath flags assume that NaN never occurs,
# and a recursion must be able to notice one.
_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "fastmath": {"contract", "nsz", "arcp"},
}


def kernel(function: Function, **options: Any) -> Function:
    """Compile ``function`` on first use, kept on disk between runs. It borrows its arrays and makes none.

    Nobody then notes that an array is in use: ``_nrt`` is the one option of numba's that its manual leaves out. What
    it buys, row by row: docs/compilation.md.
    """
    return _compiled(function, _nrt=False, **options)


def allocating(function: Function) -> Function:
    """A kernel that makes arrays: it counts who uses them, and those it was given.

    It may call no ``kernel`` that returns an array, which it would let go of although nobody took it.
    """
    return _compiled(function, _nrt=True)


def inlined(function: Function) -> Function:
    """A kernel that LLVM makes part of the kernels that use it."""
    return kernel(function, forceinline=True)


def part(function: Function) -> Function:
    """A part of one or two kernels, written apart: it is not compiled by itself, which would be done in vain.

    LLVM optimizes and assembles a kernel once more in every kernel that calls it, so levels cost seconds.
    """
    return kernel(function, inline="always")


def _compiled(function: Function, **options: Any) -> Function:
    with keeping_code() as kept:
        return numba.njit(cache=kept, **_OPTIONS, **options)(function)  # type: ignore[no-any-return]
