"""What all bodies and joints of a machine are in: gravity, and a resistance at every joint."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

import dynamics as dyn
from app.motion.numerics import Numerics
from dynamics.editing import with_damping
from dynamics.system import with_parts

PULLS: Mapping[str, tuple[float, float, float]] = MappingProxyType(
    {
        "Earth": (0.0, 0.0, -9.81),
        "Mars": (0.0, 0.0, -3.71),
        "Moon": (0.0, 0.0, -1.62),
        "No gravity": (0.0, 0.0, 0.0),
    }
)
"""Gravity by where one is, m/s^2."""
STABLE: Mapping[str, float] = MappingProxyType({"rk4": 2.785, "heun": 2.0, "euler": 2.0})
"""Rate times step up to which a decay is followed as one."""
OTHER_PULL = "Other gravity"


def place_of(gravity: tuple[float, ...]) -> str:
    """Where it pulls so."""
    return next((place for place, pull in PULLS.items() if pull == gravity), OTHER_PULL)


def check_stiffness(system: dyn.System, state: dyn.State, numerics: Numerics) -> None:
    """Refuses steps by which damping would drive a joint instead of braking it.

    A joint that is damped at a rate of so many 1/s is followed by steps up to 2 / rate, or 2.785 / rate of RK4.

    Raises:
        ModelError: naming the joint.
    """
    if numerics.is_adaptive or not any(joint.damping for joint in system.joint_models):
        return
    root = np.sqrt([joint.damping for joint in system.joint_models])
    rates, ways = np.linalg.eigh(root[:, None] * dyn.mass_matrix_inverse(system, state) * root)
    if rates[-1] * numerics.step > STABLE[numerics.method]:
        joint = system.joint_names[int(np.abs(ways[:, -1]).argmax())]
        raise dyn.ModelError(
            f"joint {reprlib.repr(joint)} is damped within {1e3 / rates[-1]:.2g} ms, which is too stiff for steps of "
            f"{1e3 * numerics.step:g} ms; choose shorter ones, less damping, or an adaptive integrator."
        )


def in_world(system: dyn.System, gravity: tuple[float, ...] | None, damping: float) -> dyn.System:
    """The same system under another gravity, m/s^2, every joint damped by so much more, N m s/rad or N s/m.

    Raises:
        ModelError: for numbers that cannot be.
    """
    if gravity is None and not damping:
        return system
    robots = [
        with_damping(robot, {joint.name: joint.damping + damping for joint in robot.joints}) if damping else robot
        for robot in system.robots
    ]
    return with_parts(system, robots, gravity)
