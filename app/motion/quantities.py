"""The quantities that can be plotted: every registered stage array, derived quantities, and the motion itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import cycle
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import dynamics as dyn
from app.motion.run import Run
from dynamics.solve import CenterOfMass, contact_influence_sweep, smoothed_force_covariance
from dynamics.system import Quantity

Array = NDArray[np.float64]
AXES = ("x", "y", "z")
BRIEF = {"moment": "M", "force": "F", "angular": "rot ", "linear": "lin "}


@dataclass(frozen=True)
class Channel:
    """One of several numbers: its word, its unit at turning and at sliding joints, and an abbreviation."""

    label: str
    unit: str
    sliding_unit: str = ""
    brief: str = ""


@dataclass(frozen=True)
class Component:
    """A choice of numbers from an array."""

    key: str  # how a panel refers to it
    label: str  # its text in a menu
    channels: tuple[Channel, ...]  # identify its numbers, one each
    shape: tuple[int, ...]  # the axes after the rows in the array from which it is picked
    pick: Callable[[Array], Array]  # (rows, *shape) to (rows, channels)
    positive: bool = False  # whether the numbers cannot be negative, so that a logarithmic axis suits them


def scalar(unit: str) -> tuple[Component, ...]:
    """The one component of a quantity with one number per row."""
    turning, _, sliding = unit.partition(" or ")
    positive = turning == "kg m^2"
    return (Component("value", "value", (Channel("", turning, sliding),), (), lambda a: a[:, None], positive),)


def some_of(component: Component, numbers: Sequence[int], key: str = "", label: str = "") -> Component:
    """Some lines of a component as a component of its own; a single line is named after its channel."""
    lines, chosen = tuple(component.channels[k] for k in numbers), list(numbers)
    key = key or lines[0].label
    return Component(
        key, label or key, lines, component.shape, lambda a: component.pick(a)[:, chosen], component.positive
    )


def with_each(component: Component, *others: Component) -> tuple[Component, ...]:
    """A component, the others, and each of its lines as a component of its own."""
    return (component, *others, *(some_of(component, (k,)) for k in range(len(component.channels))))


def vector(unit: str) -> tuple[Component, ...]:
    """The components of [angular; linear]: all six, either half, each number, the length of either half."""
    halves = _halves(unit)
    lines = tuple(Channel(f"{half} {axis}", *units, BRIEF[half] + axis) for half, units in halves for axis in AXES)
    six = Component("all", "all six", lines, (6,), lambda a: a)
    three = [some_of(six, range(3 * k, 3 * k + 3), half, f"{half}: x, y, z") for k, (half, _) in enumerate(halves)]
    sizes = tuple(Channel(f"|{half}|", *units, f"|{BRIEF[half].strip()}|") for half, units in halves)
    both = Component("", "", sizes, (6,), lambda a: np.linalg.norm(a.reshape(-1, 2, 3), axis=2), positive=True)
    return (*with_each(six, *three), some_of(both, (0,)), some_of(both, (1,)))


def _halves(unit: str) -> tuple[tuple[str, tuple[str, str]], tuple[str, tuple[str, str]]]:
    """(word, (unit, unit at a sliding joint)) of the angular and of the linear half."""
    plain, _, other = unit.partition(" (or ")
    angular, linear = plain.split("; ")
    sliding = other.rstrip(")").split("; ") if other else ["", ""]
    moments = angular in ("N m", "1")
    words = ("moment", "force") if moments else ("angular", "linear")
    return (words[0], (angular, sliding[0])), (words[1], (linear, sliding[1]))


def entries(shape: tuple[int, ...], unit: str) -> tuple[Component, ...]:
    """The diagonal of a square array, and each entry; the unit is one, or ``a, b; c, d`` for 3 by 3 blocks."""
    rows, columns = shape
    blocks = [row.split(", ") for row in unit.split("; ")]
    shared = " or ".join(sorted({part for row in blocks for part in row}))
    units = blocks if shape == (6, 6) and len(blocks) == 2 else [[shared] * columns] * rows
    lines = tuple(Channel(f"{r + 1},{c + 1}", units[r // 3][c // 3]) for r in range(rows) for c in range(columns))
    whole = Component("all", "all", lines, shape, lambda a: a.reshape(len(a), -1))
    each = [some_of(whole, (k,), line.label, f"entry {line.label}") for k, line in enumerate(lines)]
    diagonal = [some_of(whole, range(0, rows * rows, rows + 1), "diagonal")] if rows == columns else []
    return (*diagonal, *each)


def _diagonal_units(unit: str) -> Mapping[str, str]:
    """The unit of the angular and of the linear diagonal block of ``a, b; c, d``."""
    (angular, _), (_, linear) = (row.split(", ") for row in unit.split("; "))
    return {"angular": angular, "linear": linear}


def traces(unit: str) -> tuple[Component, ...]:
    """The traces of the angular and of the linear diagonal block; they have two units and are never added."""
    units = _diagonal_units(unit)
    lines = tuple(Channel(f"{half} trace", own, "", BRIEF[half].strip()) for half, own in units.items())
    both = Component("", "", lines, (6, 6), _block_traces, positive=True)
    return tuple(some_of(both, (k,), half) for k, half in enumerate(units))


def _block_traces(array: Array) -> Array:
    return np.asarray(np.diagonal(array, axis1=1, axis2=2).reshape(-1, 2, 3).sum(axis=2))


def spectrum(unit: str) -> tuple[Component, ...]:
    """The eigenvalues, ascending, of the angular and of the linear diagonal block; their units differ."""
    units = _diagonal_units(unit)
    lines = tuple(
        Channel(f"{half} {k}", own, "", f"{BRIEF[half]}{k}") for half, own in units.items() for k in (1, 2, 3)
    )
    both = Component("all", "all six", lines, (6, 6), eigenvalues, positive=True)
    halves = [some_of(both, range(3 * k, 3 * k + 3), half, f"{half}: 3") for k, half in enumerate(units)]
    return with_each(both, *halves)


def eigenvalues(array: Array) -> Array:
    """(rows, 6) of (rows, 6, 6): those of each diagonal block, ascending."""
    blocks = np.stack([array[:, :3, :3], array[:, 3:, 3:]], axis=1)
    finite = np.asarray(np.isfinite(blocks).all(axis=(2, 3)))[..., None]  # a broken algorithm divides by zero
    found = np.linalg.eigvalsh(np.where(finite[..., None], blocks, 0.0))
    return np.where(finite, found, np.nan).reshape(-1, 6)


class Moment:
    """The source of the plotted quantities: the complete solution, possibly known, and what only the recording has."""

    def __init__(self, run: Run, time: float, solution: dyn.Solution | None = None) -> None:
        self.run = run
        self.time = min(time, run.end)
        if solution is not None:
            self.solution = solution

    @cached_property
    def solution(self) -> dyn.Solution:
        return self.run.solution_at(self.time)

    @property
    def system(self) -> dyn.System:
        return self.solution.system

    @cached_property
    def mass_center(self) -> CenterOfMass:
        """The center of mass of links and object, with the momentum about it."""
        return dyn.center_of_mass(self.solution.system, self.solution.state)

    @property
    def drift(self) -> Array:
        """(1, 2) largest gap of the loop closure in position and in velocity, before the projection."""
        leg = self.run.leg_at(self.time)
        own = leg.own(self.time)
        recorded = leg.recording.segment_at(own)
        nearest = int(np.argmin(np.abs(recorded.times - own)))
        return recorded.drift[None, nearest]


Rows = Literal["links", "tips", "whole"]
Read = Callable[[Moment], Array | None]
Key = tuple[str, str]
Shape = tuple[int, ...]
CONTACT_STAGES = ("contact", "filter_correction", "smoother_final")
OF_THE_OBJECT = ("contact", "object_acceleration"), ("contact", "contact_force")
"""Quantities of an object that exist even if it is not held."""
TWICE = {("dual_filter", "joint_acceleration"): "joint acceleration by both filters"}
"""Names for quantities that another stage has by the same symbol and name."""
HELD_OR_NOT = {"smoother": "object not held", "smoother_final": "object held"}
ROWS: Mapping[str, Rows] = {"(links": "links", "(joints": "links", "(tips": "tips", "(6 tips": "tips"}


@dataclass(frozen=True)
class PlotQuantity:
    """One entry of the list that a user searches."""

    key: str  # ``stage/name`` for a registered array, with a suffix such as ``/trace`` for a derived quantity
    symbol: str  # LaTeX
    estimation_name: str  # its name in either field
    mechanics_name: str
    stage: str  # where it comes from
    color: str  # its name in the palette
    rows: Rows  # what the leading axis counts: links (or joints), tips of arms, or nothing
    components: tuple[Component, ...]  # its possible plots; the first is the default
    read: Read  # its array at a moment, (rows, ...), or None while there is none
    added: Read | None = None  # for a sum, how large its numbers would be without cancellation; otherwise None

    @property
    def names(self) -> str:
        """Both names, or the one that both fields use."""
        return ", ".join(dict.fromkeys((self.estimation_name, self.mechanics_name)))

    @property
    def at_joints(self) -> bool:
        """Whether there is one number per joint, and none for a floating base."""
        return self.components[0].shape == ()

    def component(self, key: str) -> Component:
        return next((each for each in self.components if each.key == key), self.components[0])

    def values(self, moment: Moment, component: Component) -> Array:
        """(rows, lines) at a moment; NaN where there is no value."""
        found = self.read(moment)
        rows = self.count(moment.system)
        values = np.full((rows, len(component.channels)), np.nan)
        if found is not None and found.size and found.shape[1:] == component.shape:
            picked = component.pick(found)
            values[: len(picked)] = picked
        return values

    def count(self, system: dyn.System) -> int:
        """Its number of rows in a system."""
        return {"links": system.n_links, "tips": system.n_tips, "whole": 1}[self.rows]


def catalogue(solution: dyn.Solution) -> dict[str, PlotQuantity]:
    """All quantities that can be plotted of a run that starts with ``solution``, by key."""
    system = solution.system
    shapes = tuple(
        ((stage, name), array.shape) for stage, found in solution.stages.items() for name, array in found.items()
    )
    stages = _of_stages(shapes, system.task_object is not None, system.is_floating)
    return {each.key: each for each in (*stages, *_motion(solution))}


@lru_cache(maxsize=64)
def _of_stages(shapes: tuple[tuple[Key, Shape], ...], holds: bool, floats: bool) -> tuple[PlotQuantity, ...]:
    """The quantities of stages with these shapes: the same for all machines that hold and float alike."""
    known, found = dict(shapes), list[PlotQuantity]()
    for (stage, name), quantity in dyn.registry.items():
        shape = known.get((stage, name))
        if stage not in ("filter", "smoother") and shape is None and not (holds and stage in CONTACT_STAGES):
            continue
        mechanics = TWICE.get((stage, name)) or mechanics_of(quantity, holds, stage)
        found += _of_array(stage, name, quantity, shape, mechanics)
    return (*found, *_of_no_stage(holds and not floats), *_whitened(known, holds))


def found_in(solution: dyn.Solution, stage: str, name: str) -> Array | None:
    """A stage's array; once the object is released, its replacement, as the first smoother is then the last one."""
    found = solution.stages.get(stage, {}).get(name)
    if found is not None or solution.system.is_held:
        return found
    if stage == "smoother_final":
        return solution.stages.get("smoother", {}).get(name)
    return getattr(solution, name) if (stage, name) in OF_THE_OBJECT else None


