"""A link between its two filters: its inertia from either side and together, the motion, and another base."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import dynamics as dyn
from app.equations.equation_html import equation_html, value_html
from app.equations.formula import formula
from app.equations.rounding import shortest_radius, sizes_by_unit
from app.equations.sheet import Figures, action_html
from app.instruments.walk.step_sheet import color_of, names_of
from app.motion.run import Run
from app.state import walk
from app.state.walk import CORRECTION, PREDICTION
from dynamics.reading import LineReading, Reading
from dynamics.solve import OtherBase, velocity_without_momentum
from scenes import palette
from scenes.flight import ROUNDING

Array = NDArray[np.float64]
STAGE = "dual_filter"
FELT: tuple[tuple[str, str, str, str, str], ...] = (
    ("P", "filter", "articulated_inertia", "from the tip", "the link and all that is outboard of it"),
    ("S", STAGE, "dual_articulated_inertia", "from the base", "all that is not outboard, through its joint"),
    ("P+S", STAGE, "operational_space_inertia", "together", "the whole machine, felt at the link"),
)
"""Letter, stage and name of an array, its side, and the bodies that it comprises."""
TURN, SHIFT = slice(0, 3), slice(3, 6)
BLOCKS: tuple[tuple[slice, Literal["mass", "moment of inertia"], str], ...] = (
    (SHIFT, "mass", "kg"),
    (TURN, "moment of inertia", "kg m²"),
)
CHAIN = (
    "How heavy each link feels, in kg, when accelerated one way only: the mean of all directions. A click goes to "
    "the link."
)


def felt(solution: dyn.Solution) -> tuple[Array, Array, Array]:
    """P(k), S(k) and P(k)+S(k) of every link, (links, 6, 6) each."""
    return tuple(solution.stages[stage][name] for _, stage, name, *_ in FELT)  # type: ignore[return-value]


def sizes(solution: dyn.Solution, link: int) -> Array:
    """(2, 3, 3): masses, then moments of inertia, of P, S and P+S: eigenvalues of one link, in ascending order."""
    return np.array([[np.linalg.eigvalsh(each[link, block, block]) for each in felt(solution)] for block, *_ in BLOCKS])


def chain_html(solution: dyn.Solution, link: int, figures: Figures, other: OtherBase | None = None) -> str:
    """A row per link, from the base to the tips; a click selects the link or counts from there.

    Args:
        other: the same in another counting; None for the machine's own base.
    """
    system = solution.system
    base = system.link_names[-1] if other is None else other.solution.system.link_names[-1]
    inertias = felt(solution) if other is None else tuple(getattr(other, name) for _, _, name, *_ in FELT)
    masses = [np.trace(each[:, SHIFT, SHIFT], axis1=1, axis2=2) / 3.0 for each in inertias]
    figures.put(np.stack(masses, axis=1)[::-1])
    rows = ""
    for k in reversed(range(system.n_links)):
        name = html.escape(system.link_names[k])
        here = " class='here' aria-current='true'" if k == link else ""
        cells = "".join(f"<td class='number'>{figures.one()}</td>" for _ in FELT)
        count = (
            "<b>base</b>"
            if system.link_names[k] == base
            else f"<span class='action' data-go='base {k}' tabindex='0' role='button' title='Count from here' "
            f"aria-label='count from {name}'>from here</span>"
        )
        rows += (
            f"<tr{here} data-go='row {k}'><td class='name'><span data-go='link {k}' "
            f"tabindex='0' role='button' aria-label='{name}'>{name.replace('_', '_<wbr>')}</span></td>"
            f"{cells}<td>{count}</td></tr>"
        )
    head = "".join(
        f"<th title='{html.escape(f'{whence}: {what}, kg', quote=True)}'>{formula(letter)}</th>"
        for letter, _, _, whence, what in FELT
    )
    counted = "" if other is None else f" <b>Counted from {html.escape(base)}.</b>"
    return (
        f"<p class='where'>{CHAIN}{counted}</p><table class='links'><thead><tr><th>link</th>"
        f"{head}<th>count</th></tr></thead><tbody>{rows}</tbody></table>"
    )


def link_html(reading: Reading, solution: dyn.Solution, link: int, theme: palette.Theme, figures: Figures) -> str:
    """The chosen link: P, S and their sum, their eigenvalues, and the resulting acceleration.

    Args:
        reading: of the whole text at this instant.
        solution: of the motion at this instant, whose magnitudes are shown.
    """
    system = reading.system
    called = html.escape(walk.called(system, link))
    words = "".join(
        f"<dt>{formula(f'{letter}(k)' if letter != 'P+S' else 'P(k)+S(k)')}</dt><dd><b>{whence}</b>: {what}.</dd>"
        for letter, _, _, whence, what in FELT
    )
    lines = combined(reading, link)
    first, *rest = [equation_html(line, color_of(line, theme), names_of(line), figures) for line in lines]
    return (
        f"<h3 data-spoken='{called}, between its two filters'>Link {called}</h3>"
        f"<dl class='letters'>{words}</dl>{first}{_sizes_html(solution, link, figures)}"
        "<p><b>No smoother is needed:</b> what comes from either side leaves this link one acceleration.</p>"
        f"{''.join(rest)}"
        f"<p>{action_html('walk', 'Walk this step')}</p>"
    )


def combined(reading: Reading, link: int) -> Sequence[LineReading]:
    """The lines of the text in which both filters meet at a link: (4.11), (3.12), and (3.13) if it has a joint."""
    half = CORRECTION if link < reading.system.n_joints else PREDICTION
    return [line for line in reading.lines(STAGE, link, half) if line.key.startswith("both_filters.")]


def _sizes_html(solution: dyn.Solution, link: int, figures: Figures) -> str:
    found = ""
    for (_, title, unit), values in zip(BLOCKS, sizes(solution, link), strict=True):
        rows = ""
        for (letter, *_), row in zip(FELT, values, strict=True):
            figures.put(row)
            first = figures.count
            cells = "".join(f"<td class='number' {figures.cell()}></td>" for _ in row)
            rows += f"<tr data-first='{first}'><th>{formula(letter)}</th>{cells}</tr>"
        found += (
            f"<figure><figcaption>{title}, {unit}</figcaption>"
            f"<table class='eigenvalues'><tbody>{rows}</tbody></table></figure>"
        )
    return (
        f"<h4>Accelerated along one axis only, or about one axis only</h4><div class='figures'>{found}</div>"
        "<p class='note'>Eigenvalues: in the lightest direction, across, in the heaviest. A push alone meets no "
        "more, and mostly less: one over the element of Λ(k) in its direction.</p>"
    )


def side_by_side_html(
    key: str, title: str, gap: str, color: str, columns: Sequence[tuple[str, Array]], figures: Figures
) -> str:
    """Several values of one quantity in a row, each under its heading; rounding is relative to all of them.

    Args:
        key: identifies the section.
        title, gap: HTML; the quantity, and how far its values differ.
        columns: headings and matrices, all of one shape.
    """
    parts = np.max([sizes_by_unit(value) for _, value in columns], axis=0)
    values = "".join(
        f"<div class='term'><div class='symbol'>{whose}</div><div class='value'>{value_html(value, figures, parts)}"
        "</div></div>"
        for whose, value in columns
    )
    return (
        f"<section class='equation' data-told='{key}' style='--own: {color}'>"
        f"<header><span>{title}</span><span class='source'>{gap}</span></header>"
        f"<div class='numbers'>{values}</div></section>"
    )


MASS = slice(3, 6)
GATHER = r"P(i) = M(i) + \sum_{j}\,\phi(i,j)\,P^{+}(j)\,\phi'(i,j)"
SCATTER = r"S^{+}(k) = \phi(k,i)\,[S(i) + M(i) + P_{\mathrm{oth}}(k)]\,\phi'(k,i)"
OTHERS = r"P_{\mathrm{oth}}(k) = \sum_{j \ne k}\,\phi(i,j)\,P^{+}(j)\,\phi'(i,j)"
ABOUT = (
    "Inward, a body adds up what each branch resists with; outward, a branch is given what is inboard and what the "
    "<b>other</b> branches resist with. On any one branch only two recursions run, in opposite directions."
)


@dataclass(frozen=True)
class Junction:
    """A body at which several branches meet; mean masses in kg, which no lever arm changes."""

    body: int  # the link i
    branches: tuple[int, ...]  # the links j attached to it
    own: float  # of the body alone, M(i)
    inboard: float  # S(i)
    carried: Array  # (branches,), of P+(j)
    gathered: float  # P(i)
    scattered: Array  # (branches,), of S+(j)

    def others(self, at: int) -> float:
        """The contribution of all branches but one."""
        return float(np.delete(self.carried, at).sum())

    @property
    def apart(self) -> float:
        """The largest residual of the sums against the filters' values, relative to the body's P."""
        gaps = [self.own + self.carried.sum() - self.gathered]
        gaps += [self.inboard + self.own + self.others(at) - felt for at, felt in enumerate(self.scattered)]
        return float(np.abs(gaps).max() / self.gathered)


def meetings(solution: dyn.Solution) -> list[Junction]:
    """Every body with more than one outboard neighbor, from the base outward."""
    system, forward, dual = solution.system, solution.stages["filter"], solution.stages["dual_filter"]
    found = []
    for body in reversed(range(system.n_links)):
        branches = outboard(system, body)
        if len(branches) < 2:
            continue
        of = list(branches)
        found.append(
            Junction(
                body, branches, system.link_models[body].mass, _mass(dual["dual_articulated_inertia"][body]),
                np.array([_mass(each) for each in forward["articulated_inertia_updated"][of]]),
                _mass(forward["articulated_inertia"][body]),
                np.array([_mass(each) for each in dual["dual_articulated_inertia_predicted"][of]]),
            )
        )  # fmt: skip
    return found


def outboard(system: dyn.System, body: int) -> tuple[int, ...]:
    return tuple(int(k) for k in np.flatnonzero(np.asarray(system.inboard) == body))


def _mass(inertia: Array) -> float:
    """Mean mass in kg of a (6, 6) inertia when it is pushed without rotation."""
    return float(np.trace(inertia[MASS, MASS]) / 3.0)


def branches_html(solution: dyn.Solution, figures: Figures) -> str:
    """Both sums of each such body; empty for a chain."""
    found = meetings(solution)
    if not found:
        return ""
    parts = "".join(_meeting_html(solution.system, each, figures) for each in found)
    return f"<h3>Where branches meet: gather and scatter</h3><p class='note'>{ABOUT}</p>{parts}"


def _meeting_html(system: dyn.System, meeting: Junction, figures: Figures) -> str:
    body = html.escape(walk.called(system, meeting.body))
    own = (f"{body} alone", formula("M(i)"), meeting.own)
    gathered = _sum_html(
        [own, *((_link(system, j), formula("P^{+}(j)"), mass) for j, mass in zip(meeting.branches, meeting.carried,
                                                                                 strict=True))],
        (formula("P(i)"), meeting.gathered), figures,
    )  # fmt: skip
    scattered = ""
    for at, (branch, felt) in enumerate(zip(meeting.branches, meeting.scattered, strict=True)):
        others = " and ".join(_link(system, j) for j in meeting.branches if j != branch)
        terms = [
            (f"inboard of {body}", formula("S(i)"), meeting.inboard), own,
            (others, formula(r"P_{\mathrm{oth}}(k)"), meeting.others(at)),
        ]  # fmt: skip
        title = f"<p class='where'>to {_link(system, branch)}</p>"
        scattered += title + _sum_html(terms, (formula("S^{+}(k)"), felt), figures)
    figures.put(meeting.apart)
    return (
        f"<section class='branches' data-body='{meeting.body}'><h4>At {body}</h4>"
        f"<p>{formula(GATHER)} <b>gather</b></p>{gathered}"
        f"<p>{formula(SCATTER)} <b>scatter</b></p><p>{formula(OTHERS)}</p>{scattered}"
        "<p class='note'>Mean masses, kg, of what is pushed and does not turn: no lever arm changes them. The sums are "
        f"what the filters hold to <span class='apart' data-digits='1'>{figures.one()}</span> of the whole.</p>"
        "</section>"
    )


def _link(system: dyn.System, link: int) -> str:
    return action_html(f"link {link}", html.escape(walk.called(system, link)))


def _sum_html(terms: Sequence[tuple[str, str, float]], total: tuple[str, float], figures: Figures) -> str:
    figures.put(np.array([mass for *_, mass in terms] + [total[1]]))
    rows = "".join(
        f"<tr><td class='name'>{words}</td><td>{letter}</td><td class='number'>{figures.one()}</td></tr>"
        for words, letter, _ in terms
    )
    return (
        f"<table class='links worded'><tbody>{rows}<tr class='here'><td class='name'>together</td><td>{total[0]}</td>"
        f"<td class='number'>{figures.one()}</td></tr></tbody></table>"
    )


STILL = 1e-9  # Tolerance in rad or m for joints at rest


@dataclass(frozen=True)
class ConservedVector:
    """A conserved vector, then and now."""

    before: Array
    now: Array
    apart: float  # its change relative to its size; if it was zero, relative to the largest value that the bodies allow
    is_zero: bool  # whether it was only rounding relative to that


class Flight:
    """A free flyer between two instants of its run.

    Args:
        before, now: both instants, ``seconds`` apart.
        pushed: whether any external force but gravity acted in between.
    """

    def __init__(self, before: dyn.Solution, now: dyn.Solution, seconds: float, pushed: bool) -> None:
        self.system, self.seconds, self.pushed = now.system, seconds, pushed
        first, last = dyn.center_of_mass(before.system, before.state), dyn.center_of_mass(now.system, now.state)
        most = np.sqrt(2.0 * last.mass * max(before.kinetic_energy, now.kinetic_energy))
        reach = np.linalg.norm(now.link_pose[:, :3, 3] - last.position, axis=1).max()
        fallen = last.mass * last.gravity * seconds
        self.linear = kept(first.linear_momentum + fallen, last.linear_momentum, float(most))
        self.angular = kept(first.angular_momentum, last.angular_momentum, float(most * reach))
        self.path, self.center = first.coast([seconds])[0], last.position
        self.off_path = float(np.linalg.norm(self.center - self.path))
        turn = now.link_pose[-1, :3, :3] @ before.link_pose[-1, :3, :3].T
        self.turned = float(np.degrees(Rotation.from_matrix(turn).magnitude()))
        self.joints_moved = bool(np.abs(now.state.qd).max(initial=0.0) > STILL) or bool(
            np.abs(now.state.q - before.state.q).max(initial=0.0) > STILL
        )
        self.omega = now.link_velocity[-1, :3]
        self.by_joints = velocity_without_momentum(now.system, now.state)[:3]

    @property
    def falls(self) -> bool:
        return bool(np.any(self.system.gravity))


def kept(before: Array, now: Array, most: float) -> ConservedVector:
    """A vector then and now; ``most`` bounds its size for bodies of that mass and speed."""
    is_zero = float(np.linalg.norm(before)) <= ROUNDING * most
    size = most if is_zero else float(np.linalg.norm(before))
    gap = float(np.linalg.norm(now - before))
    return ConservedVector(before, now, gap / size if size > 0.0 else 0.0, is_zero)


def is_pushed(run: Run, time: float) -> bool:
    """Whether any external force but gravity has acted since the run's oldest instant."""
    acting = [each.leg.forces for each in run.legs if each.start < time]
    return any(forces is not None and bool(np.any(forces)) for forces in acting)


