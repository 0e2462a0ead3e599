"""Each break changes what the tree says it changes, nothing before it, and fails the identity that its words name."""

import itertools
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from latex2mathml.converter import convert as to_mathml

import dynamics as dyn
from dynamics.reading import LineReading, Reading, TermValue, stage_difference, textbook_lines
from dynamics.reading.breaks import all_breaks, breaks_of
from dynamics.reading.consequences import PROSE
from dynamics.reading.lines import Line, all_lines
from tests.dynamics.reading.test_lines import total
from tests.dynamics.textbook.cases import Case, case_named, draw_cases, places

pytestmark = pytest.mark.compiled_only  # the text is Python's own either way
BREAKS = all_breaks()
LINES = {line.key: line for line in all_lines()}
SEED, IDENTITY_SEED = 31, 12
INWARD = ("filter", "filter_correction")


@cache
def cases() -> tuple[Case, ...]:
    return tuple(draw_cases(SEED))


@cache
def published(case: Case) -> Reading:
    return case.read()


@cache
def published_lines(case: Case, place: tuple[str, int, int]) -> tuple[LineReading, ...]:
    return published(case).lines(*place)


@cache
def first_places(case: Case) -> dict[str, tuple[str, int, int]]:
    stages = list(published(case).solution.stages)
    order = sorted(places(case.system), key=lambda p: (stages.index(p[0]), p[1] if p[0] in INWARD else -p[1]))
    found: dict[str, tuple[str, int, int]] = {}
    for place in order:
        for line in published_lines(case, place):
            found.setdefault(line.key, place)
    return found


def same(a: np.ndarray, b: np.ndarray) -> bool:
    return np.array_equal(a, b, equal_nan=True)


def test_a_break_changes_its_line_and_nothing_before_it() -> None:
    """At the place where the line runs first everything that it reads is still right."""
    for line in LINES.values():
        where = [(case, first_places(case)[line.key]) for case in cases() if line.key in first_places(case)]
        assert where, f"no system of these runs {line.key}"
        for key in (key for key in BREAKS if key.startswith(f"{line.key}~") and not key.endswith("~negate")):
            # Where the first link of all has no outboard neighbor, and so on, some later link must show it.
            shown = any(changes_first(key, line, case, place) for case, place in where[:6])
            assert shown or any(shows_somewhere(case, key, line) for case, _ in where), key


def changes_first(key: str, line: Line, case: Case, place: tuple[str, int, int]) -> bool:
    """Whether a break changes the value of its line at a place; all that comes before is as published."""
    before, after = published(case), case.read([key])
    rows = list(zip(published_lines(case, place), after.lines(*place), strict=True))
    at = next(i for i, (old, _) in enumerate(rows) if old.key == line.key)
    old, new = rows[at]
    for earlier, again in rows[:at]:
        assert same(earlier.value, again.value), (key, earlier.key)
    parts = list(before.evaluation.scopes)
    own = next(i for i, part in enumerate(parts) if part.function == line.function)
    for part in parts[:own]:
        for letter in before.evaluation.computed[part]:
            value = before.evaluation.scopes[part][letter]
            if isinstance(value, np.ndarray):
                assert same(value, after.evaluation.scopes[part][letter]), (key, letter)
    return not same(old.value, new.value)


def shows_somewhere(case: Case, key: str, line: Line) -> bool:
    after = case.read([key])
    for place in places(case.system):
        if line.key not in {old.key for old in published_lines(case, place)}:
            continue
        for old, new in zip(published_lines(case, place), after.lines(*place), strict=True):
            if old.key == line.key and not same(old.value, new.value):
                return True
    return False


@cache
def keys_of(case: Case) -> frozenset[str]:
    return frozenset(each.key for row in textbook_lines(case.system) for each in row.breaks)


def test_a_break_fails_the_identity_that_its_words_name() -> None:
    """Wherever the part is there at all; the words say where it is not. As published, every identity holds."""
    for case in draw_cases(IDENTITY_SEED):
        worst = {(c.stage, c.identity.key): c.worst for c in dyn.identities(case.read().solution, case.wrench)}
        assert max(worst.values()) < 1e-9, (case.name, worst)
    named = {key: PROSE[part] for key, each in BREAKS.items() if (part := f"{each.line}~{each.part}") in PROSE}
    assert {f"{each.line}~{each.part}" for each in BREAKS.values()} >= set(PROSE)
    every = list(draw_cases(IDENTITY_SEED))
    for turn, (key, prose) in enumerate(named.items()):
        noticed, at = False, turn % len(every)
        for case in (each for each in every[at:] + every[:at] if key in keys_of(each)):
            checks = dyn.identities(case.read([key]).solution, case.wrench)
            if failing := {check.identity.key for check in checks if not check.holds}:
                assert prose.fails in failing, (key, case.name, failing)
                assert "energy" not in failing or "energy is conserved" not in prose.expect, (key, case.name)
                noticed = True
                break
            assert prose.absent, f"nothing shows {key} in {case.name}, and the words do not say why"
        assert noticed, f"no system of these has the part that {key} breaks"


def test_where_an_error_enters_and_where_it_is_worst() -> None:
    """Without the inertia from outboard the tip's link is right, the next one is not; a division by zero is told."""
    case = case_named("chain", IDENTITY_SEED)
    solution = case.read(["inward_filter.prediction.P~phi-P_plus-phi~drop"]).solution
    check = next(c for c in dyn.identities(solution, case.wrench) if c.identity.key == "articulated")
    assert check.residual[0] < 1e-12
    assert check.first_link == 1
    outward = case.read(["outward_smoother.prediction.alpha_plus~phi-alpha~drop"]).solution
    check = next(c for c in dyn.identities(outward, case.wrench) if c.identity.key == "kinematics")
    assert check.first_link == case.system.n_joints - 2
    assert check.residual[-1] < 1e-12
    solution = case.read(["inward_filter.prediction.P~M~drop"]).solution
    check = next(c for c in dyn.identities(solution, case.wrench) if c.identity.key == "finite")
    assert not check.holds
    assert check.first_link == 0
    broken, right = case.read(["outward_smoother.correction.alpha~a~drop"]).solution, case.solve()
    found = stage_difference(broken, right)
    assert found.relative > 1e-3
    assert found.stage == "smoother"
    assert stage_difference(right, right).relative == 0.0
    missing = case.read(["inward_filter.prediction.P~M~drop"]).solution
    assert stage_difference(missing, right).relative == np.inf


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
def richest_and_poorest(key: str) -> tuple[tuple[Case, Place], ...]:
    """Where the line has most terms, and where it has fewest: a sum may run through several neighbors or none."""
    found = []
    for name in ("free flyer", "coupled contacts", "floating group"):  # in the order in which they are drawn
        case = case_named(name, 31)
        for place in places(case.system):
            found += [(len(line.terms), case, place) for line in published_lines(case, place) if line.key == key]
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
