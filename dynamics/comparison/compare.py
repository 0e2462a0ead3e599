"""The numbers of another program, in any convention, compared with ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dynamics.checks import Array, number
from dynamics.comparison.arrays import ORDER, OUTWARD, QUANTITIES, STAGES, Items, Theirs, arrays_of, candidates
from dynamics.comparison.causes import Explanation, find_causes, moments_without, under_other_names
from dynamics.comparison.convention import in_words, libraries, numberings
from dynamics.comparison.matching import Fit, Matcher, best_of, find_convention
from dynamics.comparison.sweeps import Moment, Run
from dynamics.errors import StateError
from dynamics.public import public
from dynamics.record import Record, in_a_line
from dynamics.system.joint_vectors import JointValues, joint_vector
from dynamics.system.plain_kinematics import Forces, external_wrench, joint_losses
from dynamics.system.state import State
from dynamics.system.system import System

TOLERANCE, MENTIONED = 1e-9, 1e-8  # a tolerance above the second is mentioned
FEW_DIGITS = (1e-6, 1e-4)  # tolerances for numbers in single precision, or printed to few digits


@dataclass(frozen=True, eq=False)
class ComparedStage(Record):
    """One array compared with ours.

    Attributes:
        name: the array's name, as given.
        quantity: the quantity it is taken to be, a key of ``QUANTITIES``.
        words: the quantity in plain words.
        symbol: its letter.
        stage: the sweep that computes it.
        convention: its convention where it differs from the common one, and how its rows are written; else empty.
        differences: (links,) or (joints,), the largest at each, relative to our largest number there.
        first_link: the first that differs, in the order of its sweep; -1 if none does.
        renamed: whether it is correct but is another quantity than its name says.
    """

    name: str
    quantity: str
    words: str
    symbol: str
    stage: str
    convention: str
    differences: Array
    first_link: int
    renamed: bool = False

    @property
    def size(self) -> str:
        """The size of the first difference, and what it is relative to."""
        return f"by {self.differences[self.first_link]:.1e} relative to our numbers"

    @property
    def agrees(self) -> bool:
        """Whether it equals ours everywhere."""
        return self.first_link < 0


@dataclass(frozen=True, eq=False)
class Cause(Record):
    """A fault that, applied to ours, gives theirs.

    Attributes:
        key: its name; for a broken line of the textbook the name of the break, for ``read_textbook(breaks=...)``.
        words: what is wrong.
        difference: the largest relative difference that remains between ours with the fault and theirs.
    """

    key: str
    words: str
    difference: float


@dataclass(frozen=True, eq=False)
class Comparison(Record):
    """The numbers of another program compared with ours; ``str`` describes the result in words.

    Attributes:
        system: the machine.
        tolerance: the relative difference up to which numbers agree.
        convention: the convention of most of their arrays.
        libraries: libraries known to use it.
        ambiguous: conventions that explain the arrays equally well, this one included; empty if it is the only one.
        stages: every array, in the order of the algorithm.
        first: the number of the stage where the two differ first; -1 if they agree.
        first_link: the link of that difference, for contacts the holding one, for the object the number of links; -1.
        causes: faults that give theirs; several if the arrays cannot distinguish them.
        converted: each array in our own convention by the name of its quantity, if its numbers determine it.
        left_out: what ours has and theirs lacks, such as friction; ours is compared without it. Empty if nothing.
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
        """Whether all arrays agree."""
        return self.first < 0 and not self.left_out

    @property
    def first_stage(self) -> ComparedStage | None:
        """The stage where the two differ first, None if they agree."""
        return None if self.first < 0 else self.stages[self.first]

    def __repr__(self) -> str:
        return in_a_line("Comparison", (" ".join(self.difference_in_words),))

    def __str__(self) -> str:
        width = max(len(stage.name) for stage in self.stages)
        table = (
            f"{stage.name:>{width}}  {stage.words}: "
            + ("agrees" if stage.agrees else f"differs first at {self._place(stage.first_link)}, {stage.size}")
            for stage in self.stages
        )
        return "\n".join([*self.convention_in_words, *self.difference_in_words, "", *table])

    def _place(self, link: int) -> str:
        """A link by its number from the tip and its name, or the object."""
        names = self.system.link_names
        return f"link {link + 1} ({names[link]})" if link < len(names) else "the object"

    @property
    def convention_in_words(self) -> tuple[str, ...]:
        """Their convention, in sentences."""
        words = [f"Your convention: {self.convention}."]
        if self.libraries:
            words.append(f"It is that of {'; '.join(self.libraries)}.")
        if self.ambiguous:
            words.append("Your arrays can be read in another convention as well:")
            words += [f"  - {each}" for each in self.ambiguous if each != self.convention]
        words += [f"{stage.name}: {stage.convention}." for stage in self.stages if stage.convention]
        if self.tolerance > MENTIONED:
            words.append(f"A difference of less than {self.tolerance:.0e} of a number's size counts as rounding.")
        return tuple(words)

    @property
    def difference_in_words(self) -> tuple[str, ...]:
        """Where the two differ first, and why, in sentences; or that they agree."""
        stage = self.first_stage
        words = [f"Your {each.name} is our {each.symbol}, the {each.words}: it is right under another name."
                 for each in self.stages if each.renamed]  # fmt: skip
        if self.left_out:
            words.append(f"Yours leaves out {self.left_out}, which ours has; the rest compares ours without it.")
        if stage is None:
            worst = max(each.differences.max() for each in self.stages)
            return (*words, f"It agrees with ours everywhere, to {worst:.0e}.")
        words.append(
            f"The two differ first in the {stage.words} {stage.symbol}, {self._place(self.first_link)}, in the stage "
            f"{stage.stage}: {stage.size}."
        )
        if len(self.causes) == 1:
            cause = self.causes[0]
            words.append(
                f"What is wrong: {cause.words}. Ours with this fault agrees with yours to {cause.difference:.0e}."
            )
        elif self.causes:
            words.append("Each of these faults, applied to ours, gives yours; your arrays cannot tell them apart:")
            words += [f"  - {cause.words} (to {cause.difference:.0e})" for cause in self.causes]
        else:
            some = any(each.agrees or each.differences.min() <= self.tolerance for each in self.stages
                       if each.agrees or each.stage != "contact")  # fmt: skip
            rest = "; what comes before this place agrees."
            rest = rest if some else ", and none of your numbers agrees. Give earlier stages as well (IA, pA, D, u)."
            words.append(f"None of the faults that we know gives your numbers{rest}")
        return tuple(words)


