"""Beside what a number is only rounding: its neighbors of the same unit, what a line has added up to it, and the loads
that leave nothing of themselves at a joint.

Of six rows or columns three are angular and three linear, and have units of their own: kg m^2, kg m and kg stand in one
inertia. A number of one unit is held to those of another by a length, and that is the shortest of the machine, so that
what is small because the machine is small is not taken for rounding. Where an arm hangs at rest, every innovation and
every acceleration is rounding, and none has a neighbor that says so: they are held to the forces that meet there.
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
"""What the loads at joints and contacts leave or start: names of quantities, and their letters in the text."""


def shortest_radius(system: dyn.System) -> float:
    """Of all bodies with mass the least distance, root mean square, of its mass from its joint or mass center, in m."""
    bodies = [(link.mass, link.inertia, link.center_of_mass) for link in system.link_models if link.mass > 0.0]
    if system.task_object is not None:
        bodies.append((system.task_object.mass, system.task_object.inertia, np.zeros(3)))
    mass, inertia, center = (np.array(each) for each in zip(*bodies, strict=True))
    squares = 0.5 * np.trace(inertia, axis1=1, axis2=2) / mass + np.sum(center**2, axis=1)
    return float(np.sqrt(squares[squares > 0.0].min(initial=1.0)))


@dataclass(frozen=True, eq=False)
class Loads:
    """How large a joint's numbers, and an object's, would be if nothing of the forces that meet there were in balance.

    Attributes:
        length: ``shortest_radius`` of the machine.
        torque: (joints,) N m, or N where they slide.
        start: (joints,) rad/s^2, or m/s^2: what such torques would start.
        motion: (2, 1) rad/s^2; m/s^2 of a link, of the joints that turn and of those that slide.
        thing: (2, 1) rad/s^2; m/s^2 that the contact forces would start of what is held.
        inertia: (joints,) kg m^2, or kg where they slide: what each joint feels of what hangs on it.
        joint: whose column a step computes, or whose torque where it is at no link; -1 for nobody's.
    """

    length: float
    torque: Array
    start: Array
    motion: Array
    thing: Array
    inertia: Array
    joint: int = -1

    @classmethod
    def of(cls, system: dyn.System, stages: Mapping[str, Mapping[str, Array]]) -> Loads:
        """Of a solution's stages; a text that is broken may have loads that are no numbers, which count for none."""
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
        """The same for a step of a formulation that is about a joint."""
        return replace(self, joint=joint)

    def at(self, name: str, link: int) -> Array | float:
        """As ``parts`` of ``sizes_beside``, for a quantity of a link, by its name or its letter."""
        if name in MOTIONS:
            return self.motion
        if name in THINGS:
            return self.thing
        if name in COUPLINGS:
            return self._coupling(link)
        if name == "S_A":  # a square of accelerations, and rounding where they are
            return ROUNDING * float(self.torque @ self.start)
        of = self.torque if name in TORQUES else self.start if name in STARTS else np.zeros(0)
        place = self.joint if link < 0 else link
        if place < 0:  # of all joints together, of both kinds: held to the smaller loads
            return float(of[of > 0.0].min(initial=np.inf)) if np.any(of > 0.0) else 0.0
        return float(of[place]) if place < len(of) else 0.0

    def _coupling(self, link: int) -> float:
        """Between a link's joint and the step's: the mean of both, which a mass matrix's diagonal exceeds."""
        n = len(self.inertia)
        return float(np.sqrt(self.inertia[link] * self.inertia[self.joint])) if 0 <= min(link, self.joint) < n else 0.0

    def parts(self, line: LineReading) -> Array:
        """What a line of the text has added up, and the loads of which nothing may be left."""
        is_torque = line.quantity.unit == TORQUE and line.value.size == 1
        name = "tau" if is_torque else line.key.rpartition(".")[2]
        return np.maximum(sizes_of_parts(line), self.at(name, line.link))

    def of_bracket(self, factor: FactorValue, link: int) -> Array:
        """The loads that hold what is added up in a factor's brackets, as far as they hold a letter of it."""
        letters = [term.factors[0].letter for terms in factor.inner for term in terms if len(term.factors) == 1]
        held = [np.atleast_2d(self.at(letter, link)) for letter in letters if letter in JOINED]
        return functools.reduce(np.maximum, held, np.zeros((1, 1)))

    def without_rounding(self, name: str, values: Array) -> Array:
        """(links,), (links, 6) or (links, 6, 6) of a quantity, 0 where a number is rounding; anything else as it is."""
        if values.ndim == 1:
            least = np.array([self.at(name, k) for k in range(len(values))])
            return np.where(np.abs(values) <= ROUNDING * np.maximum(size_of(values), least), 0.0, values)
        if values.ndim == 2 and values.shape[1] == 6:
            sizes = [sizes_beside(row[:, None], self.length, self.at(name, k)) for k, row in enumerate(values)]
            return np.where(np.abs(values) <= ROUNDING * np.repeat(sizes, 3, axis=1)[:, :, 0], 0.0, values)
        if values.ndim == 3 and values.shape[1:] == (6, 6):
            sizes = [np.repeat(sizes_beside(each, self.length), 3, axis=0) for each in values]
            return np.where(np.abs(values) <= ROUNDING * np.repeat(sizes, 3, axis=2), 0.0, values)
        return values


def started(system: dyn.System, stages: Mapping[str, Mapping[str, Array]], length: float) -> Array:
    """(2, 1) rad/s^2; m/s^2: what the largest contact force alone would start of a held object; 0 without one."""
    if not system.is_held or system.task_object is None:
        return np.zeros((2, 1))
    forces = np.abs(stages["contact"]["contact_force"])
    moment, force = np.where(np.isfinite(forces), forces, 0.0).reshape(-1, 2, 3).max(axis=(0, 2))
    least = np.linalg.eigvalsh(system.task_object.inertia)[0]
    angular = max(moment, length * force) / least if least > 0.0 else 0.0
    return np.array([[angular], [force / system.task_object.mass]])


def sizes_beside(value: Array, length: float = 0.0, parts: Array | float = 0.0) -> Array:
    """Beside which size each part of a value stands: its own, and its neighbors' brought to its unit.

    Args:
        length: by which angular and linear parts are compared, ``shortest_radius``; 0 for not at all.
        parts: ``sizes_of_parts`` of the line that has computed it.

    Returns:
        (angular and linear rows, angular and linear columns); one row, or column, where there are not six.
    """
    sizes = np.maximum(sizes_by_unit(value), parts)
    share = min(length, 1.0 / length) if length > 0.0 else 0.0  # whichever way the unit goes
    sizes = np.maximum(sizes, share * sizes[::-1])
    return np.maximum(sizes, share * sizes[:, ::-1])


def sizes_of_parts(line: LineReading) -> Array:
    """The sizes that a line's value would have if nothing in it had canceled; 0 where that is no number."""
    return _of_sum(line.terms)


def sizes_of_bracket(factor: FactorValue) -> Array:
    """The same of what stands in a factor's brackets; 0 for a factor without, and for two sums in one bracket."""
    return _of_sum(factor.inner[0]) if len(factor.inner) == 1 and not factor.inverse else np.zeros((1, 1))


def sizes_by_unit(value: Array) -> Array:
    """The largest magnitudes among rows and columns of one unit."""
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
    """How many times larger the parts of a bracket are than what is left of them."""
    own = float(np.abs(factor.value).max(initial=0.0))
    if not factor.inner or factor.inverse or own == 0.0:
        return 1.0
    return max(1.0, max(float(_of_sum(terms).max()) for terms in factor.inner) / own)
