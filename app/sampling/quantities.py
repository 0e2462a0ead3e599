"""What can be plotted: every registered stage array, what is derived from it, and the motion itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import dynamics as dyn
from app.motion.run import Run
from dynamics.operators import contact_influence_sweep, smoothed_force_covariance
from dynamics.solve import CenterOfMass
from dynamics.system import Quantity

Array = NDArray[np.float64]
AXES = ("x", "y", "z")
BRIEF = {"moment": "M", "force": "F", "angular": "rot ", "linear": "lin "}


@dataclass(frozen=True)
class Channel:
    """One number of several: its word, its unit at turning and at sliding joints, and a word of a few letters."""

    label: str
    unit: str
    sliding_unit: str = ""
    brief: str = ""


@dataclass(frozen=True)
class Component:
    """A choice of numbers from an array.

    Attributes:
        key: how a panel refers to it.
        label: what a menu says.
        channels: what tells its numbers apart, one a number.
        shape: what follows the rows in the array that it is picked from.
        pick: (rows, *shape) to (rows, channels).
        positive: whether the numbers cannot be negative, so that a logarithmic axis suits them.
    """

    key: str
    label: str
    channels: tuple[Channel, ...]
    shape: tuple[int, ...]
    pick: Callable[[Array], Array]
    positive: bool = False


def scalar(unit: str) -> tuple[Component, ...]:
    """The one component of a quantity with one number a row."""
    turning, _, sliding = unit.partition(" or ")
    positive = turning == "kg m^2"
    return (Component("value", "value", (Channel("", turning, sliding),), (), lambda a: a[:, None], positive),)


def vector(unit: str) -> tuple[Component, ...]:
    """The components of [angular; linear]: all six, either half, each number, the length of either half."""
    lines = tuple(
        Channel(f"{half} {axis}", *units, BRIEF[half] + axis) for half, units in _halves(unit) for axis in AXES
    )
    found = [_picked("all", "all six", lines, range(6), (6,))]
    for start, (half, _) in zip((0, 3), _halves(unit), strict=True):
        found.append(_picked(half, f"{half}: x, y, z", lines, range(start, start + 3), (6,)))
    found += [_picked(line.label, line.label, lines, (k,), (6,)) for k, line in enumerate(lines)]
    for start, (half, units) in zip((0, 3), _halves(unit), strict=True):
        found.append(_length(start, half, Channel(f"|{half}|", *units, f"|{BRIEF[half].strip()}|")))
    return tuple(found)


def _halves(unit: str) -> tuple[tuple[str, tuple[str, str]], tuple[str, tuple[str, str]]]:
    """(word, (unit, unit at a sliding joint)) of the angular and of the linear half."""
    plain, _, other = unit.partition(" (or ")
    angular, linear = plain.split("; ")
    sliding = other.rstrip(")").split("; ") if other else ["", ""]
    moments = angular in ("N m", "1")
    words = ("moment", "force") if moments else ("angular", "linear")
    return (words[0], (angular, sliding[0])), (words[1], (linear, sliding[1]))


def _picked(key: str, label: str, lines: tuple[Channel, ...], numbers: range | tuple[int, ...], shape: tuple[int, ...]
            ) -> Component:  # fmt: skip
    """Some numbers of the flattened array."""
    chosen = list(numbers)

    def pick(array: Array) -> Array:
        return array.reshape(len(array), -1)[:, chosen]

    return Component(key, label, tuple(lines[k] for k in chosen), shape, pick)


def _length(start: int, half: str, line: Channel) -> Component:
    def pick(array: Array) -> Array:
        return np.linalg.norm(array[:, start : start + 3], axis=1)[:, None]

    return Component(f"|{half}|", f"|{half}|", (line,), (6,), pick, positive=True)


def matrix(unit: str) -> tuple[Component, ...]:
    """The components of a 6 by 6 array: its diagonal, and each entry."""
    blocks = _blocks(unit)
    lines = tuple(Channel(f"{r + 1},{c + 1}", blocks[r // 3][c // 3]) for r in range(6) for c in range(6))
    diagonal = _picked("diagonal", "diagonal", lines, tuple(range(0, 36, 7)), (6, 6))
    return (
        diagonal,
        *(_picked(line.label, f"entry {line.label}", lines, (k,), (6, 6)) for k, line in enumerate(lines)),
    )


def _blocks(unit: str) -> tuple[tuple[str, str], tuple[str, str]]:
    """The units of the four 3 by 3 blocks of ``a, b; c, d``."""
    (a, b), (c, d) = (row.split(", ") for row in unit.split("; "))
    return (a, b), (c, d)


def entries(shape: tuple[int, ...], unit: str) -> tuple[Component, ...]:
    """The components of an array of another shape: its diagonal where it is square, and each entry."""
    rows, columns = shape
    parts = {part for row in unit.split("; ") for part in row.split(", ")}
    shared = " or ".join(sorted(parts))
    lines = tuple(Channel(f"{r + 1},{c + 1}", shared) for r in range(rows) for c in range(columns))
    found = [_picked(line.label, f"entry {line.label}", lines, (k,), shape) for k, line in enumerate(lines)]
    if rows == columns:
        found.insert(0, _picked("diagonal", "diagonal", lines, tuple(range(0, rows * rows, rows + 1)), shape))
    return tuple(found)


def _of_block(start: int, values: Callable[[Array], Array]) -> Callable[[Array], Array]:
    return lambda array: values(array[:, start : start + 3, start : start + 3])


def traces(unit: str) -> tuple[Component, ...]:
    """The traces of the angular and of the linear diagonal block: two units, never added."""
    blocks = _blocks(unit)
    return tuple(
        Component(
            half, half, (Channel(f"{half} trace", blocks[k][k], "", BRIEF[half].strip()),), (6, 6),
            _of_block(3 * k, lambda block: np.trace(block, axis1=1, axis2=2)[:, None]), positive=True,
        )
        for k, half in enumerate(("angular", "linear"))
    )  # fmt: skip


def spectrum(unit: str) -> tuple[Component, ...]:
    """The eigenvalues, ascending, of the angular and of the linear diagonal block: two units, never mixed."""
    blocks = _blocks(unit)
    found = []
    for k, half in enumerate(("angular", "linear")):
        lines = tuple(Channel(f"{half} {number}", blocks[k][k], "", f"{BRIEF[half]}{number}") for number in (1, 2, 3))
        found.append(Component(half, f"{half}: 3", lines, (6, 6), _of_block(3 * k, eigenvalues), True))
    both = Component(
        "all", "all six", found[0].channels + found[1].channels, (6, 6),
        lambda array: np.concatenate([each.pick(array) for each in found], axis=1), positive=True,
    )  # fmt: skip
    single = [_one_eigenvalue(each, k) for each in found for k in range(3)]
    return (both, *found, *single)


def eigenvalues(block: Array) -> Array:
    """(rows, 3) of (rows, 3, 3), ascending."""
    finite = np.asarray(np.isfinite(block).all(axis=(1, 2)))  # an algorithm that is broken on purpose divides by zero
    found = np.linalg.eigvalsh(np.where(finite[:, None, None], block, 0.0))
    return np.where(finite[:, None], found, np.nan).astype(np.float64, copy=False)


def _one_eigenvalue(block: Component, k: int) -> Component:
    line = block.channels[k]
    return Component(line.label, line.label, (line,), (6, 6), lambda a: block.pick(a)[:, k : k + 1], positive=True)


class Moment:
    """What the plotted quantities are read from: the complete solution, and what only the recording knows.

    Args:
        solution: at this instant, if it is known already.
    """

    def __init__(self, run: Run, time: float, solution: dyn.Solution | None = None) -> None:
        self.run = run
        self.time = min(time, run.end)
        if solution is not None:
            self.solution = solution

    @cached_property
    def solution(self) -> dyn.Solution:
        """The complete solution at this instant.

        Raises:
            SingularConfigurationError, StateError: where the mechanics has none.
        """
        return self.run.solution_at(self.time)

    @property
    def system(self) -> dyn.System:
        return self.solution.system

    @cached_property
    def mass_center(self) -> CenterOfMass:
        """Of links and object, with the momentum about it."""
        return dyn.center_of_mass(self.solution.system, self.solution.state)

    @property
    def base_acceleration(self) -> Array | None:
        """(1, 6) of a single floating base."""
        found = self.solution.base_acceleration
        return None if found is None else found.reshape(-1, 6)

    @property
    def object_position(self) -> Array | None:
        """(1, 3) m, of the mass center."""
        pose = self.solution.state.object_pose
        return None if pose is None else pose[None, :3, 3]

    @property
    def object_velocity(self) -> Array | None:
        """(1, 6) at the mass center."""
        velocity = self.solution.state.object_velocity
        return None if velocity is None else velocity[None]

    @property
    def drift(self) -> Array:
        """(1, 2) worst gap of the closure in position and in velocity, before it was projected away."""
        leg = self.run.leg_at(self.time)
        recorded = leg.recording.segment_at(self.time - leg.start)
        nearest = int(np.argmin(np.abs(recorded.times - (self.time - leg.start))))
        return recorded.drift[None, nearest]


Rows = Literal["links", "tips", "whole"]
Read = Callable[[Moment], Array | None]
Key = tuple[str, str]
Shape = tuple[int, ...]
CONTACT_STAGES = ("contact", "filter_correction", "smoother_final")
OF_THE_OBJECT = ("contact", "object_acceleration"), ("contact", "contact_force")
"""What there is of an object that nobody holds, too."""
TWICE = {("dual_filter", "joint_acceleration"): "joint acceleration by both filters"}
"""What another stage has by the same symbol and name."""
HELD_OR_NOT = {"smoother": "object not held", "smoother_final": "object held"}
ROWS: Mapping[str, Rows] = {"(links": "links", "(joints": "links", "(tips": "tips", "(6 tips": "tips"}


@dataclass(frozen=True)
class Plotted:
    """One entry of the list that a user searches.

    Attributes:
        key: ``stage/name`` for a registered array, with ``/trace`` and the like for what is derived from it.
        symbol: LaTeX.
        estimation_name, mechanics_name: its name in either field.
        stage: where it comes from.
        color: the name that the palette knows it by.
        rows: what the leading axis counts: links (or joints), tips of arms, or nothing.
        components: what can be drawn of it; the first is drawn unless another is chosen.
        read: its array at a moment, (rows, ...), or None while there is none.
        added: of a sum, how large its numbers would be if nothing in it canceled; None of all else.
    """

    key: str
    symbol: str
    estimation_name: str
    mechanics_name: str
    stage: str
    color: str
    rows: Rows
    components: tuple[Component, ...]
    read: Read
    added: Read | None = None

    @property
    def names(self) -> str:
        """Both names, or the one that both fields use."""
        both = dict.fromkeys((self.estimation_name, self.mechanics_name))
        return ", ".join(both)

    @property
    def at_joints(self) -> bool:
        """Whether there is one number a joint, and none for a floating base."""
        return self.components[0].shape == ()

    def component(self, key: str) -> Component:
        """The component of that key, or the first."""
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
        """How many rows it has in a system."""
        return {"links": system.n_links, "tips": system.n_tips, "whole": 1}[self.rows]


def catalogue(solution: dyn.Solution) -> dict[str, Plotted]:
    """All that can be plotted of a run that starts with ``solution``, by key."""
    system = solution.system
    shapes = tuple(
        ((stage, name), array.shape) for stage, found in solution.stages.items() for name, array in found.items()
    )
    stages = _of_stages(shapes, system.task_object is not None, system.is_floating)
    return {each.key: each for each in (*stages, *_motion(solution))}


@lru_cache(maxsize=64)
def _of_stages(shapes: tuple[tuple[Key, Shape], ...], holds: bool, floats: bool) -> tuple[Plotted, ...]:
    """What stages of these shapes have: the same for all machines alike, whatever they weigh.

    Args:
        holds: whether there is an object to be held.
        floats: whether no base is bolted down.
    """
    known = dict(shapes)
    return (*_registered(known, holds), *_of_no_stage(holds and not floats), *_whitened(known, holds))


def _registered(shapes: Mapping[Key, Shape], holds: bool) -> list[Plotted]:
    found = []
    for (stage, name), quantity in dyn.registry.items():
        shape = shapes.get((stage, name))
        if stage not in ("filter", "smoother") and shape is None and not (holds and stage in CONTACT_STAGES):
            continue
        mechanics = TWICE.get((stage, name)) or mechanics_of(quantity, holds, stage)
        found += _of_array(stage, name, quantity, shape, mechanics)
    return found


def found_in(solution: dyn.Solution, stage: str, name: str) -> Array | None:
    """A stage's array; once the object is let go, what stands for it: the first smoother is the last one then."""
    found = solution.stages.get(stage, {}).get(name)
    if found is not None or solution.system.is_held:
        return found
    if stage == "smoother_final":
        return solution.stages.get("smoother", {}).get(name)
    return getattr(solution, name) if (stage, name) in OF_THE_OBJECT else None


