"""The effective inertia of every link of a long free flyer: by two filters, or by the dense (J M^-1 J')^-1.

P(k) + S(k) is that inverse, so the dense methods invert, too: all links' 6x6 blocks in one call of LAPACK.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack

import dynamics as dyn
from benchmarks.contest import Contender, Result, compete
from benchmarks.peers import chain_urdf, pin, pinocchio_model
from dynamics.robot_files.urdf import load_urdf_text

Array = NDArray[np.float64]
LINKS = 100
OURS = "armsweep P + S"
CHOLESKY, INVERSE = "crba, Cholesky, (J M^-1 J')^-1 of each link", "pinocchio computeMinverse, (J M^-1 J')^-1"
MOST = 0.02
"""Largest cost of ours as a share of each dense method's."""


def contest(rounds: int) -> Result:
    urdf = chain_urdf(LINKS - 1)
    system = dyn.free_flyer(load_urdf_text(urdf, name="chain"))
    q = np.random.default_rng(0).uniform(-0.5, 0.5, system.n_joints)
    state = system.state(q=q)

    def ours() -> Array:
        return dyn.operational_space_inertia(system, state)

    contenders = [Contender(OURS, ours, ours, "from a State, as users call it")]
    if pin is not None:
        dense = Dense(urdf, q[::-1])
        note = "M and J by Pinocchio, one LAPACK call for all links, none for what is structurally zero"
        other = "M^-1 and J by Pinocchio, the rest by BLAS and LAPACK"
        contenders += [
            Contender(CHOLESKY, dense.by_cholesky, dense.by_cholesky, note),
            Contender(INVERSE, dense.by_inverse, dense.by_inverse, other),
        ]
    return compete(
        f"inertia of every link of a free flyer of {LINKS} links",
        contenders,
        tolerance=1e-8,
        rounds=rounds,
        calls=5,
        unit="us",
        limits={CHOLESKY: MOST, INVERSE: MOST},
    )


class Dense:
    """Pinocchio's mass matrix and Jacobian of the same chain, then dense algebra."""

    def __init__(self, urdf: str, q: Array) -> None:
        self._model = pinocchio_model(urdf, (0.0, 0.0, 0.0), floating=True)
        self._data = self._model.createData()
        self._q = np.concatenate([np.zeros(6), [1.0], q])
        self._reach = [joint.idx_v + joint.nv for joint in list(self._model.joints)[1:]]
        n = self._model.nv
        self._stack = np.zeros((n, 6 * LINKS), order="F")
        self._shift = np.zeros((LINKS, 6, 6))
        self._shift[:] = np.eye(6)
        # Column j moves link k only if joint j is inboard of it.
        self._mask = np.array([np.arange(n) < reach for reach in self._reach], dtype=float)

    def _jacobians(self) -> Array:
        """(links, 6, velocities) [angular; linear] in inertial axes at each link's own point, base outward."""
        world = pin.computeJointJacobians(self._model, self._data, self._q)
        places = np.array([pose.translation for pose in list(self._data.oMi)[1:]])
        # Pinocchio's columns are [linear; angular] at the world's origin.
        angular, linear = world[3:], world[:3]
        result = np.empty((LINKS, 6, world.shape[1]))
        np.multiply(self._mask[:, None, :], angular, out=result[:, :3])
        x, y, z = (places[:, axis, None] for axis in range(3))
        wx, wy, wz = angular
        result[:, 3] = self._mask * (linear[0] + wy * z - wz * y)
        result[:, 4] = self._mask * (linear[1] + wz * x - wx * z)
        result[:, 5] = self._mask * (linear[2] + wx * y - wy * x)
        return result

    def by_cholesky(self) -> Array:
        """J L^-T L^-1 J' with M = L L'."""
        jacobians = self._jacobians()
        mass = pin.crba(self._model, self._data, self._q, pin.Convention.LOCAL)
        upper, failed = lapack.dpotrf(mass.T, lower=1)
        if failed:
            raise np.linalg.LinAlgError("the mass matrix is not positive")
        columns = jacobians.reshape(6 * LINKS, -1).T
        half, _ = lapack.dtrtrs(upper, columns, lower=1)
        half = half.T.reshape(LINKS, 6, -1)
        return self._inertias(half @ half.transpose(0, 2, 1))

    def by_inverse(self) -> Array:
        jacobians = self._jacobians()
        inverse = pin.computeMinverse(self._model, self._data, self._q)
        inverse = np.triu(inverse) + np.triu(inverse, 1).T
        return self._inertias(
            (jacobians.reshape(6 * LINKS, -1) @ inverse).reshape(jacobians.shape) @ jacobians.transpose(0, 2, 1)
        )

    def _inertias(self, mobilities: Array) -> Array:
        """Inverses, from the tip to the base, as in our result."""
        return np.linalg.inv(mobilities[::-1])
