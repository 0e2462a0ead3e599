"""A user's functions of time and state: joint torques and external forces, called at each stage of a step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from dynamics.checks import Array, brief, must_hear
from dynamics.compiler.callback import with_address
from dynamics.errors import StateError
from dynamics.lanes.forward import NOT_FINITE
from dynamics.lanes.workspace import Workspace
from dynamics.motion.control_law import ControlLaw
from dynamics.recursion.filter_smoother import SOLVED
from dynamics.system.joint_vectors import JointValues, joint_vector
from dynamics.system.plain_kinematics import Forces, external_wrench
from dynamics.system.state import State
from dynamics.system.system import System

TorqueFunction: TypeAlias = Callable[[float, State], JointValues]
ForceFunction: TypeAlias = Callable[[float, State], Forces]
REFUSED = -7
"""A status beside those of ``runge_kutta.integrate``: a function raised, or returned an invalid value."""


def is_function(value: object, name: str) -> bool:
    """Whether to call it, rather than ask it for its law; ``StateError`` if it does not take time and state."""
    if not callable(value) or hasattr(value, "law"):
        return False
    must_hear(value, name, "the time and the state, as in lambda t, state: …", 2)
    return True


class Callbacks:
    """A run's functions; their values go where compiled code reads torques and forces.

    Attributes:
        failure: why the last value was refused, or None.
    """

    def __init__(
        self,
        system: System,
        workspace: Workspace,
        law: ControlLaw,
        torque: TorqueFunction | None,
        forces: ForceFunction | None,
    ) -> None:
        self._system, self._workspace, self._law = system, workspace, law
        self._torque, self._forces = torque, forces
        self.failure: BaseException | None = None

    @property
    def are_some(self) -> bool:
        """Whether there is any function to call."""
        return self._torque is not None or self._forces is not None

    def address(self, x: Array, v: Array) -> tuple[Any, int]:
        """A C function of time alone, to be kept alive, and its address, 0 for none; the state is read from x and v."""
        return with_address(lambda t: self(t, x, v)) if self.are_some else (None, 0)

    def __call__(self, t: float, x: Array, v: Array) -> int:
        """Calls them at a time and a packed state: SOLVED, NOT_FINITE, or REFUSED with the reason in ``failure``."""
        if not self.are_some:
            return SOLVED
        if not (np.isfinite(x).all() and np.isfinite(v).all()):
            return NOT_FINITE
        try:
            state, where = self._system.unpack(x, v), f"at t = {t:g} s"
            if self._torque is not None:
                tau = _asked(self._torque, t, state, f"controller {where}")
                if tau is None:
                    raise StateError(f"controller {where} returned None; expected a torque for each joint.")
                self._law.feedforward[:] = joint_vector(self._system, tau, f"controller {where}")
            if self._forces is not None:
                forces = _asked(self._forces, t, state, f"external_forces {where}")
                self._workspace.wrench = external_wrench(self._system, forces, f"external_forces {where}")
        except BaseException as error:  # it cannot pass through compiled code; the run raises it afterwards
            self.failure = error
            return REFUSED
        return SOLVED


def _asked(function: Callable[[float, State], Any], t: float, state: State, name: str) -> Any:
    try:
        return function(t, state)
    except Exception as error:
        raise StateError(f"{name} raised {type(error).__name__}: {brief(str(error))[1:-1]}.") from error
