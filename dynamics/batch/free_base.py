"""Eight states at once: a floating base, where the smoother starts; JR Algorithm 3."""

from __future__ import annotations

from dynamics.batch.layout import (
    ACCELERATION,
    ARTICULATED_INERTIA,
    COSTATE_COVARIANCE,
    FORCE_CORRECTION,
    PREDICTED_FORCE,
)
from dynamics.compiler.compiled import inlined
from dynamics.numbers.lanes import everywhere
from dynamics.numbers.state_lanes import lane6, lane21, set_lanes
from dynamics.numbers.vector import add3, dot3, scale3, sub3


@inlined
def factor3(s):
    """L D L' of a positive 3x3 matrix kept as xx xy xz yy yz zz: the three entries of L, and D^-1."""
    one = everywhere(1.0)
    d0 = one / s[0]
    a, b = s[1] * d0, s[2] * d0
    d1 = one / (s[3] - a * s[1])
    left = s[4] - a * s[2]
    c = left * d1
    return a, b, c, d0, d1, one / (s[5] - b * s[2] - c * left)


@inlined
def solve3(f, v):
    """The solution of L D L' x = v."""
    y = v[1] - f[0] * v[0]
    z = (v[2] - f[1] * v[0] - f[2] * y) * f[5]
    y = y * f[4] - f[2] * z
    return v[0] * f[3] - f[0] * y - f[1] * z, y, z


@inlined
def eliminate_linear(p):
    """Factors of C and of A - B C^-1 B', and the three columns of C^-1 B', of a packed [[A, B], [B', C]]."""
    c = factor3((p[15], p[16], p[17], p[18], p[19], p[20]))
    x, y, z = (p[6], p[7], p[8]), (p[9], p[10], p[11]), (p[12], p[13], p[14])
    cx, cy, cz = solve3(c, x), solve3(c, y), solve3(c, z)
    schur = factor3((
        p[0] - dot3(x, cx), p[1] - dot3(x, cy), p[2] - dot3(x, cz),
        p[3] - dot3(y, cy), p[4] - dot3(y, cz), p[5] - dot3(z, cz),
    ))  # fmt: skip
    return c, schur, (cx, cy, cz)


@inlined
def free_acceleration(w, k):
    """alpha = -P^-1 (z + dz) of a floating base."""
    c, schur, (x, y, z) = eliminate_linear(lane21(w, k, ARTICULATED_INERTIA))
    predicted, change = lane6(w, k, PREDICTED_FORCE), lane6(w, k, FORCE_CORRECTION)
    moment, force = add3(predicted[0], change[0]), add3(predicted[1], change[1])
    moment = sub3(moment, (dot3(x, force), dot3(y, force), dot3(z, force)))
    angular = solve3(schur, moment)
    linear = solve3(c, force)
    carried = add3(add3(scale3(angular[0], x), scale3(angular[1], y)), scale3(angular[2], z))
    set_lanes(w, k, ACCELERATION, scale3(-1.0, angular) + sub3(carried, linear))


@inlined
def free_mobility(w, k):
    """Lambda = P^-1 of a floating base."""
    c, schur, (x, y, z) = eliminate_linear(lane21(w, k, ARTICULATED_INERTIA))
    zero, one = everywhere(0.0), everywhere(1.0)
    a, e = solve3(schur, (one, zero, zero)), solve3(c, (one, zero, zero))
    b, f = solve3(schur, (zero, one, zero)), solve3(c, (zero, one, zero))
    d, g = solve3(schur, (zero, zero, one)), solve3(c, (zero, zero, one))
    # The block off the diagonal is -S^-1 B C^-1, row by row.
    u = add3(add3(scale3(a[0], x), scale3(a[1], y)), scale3(a[2], z))
    v = add3(add3(scale3(b[0], x), scale3(b[1], y)), scale3(b[2], z))
    t = add3(add3(scale3(d[0], x), scale3(d[1], y)), scale3(d[2], z))
    set_lanes(
        w, k, COSTATE_COVARIANCE,
        (a[0], a[1], a[2], b[1], b[2], d[2],
         zero - u[0], zero - u[1], zero - u[2], zero - v[0], zero - v[1], zero - v[2],
         zero - t[0], zero - t[1], zero - t[2],
         e[0] + x[0] * u[0] + y[0] * v[0] + z[0] * t[0], e[1] + x[0] * u[1] + y[0] * v[1] + z[0] * t[1],
         e[2] + x[0] * u[2] + y[0] * v[2] + z[0] * t[2], f[1] + x[1] * u[1] + y[1] * v[1] + z[1] * t[1],
         f[2] + x[1] * u[2] + y[1] * v[2] + z[1] * t[2], g[2] + x[2] * u[2] + y[2] * v[2] + z[2] * t[2]),
    )  # fmt: skip