def mechanics_of(quantity: Quantity, holds: bool, stage: str = "") -> str:
    """A quantity's name in mechanics: of what is done twice, with an object and without, which of the two it is.

    Args:
        holds: whether the machine can hold an object; one that cannot knows no other case.
        stage: of a quantity that does not say it by its own name.
    """
    plain_name = quantity.mechanics_name.removesuffix(", object not held").removesuffix(", object held")
    if not holds or stage not in HELD_OR_NOT:
        return quantity.mechanics_name if holds else plain_name
    return f"{plain_name}, {HELD_OR_NOT[stage]}"


def _of_array(stage: str, name: str, quantity: Quantity, shape: Shape | None, mechanics: str) -> list[Plotted]:
    rows = ROWS.get(quantity.shape.split(",")[0].rstrip(")"), "whole")

    def read(moment: Moment) -> Array | None:
        found = found_in(moment.solution, stage, name)
        if found is None:
            return None
        if rows == "whole":
            return found[None]
        return found.reshape(-1, 6, found.shape[-1]) if quantity.shape.startswith("(6 tips") else found

    def entry(suffix: str, word: str, components: tuple[Component, ...], operator: str = "") -> Plotted:
        return Plotted(
            f"{stage}/{name}{suffix}",
            operator + (f"({quantity.symbol})" if operator and "+" in quantity.symbol[3:] else quantity.symbol),
            f"{word}{quantity.estimation_name}",
            f"{word}{mechanics}",
            stage,
            name,
            rows,
            components,
            read,
        )

    if quantity.shape in ("(joints,)",):
        return [entry("", "", scalar(quantity.unit))]
    if quantity.shape in ("(links, 6)", "(joints, 6)", "(tips, 6)", "(6,)"):
        return [entry("", "", vector(quantity.unit))]
    if quantity.shape in ("(links, 6, 6)", "(tips, 6, 6)"):
        return [
            entry("", "", matrix(quantity.unit)),
            entry("/trace", "trace of the ", traces(quantity.unit), "tr "),
            entry("/eigenvalues", "eigenvalues of the ", spectrum(quantity.unit), "eig "),
        ]
    if quantity.shape == "(6 tips, 6)":
        return [entry("", "", matrix(quantity.unit))]
    if shape is None or not all(shape):
        return []
    shape = (6, shape[1]) if rows == "tips" else shape
    return [entry("", "", entries(shape, quantity.unit))]


