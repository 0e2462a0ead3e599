"""The contact operator's Cholesky factor in lanes, for speed, where no pivoting is needed."""

from __future__ import annotations

import math

from dynamics.compiler.kernels import kernel
from dynamics.spatial.lanes import load6, store
from dynamics.spatial.small_matrices import CLEAR, FIRM


@kernel
def lane_factor(matrix, size, upper, factored, order):
    """``factor_firmly`` in lanes.

    Args:
        upper: (size, m), m a multiple of 8: room for U with U'U = M.
        factored: (size, size): L, written; order: (size + 2,), written.

    Returns:
        whether every pivot is clear; ``order`` says whether all are also firm.
    """
    blocks = upper.shape[1] // 8
    for i in range(size):
        order[i] = i
        for j in range(i, size):
            upper[i, j] = matrix[i, j]
    order[size], order[size + 1] = size, 0
    for j in range(size):
        pivot = upper[j, j]
        if not pivot > CLEAR * matrix[j, j]:
            return False
        if not pivot > FIRM * matrix[j, j]:
            order[size + 1] = 1
        scale = 1.0 / math.sqrt(pivot)
        for block in range(j // 8, blocks):
            store(upper, j, 8 * block, scale * load6(upper, j, 8 * block))
        for i in range(j + 1, size):
            share = upper[j, i]
            factored[i, j] = share
            for block in range(i // 8, blocks):
                store(upper, i, 8 * block, load6(upper, i, 8 * block) - share * load6(upper, j, 8 * block))
        factored[j, j] = upper[j, j]
    return True
