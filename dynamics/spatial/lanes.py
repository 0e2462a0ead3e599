"""Three-vectors and spatial vectors in the lanes of a vector register.

A three-vector takes four lanes, the last one zero; a spatial vector eight: [angular, 0, linear, 0]. Compiled code
keeps each in one register and adds, scales and crosses all lanes at once; machines with shorter registers take two
or four. Uncompiled, the same functions work on arrays (``plain_lanes``); this file defines how they compile.

    +, -       lane by lane
    *          lane by lane, or a number times a register
    v[i]       one lane
    load3, load6, store, store_six, cross, dot, angular, linear, join, ...: see ``plain_lanes``
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import lower_builtin, models, register_model, type_callable

from dynamics.spatial.plain_lanes import (
    TILDE,
    TILDE_SIGNS,
    TURNS,
    angular,
    cross,
    dot,
    everywhere,
    exchanged,
    join,
    linear,
    load3,
    load6,
    on_halves,
    spread,
    store,
    store_six,
    tildes,
    turned,
    whole,
)

__all__ = [
    "angular", "cross", "dot", "everywhere", "exchanged", "join", "linear", "load3", "load6", "spread", "store",
    "store_six", "tildes", "turned", "whole",
]  # fmt: skip

FLAGS = ("contract", "nsz", "arcp")
_INDEX = ir.IntType(32)


class Lanes(types.Type):
    """The compiler's type of a register of ``count`` numbers."""

    def __init__(self, count: int) -> None:
        self.count = count
        super().__init__(name=f"Lanes({count})")


THREE, SIX = Lanes(4), Lanes(8)


@register_model(Lanes)
class LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, lanes: Lanes) -> None:
        super().__init__(manager, lanes, ir.VectorType(ir.DoubleType(), lanes.count))


def define(function: Any, kinds: tuple[Any, ...], typed: Callable[..., Any], code: Callable[..., Any]) -> None:
    """Defines how ``function`` compiles.

    Args:
        kinds: types of its arguments.
        typed: the result type for those argument types, or None if they do not fit.
        code: generates the code from context, builder, signature and arguments.
    """
    type_callable(function)(lambda context: typed)
    lower_builtin(function, *kinds)(code)


def entry(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any, count: int) -> Any:
    """The address of ``count`` numbers in a table, whose row and column follow it in the arguments."""
    table = cgutils.create_struct_proxy(signature.args[0])(context, builder, value=arguments[0])
    columns = cgutils.unpack_tuple(builder, table.shape)[1]
    row, column = (context.cast(builder, arguments[i], signature.args[i], types.intp) for i in (1, 2))
    place = builder.gep(table.data, [builder.add(builder.mul(row, columns), column)])
    return builder.bitcast(place, ir.VectorType(ir.DoubleType(), count).as_pointer())


def shuffle(builder: ir.IRBuilder, v: Any, w: Any, lanes: tuple[int, ...]) -> Any:
    """Some lanes of two registers."""
    return builder.shuffle_vector(v, w, ir.Constant(ir.VectorType(_INDEX, len(lanes)), list(lanes)))


def in_all_lanes(builder: ir.IRBuilder, number: Any, count: int) -> Any:
    """One number in all lanes of a register."""
    empty = ir.Constant(ir.VectorType(ir.DoubleType(), count), ir.Undefined)
    first = builder.insert_element(empty, number, ir.Constant(_INDEX, 0))
    return shuffle(builder, first, empty, (0,) * count)


def _is_table(kind: Any) -> bool:
    return isinstance(kind, types.Array) and kind.ndim == 2 and kind.layout == "C" and kind.dtype == types.float64


def _same(v: Any, w: Any) -> Any:
    return v if isinstance(v, Lanes) and v == w else None