def why(flight: Flight) -> str:
    arms = "arms" if len(flight.system.tips) > 1 else "arm"
    if not flight.seconds:
        return "as nothing has moved yet."
    if flight.pushed:
        return "something has pushed it from outside meanwhile, so momentum need not be conserved."
    if flight.angular.is_zero:
        stayed = "angular momentum was zero and stayed zero."
        return f"because its {arms} moved: {stayed}" if flight.joints_moved else stayed
    if flight.joints_moved:
        return f"because it tumbles and its {arms} moved; angular momentum was conserved."
    return "because it tumbles; its joints stand still, and angular momentum was conserved."


def flight_html(flight: Flight, since: float, theme: palette.Theme, figures: Figures) -> str:
    """The body's rotation, and the conserved quantities as numbers then and now.

    Args:
        since: start of the flight, s of the run.
    """
    figures.put(flight.turned)
    turned = f"<span data-digits='3'>{figures.one()}</span>"
    figures.put(since)
    start = figures.one()
    body = html.escape(flight.system.link_names[-1])
    linear, angular = _gap(flight, flight.linear, figures), _gap(flight, flight.angular, figures)
    figures.put(flight.off_path)
    off = f"off by <span data-digits='1'>{figures.one()}</span> m"
    when = ("at the start", "now")
    entries = (
        ("p", "momentum", "linear momentum, N s", linear, when, (flight.linear.before, flight.linear.now)),
        ("h", "angular_momentum", "angular momentum about the mass centre, N m s", angular, when,
         (flight.angular.before, flight.angular.now)),
        ("C", "mass_center", f"mass centre, m, on its {'parabola' if flight.falls else 'straight path'}", off,
         ("the path", "where it is"), (flight.path, flight.center)),
        (r"\omega", "angular_velocity", f"how {body} turns now, rad/s", "", ("in all", "by momentum", "by its joints"),
         (flight.omega, flight.omega - flight.by_joints, flight.by_joints)),
    )  # fmt: skip
    sections = ""
    for letter, name, words, gap, titles, values in entries:
        columns = [(title, value[:, None]) for title, value in zip(titles, values, strict=True)]
        title = f"{formula(letter)} {words}"
        sections += side_by_side_html(name, title, gap, palette.quantity(name, theme), columns, figures)
    fallen = "<p class='note'>What gravity has added since is in the first column.</p>" if flight.falls else ""
    return (
        f"<h3>What is conserved in flight</h3><p class='turned'><b>The body, {body}, stands {turned}° from where "
        f"it stood</b> at {start} s, {why(flight)}</p>{fallen}{sections}"
    )


def _gap(flight: Flight, vector: ConservedVector, figures: Figures) -> str:
    """How far a vector has changed; a push changes it."""
    figures.put(vector.apart)
    size = f"<span data-digits='1'>{figures.one()}</span>"
    if flight.pushed:
        return f"pushed since: another by {size}"
    return f"the same, {'zero, ' if vector.is_zero else ''}to {size}"


Units = tuple[int, ...]
ANGULAR, LINEAR = 0, 1
SPATIAL: Units = (ANGULAR,) * 3 + (LINEAR,) * 3
ONE: Units = (ANGULAR,)


@dataclass(frozen=True)
class Legend:
    """A quantity of both countings."""

    latex: str  # its letter; ``{k}`` stands for a link's number
    color: str  # the palette's name
    words: str  # its description
    stays: bool  # whether it is the same from every base
    of_link: bool = True  # whether each link has its own


LEGENDS: Mapping[str, Legend] = {
    "articulated_inertia": Legend("P({k})", "articulated_inertia", "inertia from the tip", False),
    "dual_articulated_inertia": Legend("S({k})", "dual_articulated_inertia", "inertia from the base", False),
    "predicted_force": Legend("z({k})", "predicted_force", "bias force of all that is outboard", False),
    "mass_matrix": Legend(
        r"\mathcal{M}", "mass_matrix", "mass matrix of joints and base, the base's six rows last", False, False
    ),
    "operational_space_inertia": Legend("P({k})+S({k})", "operational_space_inertia", "inertia together", True),
    "acceleration": Legend(r"\alpha({k})", "acceleration", "acceleration", True),
    "joint_acceleration": Legend(
        r"\ddot\theta", "joint_acceleration", "accelerations of all joints, from the tip", True, False
    ),
}


