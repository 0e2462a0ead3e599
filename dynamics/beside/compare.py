"""Somebody's own numbers, in whatever convention, held against ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dynamics.beside.causes import Proven, find_causes
from dynamics.beside.comparison import Cause, ComparedStage, Comparison
from dynamics.beside.convention import Found, find_convention
from dynamics.beside.free_rows import FreeRows
from dynamics.beside.handed_in import Candidate, Items, Theirs, handed_in, has_few_digits
from dynamics.beside.left_out import agreement, moments_without
from dynamics.beside.matching import Matcher
from dynamics.beside.numbering import Numbering, numberings
from dynamics.beside.quantities import OUTWARD, QUANTITIES
from dynamics.beside.rerun import Moment, Run, rerun
from dynamics.beside.views import unpacked
from dynamics.beside.wording import in_words, known
from dynamics.checks import Array, number, numbers
from dynamics.errors import StateError
from dynamics.faults.alteration import Form
from dynamics.public import public
from dynamics.system.plain_kinematics import Forces, external_wrench
from dynamics.system.state import State
from dynamics.system.system import System

TOLERANCE = 1e-9
OF_SINGLE = (1e-6, 1e-4)
"""Of numbers that were kept in single precision or printed to some digits, and of those that were computed in it."""
STAGES = tuple(dict.fromkeys(kept.stage for kept in QUANTITIES.values()))


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
    """Somebody's own numbers beside ours: their convention, where the two part first, and what that comes of.

    The convention is found by writing ours in each: which half of a spatial vector comes first, in which axes and at
    which point, how links are numbered, the sign of forces, gravity as a weight or as an acceleration of the base,
    accelerations of points or of spatial vectors, matrices whole or packed. It is one for everything; an array has
    another of its own only where that explains it wholly, so that a fault is not taken for a strange convention.

    A cause is what, done to ours, gives theirs to rounding: lines of the textbook broken, the machine and its
    transformations altered. Where none does, the first difference is all that is said. Friction, damping and
    rotors that theirs does not have are told and left out of ours, if more agrees then: a fault behind them is found.

    Args:
        system: any; arms that hold an object have their filter and smoother twice, without the contact forces and with
            them, and what is at the contacts: ``x_0``, ``Lam_0``, ``alpha_C``.
        state: of this system.
        theirs: arrays by their names, those of this package or of Pinocchio, MuJoCo, Featherstone's book: ``IA``,
            ``pA``, ``Yaba``, ``cinert``, ``qdd``, ``M``; or the path of an NPZ, MATLAB, JSON or CSV file with such
            names; or a function of q, q' and tau (tip to base) that returns them. Links may be numbered otherwise, and
            the world may have an entry.
        tau: (joints,), N m or N, tip to base; default zero.
        external_forces: as ``forward_dynamics`` takes them.
        joints: the joints' names in the order of theirs, where it is known; else it is found.
        tolerance: a relative difference below it is rounding. Where theirs has no more digits than single precision, or
            than ten, it is 1e-6 or 1e-4, if more agrees then.

    Returns:
        The answer, which ``str`` puts into words.

    Raises:
        StateError: for what is no array of the machine, a name that nobody uses, or a file that cannot be read.
        ModelError: for a joint that moves no inertia.

    Cost: some seconds where the two agree, up to a minute where the cause is sought, for ten links.
    """
    moment, limit = moment_of(system, state, tau, external_forces), limit_of(tolerance)
    order, items = numberings(system, joints), handed_in(system, state, moment.tau, theirs)
    matcher = matched(moment, items, order)
    if has_few_digits(items):
        limit = _limit_of_few_digits(matcher, limit)
    found = compared(moment, items, order, limit, matcher=matcher)
    if found.proven or found.comparison.agrees:
        return found.comparison
    return _without_what_theirs_lacks(moment, items, order, limit, found)


def moment_of(system: System, state: State, tau: ArrayLike | None, external_forces: Forces) -> Moment:
    """What is asked about, checked."""
    torque = numbers(np.zeros(system.n_joints) if tau is None else tau, (system.n_joints,), "tau")
    return Moment(system, state, torque, external_wrench(system, external_forces))


def limit_of(tolerance: float) -> float:
    """The relative difference below which there is rounding.

    Raises:
        StateError: for what is none.
    """
    limit = number(tolerance, "tolerance", "a number above 0 and below 0.1")
    if not 0.0 < limit < 0.1:
        raise StateError(f"tolerance is {limit:g}; expected a number above 0 and below 0.1.")
    return limit


def _limit_of_few_digits(matcher: Matcher, limit: float) -> float:
    """The strictest at which as much agrees as at any."""
    several = [limit, *(each for each in OF_SINGLE if each > limit)]
    agreed = [agreement(find_convention(matcher, each), each) for each in several]
    return several[agreed.index(max(agreed))]


def _without_what_theirs_lacks(
    moment: Moment, items: Items, order: Sequence[Numbering], limit: float, found: Compared
) -> Comparison:
    """The comparison with ours less what makes more of theirs agree: behind it a second fault can be seen."""
    best, most = None, agreement(found.found, limit)
    for words, other in moments_without(moment):
        again = compared(other, items, order, limit, seek_causes=False)
        if (agreed := agreement(again.found, limit)) > most:
            best, most = (words, other), agreed
    if best is None:
        return found.comparison
    words, other = best
    return replace(compared(other, items, order, limit).comparison, system=moment.system, left_out=words)


class Compared(NamedTuple):
    """A comparison, and what it was found by.

    Attributes:
        comparison: the answer.
        found: the convention.
        proven: what gives theirs.
        matcher: theirs against ours.
    """

    comparison: Comparison
    found: Found
    proven: tuple[Proven, ...]
    matcher: Matcher


def compared(
    moment: Moment,
    items: Items,
    order: Sequence[Numbering],
    limit: float,
    *,
    seek_causes: bool = True,
    matcher: Matcher | None = None,
) -> Compared:
    """Arrays of a moment beside ours, in every convention and numbering; by a matcher that has them already."""
    matcher = matcher or matched(moment, items, order)
    found = find_convention(matcher, limit)
    answer = _answer(moment, matcher, found, (), limit)
    if answer.agrees or not seek_causes:
        return Compared(answer, found, (), matcher)
    name = answer.stages[answer.first].name
    proven = find_causes(moment, matcher, found, limit, name, answer.first_link)
    if proven:
        found = _as_proven(matcher, found, proven[0])
        answer = _answer(moment, matcher, found, proven, limit)
    return Compared(answer, found, proven, matcher)


def matched(moment: Moment, items: Items, order: Sequence[Numbering]) -> Matcher:
    """Theirs against ours, each form of which is run where it is asked for."""

    @cache
    def run_of(form: Form) -> Run:
        return rerun(moment, form)

    return Matcher(moment.system, items, order, run_of)


def _as_proven(matcher: Matcher, found: Found, proven: Proven) -> Found:
    """The convention in which a cause is proven; another only for arrays that need one even so."""
    own = {name: each if name in proven.apart else proven.convention for name, each in found.own.items()}
    matches = {name: matcher.match(name, convention) for name, convention in own.items()}
    return Found(
        proven.convention, own, matches, tuple(proven.convention._replace(form=form) for form in proven.as_good)
    )


def _answer(moment: Moment, matcher: Matcher, found: Found, proven: Sequence[Proven], tolerance: float) -> Comparison:
    quantities = {name: match.candidate.quantity for name, match in found.matches.items()}
    stages, first = compared_stages(found, tolerance)
    convention = in_words(found.common, quantities.values())
    words = dict.fromkeys(in_words(each, quantities.values()) for each in found.as_good)
    return Comparison(
        system=moment.system,
        state=moment.state,
        tau=moment.tau,
        tolerance=tolerance,
        convention=convention,
        libraries=known(found.common, quantities.values()),
        ambiguous=tuple(words) if len(words) > 1 else (),
        stages=stages,
        first=first,
        first_link=stages[first].first_link if first >= 0 else -1,
        causes=tuple(Cause(each.alteration.key, each.alteration.words, each.gap) for each in proven),
        converted=_converted(matcher, found),
    )


def compared_stages(found: Found, tolerance: float) -> tuple[tuple[ComparedStage, ...], int]:
    """Every array in the order of the algorithm, and the number of the first that parts; -1 where none does."""
    stages = sorted(
        (_stage(name, found, tolerance) for name in found.own),
        key=lambda stage: list(QUANTITIES).index(stage.quantity),
    )
    apart = (at for at, stage in enumerate(stages) if not stage.agrees)
    return tuple(stages), min(apart, key=lambda at: _when(stages[at]), default=-1)


def _stage(name: str, found: Found, tolerance: float) -> ComparedStage:
    match, convention = found.matches[name], found.own[name]
    quantity = match.candidate.quantity
    kept = QUANTITIES[quantity]
    parted = np.flatnonzero(match.gaps > tolerance)
    first = -1
    if len(parted):
        first = int(parted[-1] if kept.stage in OUTWARD else parted[0])
    return ComparedStage(
        name=name,
        quantity=quantity,
        words=kept.words,
        symbol=kept.symbol,
        stage=kept.stage,
        convention=_own_words(match.candidate, "" if convention == found.common else in_words(convention, [quantity])),
        differences=match.gaps,
        first_link=first,
    )


def _own_words(candidate: Candidate, convention: str) -> str:
    rows = "" if candidate.rows is None else candidate.rows.words
    return "; ".join(each for each in (convention, rows) if each)


def _when(stage: ComparedStage) -> tuple[int, int, int]:
    """When the algorithm comes to a stage's first difference: sweep, place in it, quantity there."""
    place = -stage.first_link if stage.stage in OUTWARD else stage.first_link
    return STAGES.index(stage.stage), place, list(QUANTITIES).index(stage.quantity)


def _converted(matcher: Matcher, found: Found) -> Mapping[str, Array]:
    converted: dict[str, Array] = {}
    for name, match in found.matches.items():
        quantity, convention = match.candidate.quantity, found.own[name]
        if QUANTITIES[quantity].kind in ("contact", "object", "rates"):
            continue
        array: Array | None = matcher.theirs(match.candidate, convention.numbering)
        if array is not None and match.candidate.packing and QUANTITIES[quantity].kind != "matrix":
            array = unpacked(array, match.candidate.packing, convention.frame.order)
        if array is not None:
            sign = convention.sign if QUANTITIES[quantity].kind == "force" else 1
            converted[quantity] = matcher.view(convention.form, convention.frame).ours(quantity, sign * array)
        if array is not None and isinstance(match.candidate.rows, FreeRows):
            converted[quantity] = matcher.turned_back(match.candidate, array)
    return converted