def _define_memory() -> None:
    place = (types.Array, types.Integer, types.Integer)

    def load(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        value = builder.load(entry(context, builder, signature, arguments, signature.return_type.count))
        value.align = 8
        return value

    def keep(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.store(arguments[3], entry(context, builder, signature, arguments, signature.args[3].count)).align = 8
        return context.get_dummy_value()

    def keep_six(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        v, first = arguments[3], entry(context, builder, signature, arguments, 2)
        for i, lanes in enumerate(((0, 1), (2, 4), (5, 6))):
            builder.store(shuffle(builder, v, v, lanes), builder.gep(first, [_INDEX(i)])).align = 8
        return context.get_dummy_value()

    define(load3, place, lambda table, k, c: THREE if _is_table(table) else None, load)
    define(load6, place, lambda table, k, c: SIX if _is_table(table) else None, load)
    define(
        store, (*place, Lanes),
        lambda table, k, c, v: types.none if _is_table(table) and isinstance(v, Lanes) else None, keep,
    )  # fmt: skip
    define(
        store_six,
        (*place, Lanes),
        lambda table, k, c, v: types.none if _is_table(table) and v == SIX else None,
        keep_six,
    )


def _define_arithmetic() -> None:
    def lane_by_lane(instruction: str) -> Any:
        return lambda context, builder, signature, arguments: getattr(builder, instruction)(*arguments, flags=FLAGS)

    def scaled(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.fmul(in_all_lanes(builder, arguments[0], arguments[1].type.count), arguments[1], flags=FLAGS)

    def floor(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = arguments[0].type
        function = builder.module.declare_intrinsic(f"llvm.floor.v{kind.count}f64", (), ir.FunctionType(kind, [kind]))
        return builder.call(function, arguments)

    for function, instruction in ((operator.add, "fadd"), (operator.sub, "fsub"), (operator.mul, "fmul")):
        define(function, (Lanes, Lanes), _same, lane_by_lane(instruction))
    define(operator.neg, (Lanes,), lambda v: v if isinstance(v, Lanes) else None, lane_by_lane("fneg"))
    define(
        operator.mul, (types.Float, Lanes),
        lambda s, v: v if s == types.float64 and isinstance(v, Lanes) else None, scaled,
    )  # fmt: skip
    define(
        everywhere, (types.Float,), lambda number: SIX if number == types.float64 else None,
        lambda context, builder, signature, arguments: in_all_lanes(builder, arguments[0], 8),
    )  # fmt: skip
    define(whole, (Lanes,), lambda v: v if isinstance(v, Lanes) else None, floor)
    define(
        operator.getitem, (Lanes, types.Integer),
        lambda v, i: types.float64 if isinstance(v, Lanes) and isinstance(i, types.Integer) else None,
        lambda context, builder, signature, arguments: builder.extract_element(*arguments),
    )  # fmt: skip


def _define_geometry() -> None:
    def lower_cross(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        v, w = arguments
        lanes = on_halves(TURNS[1], v.type.count)
        turned_v, turned_w = (shuffle(builder, u, u, lanes) for u in (v, w))
        forward, back = builder.fmul(v, turned_w, flags=FLAGS), builder.fmul(turned_v, w, flags=FLAGS)
        product = builder.fsub(forward, back, flags=FLAGS)
        return shuffle(builder, product, product, lanes)

    def lower_dot(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        product = builder.fmul(*arguments, flags=FLAGS)
        if product.type.count == 8:
            halves = (shuffle(builder, product, product, lanes) for lanes in ((0, 1, 2, 3), (4, 5, 6, 7)))
            product = builder.fadd(*halves, flags=FLAGS)
        lane = [builder.extract_element(product, ir.Constant(_INDEX, i)) for i in range(3)]
        return builder.fadd(builder.fadd(lane[0], lane[1], flags=FLAGS), lane[2], flags=FLAGS)

    def lower_spread(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        value = ir.Constant(ir.VectorType(ir.DoubleType(), 4), [0.0] * 4)
        for i, number in enumerate(arguments):
            value = builder.insert_element(value, number, ir.Constant(_INDEX, i))
        return value

    def lower_tildes(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        j = signature.args[1].literal_value
        signs = (*TILDE_SIGNS[j], *(-sign for sign in TILDE_SIGNS[j]))
        numbers = shuffle(builder, arguments[0], arguments[0], 2 * TILDE[j])
        return builder.fmul(ir.Constant(numbers.type, list(signs)), numbers, flags=FLAGS)

    def chosen(lanes: Callable[[Any], tuple[int, ...]]) -> Any:
        return lambda context, builder, signature, arguments: shuffle(
            builder, arguments[0], arguments[0], lanes(signature)
        )

    def turns(signature: Any) -> tuple[int, ...]:
        return on_halves(TURNS[signature.args[1].literal_value], signature.return_type.count)

    def constant_choice(v: Any, n: Any) -> Any:
        return v if isinstance(v, Lanes) and isinstance(n, types.IntegerLiteral) else None

    define(cross, (Lanes, Lanes), _same, lower_cross)
    define(dot, (Lanes, Lanes), lambda v, w: types.float64 if _same(v, w) else None, lower_dot)
    define(spread, 3 * (types.Float,), lambda x, y, z: THREE if x == y == z == types.float64 else None, lower_spread)
    define(
        tildes, (Lanes, types.IntegerLiteral), lambda v, j: SIX if v == THREE and constant_choice(v, j) else None,
        lower_tildes,
    )  # fmt: skip
    define(angular, (Lanes,), lambda v: THREE if v == SIX else None, chosen(lambda signature: (0, 1, 2, 3)))
    define(linear, (Lanes,), lambda v: THREE if v == SIX else None, chosen(lambda signature: (4, 5, 6, 7)))
    define(
        join, (Lanes, Lanes), lambda a, b: SIX if a == THREE and b == THREE else None,
        lambda context, builder, signature, arguments: shuffle(builder, arguments[0], arguments[1], tuple(range(8))),
    )  # fmt: skip
    define(turned, (Lanes, types.IntegerLiteral), constant_choice, chosen(turns))
    define(
        exchanged, (Lanes, types.IntegerLiteral), constant_choice,
        chosen(lambda signature: turns(signature)[4:] + turns(signature)[:4]),
    )  # fmt: skip


_define_memory()
_define_arithmetic()
_define_geometry()
