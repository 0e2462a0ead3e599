"""The world that a machine moves in: its integrator and gravity, and the inertial parameters of its bodies."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from dynamics.robot import with_body, with_damping
from dynamics.system import with_object_center, with_parts

TIME_STEP = 1e-3  # s: the default step, and the raster of the page's instants
STEPS = (1e-4, 2e-4, 5e-4, TIME_STEP, 2e-3, 5e-3, 1e-2)
"""s; each divides the page's raster or is a multiple of it, so that its instants are steps."""
FIXED: Mapping[str, tuple[str, int]] = MappingProxyType(
    {"rk4": ("Runge–Kutta 4", 4), "heun": ("Heun, order 2", 2), "euler": ("Euler, order 1", 1)}
)
"""Fixed-step integrators: their titles, and evaluations of the accelerations per step."""
ADAPTIVE: Mapping[str, str] = MappingProxyType(
    {"RK45": "Dormand–Prince 5(4), adaptive", "DOP853": "Dormand–Prince 8, adaptive", "LSODA": "LSODA, adaptive"}
)
"""Integrators of scipy with adaptive steps."""


@dataclass(frozen=True)
class Numerics:
    """Settings of the integrator."""

    method: str = "rk4"  # by its name in ``dynamics.Simulation``
    step: float = TIME_STEP  # s

    @property
    def is_adaptive(self) -> bool:
        return self.method in ADAPTIVE

    @property
    def raster(self) -> float:
        """s between the instants at which a state is known without interpolation, and interventions are possible."""
        return TIME_STEP if self.is_adaptive else max(self.step, TIME_STEP)

    def on_raster(self, time: float) -> float:
        """The nearest of these instants."""
        return round(time / self.raster) * self.raster

    @property
    def words(self) -> str:
        if self.is_adaptive:
            return self.method
        return f"{FIXED[self.method][0].partition(',')[0]}, {1e3 * self.step:g} ms"

    @property
    def sampling(self) -> float:
        """s: the step, or for an adaptive method the interval of the recording."""
        return TIME_STEP if self.is_adaptive else self.step

    @property
    def record_every(self) -> int:
        """Steps per record: no more is kept than the page has instants."""
        return max(round(TIME_STEP / self.sampling), 1)


RUNGE_KUTTA = Numerics()  # The default integrator of a machine
MOST_EFFORT = 1.2e6  # Largest number of links times evaluations per second of motion


def check_effort(system: dyn.System, numerics: Numerics) -> None:
    """Refuses settings that could not be computed in real time."""
    if numerics.is_adaptive:
        return
    effort = system.n_links * FIXED[numerics.method][1] / numerics.step
    if numerics.step < TIME_STEP and effort > MOST_EFFORT:
        raise dyn.ModelError(
            f"steps of {1e3 * numerics.step:g} ms would take too long with {system.n_links} links; choose longer ones."
        )


PULLS: Mapping[str, tuple[float, float, float]] = MappingProxyType(
    {"Earth": (0.0, 0.0, -9.81), "Mars": (0.0, 0.0, -3.71), "Moon": (0.0, 0.0, -1.62), "No gravity": (0.0, 0.0, 0.0)}
)
"""Gravity by place, m/s^2."""
STABLE: Mapping[str, float] = MappingProxyType({"rk4": 2.785, "heun": 2.0, "euler": 2.0})
"""Stability limit: rate times step up to which a decay is computed as one."""
OTHER_PULL = "Other gravity"


def place_of(gravity: tuple[float, ...]) -> str:
    return next((place for place, pull in PULLS.items() if pull == gravity), OTHER_PULL)


