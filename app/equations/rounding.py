"""The sizes relative to which a number is only rounding: its neighbors of the same unit, the terms that its line adds
up, and the loads that cancel at a joint.

In six rows or columns, three are angular and three linear, with different units: one inertia contains kg m^2, kg m and
kg. Numbers of different units are compared by means of the machine's shortest radius, so that small numbers of
a small machine are not taken for rounding. When an arm hangs at rest, every innovation and every acceleration is
rounding, and no neighbor shows it: they are compared with the forces that meet there.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.number_text import ROUNDING, size_of
from dynamics.reading import FactorValue, LineReading, TermValue

Array = NDArray[np.float64]
TORQUES = (
    *("innovation", "modified_innovation", "innovation_as_printed", "dual_innovation"),
    *("eps", "eps_new", "e_minus", "eps_s", "tau", "V", "kin", "grav", "push"),
)
STARTS = (
    *("residual", "residual_as_printed", "dual_residual", "joint_acceleration"),
    *("nu", "nu_new", "e_plus", "nu_s", "theta_dd", "theta_dd_k"),
)
MOTIONS = ("acceleration", "acceleration_inboard", "alpha", "alpha_plus", "alpha_k")
THINGS = ("object_acceleration", "corrected_object_acceleration", "alpha_C", "alpha_new")
COUPLINGS = ("mass", "mass_2")
TORQUE = "N m or N"
JOINED = frozenset((*TORQUES, *STARTS, *MOTIONS, *THINGS, *COUPLINGS))
"""Quantities that loads at joints and contacts leave or cause: their names, and their letters in the text."""


def shortest_radius(system: dyn.System) -> float:
    """The smallest root-mean-square distance, in m, of any body's mass from its joint or mass center."""
    bodies = [(link.mass, link.inertia, link.center_of_mass) for link in system.link_models if link.mass > 0.0]
    if system.task_object is not None:
        bodies.append((system.task_object.mass, system.task_object.inertia, np.zeros(3)))
    mass, inertia, center = (np.array(each) for each in zip(*bodies, strict=True))
    squares = 0.5 * np.trace(inertia, axis1=1, axis2=2) / mass + np.sum(center**2, axis=1)
    return float(np.sqrt(squares[squares > 0.0].min(initial=1.0)))


