"""The numbers of another program, in whatever convention, compared with ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from dynamics.checks import Array, number, numbers
from dynamics.comparison.arrays import ORDER, OUTWARD, QUANTITIES, STAGES, Items, Theirs, candidates
from dynamics.comparison.causes import find_causes, moments_without
from dynamics.comparison.convention import in_words, libraries, numberings
from dynamics.comparison.matching import Found, Matcher, best_of, find_convention
from dynamics.comparison.sweeps import Moment, Run
from dynamics.errors import StateError
from dynamics.public import public
from dynamics.record import Record, in_a_line
from dynamics.system.plain_kinematics import Forces, external_wrench
from dynamics.system.state import State
from dynamics.system.system import System

TOLERANCE = 1e-9
FEW_DIGITS = (1e-6, 1e-4)
"""Tolerances of numbers that were kept in single precision or printed to some digits, or computed in it."""
MENTIONED = 1e-8
"""A tolerance above this is mentioned."""


@dataclass(frozen=True, eq=False)
class ComparedStage(Record):
    """One array compared with ours.

    Attributes:
        name: of the array, as it was given.
        quantity: what it is taken to be, as the registry calls it where it knows it.
        words: the same in plain words.
        symbol: its letter.
        stage: the sweep that computes it.
        convention: how it is written, where that is not as the others are, and how its rows are; else empty.
        differences: (links,) or (joints,), the largest at each of ours, relative to the size of what stands there.
        first_link: the first that differs, in the order of its sweep; -1 where none does.
    """

    name: str
    quantity: str
    words: str
    symbol: str
    stage: str
    convention: str
    differences: Array
    first_link: int

    @property
    def worst(self) -> float:
        """The largest of the differences."""
        return float(self.differences.max(initial=0.0))

    @property
    def agrees(self) -> bool:
        """Whether it is ours, everywhere."""
        return self.first_link < 0


@dataclass(frozen=True, eq=False)
class Cause(Record):
    """A fault that, done to ours, gives theirs.

    Attributes:
        key: its name; where a line of the textbook is broken that of the break, for ``read_textbook(breaks=...)``.
        words: what is wrong.
        difference: the largest relative difference that remains between ours with the fault and theirs.
    """

    key: str
    words: str
    difference: float


@dataclass(frozen=True, eq=False)
class Comparison(Record):
    """The numbers of another program compared with ours; ``str`` says it in words.

    Attributes:
        system: the machine.
        tolerance: below which a relative difference is rounding.
        convention: in which most of theirs is written.
        libraries: those known to write so.
        ambiguous: conventions that explain the arrays as well, this one included; empty where it is the only one.
        stages: every array, in the order of the algorithm.
        first: the number of the stage where the two differ first; -1 where they agree.
        first_link: the link where they do, for contacts the one that holds, for the object the number of links; -1.
        causes: faults that give theirs; more than one where the arrays cannot tell them apart.
        converted: each array in our own convention by the name of its quantity, where its numbers say all.
        left_out: what theirs lacks and ours has, such as friction: all else compares ours without it; else empty.
    """

    system: System
    tolerance: float
    convention: str
    libraries: tuple[str, ...]
    ambiguous: tuple[str, ...]
    stages: tuple[ComparedStage, ...]
    first: int
    first_link: int
    causes: tuple[Cause, ...]
    converted: Mapping[str, Array]
    left_out: str = ""

    @property
    def agrees(self) -> bool:
        """Whether everything does."""
        return self.first < 0 and not self.left_out

    @property
    def first_stage(self) -> ComparedStage | None:
        """The stage where the two differ first, None where they agree."""
        return None if self.first < 0 else self.stages[self.first]

    def __repr__(self) -> str:
        return in_a_line("Comparison", (" ".join(self.difference_in_words),))

    def __str__(self) -> str:
        width = max(len(stage.name) for stage in self.stages)
        table = (
            f"{stage.name:>{width}}  {stage.words}: "
            + ("agrees" if stage.agrees else f"differs, worst {stage.worst:.1e}")
            for stage in self.stages
        )
        return "\n".join([*self.convention_in_words, *self.difference_in_words, "", *table])

    @property
    def convention_in_words(self) -> tuple[str, ...]:
        """How theirs is written, in sentences."""
        words = [f"Your convention: {self.convention}."]
        if self.libraries:
            words.append(f"It is that of {'; '.join(self.libraries)}.")
        if self.ambiguous:
            words.append("Your arrays can be read in another convention as well:")
            words += [f"  - {each}" for each in self.ambiguous if each != self.convention]
        words += [f"{stage.name} is written differently: {stage.convention}." for stage in self.stages
                  if stage.convention]  # fmt: skip
        if self.tolerance > MENTIONED:
            words.append(f"A difference of less than {self.tolerance:.0e} of a number's size counts as rounding.")
        return tuple(words)

    @property
    def difference_in_words(self) -> tuple[str, ...]:
        """Where the two differ first, and why, in sentences; or that they agree."""
        stage, words = self.first_stage, list[str]()
        if self.left_out:
            words.append(f"Yours leaves out {self.left_out}, which ours has; the rest compares ours without it.")
        if stage is None:
            worst = max(each.worst for each in self.stages)
            return (*words, f"It agrees with ours everywhere, to {worst:.0e}.")
        names = self.system.link_names
        at_object = self.first_link >= len(names)
        link = "the object" if at_object else f"link {self.first_link + 1} ({names[self.first_link]})"
        words.append(
            f"The two differ first in the {stage.words} {stage.symbol}, {link}, in the stage {stage.stage}: "
            f"by {stage.differences[self.first_link]:.1e} of its size."
        )
        if len(self.causes) == 1:
            cause = self.causes[0]
            words.append(f"What is wrong: {cause.words}. Ours with this fault is yours to {cause.difference:.0e}.")
        elif self.causes:
            words.append("Each of these faults, done to ours, gives yours; your arrays cannot tell them apart:")
            words += [f"  - {cause.words} (to {cause.difference:.0e})" for cause in self.causes]
        else:
            words += self._without_a_cause()
        return tuple(words)

    def _without_a_cause(self) -> list[str]:
        known = "None of the faults that we know gives your numbers"
        by_link = [each for each in self.stages if each.stage != "contact"]
        if any(each.agrees for each in self.stages) or any(
            each.differences.min(initial=1.0) <= self.tolerance for each in by_link
        ):
            return [f"{known}; what comes before this place agrees."]
        return [f"{known}, and none of your numbers agrees. Give earlier stages as well (IA, pA, D, u)."]


@public
def compare(
    system: System,
    state: State,
    theirs: Theirs,
    tau: ArrayLike | None = None,
    external_forces: Forces = None,
    joints: Sequence[str] | None = None,
    tolerance: float = TOLERANCE,
) -> Comparison:
    """The numbers of another program compared with ours: their convention, where the two differ first, and why.

    The convention is found by writing ours in each: which half of a spatial vector comes first, in which axes and at
    which point, how links are numbered, the sign of forces, gravity as a weight or as an acceleration of the base,
    accelerations of points or of spatial vectors. It is one for everything; an array has another of its own only where
    that explains it wholly, so that a fault is not taken for a strange convention.

    A cause is a usual fault that, done to ours, gives theirs to rounding: a rotation transposed, the parallel-axis term
    left out, a line of the textbook broken. Where none does, only the first difference is given. Friction, damping and
    rotors that theirs does not have are named and left out of ours, if more agrees then.

    Args:
        system: any; arms that hold an object have their filter and smoother twice, without the contact forces and with
            them, and what is at the contacts: ``x_0``, ``Lam_0``, ``alpha_C``.
        state: of this system.
        theirs: arrays by their names, those of this package or of Pinocchio, MuJoCo, Featherstone's book: ``IA``,
            ``pA``, ``Yaba``, ``cvel``, ``qdd``, ``M``; or the path of an NPZ or CSV file with such names. Links may
            be numbered otherwise, and the world may have an entry.
        tau: (joints,), N m or N, tip to base; default zero.
        external_forces: as ``forward_dynamics`` takes them.
        joints: the joints' names in the order of theirs, where it is known; else it is found.
        tolerance: a relative difference below it is rounding. Where theirs has no more digits than single precision, or
            than ten, it is 1e-6 or 1e-4, if more agrees then.

    Returns:
        The answer, which ``str`` puts into words.

    Raises:
        StateError: for what is no array of the machine, an unknown name, or a file that cannot be read.
        ModelError: for a joint that moves no inertia.

    Example:
        >>> system, state = dyn.example("planar_chain")
        >>> own = {"D": dyn.forward_dynamics(system, state).stages["filter"]["joint_inertia"]}
        >>> dyn.compare(system, state, own).agrees
        True

    Cost: some seconds where the two agree, up to a minute where the cause is sought, for ten links.
    """
    torque = numbers(np.zeros(system.n_joints) if tau is None else tau, (system.n_joints,), "tau")
    moment = Moment(system, state, torque, external_wrench(system, external_forces))
    limit = number(tolerance, "tolerance", "a number above 0 and below 0.1")
    if not 0.0 < limit < 0.1:
        raise StateError(f"tolerance is {limit:g}; expected a number above 0 and below 0.1.")
    order, items = numberings(system, joints), candidates(system, theirs)

    def matched(moment: Moment) -> Matcher:
        return Matcher(moment.system, items, order, lambda form: Run(moment, form))

    matcher = matched(moment)
    found = find_convention(matcher, limit)
    for few in FEW_DIGITS if has_few_digits(items) else ():
        if few > limit and (other := find_convention(matcher, few)).score > found.score:
            limit, found = few, other
    left_out, best = "", found.score
    for words, without in moments_without(moment) if found.score < 2 * len(items) else ():
        _, score = best_of(matched(without), items, found.as_good, limit)
        if score > best:
            left_out, moment, best = words, without, score
    if left_out:
        matcher = matched(moment)
        found = find_convention(matcher, limit)
    return replace(_answer(moment, matcher, found, limit), system=system, left_out=left_out)


def has_few_digits(items: Items) -> bool:
    """Whether no number has more digits than single precision has, or than ten, or nine decimals."""
    given = np.concatenate([several[0].array.ravel() for several in items.values()])
    with np.errstate(over="ignore"):
        single = given.astype(np.float32)
    return any(np.array_equal(given, few) for few in (single, given.round(9), [float(f"{x:.10g}") for x in given]))


def _answer(moment: Moment, matcher: Matcher, found: Found, tolerance: float) -> Comparison:
    stages = compared_stages(found, tolerance)
    first = first_of(stages)
    causes = []
    if first >= 0:
        causes = find_causes(moment, matcher, found, tolerance, stages[first].first_link)
    if causes:  # the convention is that in which the first cause gives theirs
        found = found.moved_to(matcher, causes[0].conventions, causes[0].apart)
        stages = compared_stages(found, tolerance)
        first = first_of(stages)
    quantities = [match.candidate.quantity for match in found.matches.values()]
    ambiguous = tuple(dict.fromkeys(in_words(each, quantities) for each in found.as_good))
    converted = {
        match.candidate.quantity: array
        for name, match in found.matches.items()
        if (array := matcher.converted(match.candidate, found.own[name])) is not None
    }
    return Comparison(
        system=moment.system,
        tolerance=tolerance,
        convention=in_words(found.common, quantities),
        libraries=libraries(found.common, quantities),
        ambiguous=ambiguous if len(ambiguous) > 1 else (),
        stages=stages,
        first=first,
        first_link=stages[first].first_link if first >= 0 else -1,
        causes=tuple(Cause(each.fault.key, each.fault.words, each.gap) for each in causes),
        converted=converted,
    )


def compared_stages(found: Found, tolerance: float) -> tuple[ComparedStage, ...]:
    """Every array in the order of the algorithm."""
    stages = (_stage(name, found, tolerance) for name in found.own)
    return tuple(sorted(stages, key=lambda stage: ORDER[stage.quantity]))


def first_of(stages: Sequence[ComparedStage]) -> int:
    """The number of the stage at whose first difference the algorithm arrives first; -1 where all agree."""
    return min(
        (at for at, stage in enumerate(stages) if not stage.agrees), key=lambda at: _when(stages[at]), default=-1
    )


def _stage(name: str, found: Found, tolerance: float) -> ComparedStage:
    (candidate, gaps, _), convention = found.matches[name], found.own[name]
    quantity = QUANTITIES[candidate.quantity]
    different = np.flatnonzero(gaps > tolerance)
    first = -1
    if len(different):
        first = int(different[-1] if quantity.stage in OUTWARD else different[0])
    written = [] if convention == found.common else [in_words(convention, [candidate.quantity])]
    if candidate.rows is not None:
        written.append(candidate.rows.words)
    return ComparedStage(
        name=name,
        quantity=candidate.quantity,
        words=quantity.words,
        symbol=quantity.symbol,
        stage=quantity.stage,
        convention="; ".join(written),
        differences=gaps,
        first_link=first,
    )


def _when(stage: ComparedStage) -> tuple[int, int, int]:
    """Sweep, place in it, quantity there."""
    place = -stage.first_link if stage.stage in OUTWARD else stage.first_link
    return STAGES.index(stage.stage), place, ORDER[stage.quantity]
