"""The one compiler setting of all recursions."""

from __future__ import annotations

import os
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
    if "uncached" in os.environ.get("EXP", ""):
        return numba.njit(**_OPTIONS, **options)(function)
    with keeping_code() as kept:
        return numba.njit(cache=kept, **_OPTIONS, **options)(function)  # type: ignore[no-any-return]


def inlined(function: Function) -> Function:
    """A kernel that becomes part of the kernels that use it."""
    return kernel(function, forceinline=True)


def from_python(function: Function) -> Function:
    if "uncached" not in os.environ.get("EXP", ""):
        return function
    with keeping_code() as kept:
        return numba.njit(cache=kept, **_OPTIONS)(function.py_func)  # type: ignore[no-any-return]


array_kernel = kernel
