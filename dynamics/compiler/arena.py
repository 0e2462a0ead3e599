"""One block of memory for all tables of a system, so that a compiled call takes one array instead of twenty.

The block starts with three integers for each table: where it starts, its rows, its columns. ``placed`` lays tables
out, the views below find them again, in Python and in compiled code, where a view costs a few loads and, having no
owner, counts no references. Whoever lays tables out says once which is which: ``lane_tables.opened``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numba import carray, types
from numba.core import cgutils
from numba.extending import intrinsic, overload
from numpy.typing import NDArray

Array = NDArray[np.float64]
LINE = 8  # numbers in a cache line


def aligned_zeros(*shape: int) -> Array:
    """Zeros that start a cache line, so that no register's load straddles two."""
    count = int(np.prod(shape))
    room = np.zeros(count + LINE)
    start = -(room.ctypes.data // room.itemsize) % LINE
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


def integers(arena, i):
    """Table i, one-dimensional, of integers."""
    return vector(arena, i).view(np.int64)


def integer_table(arena, i):
    """Table i, two-dimensional, of integers."""
    return table(arena, i).view(np.int64)


def constant(view):
    """The same view, which the compiler lets nobody write."""
    return view


def _pointer(kind: Any) -> Any:
    @intrinsic
    def pointer(typing_context, arena, start):
        """Where number ``start`` of an arena stands."""

        def code(context, builder, signature, arguments):
            block = cgutils.create_struct_proxy(signature.args[0])(context, builder, value=arguments[0])
            place = builder.gep(block.data, [arguments[1]])
            return builder.bitcast(place, context.get_value_type(signature.return_type))

        return types.CPointer(kind)(arena, types.intp), code

    return pointer


_number_at, _integer_at = _pointer(types.float64), _pointer(types.int64)


@intrinsic
def _unwritable(typing_context, view):
    def code(context, builder, signature, arguments):
        return arguments[0]  # it has no owner, so there is nothing to count

    return view.copy(readonly=True)(view), code


@overload(constant)
def _constant(view):
    return lambda view: _unwritable(view)  # type: ignore[call-arg]


@overload(table)
def _table(arena, i):
    def found(arena, i):
        place = carray(_integer_at(arena, 3 * i), (3,))
        return carray(_number_at(arena, place[0]), (place[1], place[2]))

    return found


@overload(vector)
def _vector(arena, i):
    def found(arena, i):
        place = carray(_integer_at(arena, 3 * i), (2,))
        return carray(_number_at(arena, place[0]), (place[1],))

    return found


@overload(integers)
def _integers(arena, i):
    def found(arena, i):
        place = carray(_integer_at(arena, 3 * i), (2,))
        return carray(_integer_at(arena, place[0]), (place[1],))

    return found


@overload(integer_table)
def _integer_table(arena, i):
    def found(arena, i):
        place = carray(_integer_at(arena, 3 * i), (3,))
        return carray(_integer_at(arena, place[0]), (place[1], place[2]))

    return found