def mechanics_of(quantity: Quantity, holds: bool, stage: str = "") -> str:
    """A quantity's name in mechanics; if it is computed both with and without the object, the name says which.

    ``holds`` is whether the machine can hold an object; without one there is only one case.
    """
    plain_name = quantity.mechanics_name.removesuffix(", object not held").removesuffix(", object held")
    if not holds or stage not in HELD_OR_NOT:
        return quantity.mechanics_name if holds else plain_name
    return f"{plain_name}, {HELD_OR_NOT[stage]}"


def _of_array(stage: str, name: str, quantity: Quantity, shape: Shape | None, mechanics: str) -> list[PlotQuantity]:
    rows = ROWS.get(quantity.shape.split(",")[0].rstrip(")"), "whole")

    def read(moment: Moment) -> Array | None:
        found = found_in(moment.solution, stage, name)
        if found is None:
            return None
        if rows == "whole":
            return found[None]
        return found.reshape(-1, 6, found.shape[-1]) if quantity.shape.startswith("(6 tips") else found

    def plotted(components: tuple[Component, ...]) -> PlotQuantity:
        names = (quantity.estimation_name, mechanics)
        return PlotQuantity(f"{stage}/{name}", quantity.symbol, *names, stage, name, rows, components, read)

    if quantity.shape in ("(joints,)",):
        return [plotted(scalar(quantity.unit))]
    if quantity.shape in ("(links, 6)", "(joints, 6)", "(tips, 6)", "(6,)"):
        return [plotted(vector(quantity.unit))]
    if quantity.shape in ("(links, 6, 6)", "(tips, 6, 6)"):
        return _with_spectrum(plotted(entries((6, 6), quantity.unit)), quantity.unit)
    if quantity.shape == "(6 tips, 6)":
        return [plotted(entries((6, 6), quantity.unit))]
    if shape is None or not all(shape):
        return []
    return [plotted(entries((6, shape[1]) if rows == "tips" else shape, quantity.unit))]


