"""An arm of two rods whose joint inertia follows from a formula; imported by the processes that a test starts."""

import os
import signal
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn

MARK = "ARMSWEEP_TEST_DIED"
"""Environment variable with the path of a file that a killed process leaves."""
LENGTH = 0.3
ROBOT = dyn.planar_chain(2, length=LENGTH)
SYSTEM = dyn.single_arm(ROBOT)
BASE = "filter.joint_inertia:largest"
"""D of the base's joint: that of the tip's is smaller in every posture."""


def base_inertia(tip_angle: NDArray[np.float64], length: float = LENGTH) -> NDArray[np.float64]:
    """D of the base's joint: B - C^2/A of the mass matrix [[A, C], [C, B]] of two rods."""
    rod = ROBOT.links[0]
    m, c = rod.mass, 0.5 * LENGTH
    about = rod.inertia[0, 0]
    a = about + m * c**2
    b = 2.0 * a + m * length**2 + 2.0 * m * length * c * np.cos(tip_angle)
    return np.asarray(b - (a + m * length * c * np.cos(tip_angle)) ** 2 / a)


def largest_acceleration(solution: dyn.BatchSolution) -> NDArray[np.float64]:
    return np.abs(solution.joint_acceleration).max(axis=1)


def dies_once(solution: dyn.BatchSolution) -> NDArray[np.float64]:
    """The same, but the first process that computes it is killed."""
    mark = Path(os.environ[MARK])
    try:
        with mark.open("x") as file:
            file.write("at work")
    except FileExistsError:
        return largest_acceleration(solution)
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError
