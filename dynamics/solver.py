"""A system compiled once: the call that a benchmark or an own integrator makes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dynamics.errors import ModelError, SingularConfigurationError
from dynamics.filter_smoother import SOLVED, UNSOLVABLE_CONTACTS, accelerations
from dynamics.forward_dynamics import filter_stages
from dynamics.solution import Stages, read_only
from dynamics.system import System
from dynamics.tables import make_work

Array = NDArray[np.float64]


class Solver:
    """Forward dynamics of packed vectors, every stage kept.

    Nothing is checked but the outcome: shapes and types must be those of ``System.pack``, float64 and
    contiguous. The array that a call returns is written again by the next one.
    """

    def __init__(self, system: System) -> None:
        self.system = system
        self._tables = system.tables
        self._work = make_work(system.tables)
        self._acceleration = np.zeros(system.n_velocity)

    def __call__(self, x: Array, v: Array, tau: Array) -> Array:
        """Accelerations, packed like ``v``.

        Raises:
            ModelError: for a joint that moves no inertia.
            SingularConfigurationError: if no contact force closes the chain.
        """
        status = accelerations(self._tables, x, v, tau, self._work, self._acceleration)
        if status != SOLVED:
            if status == UNSOLVABLE_CONTACTS:
                raise SingularConfigurationError(
                    "no contact force closes the chain in this posture; forward_dynamics(...) says at which arm."
                )
            raise ModelError(f"joint {self.system.joint_names[status]!r} moves no inertia, so D is not positive.")
        return self._acceleration

    @property
    def stages(self) -> Stages:
        """Every stage of the last call, as ``Solution.stages``."""
        return read_only(filter_stages(self.system, self._work))


def solver(system: System) -> Solver:
    """The compiled forward dynamics of one system; see ``Solver``."""
    return Solver(system)
