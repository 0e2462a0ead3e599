"""How far arrays are from ours in each convention, and the convention that explains most of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np

from dynamics.checks import Array
from dynamics.comparison import joint_space
from dynamics.comparison.arrays import (
    FRAMED,
    JOINT_SPACE,
    ORDERS,
    PER_JOINT,
    PRODUCT,
    QUANTITIES,
    Candidate,
    Items,
    Quantity,
)
from dynamics.comparison.convention import FRAMES, Convention, Numbering, View
from dynamics.comparison.sweeps import FORMS, Form, Run
from dynamics.system.system import System

FLOOR = 1e-3  # times a quantity's largest number: the smallest scale of a link's difference
NOTHING = 1e-12  # less is rounding in quantities that may be zero (forces, velocities, accelerations), not inertias
EQUAL = 1e-9  # conventions whose scores differ by less are equally good
VANISHING = ("force", "motion", "rates", "torque")
CERTAIN = 0.5  # if this share of the links agrees, an array is this quantity and no other that its name may mean


class Match(NamedTuple):
    """An array in a convention."""

    candidate: Candidate  # what it is taken to be
    gaps: Array  # the relative difference for each link or joint
    worst: float  # the largest difference

    def share(self, tolerance: float) -> float:
        """The share of links that agree."""
        return 1.0 if self.worst <= tolerance else float(np.mean(self.gaps <= tolerance))


class Matcher:
    """Compares arrays with runs of ours in every form and in several numberings."""

    def __init__(self, system: System, items: Items, order: Sequence[Numbering], run_of: Callable[[Form], Run]) -> None:
        self.system, self.items, self.order = system, items, tuple(order)
        self.run_of = cache(run_of)
        self._view = cache(lambda form, frame: View(system, self.run_of(form), frame))
        self._basis = cache(lambda count, rows: joint_space.basis_of(self.run_of(FORMS[0]), count, rows))
        self._theirs = cache(lambda name, at, numbering: self.theirs(self.items[name][at], numbering))
        self._largest = cache(lambda name, at, felt: float(np.abs(self._ours(self.items[name][at], felt)).max()))
        self._agreeing = cache(self._agrees)
        self._matches: dict[tuple[str, Convention], Match] = {}

    def against(self, run_of: Callable[[Form], Run]) -> Matcher:
        """A matcher of the same arrays with other runs."""
        return Matcher(self.system, self.items, self.order, run_of)

    def narrowed(self, found: Fit, tolerance: float) -> Matcher:
        """If half of an array agrees, the other quantities that its name may mean are dropped."""
        items = dict(self.items)
        for name, match in found.matches.items():
            if match.share(tolerance) >= CERTAIN:
                words = QUANTITIES[match.candidate.quantity].words
                items[name] = tuple(each for each in items[name] if QUANTITIES[each.quantity].words == words)
        return Matcher(self.system, items, self.order, self.run_of)

    def quantities(self, name: str) -> list[Quantity]:
        """The quantities that an array may be."""
        return [QUANTITIES[each.quantity] for each in self.items[name]]

    def has_forms(self, name: str) -> bool:
        """Whether any quantity that an array may be depends on the form."""
        return any(each.has_forms for each in self.quantities(name))

    def conventions(self, order: Sequence[Numbering] = ()) -> Iterator[Convention]:
        """All conventions that are tried, optionally in some numberings only; common ones come first."""
        kinds = {each.kind for name in self.items for each in self.quantities(name)}
        frames = FRAMES if kinds & set(FRAMED) else FRAMES[:1]
        forms = FORMS if any(self.has_forms(name) for name in self.items) else FORMS[:1]
        signs = (1, -1) if "force" in kinds else (1,)
        for numbering, frame, form, sign in product(order or self.order, frames, forms, signs):
            yield Convention(frame, form, numbering, sign)

    def match(self, name: str, convention: Convention) -> Match:
        """The best match among an array's candidates in a convention."""
        key = name, _felt(self.quantities(name), convention)
        if key not in self._matches:
            found = [self._match(name, at, convention) for at in range(len(self.items[name]))]
            self._matches[key] = min(found, key=lambda each: _distance(each.gaps))
        return self._matches[key]

    def agrees(self, name: str, convention: Convention, tolerance: float) -> bool:
        """Whether an array equals ours in a convention; if its largest number rules that out, no more is computed."""
        return self._agreeing(name, _felt(self.quantities(name), convention), tolerance)

    def _agrees(self, name: str, felt: Convention, tolerance: float) -> bool:
        may_agree = any(self._may_agree(name, at, felt, tolerance) for at in range(len(self.items[name])))
        return may_agree and self.match(name, felt).worst <= tolerance

    def agrees_somewhere(self, name: str, tolerance: float) -> bool:
        """Whether an array equals ours in some convention."""
        return any(self.agrees(name, each, tolerance) for each in self.conventions())

    def _may_agree(self, name: str, at: int, convention: Convention, tolerance: float) -> bool:
        """False if ``_match`` is certain to find a gap: the scale of each link's gap is no larger than the one here."""
        candidate = self.items[name][at]
        if candidate.quantity != PRODUCT:  # whatever the order and the sign, the largest number is the same
            felt = _felt([QUANTITIES[candidate.quantity]], convention)
            most = self._largest(name, at, felt._replace(numbering=self.order[0], sign=1))
            if not abs(np.abs(candidate.array).max() - most) <= max(tolerance * most, 2.0 * NOTHING):
                return False
        theirs, ours = self.beside(name, at, convention)
        with np.errstate(all="ignore"):
            gap, most = np.abs(theirs - ours).max(), np.abs(ours).max()
        return bool(gap <= max(tolerance * most, 2.0 * NOTHING))

    def _match(self, name: str, at: int, convention: Convention) -> Match:
        candidate = self.items[name][at]
        quantity = QUANTITIES[candidate.quantity]
        letters = ("theta_dd", "theta_dd_held", "C_q")
        vanishes = quantity.has_forms or quantity.kind in VANISHING or quantity.letter in letters
        theirs, ours = self.beside(name, at, convention)
        if quantity.kind in JOINT_SPACE:
            theirs, ours = (joint_space.by_body(self.system.n_joints, candidate, each) for each in (theirs, ours))
        gaps = self._by_link(candidate, relative(theirs, ours, NOTHING if vanishes else 0.0))
        return Match(candidate, gaps, float(gaps.max()))

    def beside(self, name: str, at: int, convention: Convention) -> tuple[Array, Array]:
        """Theirs in our link order, and ours as theirs is written; if only a matrix's product is known, the product."""
        candidate = self.items[name][at]
        theirs, ours = self._theirs(name, at, convention.numbering), self._ours(candidate, convention)
        if candidate.quantity == PRODUCT:
            velocity = self._basis(len(theirs), candidate.rows).velocity[:, None]
            theirs, ours = theirs @ velocity, ours @ velocity if velocity.any() else np.full_like(velocity, np.inf)
        return theirs, ours

    def _ours(self, candidate: Candidate, convention: Convention) -> Array:
        """Ours as theirs is written, in our link order."""
        quantity = QUANTITIES[candidate.quantity]
        if quantity.kind in JOINT_SPACE:
            basis = self._basis(candidate.array.shape[-1], candidate.rows)
            return joint_space.shown(candidate, self.run_of(FORMS[0]), convention.frame, basis)
        frame, form, _, sign = _felt([quantity], convention)
        value = self._view(form, frame).shown(candidate.quantity)
        if candidate.quantity == "contact_force" and candidate.array.shape[1] == 3:
            value = value[:, 3:] if frame.order == ORDERS[0] else value[:, :3]
        if quantity.kind == "tips" and candidate.array.shape[2] == 6:
            value = np.array([value[c, :, 6 * c : 6 * c + 6] for c in range(len(value))])
        return np.asarray(sign * value)

    def theirs(self, candidate: Candidate, numbering: Numbering) -> Array:
        """An array in our link order."""
        kind, array = QUANTITIES[candidate.quantity].kind, candidate.array
        if QUANTITIES[candidate.quantity].stage == "contact":
            return array
        if kind in JOINT_SPACE:
            return joint_space.by_our_columns(self.system, candidate, numbering)
        found = np.empty_like(array)
        found[list(numbering.joints if kind in PER_JOINT else numbering.links)] = array
        return found

    def converted(self, candidate: Candidate, convention: Convention) -> Array | None:
        """An array in our own convention; None for contacts, Jacobians, and accelerations with floating-body rows."""
        quantity, array = QUANTITIES[candidate.quantity], self.theirs(candidate, convention.numbering)
        if quantity.stage == "contact":
            return None
        if quantity.kind in JOINT_SPACE:
            basis = self._basis(array.shape[-1], candidate.rows)
            return joint_space.ours(candidate, array, self.run_of(FORMS[0]), basis)
        frame, form, _, sign = _felt([quantity], convention)
        return self._view(form, frame).ours(candidate.quantity, sign * array)

    def _by_link(self, candidate: Candidate, gaps: Array) -> Array:
        """Differences of rows or contacts assigned to links; the object's is last."""
        quantity, n, links = QUANTITIES[candidate.quantity], self.system.n_joints, self.system.n_links
        if quantity.kind in ("matrix", "jacobian"):
            return joint_space.gaps_by_body(n, gaps)
        if quantity.stage != "contact":
            return gaps
        found = np.zeros(links + 1)
        at = [links] if quantity.kind == "motion" else [contact.link for contact in self.system.contacts]
        np.maximum.at(found, at, gaps)
        return found