def own(solution: dyn.Solution) -> dict[str, Array]:
    """The same quantities in the system's own counting."""
    forward, dual = solution.stages["filter"], solution.stages["dual_filter"]
    return {
        "articulated_inertia": forward["articulated_inertia"],
        "dual_articulated_inertia": dual["dual_articulated_inertia"],
        "predicted_force": forward["predicted_force"],
        "mass_matrix": dyn.mass_matrix(solution.system, solution.state),
        "operational_space_inertia": dual["operational_space_inertia"],
        "acceleration": dual["acceleration"],
        "joint_acceleration": solution.joint_acceleration,
    }


class Comparison:
    """Both countings of one instant."""

    def __init__(self, solution: dyn.Solution, other: OtherBase) -> None:
        self.system = solution.system
        self.base = other.solution.system.link_names[-1]
        self._before, self.other = own(solution), other
        self._length = shortest_radius(self.system)
        joints = tuple(LINEAR if joint.kind == "prismatic" else ANGULAR for joint in self.system.joint_models)
        moving = np.abs(np.concatenate([self._before["acceleration"], solution.bias_acceleration]))
        self._moving = moving.reshape(-1, 2, 3).max(axis=(0, 2))[:, None]
        self._units: dict[str, tuple[Units, Units]] = dict.fromkeys(LEGENDS, (SPATIAL, SPATIAL))
        self._units |= dict.fromkeys(("predicted_force", "acceleration"), (SPATIAL, ONE))
        self._units |= {"joint_acceleration": (joints, ONE), "mass_matrix": (joints + SPATIAL,) * 2}

    def both(self, name: str, link: int) -> tuple[Array, Array]:
        """A quantity of a link in its own counting and in the other."""
        pair = self._before[name], np.asarray(getattr(self.other, name))
        first, second = (each[link] for each in pair) if LEGENDS[name].of_link else pair
        rows, columns = self._units[name]
        return first.reshape(len(rows), len(columns)), second.reshape(len(rows), len(columns))

    def apart(self, name: str, link: int) -> float:
        """The difference of the two, relative to the largest number of the same unit.

        Accelerations are compared with the machine's largest, including those that velocities cause.
        """
        rows, columns = self._units[name]
        beside = self._moving if name.endswith("acceleration") else np.zeros((2, 1))
        return relative(*self.both(name, link), rows, columns, self._length, beside)

    def most(self, name: str) -> float:
        """The same at the link where it is largest."""
        return max(self.apart(name, k) for k in range(self.system.n_links if LEGENDS[name].of_link else 1))


