"""What a difference comes of: ours altered so that it is theirs, to rounding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np

from dynamics.beside.convention import Found, conventions, free_of_frames, turns_with_form
from dynamics.beside.held import AGAIN, OF_CONTACTS, SUFFIX
from dynamics.beside.matching import Convention, Matcher
from dynamics.beside.numbering import Numbering
from dynamics.beside.quantities import QUANTITIES
from dynamics.beside.rerun import Moment, Run, rerun
from dynamics.faults.alteration import FORMS, MOTION, Alteration, Form
from dynamics.faults.alterations import alterations
from dynamics.faults.own_axes import along_links

AGAIN_NAMED = frozenset(letter + SUFFIX for letter in AGAIN)
FILTERED = ("M", "H", "V", "a", "b", "P", "z", "D", "G", "eps")
IDLE = 1e-12
"""Of the largest number: what an alteration changes by no more is the same."""
FEW = 8
"""Conventions: in more, what is turned by frames costs more to be looked at in each than what is dear once."""
MOST_CAUSES = 5
MOST_RUNS = 8000
"""Of ours altered; some 2 ms each."""

CERTAIN = 0.5
"""Of the links: where so many agree, an array is what it was taken for, and nothing else that its name may mean."""
TOLD_APART = (FORMS[0], FORMS[-1])
"""Forms in which every alteration can be made."""


class Proven(NamedTuple):
    """An alteration of ours that gives theirs.

    Attributes:
        alteration: which.
        convention: in which convention it does.
        gap: the largest relative difference that remains.
        apart: arrays that are in a convention of their own all the same.
        as_good: every form in which it does.
    """

    alteration: Alteration
    convention: Convention
    gap: float
    apart: frozenset[str]
    as_good: tuple[Form, ...] = ()


def find_causes(
    moment: Moment, matcher: Matcher, found: Found, tolerance: float, name: str, link: int
) -> tuple[Proven, ...]:
    """Everything that explains all of theirs in one convention, the simplest first.

    It is sought in the conventions that explain most; then at some of the links alone; then both in every convention,
    for a fault may look like another: at a tip S'(v x* I v), v without the joint's own rate, is S'(pA + IA c) of a
    right v.

    Args:
        name: of the array that parts first, as far as that is known.
        link: where.
    """
    trial = _Trial(moment, matcher, found, tolerance)
    likely = _forms(matcher, found.as_good)
    others = tuple(conventions(matcher))
    proven = trial.of(alterations(), likely, found.as_good)
    if not proven:
        proven = trial.of(trial.along_links(likely[0]), likely, found.as_good)
    if not proven:
        near = trial.near(likely, name, link)
        proven = trial.of(_somewhere(moment, link, near, _of_kinds(matcher, name)), likely, found.as_good)
    if not proven and len(others) > len(found.as_good):
        forms = _forms(matcher, others)
        proven = trial.of(alterations(), forms, others)
        if not proven and len(forms) > len(likely):
            proven = trial.of(_somewhere(moment, link, trial.near(forms, name, link)), forms, found.as_good)
    return tuple(trial.settled(each, others) for each in proven[:MOST_CAUSES])


def _forms(matcher: Matcher, as_good: Iterable[Convention]) -> tuple[Form, ...]:
    """Those that may be; one of each kind where nothing that was handed in can tell."""
    if not any(turns_with_form(matcher, name) for name in matcher.items):
        return TOLD_APART
    return tuple(dict.fromkeys(convention.form for convention in as_good))


def _of_kinds(matcher: Matcher, name: str) -> tuple[Alteration, ...]:
    """What is tried at all joints of a kind: everything, where the place of the difference has all links' faults."""
    early = QUANTITIES[matcher.items[name][0].quantity].stage in ("kinematics", "filter")
    return () if early else alterations()


def _somewhere(
    moment: Moment, first_link: int, several: Iterable[Alteration], of_kinds: tuple[Alteration, ...] = ()
) -> Iterator[Alteration]:
    system, several = moment.system, tuple(several)
    links = frozenset(range(system.n_links))
    sliding = frozenset(k for k, joint in enumerate(system.joint_models) if joint.kind == "prismatic")
    outboard, roots = {int(i) for i in system.inboard}, {k for k in links if system.inboard[k] < 0}
    groups = {
        "at joints that turn": links - sliding,
        "at joints that slide": sliding,
        **{f"at {system.link_names[k]} alone": frozenset([k]) for k in links & {first_link}},
        "at the links next to the base": frozenset(roots),
        "everywhere but next to the base": links - roots,
        "at the tips": links - outboard,
        "everywhere but at the tips": links & outboard,
    }
    for said, group in groups.items():
        if group and group != links:
            for each in of_kinds if of_kinds and "joints" in said else several:
                yield replace(each, key=f"{each.key}, {said}", words=f"{each.words}, {said}", links=group)


