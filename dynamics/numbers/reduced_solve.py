"""Solving with a mass matrix over the motions that are left."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

from dynamics.errors import ModelError

Array = NDArray[np.float64]


def solve_reduced(mass_matrix: Array, force: Array, motions: Array) -> Array:
    """N y with N' M N y = N' force, by Cholesky factors.

    Args:
        motions: N, whose columns are all motions that there are.

    Raises:
        ModelError: if N' M N is not positive definite: some joint moves no inertia.

    Cost: cubic in the coordinates.
    """
    try:
        factors = cho_factor(motions.T @ mass_matrix @ motions, lower=True)
    except np.linalg.LinAlgError as error:
        raise ModelError(f"the mass matrix is not positive definite ({error}); some joint moves no inertia.") from error
    return np.asarray(motions @ cho_solve(factors, motions.T @ force))