def check_stiffness(system: dyn.System, state: dyn.State, numerics: Numerics) -> None:
    """Refuses steps with which damping would drive a joint instead of braking it.

    A decay at a rate in 1/s is stable for steps up to 2 / rate, or 2.785 / rate for RK4.
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
    """The same system under another gravity, m/s^2, with additional damping of every joint, N m s/rad or N s/m."""
    if gravity is None and not damping:
        return system
    added = [{joint.name: joint.damping + damping for joint in robot.joints} for robot in system.robots]
    robots = map(with_damping, system.robots, added) if damping else system.robots
    return with_parts(system, list(robots), gravity)


DISPLACEMENT = 1e3  # Largest displacement, rad or m to either side
TORQUE = 1e6  # Largest torque, N m or N to either side
FORCE = 1e6  # Largest force of a push, N
MASS = 1e6  # Largest mass, kg
LIGHTEST = 1e-6  # Smallest mass of a body whose mass and inertia are scaled together, kg
LENGTH = 1e3  # Largest offset of a mass centre, m to either side
INERTIA = 1e9  # Largest inertia, kg m^2 to either side
MOST_BODIES = 20  # Most bodies changed at a time, as a link has room for no more
GRAVITY = 1e3  # Largest gravity, m/s^2 to either side, along each axis
DAMPING = 1e4  # Largest damping, N m s/rad or N s/m


Array = NDArray[np.float64]
PLACES = (0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)  # Indices of the six numbers of an inertia
OBJECT_NAME = "Object"


@dataclass(frozen=True)
class Body:
    """Inertial parameters of one rigid body."""

    mass: float  # kg
    center: tuple[float, ...]  # (3,) m, in the body's own axes from its origin; for an object from where it was loaded
    inertia: tuple[float, ...]  # xx, yy, zz, xy, xz and yz, kg m^2, about the mass centre, in the body's own axes

    @property
    def tensor(self) -> Array:
        """(3, 3) kg m^2."""
        found = np.zeros((3, 3))
        for (row, column), value in zip(PLACES, self.inertia, strict=True):
            found[row, column] = found[column, row] = value
        return found

    def scaled(self, mass: float) -> Body:
        if not mass > 0.0:
            raise dyn.ModelError(f"a mass of {mass:g} kg cannot be set; give a positive one.")
        share = mass / self.mass if self.mass > 0.0 else 1.0
        return Body(mass, self.center, tuple(share * value for value in self.inertia))


def main_body(system: dyn.System) -> int:
    """The body of most interest: the object, or the tip's link if there is no object."""
    return system.n_links if system.task_object is not None else 0


def body_names(system: dyn.System) -> list[str]:
    """Names of all bodies: the links in the system's order, and the object."""
    return [*system.link_names, *([OBJECT_NAME] if system.task_object is not None else [])]


def body_of(system: dyn.System, body: int) -> Body:
    """Inertial parameters of a body: a link by its index, the object after the last link."""
    if body < system.n_links:
        link = system.link_models[body]
        return _body(link.mass, link.center_of_mass, link.inertia)
    assert system.task_object is not None
    return _body(system.task_object.mass, np.zeros(3), system.task_object.inertia)


def _body(mass: float, center: Array, inertia: Array) -> Body:
    return Body(float(mass), tuple(center.tolist()), tuple(float(inertia[place]) for place in PLACES))


def heavier(before: Body, present: Body, mass: float) -> Body:
    """A body, once loaded as ``before``, with another density and no rounding errors after changing it to and fro."""
    is_scaled = present.mass > 0.0 and present == before.scaled(present.mass)
    return (before if is_scaled else present).scaled(mass)


def with_bodies(system: dyn.System, bodies: Mapping[int, Body]) -> dyn.System:
    """The same system with other inertial parameters of bodies; shapes and contacts stay."""
    if not bodies:
        return system
    if len(bodies) > MOST_BODIES:
        raise dyn.ModelError(f"{len(bodies)} bodies would be changed; a link has room for {MOST_BODIES} at a time.")
    robots = list(system.robots)
    for k, body in bodies.items():
        if k < system.n_links:
            arm, name = int(system.arm_of_link[k]), system.link_models[k].name
            robots[arm] = with_body(robots[arm], name, body.mass, body.center, body.tensor)
    made = with_parts(system, robots)
    if system.n_links not in bodies:
        return made
    payload, held = bodies[system.n_links], system.task_object
    if held is None:
        raise dyn.ModelError("there is no object here.")
    made = dyn.with_task_object(made, dyn.TaskObject(payload.mass, payload.tensor, held.geometry, held.name))
    return with_object_center(made, payload.center) if any(payload.center) else made


def from_loaded(state: dyn.State, center: tuple[float, ...]) -> dyn.State:
    """Converts a state of the machine as loaded to one with the object's mass centre elsewhere in its body."""
    if state.object_pose is None or not any(center):
        return state
    pose, arm = state.object_pose.copy(), state.object_pose[:3, :3] @ np.array(center)
    pose[:3, 3] += arm
    velocity = None if state.object_velocity is None else state.object_velocity.copy()
    if velocity is not None:
        velocity[3:] += np.cross(velocity[:3], arm)
    return replace(state, object_pose=pose, object_velocity=velocity)
