"""Why two algorithms differ: each common fault is applied to ours; one that gives theirs to rounding is a cause."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, combinations, product
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

from dynamics.checks import Array
from dynamics.comparison import sweeps
from dynamics.comparison.arrays import FRAMED, NAMES, ORDER, QUANTITIES, Candidate, Items, of_quantities
from dynamics.comparison.convention import LIBRARIES, Convention, numberings
from dynamics.comparison.matching import NOTHING, Fit, Matcher, find_convention
from dynamics.comparison.sweeps import ALPHA_PLUS, FORMS, Fault, Form, Machine, Moment, Run, Transform, transform
from dynamics.reading.breaks import Kind, breaks_of
from dynamics.reading.expression import Factor
from dynamics.reading.lines import lines_of
from dynamics.robot.model import Joint, Link
from dynamics.system.plain_kinematics import tilde, turn_about
from dynamics.system.system import System

MOST_CAUSES, SOON = 5, ("kinematics", "filter")


def _models(name: str, alter: Callable[[Any], Mapping[str, Any]]) -> Machine:
    """A system with ``alter`` applied to some of its joints or links."""

    def machine(moment: Moment, links: Collection[int]) -> Moment:
        own = enumerate(getattr(moment.system, name))
        altered: Any = {name: tuple(replace(each, **alter(each)) if k in links else each for k, each in own)}
        return moment._replace(system=replace(moment.system, **altered))

    return machine


_joint, _link = functools.partial(_models, "joint_models"), functools.partial(_models, "link_models")


def _origin(alter: Callable[[Array, Array], tuple[Array, Array]]) -> Machine:
    """The fixed rotation R and lever r between two joints."""
    return _joint(lambda joint: {"origin": _pose(*alter(joint.origin[:3, :3], joint.origin[:3, 3]))})


def _pose(R: Array, r: Array) -> Array:
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = R, r
    return pose


def _coordinate(kind: str, alter: Callable[[float], float]) -> Machine:
    def machine(moment: Moment, links: Collection[int]) -> Moment:
        q = np.array(moment.state.q)
        for k, joint in enumerate(moment.system.joint_models):
            q[k] = alter(q[k]) if k in links and joint.kind == kind else q[k]
        return moment._replace(state=replace(moment.state, q=q))

    return machine


def _steiner(times: float) -> Machine:
    """Adds the parallel-axis term m (|c|² 1 - c c') to the inertia, which is about the mass centre."""

    def altered(link: Link) -> Mapping[str, Any]:
        c = tilde(link.center_of_mass)
        return {"inertia": link.inertia - times * link.mass * c @ c}

    return _link(altered)


def _joint_first(moment: Moment, links: Collection[int]) -> Moment:
    joints = list(moment.system.joint_models)
    for k, (joint, q) in enumerate(zip(moment.system.joint_models, moment.state.q, strict=True)):
        if k in links:
            turns = joint.kind == "revolute"
            own = _pose(turn_about(joint.axis, q), np.zeros(3)) if turns else _pose(np.eye(3), q * joint.axis)
            joints[k] = replace(joint, origin=own @ joint.origin @ np.linalg.inv(own))
    return moment._replace(system=replace(moment.system, joint_models=tuple(joints)))


def _both(one: Machine, other: Machine) -> Machine:
    return lambda moment, links: other(one(moment, links), links)


def _scaled(name: str, factor: float) -> Machine:
    """Torques or external forces multiplied by a factor."""

    def machine(moment: Moment, links: Collection[int]) -> Moment:
        changed: dict[str, Any] = {name: np.array(getattr(moment, name))}
        changed[name][[k for k in links if k < len(changed[name])]] *= factor
        return moment._replace(**changed)

    return machine


def _gravity(alter: Callable[[Array], Array]) -> Machine:
    return lambda moment, links: moment._replace(system=replace(moment.system, gravity=alter(moment.system.gravity)))


def _along(axis: Array, g: Array) -> Array:
    """Gravity along an axis; unchanged if it already lies along that axis in either direction."""
    size = np.linalg.norm(g)
    return g if size and abs(axis @ g) > 0.999 * size else (size or 9.81) * axis


def _other_order(R: Array) -> Array:
    """Roll, pitch and yaw of R = Rz Ry Rx, applied as Rx Ry Rz."""
    return np.asarray(Rotation.from_euler("XYZ", Rotation.from_matrix(R).as_euler("xyz")).as_matrix())


MACHINE: Mapping[str, Machine] = {
    "the rotation of the joint is transposed": _coordinate("revolute", lambda q: -q),
    "the fixed rotation between two links is transposed": _origin(lambda R, r: (R.T, r)),
    "the rotations of the joint and between two links are both transposed":
        _both(_coordinate("revolute", lambda q: -q), _origin(lambda R, r: (R.T, r))),
    "the fixed rotation between two links is left out": _origin(lambda R, r: (np.eye(3), r)),
    "the angles roll, pitch, yaw of the fixed rotation are applied in the other order":
        _origin(lambda R, r: (_other_order(R), r)),
    "the joint moves before the fixed transformation instead of after it": _joint_first,
    "the lever between two joints has the other sign":
        _both(_origin(lambda R, r: (R, -r)), _coordinate("prismatic", lambda q: -q)),
    "the lever between two joints is left out": _origin(lambda R, r: (R, 0.0 * r)),
    "the lever between two joints is taken in the outer link's axes": _origin(lambda R, r: (R, R @ r)),
    "the angle is taken to be in degrees": _coordinate("revolute", np.deg2rad),
    "the angle is converted to degrees": _coordinate("revolute", np.rad2deg),
    "the joint's sliding displacement is left out": _coordinate("prismatic", lambda q: 0.0),
    "the joint's axis has the other sign": _joint(lambda joint: {"axis": -joint.axis}),
    "the joint's axis is taken in the inboard link's axes":
        _joint(lambda joint: {"axis": joint.origin[:3, :3].T @ joint.axis}),
    "the joint's axis is rotated into the inboard link's axes":
        _joint(lambda joint: {"axis": joint.origin[:3, :3] @ joint.axis}),
    "the mass centre has the other sign": _link(lambda link: {"center_of_mass": -link.center_of_mass}),
    "the mass centre is taken to lie at the joint": _link(lambda link: {"center_of_mass": 0.0 * link.center_of_mass}),
    "the parallel-axis term is left out: the inertia about the mass centre is taken to be about the joint":
        _steiner(-1.0),
    "the parallel-axis term is counted twice: the inertia about the joint is taken to be about the mass centre":
        _steiner(1.0),
    "the parallel-axis term has the other sign": _steiner(-2.0),
    "the products of inertia have the other sign":
        _link(lambda link: {"inertia": 2.0 * np.diag(np.diag(link.inertia)) - link.inertia}),
    "the products of inertia are left out": _link(lambda link: {"inertia": np.diag(np.diag(link.inertia))}),
    "damping and friction have the other sign":
        _joint(lambda joint: {"damping": -joint.damping, "friction": tuple(-each for each in joint.friction)}),
    "the motors' torques have the other sign": _scaled("tau", -1.0),
    "the motors' torques are left out": _scaled("tau", 0.0),
    "external forces have the other sign": _scaled("wrench", -1.0),
    "external forces are left out": _scaled("wrench", 0.0),
    "gravity has the other sign": _gravity(lambda g: -g),
    "gravity is left out": _gravity(lambda g: 0.0 * g),
    **{f"gravity acts along {sign}{axis}": _gravity(functools.partial(_along, float(f"{sign}1") * unit))
       for sign in "+-" for axis, unit in zip("xyz", np.eye(3), strict=True)},
}  # fmt: skip
VELOCITY: Mapping[str, Mapping[str, Any]] = {
    "the velocity product v × Sq̇ is left out": {"velocity_product": 0.0},
    "the velocity product v × Sq̇ has the other sign": {"velocity_product": -1.0},
    "the velocity product v × Sq̇ is counted twice": {"velocity_product": 2.0},
    "the velocity product v × Sq̇ is left out on the way outward": {"outward": 0.0},
    "the gyroscopic force v ×* Iv is left out": {"gyroscopic": 0.0},
    "the gyroscopic force v ×* Iv has the other sign": {"gyroscopic": -1.0},
    "both velocity terms are left out, v × Sq̇ and v ×* Iv": {"velocity_product": 0.0, "gyroscopic": 0.0},
    "the velocity terms C q̇ are halved": {"velocity_product": 0.5, "gyroscopic": 0.5},
    "the velocity terms C q̇ are counted twice": {"velocity_product": 2.0, "gyroscopic": 2.0},
    "the velocity terms C q̇ have the other sign": {"velocity_product": -1.0, "gyroscopic": -1.0},
}  # what is wrong, and the factors of the terms
TRANSFORMS: Mapping[str, Transform] = {
    "the transformation X is transposed": lambda E, r: transform(E, r).T,
    "the transformation X is left out": lambda E, r: np.eye(6),
    "the transformation X is the inverse one": lambda E, r: transform(E.T, -E @ r),
    "the lever in X is left out": lambda E, r: transform(E, 0.0 * r),
    "the rotation in X is left out": lambda E, r: transform(np.eye(3), r),
}
INERTIAS = frozenset(["inward_filter.prediction.P"])
FORCES = frozenset(["inward_filter.prediction.z", "inward_filter.prediction.z_minus"])
TRANSFORMED: Mapping[str, frozenset[str]] = {
    "of inertias on their way inward": INERTIAS,
    "of forces on their way inward": FORCES,
    "of inertias and forces on their way inward": INERTIAS | FORCES,
    "of accelerations on their way outward": frozenset([ALPHA_PLUS]),
}
UNDIVIDED: Mapping[str, frozenset[str]] = {
    "the inertia P⁺": sweeps.INERTIA,
    "the force z⁺": sweeps.FORCE,
    "the inertia P⁺ and the force z⁺": sweeps.INERTIA | sweeps.FORCE,
    "the residual ν": sweeps.QUOTIENTS,
    "the acceleration θ̈": sweeps.ACCELERATION,
    "P⁺, z⁺ and θ̈": sweeps.INERTIA | sweeps.FORCE | sweeps.ACCELERATION,
}  # quantities in which the division by D may be forgotten
BROKEN: Mapping[Kind | Literal["divide"], str] = {
    "drop": "the term {} is left out",
    "negate": "the term {} has the other sign",
    "omit": "the factor {} is left out",
    "divide": "the division by {} is left out",
    "untranspose": "{} is not transposed",
    "multiply": "{} multiplies instead of dividing",
}
BROKEN_SWEEPS = ("bias", "inward_filter", "outward_smoother")


@functools.cache
def faults() -> tuple[Fault, ...]:
    """All faults that are tried, common ones first: in the machine, velocity terms, X, and lines of the text."""
    found = [Fault(words, words, machine=machine) for words, machine in MACHINE.items()]
    found += [Fault(words, words, **factors) for words, factors in VELOCITY.items()]
    for where, lines in UNDIVIDED.items():
        words = f"the division by D is forgotten in {where}"
        found.append(Fault(words, words, undivided=lines))
    for words, wrong in TRANSFORMS.items():
        for where, lines in TRANSFORMED.items():
            found.append(Fault(f"{words}, {where}", f"{words}, {where}", transform=wrong, lines=lines))
    for line in lines_of("arm"):
        for each in breaks_of(line) if line.function in BROKEN_SWEEPS else ():
            part = each.part.rpartition(".")[2].replace("-", " ")
            divides = each.kind == "omit" and isinstance(each.acts_on, Factor) and each.acts_on.inverse
            part = BROKEN["divide" if divides else each.kind].format(part)
            source = line.source.replace("  # ", ", ")
            found.append(Fault(each.key, f"in the line {source}, {part}", breaks=frozenset([each.key])))
    return tuple(found)


INPUTS = {"q, q̇ and τ": "qvt", "q and q̇": "qv", "τ": "t", "q": "q", "q̇": "v"}


def input_orders(system: System) -> Iterator[Fault]:
    """All or some inputs given in another program's order: the first entry belongs to that program's first joint."""
    joints = {each.joints: each.words for each in numberings(system)}
    base = tuple(system.base_order.tolist())
    for names, inputs in INPUTS.items():
        for own, words in joints.items():
            for places in dict.fromkeys((own, tuple(np.argsort(own).tolist()))):
                if places != tuple(range(len(places))):
                    machine = functools.partial(_reordered, places, inputs)
                    order = "'base'" if own == base else [system.joint_names[k] for k in own]
                    cure = f"; give them with order={order}" if places == own else ""
                    yield Fault("inputs", f"{names} run {words}, ours from tip to base{cure}", machine=machine)


def _reordered(places: Sequence[int], inputs: str, moment: Moment, links: Collection[int]) -> Moment:
    given = zip("qvt", (moment.state.q, moment.state.qd, moment.tau), strict=True)
    q, qd, tau = (value[np.argsort(places)] if name in inputs else value for name, value in given)
    return moment._replace(state=replace(moment.state, q=q, qd=qd), tau=tau)


def _at_some_links(system: System, link: int) -> Iterator[Fault]:
    """Faults of the machine at joints of one kind, or at one link alone."""
    groups = {f"at {name} alone": frozenset([link]) for name in system.link_names[link : link + 1]}
    for kind, words in (("revolute", "at joints that turn"), ("prismatic", "at joints that slide")):
        groups[words] = frozenset(k for k, joint in enumerate(system.joint_models) if joint.kind == kind)
    for where, links in groups.items():
        for fault in faults() if 0 < len(links) < system.n_links else ():
            if fault.machine is not None:
                said = f"{fault.words}, {where}"
                yield replace(fault, key=said, words=said, links=links)


def _gravity_of_another_size(moment: Moment, matcher: Matcher, found: Fit, wrong: Sequence[str]) -> Iterator[Fault]:
    """Every number is linear in the magnitude of gravity: theirs follows from the results without gravity and ours."""
    size, without = float(np.linalg.norm(moment.system.gravity)), Fault("", "", machine=MACHINE["gravity is left out"])
    weightless = matcher.against(lambda form: Run(moment, form, without))
    if size == 0.0:
        return
    name, tried = wrong[0], set[str]()
    for at, place in product(range(len(matcher.items[name])), found.likely):
        (theirs, ours), (_, none) = matcher.beside(name, at, place), weightless.beside(name, at, place)
        slope = (ours - none).ravel()
        share = (theirs - none).ravel() @ slope / (slope @ slope) if slope.any() else 0.0
        words = f"gravity is {share * size:.6g} m/s²"
        if share > 0.0 and words not in tried:
            tried.add(words)
            yield Fault("gravity", words, machine=_gravity(functools.partial(np.multiply, share)))


def _at_each_joint(system: System) -> Iterator[Fault]:
    """A reversed axis at one joint: everything outboard of it then has another pose."""
    said = "the joint's axis has the other sign"
    for k, name in enumerate(system.joint_names):
        yield Fault(f"{said}, at {name} alone", f"{said}, at {name} alone", machine=MACHINE[said], links=frozenset([k]))


def under_other_names(
    matcher: Matcher, found: Fit, arrays: Mapping[str, Array], tolerance: float
) -> dict[str, tuple[Candidate, ...]]:
    """Arrays that are correct but match no meaning of their name, with the quantity that each is."""
    others = dict[str, tuple[Candidate, ...]]()
    for name, match in found.matches.items():
        if match.worst > tolerance and np.abs(arrays[name]).max() > NOTHING:
            quantities = [each for each in QUANTITIES if each not in NAMES[name]]
            several = of_quantities(matcher.system, quantities, arrays[name])
            probe = Matcher(matcher.system, {name: several}, matcher.order, matcher.run_of)
            tried = chain(found.as_good, probe.conventions([found.common.numbering])) if several else ()
            whole = next((each for each in tried if probe.agrees(name, each, tolerance)), None)
            if whole is not None:
                others[name] = (probe.match(name, whole).candidate,)
    return others


class Explanation(NamedTuple):
    """A fault that reproduces theirs."""

    fault: Fault
    conventions: tuple[Convention, ...]  # where it does, first the one in which most arrays match ours unaltered
    gap: float  # the largest relative difference that remains
    apart: frozenset[str]  # arrays that still need their own convention


def find_causes(moment: Moment, matcher: Matcher, found: Fit, tolerance: float, link: int) -> list[Explanation]:
    """Every fault that explains all of theirs in one convention; several if the arrays cannot distinguish them.

    All faults are tried in the conventions that explain most, then machine faults at some links only, then all faults
    in all likely conventions: a fault may look like another convention, such as a force with the other sign. For that
    reason the causes found are then tried in every convention. The two differ first at ``link``.
    """
    wrong = _by_cost(matcher.items, [name for name, match in found.matches.items() if match.worst > tolerance])
    for fault in input_orders(moment.system):
        other = matcher.against(functools.partial(Run, moment, fault=fault))
        if not all(other.agrees_somewhere(name, tolerance) for name in wrong):
            continue
        there = find_convention(other, tolerance)
        if (gap := max(match.worst for match in there.matches.values())) <= tolerance:
            apart = frozenset(name for name, own in there.own.items() if own != there.common)
            return [Explanation(fault, there.as_good, gap, apart)]
    narrowed = matcher.narrowed(found, tolerance)
    search = _Search(moment, narrowed, found, tolerance)
    forms, others = {each.form for each in found.as_good}, set(found.likely) - set(found.as_good)
    in_use = {form for _, form in LIBRARIES.values()} if len(forms) == len(FORMS) else forms  # if undetermined
    best = [each for each in found.as_good if each.form in in_use]
    causes = (
        search.causes(faults(), best)
        or search.causes(_at_some_links(moment.system, link), best)
        or search.causes(_at_each_joint(moment.system), best)
        or search.causes(_gravity_of_another_size(moment, narrowed, found, wrong), found.likely)
        or search.causes(faults(), [each for each in found.likely if each in others])
    )
    if causes or len(wrong) == len(matcher.items):
        return search.causes([cause.fault for cause in causes[:MOST_CAUSES]], matcher.conventions())
    few = Matcher(matcher.system, {name: narrowed.items[name] for name in wrong}, matcher.order, matcher.run_of)
    causes = _Search(moment, few, found, tolerance).causes(faults(), best)[:MOST_CAUSES]
    alone = f"in {' and '.join(wrong)} alone, the rest is right"
    return [each._replace(fault=replace(each.fault, words=f"{each.fault.words}, {alone}")) for each in causes]


def _by_cost(items: Items, names: Iterable[str]) -> list[str]:
    """The names sorted: first cheap, frame-independent quantities, which rule out most faults."""

    def cost(name: str) -> tuple[bool, bool, int]:
        several = {each.quantity: QUANTITIES[each.quantity] for each in items[name]}.items()
        return max((each.stage not in SOON, each.kind in FRAMED, ORDER[quantity]) for quantity, each in several)

    return sorted(names, key=cost)


class _Search:
    """Applies one fault after another to ours, and compares the result with theirs."""

    def __init__(self, moment: Moment, matcher: Matcher, found: Fit, tolerance: float) -> None:
        self._moment, self._matcher, self._found, self._tolerance = moment, matcher, found, tolerance
        self._names = _by_cost(matcher.items, matcher.items)

    def causes(self, several: Iterable[Fault], tried: Iterable[Convention]) -> list[Explanation]:
        """The faults that explain theirs, all in the form of the first one found."""
        by_form: dict[Form, list[Convention]] = {}
        if not any(self._matcher.has_forms(name) for name in self._names):  # then any form will do
            tried = chain.from_iterable([each._replace(form=form) for form in (FORMS[0], FORMS[-1])] for each in tried)
        for convention in tried:
            by_form.setdefault(convention.form, []).append(convention)
        causes: list[Explanation] = []
        for fault in several:
            for form, places in by_form.items():
                if not fault.fits(form) or (causes and causes[0].conventions[0].form != form):
                    continue
                found = self._explanation(fault, form, places)
                if found is not None:
                    causes.append(found)
                    break
        return causes

    def _explanation(self, fault: Fault, form: Form, places: Iterable[Convention]) -> Explanation | None:
        @functools.cache
        def run_of(wanted: Form) -> Run:
            """Quantities that do not depend on the form are requested in the first form; any form may answer."""
            return Run(self._moment, form if wanted == FORMS[0] else wanted, fault)

        matcher = self._matcher.against(run_of)
        found = {place: explained for place in places if (explained := self._explained(matcher, place)) is not None}
        if not found:
            return None
        best = sorted(found, key=self._unaltered, reverse=True)
        return Explanation(fault, tuple(best), *found[best[0]])

    def _explained(self, matcher: Matcher, place: Convention) -> tuple[float, frozenset[str]] | None:
        """The largest difference of all arrays, and those that keep a convention of their own; None if they differ."""
        worst, apart = 0.0, set[str]()
        for name in self._names:
            own, there = self._found.own[name], place
            if own != self._found.common and not matcher.agrees(name, place, self._tolerance):
                apart.add(name)
                there = own._replace(form=place.form)
            if not matcher.agrees(name, there, self._tolerance):
                return None
            worst = max(worst, matcher.match(name, there).worst)
        return worst, frozenset(apart)

    def _unaltered(self, place: Convention) -> int:
        """How many arrays match ours without the fault: a fault may look like a convention."""
        return sum(self._matcher.agrees(name, place, self._tolerance) for name in self._names)


LOSSES: Mapping[str, tuple[Callable[[Joint], bool], Mapping[str, Any]]] = {
    "friction": (lambda joint: any(joint.friction), {"friction": (0.0, 0.0)}),
    "damping": (lambda joint: bool(joint.damping), {"damping": 0.0}),
    "the rotors' inertia": (lambda joint: bool(joint.rotor_inertia), {"rotor_inertia": 0.0}),
}  # what most libraries leave out: whether a joint has it, and the changes that remove it


def moments_without(moment: Moment) -> Iterator[tuple[str, Moment]]:
    """Moments without one or more of the machine's losses, and what is left out; the fewest first."""
    present = [name for name, (has, _) in LOSSES.items() if any(map(has, moment.system.joint_models))]
    for parts in chain.from_iterable(combinations(present, count) for count in range(1, len(present) + 1)):
        changes = {name: value for part in parts for name, value in LOSSES[part][1].items()}
        fault = Fault("", "", machine=_joint(lambda joint, changes=changes: changes))  # type: ignore[misc]
        yield " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1]))), fault.moment(moment)
