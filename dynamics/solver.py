"""A system compiled once: the call that a benchmark or an own integrator makes."""

from __future__ import annotations

import numpy as np
from numba.core.dispatcher import Dispatcher
from numpy.typing import NDArray

from dynamics.aligned_tables import aligned_tables
from dynamics.arena import (
    constant_integers,
    constant_table,
    constant_vector,
    integer_vector,
    placed,
    table,
    vector,
)
from dynamics.checks import numbers
from dynamics.compiled import kernel
from dynamics.contact_geometry import count_joints
from dynamics.errors import ModelError, SingularConfigurationError, StateError
from dynamics.filter_smoother import SOLVED, UNSOLVABLE_CONTACTS
from dynamics.forward_dynamics import filter_stages
from dynamics.lane_forward import lane_filter_and_smooth, lane_motion_state
from dynamics.lane_tables import LaneWork, make_lane_work, stages_in_full
from dynamics.solution import Stages, read_only
from dynamics.system import System
from dynamics.tables import Tables, Work, make_work

Array = NDArray[np.float64]
WRONG_SHAPE = -4


@kernel
def solve(x, v, tau, arena):
    """Forward dynamics in an arena that holds tables, work and answer, in the order of ``Solver``.

    Returns:
        as ``lane_filter_and_smooth``, or WRONG_SHAPE.
    """
    tables = Tables(
        constant_integers(arena, 0), constant_table(arena, 1), constant_vector(arena, 2), constant_integers(arena, 3),
        constant_table(arena, 4), constant_table(arena, 5),
    )  # fmt: skip
    work = Work(
        table(arena, 6), table(arena, 7), table(arena, 8), table(arena, 9), table(arena, 10), table(arena, 11),
        integer_vector(arena, 12), vector(arena, 13), table(arena, 14), table(arena, 15), table(arena, 16),
    )  # fmt: skip
    lanes = LaneWork(table(arena, 17), table(arena, 18), table(arena, 19))
    acceleration = vector(arena, 20)
    n_joints, n_v = count_joints(tables.tree), acceleration.shape[0]
    n_x = n_joints + 7 * ((n_v - n_joints) // 6)
    if x.shape[0] != n_x or v.shape[0] != n_v or tau.shape[0] != n_joints:
        return WRONG_SHAPE
    lane_motion_state(tables, work, lanes, x, v)
    return lane_filter_and_smooth(tables, work, lanes, v, tau, acceleration)


class Solver:
    """Forward dynamics of packed vectors, every stage kept.

    The array that a call returns is written again by the next one.
    """

    def __init__(self, system: System) -> None:
        self.system = system
        tables = aligned_tables(system.tables)
        parts = [*tables, *make_work(tables), *make_lane_work(tables), np.zeros(system.n_velocity)]
        self._arena = placed(parts)
        views = [(vector if part.ndim == 1 else table)(self._arena, i) for i, part in enumerate(parts)]
        views = [view.view(part.dtype) for view, part in zip(views, parts, strict=True)]
        self._tables, self._work, self._lanes = Tables(*views[:6]), Work(*views[6:17]), LaneWork(*views[17:20])
        self._acceleration = views[20]
        self._solve = solve
        x = np.zeros(system.n_configuration)
        x[system.n_joints + 3 :: 7] = 1.0
        solve(x, np.zeros(system.n_velocity), np.zeros(system.n_joints), self._arena)
        if isinstance(solve, Dispatcher):
            # Compiled for contiguous float64: whatever else arrives is turned into that, not compiled for.
            solve.disable_compile()

    def __call__(self, x: Array, v: Array, tau: Array) -> Array:
        """Accelerations, packed like ``v``.

        Args:
            x, v: as ``System.pack`` gives them; tau: (joints,). Contiguous and writable float64 arrays are the quickest.

        Raises:
            StateError: for wrong shapes, or numbers that are not finite or too large.
            ModelError: for a joint that moves no inertia.
            SingularConfigurationError: if no contact force closes the chain.
        """
        try:
            status = self._solve(x, v, tau, self._arena)
        except (TypeError, AttributeError):
            status = self._solve(*self._checked(x, v, tau), self._arena)
        if status != SOLVED:
            self._fail(status, x, v, tau)
        return self._acceleration

    def _checked(self, x: Array, v: Array, tau: Array) -> tuple[Array, Array, Array]:
        system = self.system
        return (
            numbers(x, (system.n_configuration,), "x"),
            numbers(v, (system.n_velocity,), "v"),
            numbers(tau, (system.n_joints,), "tau"),
        )

    def _fail(self, status: int, x: Array, v: Array, tau: Array) -> None:
        self._checked(x, v, tau)
        if status == UNSOLVABLE_CONTACTS:
            raise SingularConfigurationError(
                "no contact force closes the chain in this posture; forward_dynamics(...) says at which arm."
            )
        if status >= 0:
            raise ModelError(f"joint {self.system.joint_names[status]!r} moves no inertia, so D is not positive.")
        raise StateError("the accelerations are not finite: positions, velocities or torques are too large.")

    @property
    def stages(self) -> Stages:
        """Every stage of the last call, as ``Solution.stages``."""
        stages_in_full(self._tables, self._lanes, self._work)
        return read_only(filter_stages(self.system, self._work))


def solver(system: System) -> Solver:
    """The compiled forward dynamics of one system; see ``Solver``."""
    return Solver(system)
