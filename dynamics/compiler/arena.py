"""One block of memory for all tables of a system, so that a compiled call takes one array instead of twenty.

The block starts with three integers for each table: where it starts, its rows, its columns. ``placed`` lays tables
out, the views below find them again, in Python and in compiled code, where a view costs a few loads.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import lower_builtin, type_callable
from numba.np.arrayobj import populate_array
from numpy.typing import NDArray

Array = NDArray[np.float64]
LINE = 8  # numbers in a cache line


def aligned_zeros(count: int) -> Array:
    """Zeros that start a cache line, so that no register's load straddles two."""
    room = np.zeros(count + LINE)
    start = -(room.ctypes.data // room.itemsize) % LINE
    return room[start : start + count]


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


class Place(NamedTuple):
    """Where a table stands in an arena."""

    start: int  # bytes
    shape: tuple[int, ...]
    dtype: np.dtype[Any]


def places(arena: Array, tables: Sequence[NDArray[Any]]) -> tuple[Place, ...]:
    """Where ``placed`` has put each of ``tables``."""
    starts = arena.itemsize * arena[: 3 * len(tables)].view(np.int64)[::3]
    return tuple(Place(start, table.shape, table.dtype) for start, table in zip(starts.tolist(), tables, strict=True))


def views(arena: Array, where: Sequence[Place]) -> list[NDArray[Any]]:
    """The tables of an arena, in the shapes and types that they were placed with."""
    return [np.ndarray(place.shape, place.dtype, arena.data, place.start) for place in where]


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


def constant_table(arena, i):
    """Table i, two-dimensional, which the compiler lets nobody write."""
    return table(arena, i)


def constant_vector(arena, i):
    """Table i, one-dimensional, which the compiler lets nobody write."""
    return vector(arena, i)


def constant_integers(arena, i):
    """Table i, two-dimensional, of integers, which the compiler lets nobody write."""
    return table(arena, i).view(np.int64)


def integer_vector(arena, i):
    """Table i, one-dimensional, of integers."""
    return vector(arena, i).view(np.int64)


def _define(function: Any, dtype: Any, dimensions: int, constant: bool = False) -> None:
    view = types.Array(dtype, dimensions, "C", readonly=constant)

    @type_callable(function)
    def _type(context: Any) -> Any:
        return lambda arena, i: view if isinstance(arena, types.Array) and isinstance(i, types.Integer) else None

    @lower_builtin(function, types.Array, types.Integer)
    def _lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        arena = context.make_array(signature.args[0])(context, builder, arguments[0])
        i = context.cast(builder, arguments[1], signature.args[1], types.intp)
        word = context.get_value_type(types.intp)
        header = builder.bitcast(arena.data, word.as_pointer())
        first = builder.mul(i, word(3))
        start, *shape = (builder.load(builder.gep(header, [builder.add(first, word(n))])) for n in range(3))
        size = word(8)
        result = context.make_array(view)(context, builder)
        data = builder.bitcast(builder.gep(arena.data, [start]), context.get_data_type(dtype).as_pointer())
        shape = shape[:dimensions]
        strides = [builder.mul(size, shape[1]), size] if dimensions == 2 else [size]
        populate_array(
            result,
            data=data,
            shape=cgutils.pack_array(builder, shape),
            strides=cgutils.pack_array(builder, strides),
            itemsize=size,
            meminfo=None,  # the caller's array keeps the memory
        )
        return result._getvalue()


_define(table, types.float64, 2)
_define(vector, types.float64, 1)
_define(integer_vector, types.int64, 1)
_define(constant_table, types.float64, 2, constant=True)
_define(constant_vector, types.float64, 1, constant=True)
_define(constant_integers, types.int64, 2, constant=True)