def _with_spectrum(plain: PlotQuantity, unit: str) -> list[PlotQuantity]:
    """A matrix per row, its traces and its eigenvalues."""
    found = [plain]
    for word, operator, components in (("trace", "tr", traces(unit)), ("eigenvalues", "eig", spectrum(unit))):
        symbol = f"({plain.symbol})" if "+" in plain.symbol[3:] else plain.symbol
        found.append(
            replace(
                plain,
                key=f"{plain.key}/{word}",
                symbol=f"{operator} {symbol}",
                estimation_name=f"{word} of the {plain.estimation_name}",
                mechanics_name=f"{word} of the {plain.mechanics_name}",
                components=components,
            )
        )
    return found


def _of_no_stage(carries: bool) -> list[PlotQuantity]:
    """Matrices of every link that no stage needs: the covariances after smoothing, and R88's S(i) of fixed arms."""
    unit = dyn.registry["filter", "articulated_inertia"].unit

    def of_links(stage: str, name: str, symbol: str, words: tuple[str, str], read: Read) -> list[PlotQuantity]:
        plain = PlotQuantity(f"{stage}/{name}", symbol, *words, stage, name, "links", entries((6, 6), unit), read)
        return _with_spectrum(plain, unit)

    smoothed = ("smoothed state covariance", "inertia that no torque reveals")
    found = of_links("smoother", "smoothed_force_covariance", r"(P-P\Lambda P)(k)", smoothed,
                     lambda m: smoothed_force_covariance(m.system, m.solution.state))  # fmt: skip
    if carries:
        carried = ("covariance of the contact forces, carried inward", "inertia that the contacts feel, carried inward")
        symbol = r"(\psi\Omega^{-1}\psi')(k)"
        found += of_links("contact", "contact_influence_sweep", symbol, carried, lambda m: (
            contact_influence_sweep(m.system, m.solution.state) if m.system.is_held else None))  # fmt: skip
    return found


