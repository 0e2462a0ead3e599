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

from dynamics.compiler.compile_cache import kept_on_disk

Function = TypeVar("Function", bound=Callable[..., Any])

# Contraction, unsigned zeros and reciprocals only: the other fastmath flags assume that NaN never occurs,
# and a recursion must be able to notice one.
_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "fastmath": {"contract", "nsz", "arcp"},
    "_nrt": False,  # no memory manager
    "no_cpython_wrapper": True,  # see ``from_python``
    "no_cfunc_wrapper": True,  # nobody calls a recursion by its address
}


STAMP_LENGTH = 16
"""Digits of the package's stamp in the name of a file with machine code."""


@functools.cache
def package_stamp() -> str:
    """A digest of every source of this package."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parents[1].rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def kernel(function: Function, **options: Any) -> Function:
    """Compile ``function`` on first use, kept on disk between runs.

    A kernel is lent arrays: it makes none, except those of ``local_arrays``, returns none to Python, and does not
    count references. Each array that is passed on would otherwise cost two atomic instructions, which add up where
    a call works for a microsecond only.

    Numba refreshes a cached function when its own file changes, not when a function that it calls
    does. Our recursions call each other across files, so the stamp covers the whole package. It is in the names of
    the files, too: were a compiler stopped after it has renewed the list of what is kept, the list would else name
    the code of older sources.
    """
    chosen = {**_OPTIONS, **options}
    dispatcher: Any = kept_on_disk(lambda cache: numba.njit(cache=cache, **chosen)(function))
    if isinstance(dispatcher, Dispatcher):  # NUMBA_DISABLE_JIT leaves functions as they are
        _take_numbers_by_type(dispatcher)
        _add_for_kernels(dispatcher)
        cache_file = getattr(getattr(dispatcher, "_cache", None), "_cache_file", None)
        if cache_file is not None:
            cache_file._source_stamp = (cache_file._source_stamp, package_stamp())
            cache_file._data_name_pattern = cache_file._data_name_pattern.replace(
                ".{number", f".{package_stamp()[:STAMP_LENGTH]}.{{number"
            )
    return dispatcher  # type: ignore[no-any-return]


def array_kernel(function: Function) -> Function:
    """A kernel that may make and return arrays. A ``kernel`` must not take such an array from it."""
    return kernel(function, _nrt=True)


def inlined(function: Function) -> Function:
    """A kernel that becomes part of the kernels that use it."""
    return kernel(function, forceinline=True)


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


def from_python(function: Function) -> Function:
    """Compile a kernel so that Python can call it, which is for kernels that a session calls.

    What unpacks Python's arguments is a sixth of a kernel's compilation. Most kernels are called by kernels only and
    go without; should Python call one all the same, it is compiled once more, in every process that does.
    """
    if isinstance(function, Dispatcher):
        dispatcher: Any = function
        dispatcher.targetoptions["no_cpython_wrapper"] = False
        del dispatcher._compile_for_args
    return function


def _add_for_kernels(dispatcher: Any) -> None:
    """Let kernels alone call what is compiled, and keep its notes of what must be loaded before it.

    A note (see ``separate_kernel``) is handed on to what the kernel is linked into. Numba does so where it has
    compiled the kernel itself, and forgets it where the kernel comes from disk.
    """
    add = dispatcher.add_overload

    @functools.cache
    def twin() -> Any:
        options = {**dispatcher.targetoptions, "no_cpython_wrapper": False, "_nrt": True}  # it may return arrays
        return numba.jit(**options)(dispatcher.py_func)

    def add_overload(compiled: Any) -> None:
        compiled.library._reload_init.update(compiled.reload_init)
        if dispatcher.targetoptions["no_cpython_wrapper"]:  # nothing is there that Python could call
            dispatcher.overloads[tuple(compiled.signature.args)] = compiled
        else:
            add(compiled)

    dispatcher.add_overload = add_overload
    dispatcher._compile_for_args = lambda *arguments: twin()._compile_for_args(*arguments)
