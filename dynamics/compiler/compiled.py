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
    """Compile ``function`` on first use, kept on disk between runs."""
    with keeping_code() as kept:
        return numba.njit(cache=kept, **_OPTIONS, **options)(function)  # type: ignore[no-any-return]


def lent(function: Function) -> Function:
    """A kernel that Python calls for microseconds: nobody notes that it borrows its arrays. It returns none.

    The one option of numba's that its manual leaves out. Two benchmark rows need it: see docs/compilation.md.
    """
    return kernel(function, _nrt=False)


def inlined(function: Function) -> Function:
    """A kernel that LLVM makes part of the kernels that use it."""
    return kernel(function, forceinline=True)


def part(function: Function) -> Function:
    """A part of one or two kernels, written apart: it is not compiled by itself, which would be done in vain.

    LLVM optimizes and assembles a kernel once more in every kernel that calls it, so levels cost seconds.
    """
    return kernel(function, inline="always")
