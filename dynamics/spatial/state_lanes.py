"""Eight states of one system side by side: the lanes of a vector register.

A field of a link is eight consecutive numbers, one per state, and ``load6`` loads it into a register. Code written
for plain numbers (``vector``, ``spatial``) then works on eight states at once, since registers add and multiply
like numbers. This file adds what only states need: division, lanes that fail, columns of a table.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils

from dynamics.spatial.lanes import FLAGS, SIX, define

LANES = 8  # 16 and 32 were no faster


def gathered(values, start, step):
    """Every ``step``-th of eight numbers of a flat array, from ``start`` on."""
    return np.array([values[start + i * step] for i in range(LANES)])


def scattered(values, start, step, v):
    """Write a register to every ``step``-th of eight numbers of a flat array, from ``start`` on."""
    for i in range(LANES):
        values[start + i * step] = v[i]


def where_positive(v, condition):
    """v in the lanes where the condition is positive, NaN in the others."""
    return np.where(condition > 0.0, v, np.nan)


def _define() -> None:
    register = ir.VectorType(ir.DoubleType(), LANES)
    index = ir.IntType(32)

    def choose(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        v, condition = arguments
        positive = builder.fcmp_ordered(">", condition, ir.Constant(register, [0.0] * LANES))
        return builder.select(positive, v, ir.Constant(register, [float("nan")] * LANES))

    def is_flat(values: Any) -> bool:
        return isinstance(values, types.Array) and values.ndim == 1 and values.dtype == types.float64

    def places(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = cgutils.create_struct_proxy(signature.args[0])(context, builder, value=arguments[0]).data
        at, step = (context.cast(builder, arguments[i], signature.args[i], types.intp) for i in (1, 2))
        for lane in range(LANES):
            yield builder.gep(data, [at]), ir.Constant(index, lane)
            at = builder.add(at, step)

    def gather(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        result = ir.Constant(register, ir.Undefined)
        for place, lane in places(context, builder, signature, arguments):
            result = builder.insert_element(result, builder.load(place), lane)
        return result

    def scatter(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        for place, lane in places(context, builder, signature, arguments):
            builder.store(builder.extract_element(arguments[3], lane), place)
        return context.get_dummy_value()

    every = (types.Array, types.Integer, types.Integer)
    define(
        operator.truediv, (type(SIX), type(SIX)), lambda v, w: SIX if v == SIX and w == SIX else None,
        lambda context, builder, signature, arguments: builder.fdiv(*arguments, flags=FLAGS),
    )  # fmt: skip
    define(
        where_positive,
        (type(SIX), type(SIX)),
        lambda v, condition: SIX if v == SIX and condition == SIX else None,
        choose,
    )
    define(gathered, every, lambda values, start, step: SIX if is_flat(values) else None, gather)
    define(
        scattered, (*every, type(SIX)),
        lambda values, start, step, v: types.none if is_flat(values) and v == SIX else None, scatter,
    )  # fmt: skip


_define()
