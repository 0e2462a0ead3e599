"""One block of memory for all tables of a system, so that a compiled call takes one array instead of twenty.

The block starts with three integers for each table: its start, its rows, its columns. ``placed`` lays tables
out; the views below find them again, in Python and in compiled code, where a view costs a few loads and, having no
owner, counts no references. ``lanes.workspace.opened`` gives the tables of its arena their names.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import lower_builtin, type_callable
from numpy.typing import NDArray

Array = NDArray[np.float64]
LINE = 8  # numbers in a cache line


def aligned_zeros(*shape: int) -> Array:
    """Zeros that start at a cache line, so that no vector load straddles two lines."""
    count = math.prod(shape)
    room = np.zeros(count + LINE)
    start = -(room.__array_interface__["data"][0] // room.itemsize) % LINE
    return room[start : start + count].reshape(shape)


def placed(tables: Sequence[NDArray[Any]]) -> Array:
    """A block that holds copies of one- and two-dimensional arrays of float64 or int64."""
    starts, end = [], LINE * -(-3 * len(tables) // LINE)
    for table in tables:
        starts.append(end)
        end += LINE * -(-table.size // LINE)
    arena = aligned_zeros(end)
    header = arena.view(np.int64)
    for i, (start, table) in enumerate(zip(starts, tables, strict=True)):
        header[3 * i : 3 * i + 3] = start, table.shape[0], table.shape[1] if table.ndim == 2 else 1
        arena[start : start + table.size] = np.ascontiguousarray(table).ravel().view(np.float64)
    return arena


class Slot(NamedTuple):
    """The place of a table in an arena."""

    start: int  # bytes
    shape: tuple[int, ...]
    dtype: np.dtype[Any]


def slots(arena: Array, tables: Sequence[NDArray[Any]]) -> tuple[Slot, ...]:
    """The places where ``placed`` has put ``tables``."""
    starts = arena.itemsize * arena[: 3 * len(tables)].view(np.int64)[::3]
    return tuple(Slot(start, table.shape, table.dtype) for start, table in zip(starts.tolist(), tables, strict=True))


def views(arena: Array, where: Sequence[Slot]) -> list[NDArray[Any]]:
    """The tables of an arena, with their original shapes and types."""
    return [np.ndarray(slot.shape, slot.dtype, arena.data, slot.start) for slot in where]


def _part(arena: Array, i: int) -> tuple[Array, int, int]:
    start, rows, columns = (int(n) for n in arena[3 * i : 3 * i + 3].view(np.int64))
    return arena[start : start + rows * columns], rows, columns


def table(arena, i):
    """Table i, two-dimensional."""
    numbers, rows, columns = _part(arena, i)
    return numbers.reshape(rows, columns)


def vector(arena, i):
    """Table i, one-dimensional."""
    return _part(arena, i)[0]


def integers(arena, i):
    """Table i, one-dimensional, of integers."""
    return vector(arena, i).view(np.int64)


def integer_table(arena, i):
    """Table i, two-dimensional, of integers."""
    return table(arena, i).view(np.int64)


def constant(view):
    """The same view, but read-only to the compiler."""
    return view


def _define(function: Any, kind: Any, dimensions: int) -> None:
    view = types.Array(kind, dimensions, "C")

    @type_callable(function)
    def _type(context: Any) -> Any:
        return lambda arena, i: view if isinstance(arena, types.Array) and isinstance(i, types.Integer) else None

    @lower_builtin(function, types.Array, types.Integer)
    def _lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        arena = cgutils.create_struct_proxy(signature.args[0])(context, builder, value=arguments[0])
        found = cgutils.create_struct_proxy(view)(context, builder)
        word = context.get_value_type(types.intp)
        size = word(8)
        header = builder.bitcast(arena.data, word.as_pointer())
        first = builder.mul(context.cast(builder, arguments[1], signature.args[1], types.intp), word(3))
        start, *shape = (builder.load(builder.gep(header, [builder.add(first, word(n))])) for n in range(3))
        strides = [builder.mul(size, shape[1]), size] if dimensions == 2 else [size]
        found.data = builder.bitcast(builder.gep(arena.data, [start]), found.data.type)
        found.shape = cgutils.pack_array(builder, shape[:dimensions])
        found.strides = cgutils.pack_array(builder, strides)
        found.itemsize = size
        found.nitems = builder.mul(*shape)
        found.meminfo = cgutils.get_null_value(found.meminfo.type)  # the caller's array keeps the memory
        found.parent = cgutils.get_null_value(found.parent.type)
        return found._getvalue()


@type_callable(constant)
def _type_constant(context: Any) -> Any:
    return lambda view: view.copy(readonly=True)


@lower_builtin(constant, types.Array)
def _lower_constant(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return arguments[0]


_define(table, types.float64, 2)
_define(vector, types.float64, 1)
_define(integers, types.int64, 1)
_define(integer_table, types.int64, 2)
