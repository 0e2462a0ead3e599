"""Solving with the small symmetric matrices of one link or of a few contacts."""

from __future__ import annotations

import math

from dynamics.compiler.kernels import inlined, kernel
from dynamics.spatial.fields import like, positive
from dynamics.spatial.vector import add3, dot3, scale3, sub3

# Below this share of its diagonal element a pivot has lost more digits than contact forces may lose,
FIRM = 1e-2
# and below this one more than refinement by the remaining acceleration differences can restore.
CLEAR = 1e-7


@kernel
def factor(matrix, size):
    """The Cholesky factor of the leading block, in place in its lower triangle; False if not positive."""
    for j in range(size):
        pivot = matrix[j, j]
        for m in range(j):
            pivot -= matrix[j, m] * matrix[j, m]
        if not pivot > 0.0:
            return False
        root = math.sqrt(pivot)
        matrix[j, j] = root
        for i in range(j + 1, size):
            s = matrix[i, j]
            for m in range(j):
                s -= matrix[i, m] * matrix[j, m]
            matrix[i, j] = s / root
    return True


@kernel
def solve_factored(matrix, size, b):
    """Overwrite ``b`` with the solution of L L' x = b."""
    for i in range(size):
        s = b[i]
        for m in range(i):
            s -= matrix[i, m] * b[m]
        b[i] = s / matrix[i, i]
    for i in range(size - 1, -1, -1):
        s = b[i]
        for m in range(i + 1, size):
            s -= matrix[m, i] * b[m]
        b[i] = s / matrix[i, i]


@inlined
def factor3(s):
    """L D L' of a positive 3x3 matrix stored as xx xy xz yy yz zz: the three entries of L, and D^-1.

    NaN if the matrix is not positive.
    """
    one = like(1.0, s[0])
    d0 = one / positive(s[0])
    a, b = s[1] * d0, s[2] * d0
    d1 = one / positive(s[3] - a * s[1])
    left = s[4] - a * s[2]
    c = left * d1
    return a, b, c, d0, d1, one / positive(s[5] - b * s[2] - c * left)


@inlined
def solve3(f, v):
    """The solution of L D L' x = v."""
    y = v[1] - f[0] * v[0]
    z = (v[2] - f[1] * v[0] - f[2] * y) * f[5]
    y = y * f[4] - f[2] * z
    return v[0] * f[3] - f[0] * y - f[1] * z, y, z


@inlined
def inverse3(f):
    """(L D L')^-1, as xx xy xz yy yz zz."""
    yz, z = -f[2] * f[5], f[5]
    ac = f[0] * f[2] - f[1]
    return f[3] + f[0] * f[0] * f[4] + ac * ac * z, -f[0] * f[4] - ac * f[2] * z, ac * z, f[4] - f[2] * yz, yz, z


@inlined
def eliminate_linear(p):
    """Factors of C and of A - B C^-1 B', and the three columns of C^-1 B', for a packed [[A, B], [B', C]]."""
    c = factor3((p[15], p[16], p[17], p[18], p[19], p[20]))
    x, y, z = (p[6], p[7], p[8]), (p[9], p[10], p[11]), (p[12], p[13], p[14])
    cx, cy, cz = solve3(c, x), solve3(c, y), solve3(c, z)
    schur = factor3((
        p[0] - dot3(x, cx), p[1] - dot3(x, cy), p[2] - dot3(x, cz),
        p[3] - dot3(y, cy), p[4] - dot3(y, cz), p[5] - dot3(z, cz),
    ))  # fmt: skip
    return c, schur, (cx, cy, cz)


@inlined
def combined3(a, x, y, z):
    """a[0] x + a[1] y + a[2] z."""
    return add3(add3(scale3(a[0], x), scale3(a[1], y)), scale3(a[2], z))


@kernel
def solve_packed(p, angular, linear):
    """P^-1 [angular; linear] for a packed positive P; NaN otherwise. On numbers or registers."""
    c, schur, (x, y, z) = eliminate_linear(p)
    moment = sub3(angular, (dot3(x, linear), dot3(y, linear), dot3(z, linear)))
    top = solve3(schur, moment)
    return top, sub3(solve3(c, linear), combined3(top, x, y, z))


@kernel
def invert_packed(p):
    """P^-1, packed, for a packed positive P. On numbers or registers."""
    c, schur, (x, y, z) = eliminate_linear(p)
    a, e = inverse3(schur), inverse3(c)
    # The off-diagonal block is -S^-1 B C^-1, row by row.
    u = combined3((a[0], a[1], a[2]), x, y, z)
    v = combined3((a[1], a[3], a[4]), x, y, z)
    t = combined3((a[2], a[4], a[5]), x, y, z)
    return (
        a[0], a[1], a[2], a[3], a[4], a[5],
        -u[0], -u[1], -u[2], -v[0], -v[1], -v[2], -t[0], -t[1], -t[2],
        e[0] + x[0] * u[0] + y[0] * v[0] + z[0] * t[0], e[1] + x[0] * u[1] + y[0] * v[1] + z[0] * t[1],
        e[2] + x[0] * u[2] + y[0] * v[2] + z[0] * t[2], e[3] + x[1] * u[1] + y[1] * v[1] + z[1] * t[1],
        e[4] + x[1] * u[2] + y[1] * v[2] + z[1] * t[2], e[5] + x[2] * u[2] + y[2] * v[2] + z[2] * t[2],
    )  # fmt: skip


@kernel
def factor_firmly(matrix, size, factored, order):
    """The Cholesky factor of a symmetric positive semidefinite matrix, unpivoted, if that leaves enough digits.

    Args:
        factored: (size, size): L, written; order: (size + 2,), as in ``factor_by_root``, written.

    Returns:
        whether every pivot is clear; ``order`` says whether all are also firm.
    """
    for i in range(size):
        order[i] = i
        for j in range(i + 1):
            factored[i, j] = matrix[i, j]
    order[size], order[size + 1] = size, 0
    for j in range(size):
        pivot = factored[j, j]
        for m in range(j):
            pivot -= factored[j, m] * factored[j, m]
        if not pivot > CLEAR * matrix[j, j]:
            return False
        if not pivot > FIRM * matrix[j, j]:
            order[size + 1] = 1
        root = math.sqrt(pivot)
        factored[j, j] = root
        for i in range(j + 1, size):
            s = factored[i, j]
            for m in range(j):
                s -= factored[i, m] * factored[j, m]
            factored[i, j] = s / root
    return True
