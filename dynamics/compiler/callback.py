"""Functions that compiled code calls by their addresses: Python's, and kernels that would be compiled into each caller.

The interpreter's lock is held while a function of Python's is called. LLVM optimizes a kernel again in every kernel
that calls it, unless the call is by address, which costs some 50 ns.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import typeof, types
from numba.core import cgutils
from numba.extending import lower_builtin, type_callable

_Answer: Any = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_double)


def with_address(function: Callable[[float], int]) -> tuple[Any, int]:
    """A C function and its address. Keep a reference while it may be called. It may not raise."""
    made = _Answer(function)
    return made, ctypes.cast(made, ctypes.c_void_p).value or 0


def answer_of(address, number):
    """The result of the function at an address for a number."""
    return _Answer(address)(number)


@type_callable(answer_of)
def _type(context: Any) -> Any:
    return lambda address, number: types.int64 if isinstance(address, types.Integer) else None


@lower_builtin(answer_of, types.Integer, types.Float)
def _lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    kind = ir.FunctionType(ir.IntType(64), [ir.DoubleType()])
    return builder.call(builder.inttoptr(arguments[0], kind.as_pointer()), [arguments[1]])


_addresses: dict[Any, Any] = {}


def address_of(kernel: Any, *arguments: Any) -> Any:
    """A kernel's address, after it has been compiled for arguments of these types; always the same for one kernel."""
    if not hasattr(kernel, "compile"):  # NUMBA_DISABLE_JIT leaves plain functions
        return kernel
    if kernel not in _addresses:
        kinds = tuple(typeof(argument) for argument in arguments)
        if kinds not in kernel.overloads:  # a solver may have fixed what it is compiled for
            kernel.compile(kinds)
        compiled = kernel.overloads[kinds]
        _addresses[kernel] = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)
    return _addresses[kernel]


def status_at(address, arguments):
    """What the kernel at an address returns, an integer, for a tuple of arguments; their types are not checked."""
    return address(*arguments)


@type_callable(status_at)
def _type_status(context: Any) -> Any:
    return lambda address, arguments: types.int64 if isinstance(address, types.Integer) else None


@lower_builtin(status_at, types.Integer, types.BaseTuple)
def _lower_status(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    kinds = tuple(signature.args[1])
    kind = context.call_conv.get_function_type(types.int64, kinds)
    function = builder.inttoptr(arguments[0], kind.as_pointer())
    parts = cgutils.unpack_tuple(builder, arguments[1], len(kinds))
    return context.call_conv.call_function(builder, function, types.int64, kinds, parts)[1]