def relative(
    before: Array, after: Array, rows: Units, columns: Units, length: float, beside: Array | float = 0.0
) -> float:
    """The largest difference between numbers, each relative to the largest of its unit in both.

    Numbers of the other unit count as well, converted by a length: what is small relative to them is rounding.

    Args:
        length: m, ``shortest_radius``.
        beside: additional sizes to compare with, (2, 1) or (2, 2), angular and linear.

    Returns:
        0 if there is nothing to compare.
    """
    down, across = np.array(rows), np.array(columns)
    largest = np.maximum(np.abs(before), np.abs(after))
    size = np.zeros((2, 2))
    for g in (ANGULAR, LINEAR):
        for h in (ANGULAR, LINEAR):
            size[g, h] = largest[np.ix_(down == g, across == h)].max(initial=0.0)
    size = np.maximum(size, beside)
    share = min(length, 1.0 / length)  # whichever way the unit is converted
    size = np.maximum(size, share * size[::-1])
    size = np.maximum(size, share * size[:, ::-1])[np.ix_(down, across)]
    gap = np.abs(after - before)
    return float((gap[size > 0.0] / size[size > 0.0]).max(initial=0.0))


def base_html(
    comparison: Comparison | None, system: dyn.System, link: int, theme: palette.Theme, figures: Figures
) -> str:
    """Both countings of a link side by side; None: the system's own base, with nothing to compare."""
    base = html.escape(system.link_names[-1])
    if comparison is None:
        return (
            f"<h3>Any link as the base</h3><p>Counted from <b>{base}</b>, as its file has it. Make another link the "
            "base with <i>from here</i>: the motion stays the same, only the counting begins elsewhere.</p>"
        )
    other = html.escape(comparison.base)
    way = set(system.path_inward(system.link_names.index(comparison.base)))
    called = html.escape(walk.called(system, link))
    beside = "" if link in way else f" Link {called} does not lie between the two bases: its own P and S stay as well."

    def section(name: str) -> str:
        return _section_html(comparison, name, link, (base, other), theme, figures)

    def sections(wanted: Callable[[Legend], bool]) -> str:
        return "".join(section(name) for name, legend in LEGENDS.items() if wanted(legend))

    return (
        f"<h3 data-spoken='Counted from {other}'>Counted from {other} instead of {base}</h3>"
        f"<p>{action_html(f'base {system.n_links - 1}', f'Back to {base}')}</p>"
        f"<p class='note'>Link {called}, at the same point O<sub>k</sub>. The run is as it was.</p>"
        f"<h4>What the choice of a base changes</h4><p class='note'>Tip and base are only points of view.{beside}"
        f"</p>{sections(lambda legend: not legend.stays)}"
        "<h4>What it does not</h4><p class='note'>What the machine does, and its operational-space inertia.</p>"
        f"{sections(lambda legend: legend.stays)}"
    )


def _section_html(
    comparison: Comparison, name: str, link: int, bases: tuple[str, str], theme: palette.Theme, figures: Figures
) -> str:
    legend = LEGENDS[name]
    figures.put(comparison.apart(name, link) * (1.0 if legend.stays else 100.0))
    by = f"<span class='apart' data-digits='{1 if legend.stays else 3}'>{figures.one()}</span>"
    gap = f"the same, to {by}" if legend.stays else f"differs by {by} %"
    if legend.stays and legend.of_link:
        figures.put(comparison.most(name))
        gap += f"; at every link, to <span class='apart' data-digits='1'>{figures.one()}</span>"
    letter = formula(legend.latex.replace("{k}", str(walk.number(comparison.system, link))))
    columns = [(f"from {base}", value) for base, value in zip(bases, comparison.both(name, link), strict=True)]
    color = palette.quantity(legend.color, theme)
    return side_by_side_html(name, f"{letter} {legend.words}", gap, color, columns, figures)