def _whitened(shapes: Iterable[Key], holds: bool) -> list[PlotQuantity]:
    """Innovations divided by their standard deviation, ε/√D: the same unit at every joint."""

    def of(stage: str, name: str, covariance_stage: str, covariance: str, symbol: str) -> PlotQuantity:
        quantity = dyn.registry[stage, name]

        def read(moment: Moment) -> Array | None:
            stages = moment.solution.stages
            if stage not in stages or covariance_stage not in stages:
                return None
            return stages[stage][name] / np.sqrt(stages[covariance_stage][covariance])

        return PlotQuantity(
            f"{stage}/{name}/whitened", symbol, f"whitened {quantity.estimation_name}",
            f"{quantity.mechanics_name}, per root of the joint inertia", stage, name, "links",
            scalar("kg^(1/2) m/s^2"), read,
        )  # fmt: skip

    found = [of("filter", "innovation", "filter", "joint_inertia", r"\epsilon(k)/\sqrt{D(k)}")]
    if holds:
        symbol = r"(\epsilon(k)-H\,\delta z(k))/\sqrt{D(k)}"
        found.append(of("filter_correction", "modified_innovation", "filter", "joint_inertia", symbol))
    if any(stage == "dual_filter" for stage, _ in shapes):
        symbol = r"\epsilon_s(k)/\sqrt{D_s(k)}"
        found.append(of("dual_filter", "dual_innovation", "dual_filter", "dual_joint_inertia", symbol))
    return found


