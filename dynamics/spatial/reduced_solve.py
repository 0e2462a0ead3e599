"""Solving with a mass matrix for the motions that constraints leave."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

from dynamics.errors import ModelError, SingularConfigurationError
from dynamics.spatial.factor_by_root import CONSISTENCY, RANK_TOLERANCE

Array = NDArray[np.float64]


def solve_reduced(mass_matrix: Array, force: Array, rows: Array, rate: Array) -> Array:
    """a with M a = force + G' lambda and G a = rate: a = p + N y, G N = 0, by Cholesky factors of N' M N.

    Coordinates are scaled by their own inertia, and rows of G to length one.

    Args:
        rows: G.

    Raises:
        ModelError: if N' M N is not positive definite: some joint moves no inertia.
        SingularConfigurationError: if no motion has that rate.

    Cost: cubic in the coordinates.
    """
    if not len(rows):
        return np.asarray(cho_solve(_factors(mass_matrix), force))
    unit = 1.0 / np.sqrt(np.abs(np.diag(mass_matrix)))
    unit[~np.isfinite(unit)] = 1.0
    scaled = rows * unit
    lengths = np.linalg.norm(scaled, axis=1)
    lengths[lengths == 0.0] = 1.0
    left, values, right = np.linalg.svd(scaled / lengths[:, None])
    rank = int(np.count_nonzero(values > RANK_TOLERANCE * values.max(initial=0.0)))
    wanted, motions = rate / lengths, unit[:, None] * right[rank:].T
    particular = unit * (right[:rank].T @ ((left[:, :rank].T @ wanted) / values[:rank]))
    missing = np.abs(left[:, rank:].T @ wanted).max(initial=0.0)
    if not missing <= CONSISTENCY * max(np.abs(wanted).max(), np.abs(unit * force).max()):
        raise SingularConfigurationError("no motion keeps a loop closed here; move away from this posture.")
    if not motions.size:
        return np.asarray(particular)
    factors = _factors(motions.T @ mass_matrix @ motions)
    return np.asarray(particular + motions @ cho_solve(factors, motions.T @ (force - mass_matrix @ particular)))


def _factors(mass_matrix: Array) -> tuple[Array, bool]:
    try:
        return cho_factor(mass_matrix, lower=True)  # type: ignore[no-any-return]
    except np.linalg.LinAlgError as error:
        raise ModelError(f"the mass matrix is not positive definite ({error}); some joint moves no inertia.") from error