@public
def compare(
    system: System,
    state: State,
    theirs: Theirs,
    tau: JointValues | None = None,
    external_forces: Forces = None,
    joints: Sequence[str] | None = None,
    tolerance: float = TOLERANCE,
) -> Comparison:
    """The numbers of another program compared with ours: their convention, where the two differ first, and why.

    The convention is found by writing ours in every one: which half of a spatial vector comes first, in which axes and
    at which point, how links are numbered, the sign of forces, gravity as a weight or as an acceleration of the base,
    accelerations of points or of spatial vectors. All arrays share one; an array has its own only if that explains it
    completely, so that a fault is not mistaken for an odd convention.

    A cause is a common fault that, applied to ours, gives theirs to rounding: inputs from base to tip, which are tried
    first, gravity along another axis, a rotation transposed, a line of the textbook broken. If none does, only the
    first difference is reported. Friction, damping and rotors that theirs lacks are reported and left out of ours
    if more arrays then agree, or a cause is found; an array that is correct under another name is reported as such.

    Args:
        system: any system; if it holds an object, its filter and smoother run twice, without and with the contact
            forces, and the contact quantities can be compared too: ``x_0``, ``Lam_0``, ``alpha_C``.
        state: of this system.
        theirs: arrays by their names in this package or in Pinocchio, MuJoCo, Drake, KDL or Featherstone's book:
            ``nle``, ``g``, ``C``, ``J``, ``qfrc_bias``, ``IA``, ``Yaba``, ``qdd``, ``M``; or the path of an NPZ or CSV
            file with such names. Links may be numbered differently, and the world may have an entry.
        tau: (joints,), N m or N, tip to base; default zero.
        external_forces: as ``forward_dynamics`` takes them.
        joints: the joints' names in the other program's order, if known; otherwise the order is inferred.
        tolerance: the relative difference up to which numbers agree. If theirs has no more digits than single
            precision, or than ten, it becomes 1e-6 or 1e-4 if more arrays then agree.

    Returns:
        The comparison, which ``str`` puts into words.

    Raises:
        StateError: for an array that does not fit the machine, an unknown name, or a file that cannot be read.
        ModelError: for a joint that moves no inertia.

    Example:
        >>> system, state = dyn.example("planar_chain")
        >>> own = {"D": dyn.forward_dynamics(system, state).stages["filter"]["joint_inertia"]}
        >>> dyn.compare(system, state, own).agrees
        True

    Cost: for ten links, seconds if the two agree, a minute to search for a cause, three if joints have losses.
    """
    torque = joint_vector(system, tau, "tau")
    moment = Moment(system, state, torque, external_wrench(system, external_forces))
    limit = number(tolerance, "tolerance", "a number above 0 and below 0.1")
    if not 0.0 < limit < 0.1:
        raise StateError(f"tolerance is {limit:g}; expected a number above 0 and below 0.1.")
    order, arrays = numberings(system, joints), arrays_of(theirs)
    items = dict(candidates(system, arrays))

    def matched(moment: Moment) -> Matcher:
        return Matcher(moment.system, items, order, lambda form: Run(moment, form))

    matcher = matched(moment)
    found = find_convention(matcher, limit)
    for few in FEW_DIGITS if has_few_digits(items) else ():
        if few > limit and (other := find_convention(matcher, few)).score > found.score:
            limit, found = few, other
    renamed = under_other_names(matcher, found, arrays, limit)
    items |= renamed
    ways = [("", moment), *(moments_without(moment) if found.score < 2 * len(items) else ())]
    scores = [best_of(matched(right), items, found.as_good, limit)[1] for _, right in ways]
    best = scores.index(max(scores))  # what theirs leaves out; if nothing helps, perhaps all losses and a fault
    lossless = [way for way in ways[1:] if not joint_losses(way[1].system, np.ones(system.n_joints)).any()]
    ways = [ways[best]] if best else [ways[0], *lossless]
    answers = (_answer(system, words, right, matched(right), limit, frozenset(renamed)) for words, right in ways)
    first = next(answers)
    return first if first.first < 0 or first.causes else next((each for each in answers if each.causes), first)