@dataclass(frozen=True, eq=False)
class Loads:
    """How large the numbers of joints and the object would be if the forces that meet there did not balance."""

    length: float  # ``shortest_radius`` of the machine
    torque: Array  # (joints,) N m, or N at sliding joints
    start: Array  # (joints,) rad/s^2, or m/s^2: acceleration that such torques would cause
    motion: Array  # (2, 1) rad/s^2; m/s^2 of a link, due to the joints that turn and those that slide
    payload: Array  # (2, 1) rad/s^2; m/s^2 of the held object that the contact forces would cause
    inertia: Array  # (joints,) kg m^2, or kg at sliding joints: what each joint feels of everything outboard of it
    joint: int = -1  # the joint whose column or (for a line at no link) torque a step computes; -1 for none

    @classmethod
    def of(cls, system: dyn.System, stages: Mapping[str, Mapping[str, Array]]) -> Loads:
        """From the stages of a solution; loads of a broken text that are not finite count as zero."""
        length, found, n = shortest_radius(system), stages["filter"], system.n_joints
        sizes = np.maximum(np.abs(found["predicted_force"]), np.abs(found["corrected_force"]))[:n]
        halves = np.where(np.isfinite(sizes), sizes, 0.0).reshape(n, 2, 3).max(axis=2)
        halves = np.maximum(halves, min(length, 1.0 / length) * halves[:, ::-1])
        slides = np.array([joint.kind == "prismatic" for joint in system.joint_models])
        torque = np.where(slides, halves[:, 1], halves[:, 0])
        inertia = np.abs(np.nan_to_num(found["joint_inertia"], posinf=0.0, neginf=0.0))
        start = np.divide(torque, inertia, out=np.zeros(n), where=inertia > 0.0)
        for each in (torque, start):
            for kind in (slides, ~slides):
                each[kind] = each[kind].max(initial=0.0)
        motion = [start[~slides].max(initial=0.0)], [start[slides].max(initial=0.0)]
        return cls(length, torque, start, np.array(motion), started(system, stages, length), inertia)

    def along(self, joint: int) -> Loads:
        """The same for a step of a formulation that concerns one joint."""
        return replace(self, joint=joint)

    def at(self, name: str, link: int) -> Array | float:
        """The ``parts`` of ``sizes_beside`` for a quantity of a link, by its name or its letter."""
        if name in MOTIONS:
            return self.motion
        if name in THINGS:
            return self.payload
        if name in COUPLINGS:
            return self._coupling(link)
        if name == "S_A":  # quadratic in accelerations, hence rounding where they are
            return ROUNDING * float(self.torque @ self.start)
        of = self.torque if name in TORQUES else self.start if name in STARTS else np.zeros(0)
        place = self.joint if link < 0 else link
        if place < 0:  # a quantity of all joints, of both kinds: compared with the smaller loads
            return float(of[of > 0.0].min(initial=np.inf)) if np.any(of > 0.0) else 0.0
        return float(of[place]) if place < len(of) else 0.0

    def _coupling(self, link: int) -> float:
        """Geometric mean of the inertias at a link's joint and the step's; less than on a mass matrix's diagonal."""
        n = len(self.inertia)
        return float(np.sqrt(self.inertia[link] * self.inertia[self.joint])) if 0 <= min(link, self.joint) < n else 0.0

    def parts(self, line: LineReading) -> Array:
        """Sizes of the terms that a line of the text adds up, and of the loads that may cancel in it."""
        is_torque = line.quantity.unit == TORQUE and line.value.size == 1
        name = "tau" if is_torque else line.key.rpartition(".")[2]
        return np.maximum(sizes_of_parts(line), self.at(name, line.link))

    def of_bracket(self, factor: FactorValue, link: int) -> Array:
        """The loads that concern the sum in a factor's brackets, if they concern any of its letters."""
        letters = [term.factors[0].letter for terms in factor.inner for term in terms if len(term.factors) == 1]
        held = [np.atleast_2d(self.at(letter, link)) for letter in letters if letter in JOINED]
        return functools.reduce(np.maximum, held, np.zeros((1, 1)))

    def without_rounding(self, name: str, values: Array) -> Array:
        """A quantity (links,), (links, 6) or (links, 6, 6) with rounding set to 0; any other shape unchanged."""
        if values.ndim == 1:
            least = np.array([self.at(name, k) for k in range(len(values))])
            return np.where(np.abs(values) <= ROUNDING * np.maximum(size_of(values), least), 0.0, values)
        if values.shape[1:] in ((6,), (6, 6)):
            blocks = values.reshape(len(values), 6, -1)
            sizes = np.array([sizes_beside(each, self.length, self.at(name, k)) for k, each in enumerate(blocks)])
            sizes = sizes.repeat(3, axis=1).repeat(blocks.shape[2] // sizes.shape[2], axis=2)
            return np.where(np.abs(values) <= ROUNDING * sizes.reshape(values.shape), 0.0, values)
        return values


def started(system: dyn.System, stages: Mapping[str, Mapping[str, Array]], length: float) -> Array:
    """(2, 1) rad/s^2; m/s^2: acceleration of a held object by the largest contact force alone; 0 without one."""
    if not system.is_held or system.task_object is None:
        return np.zeros((2, 1))
    forces = np.abs(stages["contact"]["contact_force"])
    moment, force = np.where(np.isfinite(forces), forces, 0.0).reshape(-1, 2, 3).max(axis=(0, 2))
    least = np.linalg.eigvalsh(system.task_object.inertia)[0]
    angular = max(moment, length * force) / least if least > 0.0 else 0.0
    return np.array([[angular], [force / system.task_object.mass]])


def sizes_beside(value: Array, length: float = 0.0, parts: Array | float = 0.0) -> Array:
    """The size with which each part of a value is compared: its own, and its neighbors' converted to its unit.

    Args:
        length: relates angular and linear parts, ``shortest_radius``; 0 if they are not compared.
        parts: ``sizes_of_parts`` of the line that computed it.

    Returns:
        (angular and linear rows, angular and linear columns); one row, or column, if there are not six.
    """
    sizes = np.maximum(sizes_by_unit(value), parts)
    share = min(length, 1.0 / length) if length > 0.0 else 0.0  # whichever way the unit is converted
    sizes = np.maximum(sizes, share * sizes[::-1])
    return np.maximum(sizes, share * sizes[:, ::-1])


def sizes_of_parts(line: LineReading) -> Array:
    """The sizes that a line's value would have without cancellation; 0 if that is not a finite number."""
    return _of_sum(line.terms)


def sizes_of_bracket(factor: FactorValue) -> Array:
    """The same for the contents of a factor's brackets; 0 for a factor without any, or with two sums in one bracket."""
    return _of_sum(factor.inner[0]) if len(factor.inner) == 1 and not factor.inverse else np.zeros((1, 1))


def sizes_by_unit(value: Array) -> Array:
    """The largest magnitudes among rows and columns of each unit."""
    if not value.size:
        return np.zeros((1, 1))
    rows, columns = value.shape
    down, across = (2 if count % 6 == 0 else 1 for count in (rows, columns))
    sizes = np.where(np.isfinite(value), np.abs(value), 0.0)
    halves = sizes.reshape(-1, down, 3 if down == 2 else rows, columns).max(axis=(0, 2))
    return halves.reshape(down, -1, across, 3 if across == 2 else columns).max(axis=(1, 3))


def _of_sum(terms: tuple[TermValue, ...]) -> Array:
    found: Array = np.zeros((1, 1))
    for term in terms:
        found = np.maximum(found, sizes_by_unit(term.value) * max(map(_canceled, term.factors), default=1.0))
    return np.where(np.isfinite(found), found, 0.0)


def _canceled(factor: FactorValue) -> float:
    """The ratio of the largest part of a bracket to the bracket's value."""
    own = float(np.abs(factor.value).max(initial=0.0))
    if not factor.inner or factor.inverse or own == 0.0:
        return 1.0
    return max(1.0, max(float(_of_sum(terms).max()) for terms in factor.inner) / own)