def still_gives(moment: Moment, matcher: Matcher, found: Found, tolerance: float, proven: Proven) -> bool:
    """Whether what was proven of another machine is so of this one, in the convention that is found."""
    trial = _Trial(moment, matcher, found, tolerance)
    return trial.proves(proven.alteration, proven.convention.form, (found.common,)) is not None


class _Trial:
    """Runs one alteration after the other and holds each against theirs."""

    def __init__(self, moment: Moment, matcher: Matcher, found: Found, tolerance: float) -> None:
        self._moment, self._found, self._tolerance = moment, found, tolerance
        self._matcher = matcher.narrowed({name: match.candidate.quantity for name, match in found.matches.items()
                                          if match.share(tolerance) >= CERTAIN})  # fmt: skip
        order = list(QUANTITIES)  # what an algorithm comes to first is soonest computed
        self._names = sorted(
            matcher.items,
            key=lambda name: (
                self._cost(name), not free_of_frames(matcher, name, FORMS[0]),
                order.index(matcher.items[name][0].quantity),
            ),
        )  # fmt: skip
        self._dear = frozenset(name for name in self._names if self._cost(name) > 0)
        self._left = MOST_RUNS
        self._plain = dict[Form, Run]()
        self._refuted: dict[tuple[str, bool], set[tuple[int, ...]]] = {}

    def of(
        self, several: Iterable[Alteration], forms: tuple[Form, ...], likely: tuple[Convention, ...]
    ) -> list[Proven]:
        """Those that are proven, in one form: that of the first which is."""
        places = tuple(dict.fromkeys(each._replace(form=FORMS[0]) for each in likely))
        proven: list[Proven] = []
        pushed = (False, True) if self._moment.wrench.any() else (False,)
        for alteration, form, turning in product(several, forms, pushed):
            if not alteration.fits(form) or (turning and alteration.machine is None):
                continue
            if proven and proven[0].convention.form != form:
                continue
            if all(place.numbering.links in self._refuted.get((alteration.key, turning), ()) for place in places):
                continue
            if not self._may_run():
                break
            found = self.proves(replace(alteration, pushes_turn=turning), form, places)
            if found is not None and all(each.alteration.key != alteration.key for each in proven):
                proven.append(found)
        return proven

    def along_links(self, form: Form) -> Iterator[Alteration]:
        """Inertias that are taken along their links' axes, where what the filter leaves shows in which order."""
        names = [
            name for name in self._names
            if (quantity := self._matcher.items[name][0].quantity) == "link_inertia"
            or (QUANTITIES[quantity].stage == "filter" and QUANTITIES[quantity].kind != "joint")
        ]  # fmt: skip

        def gap(alteration: Alteration, k: int) -> float:
            matcher = self._altered(alteration, form) or self._matcher
            return max(float(matcher.match(name, self._found.common._replace(form=form)).gaps[k]) for name in names)

        found = along_links(self._moment.system.link_models, gap, self._tolerance) if names else None
        if found is not None:
            yield found

    def near(self, forms: tuple[Form, ...], name: str, link: int) -> Iterator[Alteration]:
        """Those that give theirs at the first place where the two part, done there or just outboard of it alone.

        All that comes before that place is right: whatever is wrong everywhere that it can be is wrong here as well.
        Not so of a velocity that was not handed in: what an inward sweep begins with has the faults of all links.
        """
        outboard = frozenset(np.flatnonzero(self._moment.system.inboard == link).tolist())
        if not turns_with_form(self._matcher, name):
            forms = TOLD_APART
        unseen = self._matcher.items[name][0].quantity != "link_velocity"
        for alteration in alterations():
            if unseen and "V" in alteration.rights():
                yield alteration
                continue
            for form, at in product(forms, filter(None, (frozenset([link]), outboard))):
                if alteration.fits(form) and self._may_run():
                    matcher = self._altered(replace(alteration, links=at), form)
                    if matcher is None:
                        continue
                    match = matcher.match(name, self._found.common._replace(form=form))
                    if match.gaps[min(link, len(match.gaps) - 1)] <= self._tolerance:
                        yield alteration
                        break

    def _is_idle(self, run: Run, alteration: Alteration, form: Form) -> bool:
        """Whether nothing but the filter is altered, and that is ours: then so is the rest, which is not theirs.

        Gravity may be an acceleration of the base, of which the filter knows nothing.
        """
        if any(key not in MOTION and not key.startswith("inward_filter.") for key in alteration.rights()):
            return False
        plain = self._plain.get(form)
        if plain is None:
            plain = self._plain[form] = rerun(self._moment, form)
        pairs = [
            (run.moved.pose, plain.moved.pose),
            (run.gravity, plain.gravity),
            *((run.letters[key], plain.letters[key]) for key in FILTERED),
        ]
        return all(
            np.abs(one - other).max(initial=0.0) <= IDLE * np.abs(other).max(initial=0.0) for one, other in pairs
        )

    def _may_run(self) -> bool:
        self._left -= 1
        return self._left >= 0

    def settled(self, proven: Proven, others: tuple[Convention, ...]) -> Proven:
        """The same cause in the convention, of those that prove it, in which most arrays are ours as they are.

        A fault may look like a convention: where every mass centre is taken to lie at the joint, inertias are what
        they would be about it.
        """
        form = proven.convention.form
        alike = tuple(each for each in others if each.form == form)
        places = alike or others
        matcher = self._altered(proven.alteration, form) or self._matcher
        best, most = proven, self._whole(proven.convention)
        for place in dict.fromkeys(each._replace(form=form) for each in places):
            if (whole := self._whole(place)) > most:
                gap, apart = self._gap(matcher, place, self._names)
                if gap <= self._tolerance:
                    best, most = Proven(proven.alteration, place, gap, apart), whole
        fitting = [each for each in FORMS if proven.alteration.fits(each)]
        as_good = [each for each in fitting if self.proves(proven.alteration, each, (best.convention,))]
        return best._replace(as_good=tuple(as_good))

    def _whole(self, convention: Convention) -> int:
        """How many arrays are ours in a convention, everywhere."""
        return sum(self._matcher.match(name, convention).share(self._tolerance) >= 1.0 for name in self._names)

    def _altered(self, alteration: Alteration, form: Form) -> Matcher | None:
        """Theirs against an altered run; None where nothing comes of the alteration."""
        own = rerun(self._moment, form, alteration)
        if self._is_idle(own, alteration, form):
            return None

        @cache
        def run_of(wanted: Form) -> Run:
            """What no form turns is asked of the first; it is to be of the altered run all the same."""
            return own if wanted in (form, FORMS[0]) else rerun(self._moment, wanted, alteration)

        return self._matcher.against(run_of)

    def proves(self, alteration: Alteration, form: Form, places: tuple[Convention, ...]) -> Proven | None:
        """Theirs to rounding, by an alteration in a form, in one of some conventions; None where it is not."""
        matcher = self._altered(alteration, form)
        if matcher is None:
            return None
        free = [name for name in self._names if free_of_frames(matcher, name, form)]
        cheap = [name for name in self._names if name not in self._dear]
        fitting = list[Numbering]()
        for numbering in dict.fromkeys(place.numbering for place in places):
            wrong = self._first_wrong(matcher, [name for name in free if name in cheap], places[0], form, numbering)
            if not wrong:
                fitting.append(numbering)
            elif self._is_steady(wrong) and alteration.links is None:
                self._refuted.setdefault((alteration.key, alteration.pushes_turn), set()).add(numbering.links)
        left = [place._replace(form=form) for place in places if place.numbering in fitting]
        if len(left) <= FEW and cheap:
            left = [place for place in left if self._gap(matcher, place, cheap)[0] <= self._tolerance]
        dear = [name for name in free if name in self._dear]
        for numbering in dict.fromkeys(place.numbering for place in left):
            if self._first_wrong(matcher, dear, places[0], form, numbering):
                left = [place for place in left if place.numbering != numbering]
        for place in left:
            gap, apart = self._gap(matcher, place, self._names)
            if gap <= self._tolerance:
                return Proven(alteration, place, gap, apart)
        return None

    def _first_wrong(
        self, matcher: Matcher, names: Iterable[str], place: Convention, form: Form, numbering: Numbering
    ) -> str:
        """The first of some arrays, whatever their frame, that is not theirs; empty where all are."""
        here = place._replace(form=form, numbering=numbering)
        return next((name for name in names if matcher.match(name, here).gaps.max() > self._tolerance), "")

    def _is_steady(self, name: str) -> bool:
        """Whether an array, altered or not, is the same in all forms and frames: what it refutes is refuted."""
        kept = [QUANTITIES[each.quantity] for each in self._matcher.items[name]]
        return all(each.stage == "filter" and each.kind == "joint" and not each.turns_with_form for each in kept)

    def _cost(self, name: str) -> int:
        """How much is done for an array: the filter; all; with what holds an object; dozens of ways to write it."""
        kept = [QUANTITIES[each.quantity] for each in self._matcher.items[name]]
        return max(
            3 if one.letter in OF_CONTACTS else
            2 if one.letter in AGAIN_NAMED else
            0 if one.stage in ("kinematics", "filter") else 1
            for one in kept
        )  # fmt: skip

    def _gap(self, matcher: Matcher, convention: Convention, names: Iterable[str]) -> tuple[float, frozenset[str]]:
        worst, apart = 0.0, set[str]()
        for name in names:
            own = self._found.own[name]
            gap = float(matcher.match(name, convention).gaps.max())
            if gap > self._tolerance and own != self._found.common:
                apart.add(name)
                gap = float(matcher.match(name, own._replace(form=convention.form)).gaps.max())
            worst = max(worst, gap)
            if worst > self._tolerance:
                return np.inf, frozenset()
        return worst, frozenset(apart)