def has_few_digits(items: Items) -> bool:
    """Whether all numbers fit in single precision, in ten significant digits, or in nine decimals."""
    given = np.concatenate([several[0].array.ravel() for several in items.values()])
    with np.errstate(over="ignore"):
        single = given.astype(np.float32)
    return any(np.array_equal(given, few) for few in (single, given.round(9), [float(f"{x:.10g}") for x in given]))


def _answer(
    system: System, left_out: str, moment: Moment, matcher: Matcher, tolerance: float, renamed: frozenset[str]
) -> Comparison:
    found, causes = find_convention(matcher, tolerance), list[Explanation]()
    stages, first = _compared(found, tolerance)
    if first >= 0:
        causes = find_causes(moment, matcher, found, tolerance, stages[first].first_link)
    if causes:  # use the convention in which the first cause gives theirs
        found = found.moved_to(matcher, causes[0].conventions, causes[0].apart)
        stages, first = _compared(found, tolerance)
    quantities = [match.candidate.quantity for match in found.matches.values()]
    ambiguous = tuple(dict.fromkeys(in_words(each, quantities) for each in found.as_good))
    converted = {
        match.candidate.quantity: array
        for name, match in found.matches.items()
        if (array := matcher.converted(match.candidate, found.own[name])) is not None
    }
    return Comparison(
        system=system,
        tolerance=tolerance,
        convention=in_words(found.common, quantities),
        libraries=libraries(found.common, quantities),
        ambiguous=ambiguous if len(ambiguous) > 1 else (),
        stages=tuple(replace(each, renamed=each.name in renamed) for each in stages),
        first=first,
        first_link=stages[first].first_link if first >= 0 else -1,
        causes=tuple(Cause(each.fault.key, each.fault.words, each.gap) for each in causes),
        converted=converted,
        left_out=left_out,
    )


def _compared(found: Fit, tolerance: float) -> tuple[list[ComparedStage], int]:
    """Every array in the order of the algorithm, and the index of the one that the algorithm gets wrong first."""
    stages = sorted((_stage(name, found, tolerance) for name in found.own), key=lambda stage: ORDER[stage.quantity])
    different = (at for at, stage in enumerate(stages) if not stage.agrees)
    return stages, min(different, key=lambda at: _when(stages[at]), default=-1)


def _stage(name: str, found: Fit, tolerance: float) -> ComparedStage:
    (candidate, gaps, _), convention = found.matches[name], found.own[name]
    quantity = QUANTITIES[candidate.quantity]
    different = np.flatnonzero(gaps > tolerance)
    first = int(different[-1 if quantity.stage in OUTWARD else 0]) if len(different) else -1
    written = [] if convention == found.common else [in_words(convention, [candidate.quantity])]
    own = "; ".join([*written, *candidate.words])
    return ComparedStage(name, candidate.quantity, quantity.words, quantity.symbol, quantity.stage, own, gaps, first)


def _when(stage: ComparedStage) -> tuple[int, int, int]:
    """When a difference first occurs: sweep, link in the sweep, quantity at the link."""
    place = -stage.first_link if stage.stage in OUTWARD else stage.first_link
    return STAGES.index(stage.stage), place, ORDER[stage.quantity]
