"""The one compiler setting of all recursions, and a compile cache that notices every source change."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core import types
from numba.core.dispatcher import Dispatcher

from dynamics.compile_cache import kept_on_disk

Function = TypeVar("Function", bound=Callable[..., Any])

# Contraction, unsigned zeros and reciprocals only: the other fastmath flags assume that NaN never occurs,
# and a recursion must be able to notice one.
_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "fastmath": {"contract", "nsz", "arcp"},
    "no_cfunc_wrapper": True,  # nobody calls a recursion by its address
}


@functools.cache
def package_stamp() -> str:
    """A digest of every source of this package."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def kernel(function: Function, **options: Any) -> Function:
    """Compile ``function`` on first use, kept on disk between runs.

    Numba refreshes a cached function when its own file changes, not when a function that it calls
    does. Our recursions call each other across files, so the stamp covers the whole package.
    """
    dispatcher: Any = kept_on_disk(lambda cache: numba.njit(cache=cache, **_OPTIONS, **options)(function))
    if isinstance(dispatcher, Dispatcher):  # NUMBA_DISABLE_JIT leaves functions as they are
        _take_numbers_by_type(dispatcher)
        cache_file = getattr(getattr(dispatcher, "_cache", None), "_cache_file", None)
        if cache_file is not None:
            cache_file._source_stamp = (cache_file._source_stamp, package_stamp())
    return dispatcher  # type: ignore[no-any-return]


def borrowing_kernel(function: Function) -> Function:
    """A ``kernel`` that makes and returns no arrays and does not count references to those it is lent.

    What it calls is compiled in the same way, so that must not make arrays either.

    Each array that is passed on from function to function otherwise costs two atomic instructions, which add
    up where a call works for a microsecond only.
    """
    return kernel(function, _nrt=False)


def inlined_kernel(function: Function) -> Function:
    """A kernel that becomes part of the kernels that use it."""
    return kernel(function, forceinline=True)


def inlined(function: Function) -> Function:
    """A few operations on numbers or registers, made part of every kernel that uses them."""
    dispatcher = numba.njit(forceinline=True, **_OPTIONS)(function)
    if isinstance(dispatcher, Dispatcher):
        _take_numbers_by_type(dispatcher)
    return dispatcher  # type: ignore[no-any-return]


def _take_numbers_by_type(dispatcher: Any) -> None:
    """Compile a called kernel once, whatever constants it is called with.

    Numba would compile ``get3(work, k, 12)`` and ``get3(work, k, 15)`` apart, a whole compilation for every
    column that is read somewhere. LLVM inlines both and finds the constants by itself.
    """
    template = dispatcher.get_call_template

    def get_call_template(arguments: Any, keywords: Any) -> Any:
        return template(
            tuple(types.unliteral(argument) for argument in arguments),
            {name: types.unliteral(argument) for name, argument in keywords.items()},
        )

    dispatcher.get_call_template = get_call_template