def _felt(several: Sequence[Quantity], convention: Convention) -> Convention:
    """A convention with defaults for everything that does not affect some quantities."""
    frame, form, numbering, sign = convention
    has_forms, has_sign, is_framed = False, False, False
    for each in several:
        has_forms |= each.has_forms
        has_sign |= each.kind == "force"
        # an innovation is the same in every frame, except where accelerations are those of points
        is_framed |= each.kind in FRAMED or (each.has_forms and not form.spatial)
    form = form if has_forms else FORMS[0]
    return Convention(frame if is_framed else FRAMES[0], form, numbering, sign if has_sign else 1)


def relative(theirs: Array, ours: Array, nothing: float) -> Array:
    """(links,): the largest difference of each relative to our largest number there; 0 if all are below ``nothing``."""
    n = len(ours)
    one, other = theirs.reshape(n, -1), ours.reshape(n, -1)
    size = np.abs(other).max(axis=1, initial=0.0)
    both = np.maximum(np.abs(one).max(axis=1, initial=0.0), size)
    size = np.maximum(size, FLOOR * np.abs(other).max(initial=0.0))
    with np.errstate(all="ignore"):
        gaps = np.abs(one - other).max(axis=1) / size
    return np.where(np.maximum(both, size) <= nothing, 0.0, np.where(np.isfinite(gaps), gaps, 1.0))


