"""A system compiled once: the call for benchmarks and custom integrators."""

from __future__ import annotations

import threading

import numpy as np

from dynamics.checks import Array, brief, numbers
from dynamics.errors import ModelError, SingularConfigurationError, StateError
from dynamics.lanes.couplings import UNSOLVABLE_COUPLINGS, lane_accelerations
from dynamics.lanes.forward import EVERY_STAGE, contact_stage_in_full
from dynamics.lanes.workspace import Workspace, stages_in_full
from dynamics.public import public, public_as_computed
from dynamics.record import unwritable
from dynamics.recursion.filter_smoother import SOLVED, UNSOLVABLE_CONTACTS
from dynamics.recursion.outward_smoother import costate_covariance
from dynamics.solve.forward_dynamics import filter_stages
from dynamics.system.solution import Stages
from dynamics.system.system import System


class Solver:
    """Forward dynamics of packed vectors, every stage kept.

    The returned array is overwritten by the same thread's next call. Each thread has its own workspace,
    and so does each copy or unpickled solver.
    """

    @public_as_computed
    def __init__(self, system: System) -> None:
        """Allocates the workspace of one system.

        Args:
            system: the system to solve.

        Cost: some 20 us; the first in a process loads or compiles the kernel.
        """
        self.system = system
        self._thread = threading.local()  # a subclass would be slower
        x = np.zeros(system.n_configuration)
        x[system.n_joints + 3 :: 7] = 1.0
        lane_accelerations(
            x, np.zeros(system.n_velocity), np.zeros(system.n_joints), self._workspace.arena, EVERY_STAGE
        )
        if hasattr(lane_accelerations, "disable_compile"):  # NUMBA_DISABLE_JIT leaves plain functions
            # Compiled for contiguous float64: other arrays are converted, not compiled for.
            lane_accelerations.disable_compile()

    def __reduce__(self) -> tuple[type[Solver], tuple[System]]:
        """A copy or a pickle is a solver of the same system."""
        return Solver, (self.system,)

    def __repr__(self) -> str:
        return f"Solver({self.system!r})"

    def __call__(self, x: Array, v: Array, tau: Array) -> Array:
        """Accelerations, packed like ``v``.

        Args:
            x, v: as ``System.pack`` gives them; tau: (joints,). Contiguous, writable float64 is fastest.

        Raises:
            StateError: for wrong shapes, or numbers that are not finite or too large.
            ModelError: for a joint that moves no inertia.
            SingularConfigurationError: if no contact force closes the chain.
        """
        try:
            if not type(x) is type(v) is type(tau) is np.ndarray:
                raise TypeError  # the kernel would ignore the mask
            arena, acceleration = self._thread.room
            status = lane_accelerations(x, v, tau, arena, EVERY_STAGE)
        except Exception:  # a thread's first call, or an argument that the kernel is not compiled for: various errors
            arena, acceleration = self._workspace.arena, self._workspace.lanes.acceleration
            status = lane_accelerations(*self._checked(x, v, tau), arena, EVERY_STAGE)
        if status != SOLVED:
            self._fail(status, x, v, tau)
        return acceleration

    @property
    def _workspace(self) -> Workspace:
        """This thread's own workspace."""
        if not hasattr(self._thread, "workspace"):
            made = self._thread.workspace = Workspace(self.system)
            self._thread.room = made.arena, made.lanes.acceleration
        return self._thread.workspace  # type: ignore[no-any-return]

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
        if status == UNSOLVABLE_COUPLINGS:
            raise SingularConfigurationError(
                "no force maintains a coupling: a loop, or a joint that follows another; forward_dynamics(...) says "
                "which."
            )
        if status >= 0:
            raise ModelError(f"joint {brief(self.system.joint_names[status])} moves no inertia, so D is not positive.")
        raise StateError("the accelerations are not finite: positions, velocities or torques are too large.")

    @property
    def stages(self) -> Stages:
        """Every stage of this thread's last call, as ``Solution.stages``."""
        workspace = self._workspace
        if self.system.is_held:
            contact_stage_in_full(workspace.arena)
        stages_in_full(workspace.tables, workspace.lanes, workspace.work)
        if not self.system.is_held:
            costate_covariance(self.system.tables.tree, workspace.work.links)
        return unwritable(filter_stages(self.system, workspace.work))


@public
def solver(system: System) -> Solver:
    """The compiled forward dynamics of one system, R87 (35)-(47); see ``Solver``.

    Args:
        system: any.

    Returns:
        A callable that takes packed x, v and tau, returns packed accelerations, and keeps every stage.

    Example:
        >>> system = dyn.single_arm(dyn.load("panda"))
        >>> solver, (x, v) = dyn.solver(system), system.pack(system.home())
        >>> solver(x, v, np.zeros(7)).shape
        (7,)

    Cost: some 20 us once; a call for seven joints takes about a microsecond, and grows linearly with the links.
    """
    return Solver(system)
