"""Small arrays that live as long as one call of a kernel, on its stack: nothing is asked of the memory manager.

They start with whatever is there. Sizes are constants. A kernel must not return them.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import lower_builtin, type_callable
from numba.np.arrayobj import populate_array


def local_table(rows, columns):
    """Room for a matrix."""
    return np.empty((rows, columns))


def local_vector(count):
    """Room for a vector."""
    return np.empty(count)


def local_integers(count):
    """Room for a vector of integers."""
    return np.empty(count, dtype=np.int64)


def _define(function: Any, dtype: Any, dimensions: int) -> None:
    kind = types.Array(dtype, dimensions, "C")

    def of_constants(*sizes: Any) -> Any:
        return kind if all(isinstance(size, types.IntegerLiteral) for size in sizes) else None

    @type_callable(function)
    def _type(context: Any) -> Any:
        if dimensions == 2:
            return lambda rows, columns: of_constants(rows, columns)
        return lambda count: of_constants(count)

    @lower_builtin(function, *[types.IntegerLiteral] * dimensions)
    def _lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        shape = [size.literal_value for size in signature.args]
        word, number = context.get_value_type(types.intp), context.get_data_type(dtype)
        result = context.make_array(kind)(context, builder)
        populate_array(
            result,
            data=cgutils.alloca_once(builder, number, size=math.prod(shape)),
            shape=cgutils.pack_array(builder, [word(size) for size in shape]),
            strides=cgutils.pack_array(builder, [word(8 * math.prod(shape[i + 1 :])) for i in range(dimensions)]),
            itemsize=word(8),
            meminfo=None,
        )
        return result._getvalue()


_define(local_table, types.float64, 2)
_define(local_vector, types.float64, 1)
_define(local_integers, types.int64, 1)
