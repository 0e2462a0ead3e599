<<<<<<< HEAD
"""Three-vectors and spatial vectors in the lanes of a vector register.

A three-vector takes four lanes, the last one zero; a spatial vector eight: [angular, 0, linear, 0]. Compiled code
keeps each in one register and adds, scales and crosses all lanes at once; machines with shorter registers take two
or four. Uncompiled, the same functions work on arrays (``plain_lanes``); what follows here is how they compile.

    +, -       lane by lane
    *          lane by lane, or a number times a register
    v[i]       one lane
    load3, load6, store, cross, dot, angular, linear, join, ...: see ``plain_lanes``
=======
"""Eight states of one system side by side: the lanes of a vector register.

A field of a link is eight consecutive numbers, one a state. A loop over the lanes whose body is plain numbers
becomes one vector instruction for each operation; that takes a single array with constant distances between its
fields. Addresses are passed as ``lane + FIELD``: a bare constant would compile an accessor anew for every field.
>>>>>>> batch
"""

from __future__ import annotations

<<<<<<< HEAD
import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import lower_builtin, models, register_model, type_callable

from dynamics.plain_lanes import (
    TILDE,
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
    tilde,
    tilde_transposed,
    turned,
    whole,
)

__all__ = [
    "angular", "cross", "dot", "everywhere", "exchanged", "join", "linear", "load3", "load6", "spread", "store",
    "tilde", "tilde_transposed", "turned", "whole",
]  # fmt: skip

_FLAGS = ("contract", "nsz", "arcp")
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


def _define_arithmetic() -> None:
    def lane_by_lane(function: Any, instruction: str) -> None:
        @type_callable(function)
        def _type(context: Any) -> Any:
            return lambda v, w: v if isinstance(v, Lanes) and v == w else None

        @lower_builtin(function, Lanes, Lanes)
        def _lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return getattr(builder, instruction)(*arguments, flags=_FLAGS)

    for function, instruction in ((operator.add, "fadd"), (operator.sub, "fsub"), (operator.mul, "fmul")):
        lane_by_lane(function, instruction)

    @type_callable(operator.mul)
    def _type(context: Any) -> Any:
        return lambda s, v: v if s == types.float64 and isinstance(v, Lanes) else None

    @lower_builtin(operator.mul, types.Float, Lanes)
    def _lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.fmul(
            _in_all_lanes(builder, arguments[0], signature.return_type.count), arguments[1], flags=_FLAGS
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
            builder.fmul(v, turned[1], flags=_FLAGS), builder.fmul(turned[0], w, flags=_FLAGS), flags=_FLAGS
        )
        return _shuffle(builder, product, product, on_halves(TURNS[1], count))

    @type_callable(dot)
    def _type_dot(context: Any) -> Any:
        return lambda v, w: types.float64 if isinstance(v, Lanes) and v == w else None

    @lower_builtin(dot, Lanes, Lanes)
    def _lower_dot(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        product = builder.fmul(*arguments, flags=_FLAGS)
        if signature.args[0].count == 8:
            product = builder.fadd(
                _shuffle(builder, product, product, (0, 1, 2, 3)),
                _shuffle(builder, product, product, (4, 5, 6, 7)),
                flags=_FLAGS,
            )
        lane = [builder.extract_element(product, ir.Constant(_INDEX, i)) for i in range(3)]
        return builder.fadd(builder.fadd(lane[0], lane[1], flags=_FLAGS), lane[2], flags=_FLAGS)

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

    def columns(function: Any, sign: int) -> None:
        @type_callable(function)
        def _type_column(context: Any) -> Any:
            return lambda v, j: THREE if v == THREE and isinstance(j, types.IntegerLiteral) else None

        @lower_builtin(function, Lanes, types.IntegerLiteral)
        def _lower_column(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            v = arguments[0]
            first, second = [v, builder.fsub(ir.Constant(v.type, [-0.0] * 4), v)][::sign]
            return _shuffle(builder, first, second, TILDE[signature.args[1].literal_value])

    columns(tilde, 1)
    columns(tilde_transposed, -1)

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
=======
import math

from dynamics.compiled import borrowing_kernel

ADDRESS = (1 << 48) - 1  # a masked address is not negative, which spares the compiler every test for that
LANES = 8  # 16 and 32 were no faster
LARGEST_ANGLE = 1.0e5  # rad; within it ``sine_and_cosine`` is right to the last digit

_TWO_OVER_PI = 2.0 / math.pi
_ROUND = 6755399441055744.0  # 1.5 * 2^52: adding and subtracting it rounds to an integer
# pi/2 in three parts; the first two have 33 digits, so that their products with a quadrant are exact.
_HALF_PI_1 = 1.57079632673412561417e00
_HALF_PI_2 = 6.07710050630396597660e-11
_HALF_PI_3 = 2.02226624879595063154e-21


@borrowing_kernel
def lane3(w, at):
    """Three fields of one lane."""
    return w[at], w[at + 8], w[at + 16]


@borrowing_kernel
def lane6(w, at):
    """Six fields of one lane, as two vectors."""
    return (w[at], w[at + 8], w[at + 16]), (w[at + 24], w[at + 32], w[at + 40])


@borrowing_kernel
def lane9(w, at):
    """A rotation of one lane."""
    return (
        w[at], w[at + 8], w[at + 16], w[at + 24], w[at + 32], w[at + 40], w[at + 48],
        w[at + 56], w[at + 64],
    )  # fmt: skip


@borrowing_kernel
def lane21(w, at):
    """A packed symmetric matrix of one lane."""
    return (
        w[at], w[at + 8], w[at + 16], w[at + 24], w[at + 32], w[at + 40], w[at + 48],
        w[at + 56], w[at + 64], w[at + 72], w[at + 80], w[at + 88], w[at + 96], w[at + 104],
        w[at + 112], w[at + 120], w[at + 128], w[at + 136], w[at + 144], w[at + 152], w[at + 160],
    )  # fmt: skip


@borrowing_kernel
def set3(w, at, v):
    """Write three fields of one lane."""
    w[at], w[at + 8], w[at + 16] = v


@borrowing_kernel
def set9(w, at, v):
    """Write a rotation of one lane."""
    (
        w[at], w[at + 8], w[at + 16], w[at + 24], w[at + 32], w[at + 40], w[at + 48],
        w[at + 56], w[at + 64],
    ) = v  # fmt: skip


@borrowing_kernel
def set21(w, at, v):
    """Write a packed symmetric matrix of one lane."""
    (
        w[at], w[at + 8], w[at + 16], w[at + 24], w[at + 32], w[at + 40], w[at + 48],
        w[at + 56], w[at + 64], w[at + 72], w[at + 80], w[at + 88], w[at + 96], w[at + 104],
        w[at + 112], w[at + 120], w[at + 128], w[at + 136], w[at + 144], w[at + 152], w[at + 160],
    ) = v  # fmt: skip


@borrowing_kernel
def sine_and_cosine(x):
    """Both, without a branch; not a number for |x| above LARGEST_ANGLE.

    Minimax polynomials of fdlibm (Sun Microsystems, 1993).

    Cody and Waite's reduction to [-pi/4, pi/4] keeps a second part ``low`` of the reduced angle.
    """
    x = x if abs(x) <= LARGEST_ANGLE else math.nan
    quadrant = (x * _TWO_OVER_PI + _ROUND) - _ROUND
    rest = x - quadrant * _HALF_PI_1
    second = quadrant * _HALF_PI_2
    r = rest - second
    correction = ((rest - r) - second) - quadrant * _HALF_PI_3
    y = r + correction
    low = (r - y) + correction
    z = y * y
    p = -2.50507602534068634195e-08 + z * 1.58969099521155010221e-10
    p = -1.98412698298579493134e-04 + z * (2.75573137070700676789e-06 + z * p)
    p = -1.66666666666666324348e-01 + z * (8.33333333332248946124e-03 + z * p)
    s = y + (y * z * p + low * (1.0 - 0.5 * z))
    p = 2.08757232129817482790e-09 - z * 1.13596475577881948265e-11
    p = 2.48015872894767294178e-05 + z * (-2.75573143513906633035e-07 + z * p)
    p = 4.16666666666666019037e-02 + z * (-1.38888888888741095749e-03 + z * p)
    half = 0.5 * z
    c = 1.0 - half
    c = c + (((1.0 - c) - half) + (z * z * p - y * low))
    turn = quadrant - 4.0 * ((quadrant * 0.25 + _ROUND) - _ROUND)  # -2 to 2
    sine = c if abs(turn) == 1.0 else s
    cosine = s if abs(turn) == 1.0 else c
    sine = -sine if turn < 0.0 else sine
    sine = -sine if turn > 1.0 else sine
    cosine = -cosine if turn > 0.0 else cosine
    cosine = -cosine if turn < -1.0 else cosine
    return sine, cosine
>>>>>>> batch
