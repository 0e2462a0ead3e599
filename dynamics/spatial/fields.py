"""One source for one state and for eight: the dimensions of a table decide whether an entry is a number or a register.

A table of one state is [row][column], and its entries are numbers. A block of eight states is [row][column][lane], and
its entries are registers of eight (see ``state_lanes``). Code written with these few functions and with ``vector`` and
``spatial``, whose sums and products work on both, runs on either; uncompiled, also on numbers that count operations.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import lower_builtin, overload, type_callable

from dynamics.compiler.kernels import inlined_entry
from dynamics.spatial.lanes import SIX, everywhere
from dynamics.spatial.sine_cosine import LARGEST_ANGLE, sine_and_cosine
from dynamics.spatial.state_lanes import where_positive


def at(table, k, c):
    """Entry c of row k."""
    value = table[k, c]
    return value if table.ndim == 2 else value.copy()


def put(table, k, c, v):
    """Write entry c of row k; a number goes into all lanes of a block."""
    table[k, c] = v


def like(number, v):
    """A number converted to the type of ``v``."""
    return number if getattr(v, "ndim", 0) == 0 else everywhere(number)


def positive(v):
    """v where it is positive, else NaN."""
    if getattr(v, "ndim", 0) == 0:
        return v if v > 0.0 else np.nan
    return where_positive(v, v)


def sine_cosine(angle):
    """The sine and the cosine of an angle; of eight, NaN for any beyond ``LARGEST_ANGLE``."""
    if getattr(angle, "ndim", 0) == 0:
        return math.sin(angle), math.cos(angle)
    return within_turns(angle)


@inlined_entry
def within_turns(angle):
    """``sine_and_cosine``, for angles within its range."""
    largest = everywhere(LARGEST_ANGLE)
    return sine_and_cosine(where_positive(where_positive(angle, largest - angle), largest + angle))


def _define() -> None:
    kinds = (types.float64, SIX)

    def entry(table: Any) -> Any:
        if (
            isinstance(table, types.Array)
            and (table.dtype, table.layout) == (types.float64, "C")
            and table.ndim in (2, 3)
        ):
            return kinds[table.ndim - 2]
        return None

    def place(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        kind = signature.args[0]
        table = context.make_array(kind)(context, builder, arguments[0])
        row, column = (context.cast(builder, arguments[i], signature.args[i], types.intp) for i in (1, 2))
        # Not by the table's strides: the compiler knows constants, but not strides.
        entry = builder.add(builder.mul(row, cgutils.unpack_tuple(builder, table.shape)[1]), column)
        if kind.ndim == 2:
            return builder.gep(table.data, [entry])
        first = builder.gep(table.data, [builder.mul(entry, ir.Constant(entry.type, SIX.count))])
        return builder.bitcast(first, ir.VectorType(ir.DoubleType(), SIX.count).as_pointer())

    @type_callable(at)
    def _type_entry(context: Any) -> Any:
        return lambda table, k, c: entry(table)

    @lower_builtin(at, types.Array, types.Integer, types.Integer)
    def _lower_entry(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        value = builder.load(place(context, builder, signature, arguments))
        value.align = 8
        return value

    @type_callable(put)
    def _type_put(context: Any) -> Any:
        return lambda table, k, c, v: types.none if v in kinds and entry(table) in (v, SIX) else None

    @lower_builtin(put, types.Array, types.Integer, types.Integer, types.Float)
    @lower_builtin(put, types.Array, types.Integer, types.Integer, type(SIX))
    def _lower_put(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        value = arguments[3]
        if signature.args[3] != entry(signature.args[0]):
            value = _in_every_lane(builder, value)
        builder.store(value, place(context, builder, signature, arguments)).align = 8
        return context.get_dummy_value()

    @type_callable(like)
    def _type_like(context: Any) -> Any:
        return lambda number, v: v if number == types.float64 and v in kinds else None

    @lower_builtin(like, types.Float, types.Float)
    def _lower_number(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return arguments[0]

    @lower_builtin(like, types.Float, type(SIX))
    def _lower_register(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _in_every_lane(builder, arguments[0])

    @overload(positive)
    def _positive(v):
        if v == SIX:
            return lambda v: where_positive(v, v)
        return lambda v: v if v > 0.0 else np.nan

    @overload(sine_cosine)
    def _sine_cosine(angle):
        if angle == SIX:
            return lambda angle: within_turns(angle)
        return lambda angle: (math.sin(angle), math.cos(angle))


def _in_every_lane(builder: ir.IRBuilder, number: Any) -> Any:
    kind = ir.VectorType(ir.DoubleType(), SIX.count)
    empty = ir.Constant(kind, ir.Undefined)
    first = builder.insert_element(empty, number, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(first, empty, ir.Constant(ir.VectorType(ir.IntType(32), SIX.count), [0] * SIX.count))


_define()
