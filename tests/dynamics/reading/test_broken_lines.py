"""Lines with one break or two of them still read as they ran: equation, terms and factors are what the line says."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from latex2mathml.converter import convert as to_mathml

from dynamics.reading import LineReading, Reading, TermValue
from dynamics.reading.breaks import breaks_of
from dynamics.reading.lines import all_lines
from tests.dynamics.reading.test_lines import total
from tests.dynamics.textbook.cases import Case, case_named, places

pytestmark = pytest.mark.compiled_only  # the text is Python's own either way

Array = np.ndarray
Place = tuple[str, int, int]


PAIRS = [
    (line.key, one.key, other.key)
    for line in all_lines()
    for one, other in itertools.combinations(breaks_of(line), 2)
    if one.node is not other.node  # two of one part contradict each other, and are refused
]
convert = cache(to_mathml)


@cache
def published(case: Case) -> Reading:
    return case.read()


@cache
def lines_at(case: Case, place: Place) -> tuple[LineReading, ...]:
    return published(case).lines(*place)


@cache
def richest_and_poorest(key: str) -> tuple[tuple[Case, Place], ...]:
    """Where the line has most terms, and where it has fewest: a sum may run through several neighbors or none."""
    found = []
    for name in ("free flyer", "coupled contacts", "floating group"):  # in the order in which they are drawn
        case = case_named(name, 31)
        for place in places(case.system):
            found += [(len(line.terms), case, place) for line in lines_at(case, place) if line.key == key]
    found.sort(key=lambda each: each[0])
    ends = [found[-1], found[0]]
    return tuple((case, place) for count, case, place in ends if count != ends[0][0] or (case, place) == ends[0][1:])


def as_it_reads(key: str, keys: tuple[str, ...]) -> Iterator[tuple[LineReading, Array]]:
    """The line where it is broken, all that it reads being as published, and what its right side then is."""
    for case, place in richest_and_poorest(key):
        right = published(case)
        here = Reading(right.solution, frozenset(keys), right.evaluation).lines(*place)
        part = next(p for p in right.evaluation.scopes if (p.stage, p.function) == (place[0], key.partition(".")[0]))
        called = [line for line in here if line.key == key]
        own = {line.contact for line in called}
        meeting = [met for met in right.evaluation.letters.get("meeting", ()) if met[0] in own]
        for at, line in enumerate(called):
            indices = {"k": line.link, "c": line.contact, "i": int(case.system.inboard[place[1]])}
            if line.key.endswith("coupling.Lam_0"):
                indices |= dict(zip("cdk", meeting[at], strict=True))
            with np.errstate(all="ignore"):
                found = eval(line.source.partition(" = ")[2], {**right.evaluation.scopes[part], **indices})
            # Python's sum over nothing is 0, of whatever size the line's is.
            yield line, np.broadcast_to(np.asarray(found, dtype=float), line.value.shape)


def sums_in(terms: tuple[TermValue, ...]) -> Iterator[TermValue]:
    for term in terms:
        yield term
        for factor in term.factors:
            for inner in factor.inner:
                yield from sums_in(inner)


def reads_as_it_ran(key: str, keys: tuple[str, ...]) -> None:
    for line, value in as_it_reads(key, keys):
        assert convert(line.latex)
        for term in sums_in(line.terms):
            assert convert(term.latex)
            # A place's own numbers stand for the indices: no letter is left, of a neighbor neither.
            assert not any(letter in term.latex for letter in ("{-}1", "{+}1", r"\sum")), term.latex
        if not np.all(np.isfinite(value)):
            continue
        size = max([1.0, *(float(np.abs(term.value).max(initial=0.0)) for term in line.terms)])
        found = np.zeros(value.shape)
        for term in line.terms:
            assert term.value.shape == value.shape, (line.source, term.latex)
            found = found + term.sign * term.value
        assert np.allclose(found, value, rtol=0.0, atol=1e-12 * size), line.source
        if not any(factor.inverse and factor.value.size > 1 for term in line.terms for factor in term.factors):
            sizes = [np.prod([max(1.0, float(np.abs(f.value).max(initial=0.0))) for f in term.factors if not f.inverse])
                     for term in line.terms]  # fmt: skip
            allowed = 1e-12 * max([size, *map(float, sizes)])
            assert np.allclose(total(line.terms, value), value, rtol=0.0, atol=allowed), line.source


def test_a_line_with_one_break_reads_as_it_ran() -> None:
    for line in all_lines():
        for each in breaks_of(line):
            reads_as_it_ran(line.key, (each.key,))


@given(st.sampled_from(PAIRS))
@settings(max_examples=150)
def test_a_line_with_any_two_breaks_reads_as_it_ran(pair: tuple[str, str, str]) -> None:
    key, one, other = pair
    reads_as_it_ran(key, (one, other))