def _of_no_stage(carries: bool) -> list[Plotted]:
    """Matrices of every link that no stage has any need of: what smoothing leaves uncertain, and R88's S(i).

    Args:
        carries: whether arms that are bolted down can hold an object.
    """
    unit = dyn.registry["filter", "articulated_inertia"].unit

    def three(stage: str, name: str, symbol: str, words: tuple[str, str], read: Read) -> list[Plotted]:
        return [
            Plotted(f"{stage}/{name}{suffix}", operator + symbol, f"{word}{words[0]}", f"{word}{words[1]}", stage, name,
                    "links", components, read)
            for suffix, operator, word, components in (
                ("", "", "", matrix(unit)),
                ("/trace", "tr ", "trace of the ", traces(unit)),
                ("/eigenvalues", "eig ", "eigenvalues of the ", spectrum(unit)),
            )
        ]  # fmt: skip

    smoothed = ("smoothed state covariance", "inertia that no torque tells of")
    found = three("smoother", "smoothed_force_covariance", r"(P-P\Lambda P)(k)", smoothed,
                  lambda m: smoothed_force_covariance(m.system, m.solution.state))  # fmt: skip
    if carries:
        carried = ("covariance of the contact forces, carried inward", "inertia that the contacts feel, carried inward")
        found += three("contact", "contact_influence_sweep", r"(\psi\Omega^{-1}\psi')(k)", carried, _influence_sweep)
    return found


