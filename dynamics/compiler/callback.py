"""A Python function that compiled code calls by its address; the interpreter's lock is held during the call."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
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