def _motion(start: dyn.Solution) -> list[PlotQuantity]:
    """The motion, and its energy and momentum balances, of a run with this start."""
    system, datum = start.system, np.array([0.0, start.potential_energy, start.potential_energy])
    place, twist, force = "m", "rad/s; m/s", "N m; N"

    def entry(
        key: str, symbol: str, name: str, color: str, rows: Rows, components: tuple[Component, ...],
        read: Read, added: Read | None = None,
    ) -> PlotQuantity:  # fmt: skip
        return PlotQuantity(f"motion/{key}", symbol, name, name, "motion", color, rows, components, read, added)

    def all_of(label: str, names: Iterable[str], units: str, key: str = "all", since: Array | float = 0.0) -> Component:
        lines = tuple(Channel(each, unit) for each, unit in zip(names, cycle(units.split("; ")), strict=False))
        return Component(key, label, lines, (len(lines),), lambda a: a - since)

    # The zero of potential energy is arbitrary; measured from the base's height, it would dwarf the changes.
    changing = all_of("all three, potential zero at the start", ENERGIES, "J", "since", datum)
    parts = with_each(all_of("all three", ENERGIES, "J"), changing)
    at, turning = (with_each(all_of("x, y, z", "xyz", unit)) for unit in (place, "N m s"))
    found = [
        entry("q", r"\theta(k)", "joint position", "q", "links", scalar("rad or m"), lambda m: m.solution.state.q),
        entry("qd", r"\dot\theta(k)", "joint velocity", "qd", "links", scalar("rad/s or m/s"),
              lambda m: m.solution.state.qd),
        entry("tau", r"\tau(k)", "joint torque", "tau", "links", scalar("N m or N"), lambda m: m.solution.tau),
        entry("energy", "E", "energy", "energy", "whole", parts, lambda m: energies(m.solution)),
        entry("momentum", "h_0", "momentum about the world's origin", "momentum", "whole", vector("N m s; N s"),
              lambda m: m.solution.momentum[None], lambda m: added_momentum(m.solution)),
        entry("mass_center", "C", "mass centre of all bodies", "momentum", "whole", at,
              lambda m: m.mass_center.position[None]),
        entry("angular_momentum", "h", "angular momentum about the mass centre", "angular_momentum", "whole", turning,
              lambda m: m.mass_center.angular_momentum[None], lambda m: added_momentum(m.solution)[:, :3]),
        entry("link_velocity", "V(k)", "velocity of link k", "velocity", "links", vector(twist),
              lambda m: m.solution.link_velocity),
        entry("bias_acceleration", "a(k)", "velocity-dependent acceleration", "acceleration", "links",
              vector("rad/s^2; m/s^2"), lambda m: m.solution.bias_acceleration),
        entry("bias_force", "b(k)", "force that velocity, weight and pushes require", "force", "links", vector(force),
              lambda m: m.solution.bias_force),
        entry("tip_position", "p(0)", "tip position", "position", "tips", at, lambda m: m.solution.tip_pose[:, :3, 3]),
    ]  # fmt: skip
    if system.kind == "free_flyer":
        found.append(
            entry("base_turning", r"\varphi", "angle of the base from its first attitude", "base_acceleration",
                  "whole", (all_of("angle", ("angle",), "rad"),),
                  lambda m: turned(start, m.solution))
        )  # fmt: skip
    if system.n_bases == 1:
        found.append(
            entry("base_acceleration", r"\alpha(n)", "acceleration of the base", "base_acceleration", "whole",
                  vector("rad/s^2; m/s^2"), lambda m: row_of(m.solution.base_acceleration, 6))
        )  # fmt: skip
    if system.task_object is not None:
        drift = all_of("position and velocity", ("position", "velocity"), "m or rad; m/s or rad/s")
        found += [
            entry("object_position", "p(C)", "object position", "position", "whole", at,
                  lambda m: row_of(m.solution.state.object_pose, 4, 4)[:, :3, 3]),
            entry("object_velocity", "V(C)", "object velocity", "velocity", "whole", vector(twist),
                  lambda m: row_of(m.solution.state.object_velocity, 6)),
            entry("drift", r"\Delta", "closure drift", "drift", "whole",
                  with_each(drift), lambda m: m.drift),
        ]  # fmt: skip
    return found


def row_of(array: Array | None, *shape: int) -> Array:
    """(1, ...) of a quantity that a machine with an object, or with one base, has at every moment."""
    assert array is not None
    return array.reshape(-1, *shape)


def turned(start: dyn.Solution, solution: dyn.Solution) -> Array:
    """(1, 1) rad between two poses of the one floating base, the shorter way."""
    first, now = start.state.base_pose, solution.state.base_pose
    assert first is not None
    assert now is not None
    turn = np.reshape(first, (4, 4))[:3, :3].T @ np.reshape(now, (4, 4))[:3, :3]
    return np.array([[Rotation.from_matrix(turn).magnitude()]])


ENERGIES = ("kinetic", "potential", "total")


def energies(solution: dyn.Solution) -> Array:
    """(1, 3) J: kinetic, potential, total."""
    kinetic, potential = solution.kinetic_energy, solution.potential_energy
    return np.array([[kinetic, potential, kinetic + potential]])


def added_momentum(solution: dyn.Solution) -> Array:
    """(1, 6) N m s; N s: bound of the bodies' total momentum, whichever way each points (Cauchy's bound)."""
    system, payload = solution.system, solution.system.task_object
    mass = sum(link.mass for link in system.link_models) + (0.0 if payload is None else payload.mass)
    linear = float(np.sqrt(2.0 * mass * max(solution.kinetic_energy, 0.0)))
    reach = float(np.linalg.norm(solution.link_pose[:, :3, 3], axis=1).max())
    return np.array([[*3 * [reach * linear], *3 * [linear]]])