def _influence_sweep(moment: Moment) -> Array | None:
    """R88's S(i); None while nothing is held."""
    if not moment.system.is_held:
        return None
    return contact_influence_sweep(moment.system, moment.solution.state)


def _whitened(shapes: Iterable[Key], holds: bool) -> list[Plotted]:
    """Innovations divided by their own standard deviation, ε/√D: the same unit at every joint."""

    def of(stage: str, name: str, covariance_stage: str, covariance: str, symbol: str) -> Plotted:
        quantity = dyn.registry[stage, name]

        def read(moment: Moment) -> Array | None:
            stages = moment.solution.stages
            if stage not in stages or covariance_stage not in stages:
                return None
            return stages[stage][name] / np.sqrt(stages[covariance_stage][covariance])

        return Plotted(
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


def _motion(start: dyn.Solution) -> list[Plotted]:
    """What moves, and the books that the motion must balance; of a run that starts so."""
    system, datum = start.system, np.array([0.0, start.potential_energy, start.potential_energy])
    place, twist, force = "m", "rad/s; m/s", "N m; N"

    def entry(
        key: str, symbol: str, name: str, color: str, rows: Rows, components: tuple[Component, ...],
        read: Read, added: Read | None = None,
    ) -> Plotted:  # fmt: skip
        return Plotted(f"motion/{key}", symbol, name, name, "motion", color, rows, components, read, added)

    axes = tuple(Channel(axis, place) for axis in "xyz")
    energy = Component("all", "all three", tuple(Channel(each, "J") for each in ENERGIES), (3,), lambda a: a)
    level = tuple(Channel(each, "J") for each in ENERGIES)
    # Where potential energy is zero is a choice; counted from the base's height it would dwarf what changes.
    changing = Component("since", "all three, potential zero at the start", level, (3,), lambda a: a - datum)
    parts = (energy, changing, *(one_of(energy, k) for k in range(3)))
    whole = Component("all", "x, y, z", axes, (3,), lambda a: a)
    at = (whole, *(one_of(whole, k) for k in range(3)))
    turns = tuple(Channel(axis, "N m s") for axis in "xyz")
    moment = Component("all", "x, y, z", turns, (3,), lambda a: a)
    turning = (moment, *(one_of(moment, k) for k in range(3)))
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
        entry("bias_force", "b(k)", "velocity-dependent and outer force", "force", "links", vector(force),
              lambda m: m.solution.bias_force),
        entry("tip_position", "p(0)", "tip position", "position", "tips", at, lambda m: m.solution.tip_pose[:, :3, 3]),
    ]  # fmt: skip
    if system.kind == "free_flyer":
        found.append(
            entry("base_turning", r"\varphi", "angle by which the base has turned since the start", "base_acceleration",
                  "whole", (Component("all", "angle", (Channel("angle", "rad"),), (1,), lambda a: a),),
                  lambda m: turned(start, m.solution))
        )  # fmt: skip
    if system.n_bases == 1:
        found.append(
            entry("base_acceleration", r"\alpha(n+1)", "acceleration of the base", "base_acceleration", "whole",
                  vector("rad/s^2; m/s^2"), lambda m: m.base_acceleration)
        )  # fmt: skip
    if system.task_object is not None:
        gaps = (Channel("position", "m or rad"), Channel("velocity", "m/s or rad/s"))
        drift = Component("all", "position and velocity", gaps, (2,), lambda a: a)
        found += [
            entry("object_position", "p(C)", "object position", "position", "whole", at, lambda m: m.object_position),
            entry("object_velocity", "V(C)", "object velocity", "velocity", "whole", vector(twist),
                  lambda m: m.object_velocity),
            entry("drift", r"\Delta", "closure drift", "drift", "whole",
                  (drift, one_of(drift, 0), one_of(drift, 1)), lambda m: m.drift),
        ]  # fmt: skip
    return found


def turned(start: dyn.Solution, solution: dyn.Solution) -> Array:
    """(1, 1) rad between two poses of the one base that floats, by the shorter way."""
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
    """(1, 6) N m s; N s: what the bodies' momenta are at most together, whichever way each points (Cauchy's bound)."""
    system, thing = solution.system, solution.system.task_object
    mass = sum(link.mass for link in system.link_models) + (0.0 if thing is None else thing.mass)
    linear = float(np.sqrt(2.0 * mass * max(solution.kinetic_energy, 0.0)))
    reach = float(np.linalg.norm(solution.link_pose[:, :3, 3], axis=1).max())
    return np.array([[*3 * [reach * linear], *3 * [linear]]])


def one_of(component: Component, k: int) -> Component:
    """One line of a component as a component of its own."""
    line = component.channels[k]
    return Component(line.label, line.label, (line,), component.shape, lambda a: component.pick(a)[:, k : k + 1])
