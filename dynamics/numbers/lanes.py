"""Three-vectors and spatial vectors in the lanes of a vector register.

A three-vector takes four lanes, the last one zero; a spatial vector eight: [angular, 0, linear, 0]. Compiled code
keeps each in one register and adds, scales and crosses all lanes at once; machines with shorter registers take two
or four. Uncompiled, the same functions work on arrays (``plain_lanes``); what follows here is how they compile.

    +, -       lane by lane
    *          lane by lane, or a number times a register
    v[i]       one lane
    load3, load6, store, store_six, cross, dot, angular, linear, join, ...: see ``plain_lanes``
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import lower_builtin, models, register_model, type_callable

from dynamics.numbers.plain_lanes import (
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


def _shuffle(builder: ir.IRBuilder, v: Any, w: Any, lanes: tuple[int, ...]) -> Any:
    return builder.shuffle_vector(v, w, ir.Constant(ir.VectorType(_INDEX, len(lanes)), list(lanes)))


def _in_all_lanes(builder: ir.IRBuilder, number: Any, count: int) -> Any:
    kind = ir.VectorType(ir.DoubleType(), count)
    empty = ir.Constant(kind, ir.Undefined)
    first = builder.insert_element(empty, number, ir.Constant(_INDEX, 0))
    return _shuffle(builder, first, empty, (0,) * count)


def _address(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any, count: int) -> Any:
    table = context.make_array(signature.args[0])(context, builder, arguments[0])
    columns = cgutils.unpack_tuple(builder, table.shape)[1]
    row, column = (
        context.cast(builder, arguments[i], signature.args[i], types.intp) for i in (1, 2)
    )  # fmt: skip
    place = builder.gep(table.data, [builder.add(builder.mul(row, columns), column)])
    return builder.bitcast(place, ir.VectorType(ir.DoubleType(), count).as_pointer())


def _is_table(kind: Any) -> bool:
    return isinstance(kind, types.Array) and kind.ndim == 2 and kind.layout == "C" and kind.dtype == types.float64


def _define_memory() -> None:
    def loads(function: Any, lanes: Lanes) -> None:
        @type_callable(function)
        def _type(context: Any) -> Any:
            return lambda table, k, c: lanes if _is_table(table) else None

        @lower_builtin(function, types.Array, types.Integer, types.Integer)
        def _lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            value = builder.load(_address(context, builder, signature, arguments, lanes.count))
            value.align = 8
            return value

    loads(load3, THREE)
    loads(load6, SIX)

    @type_callable(store)
    def _type(context: Any) -> Any:
        return lambda table, k, c, v: types.none if _is_table(table) and isinstance(v, Lanes) else None

    @lower_builtin(store, types.Array, types.Integer, types.Integer, Lanes)
    def _lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _address(context, builder, signature, arguments, signature.args[3].count)
        builder.store(arguments[3], place).align = 8
        return context.get_dummy_value()

    @type_callable(store_six)
    def _type_six(context: Any) -> Any:
        return lambda table, k, c, v: types.none if _is_table(table) and v == SIX else None

    @lower_builtin(store_six, types.Array, types.Integer, types.Integer, Lanes)
    def _lower_six(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        v, first = arguments[3], _address(context, builder, signature, arguments, 2)
        for i, lanes in enumerate(((0, 1), (2, 4), (5, 6))):
            builder.store(_shuffle(builder, v, v, lanes), builder.gep(first, [_INDEX(i)])).align = 8
        return context.get_dummy_value()


def _define_arithmetic() -> None:
    def lane_by_lane(function: Any, instruction: str) -> None:
        @type_callable(function)
        def _type(context: Any) -> Any:
            return lambda v, w: v if isinstance(v, Lanes) and v == w else None

        @lower_builtin(function, Lanes, Lanes)
        def _lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return getattr(builder, instruction)(*arguments, flags=FLAGS)

    for function, instruction in ((operator.add, "fadd"), (operator.sub, "fsub"), (operator.mul, "fmul")):
        lane_by_lane(function, instruction)

    @type_callable(operator.mul)
    def _type(context: Any) -> Any:
        return lambda s, v: v if s == types.float64 and isinstance(v, Lanes) else None

    @lower_builtin(operator.mul, types.Float, Lanes)
    def _lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.fmul(
            _in_all_lanes(builder, arguments[0], signature.return_type.count), arguments[1], flags=FLAGS
        )

    @type_callable(everywhere)
    def _type_everywhere(context: Any) -> Any:
        return lambda number: SIX if number == types.float64 else None

    @lower_builtin(everywhere, types.Float)
    def _lower_everywhere(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _in_all_lanes(builder, arguments[0], 8)

    @type_callable(whole)
    def _type_whole(context: Any) -> Any:
        return lambda v: v if isinstance(v, Lanes) else None

    @lower_builtin(whole, Lanes)
    def _lower_whole(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = arguments[0].type
        name = f"llvm.floor.v{kind.count}f64"
        floor = cgutils.get_or_insert_function(builder.module, ir.FunctionType(kind, [kind]), name)
        return builder.call(floor, arguments)

    @type_callable(operator.getitem)
    def _type_lane(context: Any) -> Any:
        return lambda v, i: types.float64 if isinstance(v, Lanes) and isinstance(i, types.Integer) else None

    @lower_builtin(operator.getitem, Lanes, types.Integer)
    def _lower_lane(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.extract_element(*arguments)


def _define_geometry() -> None:
    @type_callable(cross)
    def _type_cross(context: Any) -> Any:
        return lambda v, w: v if isinstance(v, Lanes) and v == w else None

    @lower_builtin(cross, Lanes, Lanes)
    def _lower_cross(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        count = signature.return_type.count
        v, w = arguments
        turned = [_shuffle(builder, u, u, on_halves(TURNS[1], count)) for u in (v, w)]
        product = builder.fsub(
            builder.fmul(v, turned[1], flags=FLAGS), builder.fmul(turned[0], w, flags=FLAGS), flags=FLAGS
        )
        return _shuffle(builder, product, product, on_halves(TURNS[1], count))

    @type_callable(dot)
    def _type_dot(context: Any) -> Any:
        return lambda v, w: types.float64 if isinstance(v, Lanes) and v == w else None

    @lower_builtin(dot, Lanes, Lanes)
    def _lower_dot(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        product = builder.fmul(*arguments, flags=FLAGS)
        if signature.args[0].count == 8:
            product = builder.fadd(
                _shuffle(builder, product, product, (0, 1, 2, 3)),
                _shuffle(builder, product, product, (4, 5, 6, 7)),
                flags=FLAGS,
            )
        lane = [builder.extract_element(product, ir.Constant(_INDEX, i)) for i in range(3)]
        return builder.fadd(builder.fadd(lane[0], lane[1], flags=FLAGS), lane[2], flags=FLAGS)

    for function, lanes in ((angular, (0, 1, 2, 3)), (linear, (4, 5, 6, 7))):
        _define_part(function, lanes)

    @type_callable(join)
    def _type_join(context: Any) -> Any:
        return lambda a, b: SIX if a == THREE and b == THREE else None

    @lower_builtin(join, Lanes, Lanes)
    def _lower_join(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _shuffle(builder, arguments[0], arguments[1], tuple(range(8)))

    @type_callable(spread)
    def _type_spread(context: Any) -> Any:
        return lambda x, y, z: THREE if x == y == z == types.float64 else None

    @lower_builtin(spread, types.Float, types.Float, types.Float)
    def _lower_spread(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        value = ir.Constant(ir.VectorType(ir.DoubleType(), 4), [0.0] * 4)
        for i, number in enumerate(arguments):
            value = builder.insert_element(value, number, ir.Constant(_INDEX, i))
        return value

    @type_callable(tildes)
    def _type_tildes(context: Any) -> Any:
        return lambda v, j: SIX if v == THREE and isinstance(j, types.IntegerLiteral) else None

    @lower_builtin(tildes, Lanes, types.IntegerLiteral)
    def _lower_tildes(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        j = signature.args[1].literal_value
        signs = (*TILDE_SIGNS[j], *(-sign for sign in TILDE_SIGNS[j]))
        numbers = _shuffle(builder, arguments[0], arguments[0], 2 * TILDE[j])
        return builder.fmul(ir.Constant(numbers.type, list(signs)), numbers, flags=FLAGS)

    def turns(function: Any, exchanges: bool) -> None:
        @type_callable(function)
        def _type_turn(context: Any) -> Any:
            return lambda v, n: v if isinstance(v, Lanes) and isinstance(n, types.IntegerLiteral) else None

        @lower_builtin(function, Lanes, types.IntegerLiteral)
        def _lower_turn(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            lanes = on_halves(TURNS[signature.args[1].literal_value], signature.return_type.count)
            if exchanges:
                lanes = lanes[4:] + lanes[:4]
            return _shuffle(builder, arguments[0], arguments[0], lanes)

    turns(turned, False)
    turns(exchanged, True)


def _define_part(function: Any, lanes: tuple[int, ...]) -> None:
    @type_callable(function)
    def _type(context: Any) -> Any:
        return lambda v: THREE if v == SIX else None

    @lower_builtin(function, Lanes)
    def _lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _shuffle(builder, arguments[0], arguments[0], lanes)


_define_memory()
_define_arithmetic()
_define_geometry()
