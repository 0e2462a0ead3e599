"""The convention that explains most of what was handed in, and what cannot be told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import NamedTuple

import numpy as np

from dynamics.beside.matching import Convention, Match, Matcher, is_free
from dynamics.beside.quantities import QUANTITIES
from dynamics.beside.views import FRAMES
from dynamics.faults.alteration import FORMS, Form

EQUAL = 1e-9
"""Of scores: two conventions that differ by less explain as much."""


class Found(NamedTuple):
    """The convention of everything that was handed in.

    Attributes:
        common: of most arrays.
        own: of each array: the common one, but where another explains it wholly.
        matches: each array in it.
        as_good: every convention that explains as much as the common one, it among them.
    """

    common: Convention
    own: Mapping[str, Convention]
    matches: Mapping[str, Match]
    as_good: tuple[Convention, ...]


def conventions(matcher: Matcher) -> Iterator[Convention]:
    """Everything that is tried; what is more usual comes first."""
    signs = (1, -1) if _has(matcher, "force") else (1,)
    has_frame = any(_has(matcher, kind) for kind in ("motion", "force", "inertia", "body", "mobility", "gain", "axis"))
    frames = FRAMES if has_frame else FRAMES[:1]
    has_form = any(turns_with_form(matcher, name) for name in matcher.items)
    forms = FORMS if has_form else FORMS[:1]
    for numbering, frame, form, sign in product(matcher.order, frames, forms, signs):
        yield Convention(frame, form, numbering, sign)


def _has(matcher: Matcher, kind: str) -> bool:
    return any(QUANTITIES[each.quantity].kind == kind for several in matcher.items.values() for each in several)


def find_convention(matcher: Matcher, tolerance: float) -> Found:
    """One convention for all as far as it goes: another only for an array that it explains wholly.

    A convention that would explain one link of one array, or one array in part, is a fault that looks like one.
    """
    tried = _likely(matcher, list(conventions(matcher)), tolerance)
    shares = {
        name: np.array([matcher.match(name, convention).share(tolerance) for convention in tried])
        for name in matcher.items
    }
    total = sum((share + (share >= 1.0) for share in shares.values()), np.zeros(len(tried)))  # the whole counts twice
    best = [tried[i] for i in np.flatnonzero(total >= total.max() - EQUAL)]
    common = min(best, key=lambda convention: _nearness(matcher, convention))
    own = {name: _own(matcher, name, common, tolerance) for name in matcher.items}
    matches = {name: matcher.match(name, convention) for name, convention in own.items()}
    return Found(common, own, matches, tuple(best))


def _likely(matcher: Matcher, tried: list[Convention], tolerance: float) -> list[Convention]:
    """Those in whose frame and numbering most agrees of what is the same in every form."""
    names = [name for name in matcher.items if not turns_with_form(matcher, name)]
    score: dict[tuple[object, ...], float] = {}
    for convention in tried:
        key = (convention.frame, convention.numbering)
        if key not in score:
            agreed = [matcher.match(name, convention).share(tolerance) for name in names]
            score[key] = sum(agreed) + agreed.count(1.0)
    most = max(score.values())
    return [each for each in tried if score[each.frame, each.numbering] >= most - EQUAL]


def _own(matcher: Matcher, name: str, common: Convention, tolerance: float) -> Convention:
    """The common convention, or where only others explain an array wholly the one of these that is most like it."""
    if matcher.match(name, common).share(tolerance) >= 1.0:
        return common
    whole = [each for each in conventions(matcher) if matcher.match(name, each).share(tolerance) >= 1.0]
    return min(whole, key=lambda each: _changes(each, common), default=common)


def turns_with_form(matcher: Matcher, name: str) -> bool:
    """Whether the eight forms differ in something that an array may be."""
    return any(QUANTITIES[each.quantity].turns_with_form for each in matcher.items[name])


def _nearness(matcher: Matcher, convention: Convention) -> float:
    """The mean logarithm of what remains: it decides only where agreement does not."""
    gaps = [np.log10(np.clip(matcher.match(name, convention).gaps, 1e-9, 1.0)).mean() for name in matcher.items]
    return round(float(np.mean(gaps)), 6)


def _changes(one: Convention, other: Convention) -> int:
    pairs = [
        *zip(one.frame, other.frame, strict=True),
        *zip(one.form, other.form, strict=True),
        (one.numbering.words, other.numbering.words),
        (one.sign, other.sign),
    ]
    return sum(a != b for a, b in pairs)


def free_of_frames(matcher: Matcher, name: str, form: Form) -> bool:
    """Whether an array is the same in every frame."""
    return all(is_free(QUANTITIES[each.quantity], form) for each in matcher.items[name])
