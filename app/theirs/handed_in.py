"""A file of somebody's own arrays, and the moment that they are of: what the process beside the page is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.studies.process import Tell

ENDINGS = (".npz", ".mat", ".json", ".csv")


@dataclass(frozen=True)
class HandedIn:
    """The arrays of a file, to be held against ours in a moment.

    Attributes:
        system, state, tau: the moment.
        wrench: external forces, as ``dyn.forward_dynamics`` takes them, or None.
        name: of the file; its ending says how it is read.
        data: the file.
    """

    can_wait: ClassVar[bool] = False
    """Somebody looks at the page until it is answered, some seconds."""

    system: dyn.System
    state: dyn.State
    tau: NDArray[np.float64]
    wrench: NDArray[np.float64] | None
    name: str
    data: bytes

    def answer(self, tell: Tell) -> None:
        """Tells what comes of it.

        Raises:
            StateError, ModelError: for a file that cannot be read, or arrays that are none of this machine.
        """
        arrays = dyn.read_arrays(self.name, self.data)
        tell("answer", dyn.compare(self.system, self.state, arrays, self.tau, self.wrench))


def check_ending(name: str) -> None:
    """Whether a file's name has one of the known endings.

    Raises:
        StateError: for any other.
    """
    if not name.lower().endswith(ENDINGS):
        raise dyn.StateError(f"expected a file that ends in {', '.join(ENDINGS)}.")