def _distance(gaps: Array) -> float:
    """A distance, smaller is closer: the mean difference minus the share of links equal to rounding."""
    return float(np.minimum(gaps, 1.0).mean() - np.mean(gaps <= 1e-6))


class Fit(NamedTuple):
    """The conventions of all given arrays."""

    common: Convention  # of most arrays
    own: Mapping[str, Convention]  # of each array: the common one, unless another explains it completely
    matches: Mapping[str, Match]  # each array in its own convention
    as_good: tuple[Convention, ...]  # all that explain as much as the common one, which is included
    likely: tuple[Convention, ...]  # those that best explain the quantities that are the same in every form
    score: float  # of the best conventions

    def moved_to(self, matcher: Matcher, conventions: tuple[Convention, ...], apart: frozenset[str]) -> Fit:
        """The same with the first of ``conventions``, all equally good, as the common one; ``apart`` keep their own."""
        own = {name: each if name in apart else conventions[0] for name, each in self.own.items()}
        matches = {name: matcher.match(name, each) for name, each in own.items()}
        return self._replace(common=conventions[0], own=own, matches=matches, as_good=conventions)


def find_convention(matcher: Matcher, tolerance: float) -> Fit:
    """One convention for all arrays, and another for an array only if it explains that array completely.

    A convention that explains only one link of an array, or part of one array, is really a fault.
    """
    fixed = [name for name in matcher.items if not matcher.has_forms(name)]
    likely, _ = best_of(matcher, fixed, list(matcher.conventions()), tolerance)
    best, score = best_of(matcher, matcher.items, likely, tolerance)
    common = min(best, key=lambda each: _remainder(matcher, each))
    own = {name: _own(matcher, name, common, tolerance) for name in matcher.items}
    matches = {name: matcher.match(name, each) for name, each in own.items()}
    return Fit(common, own, matches, tuple(best), tuple(likely), score)


def best_of(
    matcher: Matcher, names: Iterable[str], tried: Sequence[Convention], tolerance: float
) -> tuple[list[Convention], float]:
    """The conventions that explain most of some arrays, and the score: shares of links; a full match counts twice."""
    scores = np.zeros(len(tried))
    for name in names:
        shares = np.array([matcher.match(name, each).share(tolerance) for each in tried])
        scores += shares + (shares >= 1.0)
    most = float(scores.max())
    return [tried[at] for at in np.flatnonzero(scores >= most - EQUAL).tolist()], most


def _remainder(matcher: Matcher, convention: Convention) -> float:
    """The mean logarithm of the differences, a tie-breaker between conventions that explain equally much."""
    gaps = [np.log10(np.clip(matcher.match(name, convention).gaps, 1e-9, 1.0)).mean() for name in matcher.items]
    return round(float(np.mean(gaps)), 6)


def _own(matcher: Matcher, name: str, common: Convention, tolerance: float) -> Convention:
    """The common convention, or the closest one with the same numbering that explains the whole array."""
    if matcher.agrees(name, common, tolerance):
        return common
    whole = [each for each in matcher.conventions([common.numbering]) if matcher.agrees(name, each, tolerance)]
    return min(whole, key=lambda each: _changes(each, common), default=common)


def _changes(one: Convention, other: Convention) -> int:
    pairs = zip((*one.frame, *one.form, one.sign), (*other.frame, *other.form, other.sign), strict=True)
    return sum(a != b for a, b in pairs)
