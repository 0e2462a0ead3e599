"""Each break changes what the tree says it changes, nothing before it, and fails the identity that its words name."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import dynamics as dyn
from dynamics.reading import LineReading, Reading
from dynamics.reading.breaks import all_breaks
from dynamics.reading.consequences import PROSE
from dynamics.reading.lines import Line, all_lines, formulated_lines
from tests.dynamics.textbook.cases import Case, case_named, draw_cases, places

pytestmark = pytest.mark.compiled_only  # the text is Python's own either way

BREAKS = all_breaks()
LINES = {line.key: line for line in all_lines()}
EVERY = {line.key: line for line in (*all_lines(), *formulated_lines())}
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
    """Where each line runs for the first time."""
    stages = list(published(case).solution.stages)
    order = sorted(
        places(case.system), key=lambda place: (stages.index(place[0]), place[1] if place[0] in INWARD else -place[1])
    )
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
        for key in (key for key in BREAKS if key.startswith(f"{line.key}~")):
            # Where the first link of all has no outboard neighbor, and so on, some later link must show it.
            shown = any(changes_first(key, line, case, place) for case, place in where[:6])
            assert shown or any(shows_somewhere(case, key, line) for case, _ in where), key


def changes_first(key: str, line: Line, case: Case, place: tuple[str, int, int]) -> bool:
    """Whether a break changes the value of its line at a place; all that comes before is as published."""
    before, after = published(case), case.read([key])
    rows = list(zip(published_lines(case, place), after.lines(*place), strict=True))
    at = next(i for i, (old, _) in enumerate(rows) if old.key == line.key)
    old, new = rows[at]
    changed_by_the_tree(key, old, new)
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


def changed_by_the_tree(key: str, old: LineReading, new: LineReading) -> None:
    """A dropped or negated term of the line itself leaves the others: the value is what they add up to."""
    _, part, kind = key.split("~")
    names = [name_of(term) for term in LINES[old.key].right.terms]
    if kind not in ("drop", "negate") or names.count(part) != 1 or len(old.terms) != len(names):
        return
    term = old.terms[names.index(part)]
    expected = old.value - (1.0 if kind == "drop" else 2.0) * term.sign * term.value
    size = max(1.0, *(float(np.abs(each.value).max(initial=0.0)) for each in old.terms))
    assert np.allclose(new.value, expected, rtol=0.0, atol=1e-11 * size, equal_nan=True), key


def name_of(term: object) -> str:
    return str(term.name)


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
    return frozenset(each.key for row in dyn.textbook_lines(case.system) for each in row.breaks)


def test_every_identity_holds_as_published() -> None:
    for case in draw_cases(IDENTITY_SEED):
        worst = {(c.stage, c.identity.key): c.worst for c in dyn.identities(case.read().solution, case.wrench)}
        assert max(worst.values()) < 1e-9, (case.name, worst)


def test_a_break_fails_the_identity_that_its_words_name() -> None:
    """Wherever the part is there at all; the words say where it is not."""
    named = {key: PROSE[part] for key, each in BREAKS.items() if (part := f"{each.line}~{each.part}") in PROSE}
    assert {f"{each.line}~{each.part}" for each in BREAKS.values()} >= set(PROSE)
    every = list(draw_cases(IDENTITY_SEED))
    for turn, (key, prose) in enumerate(named.items()):
        noticed, at = 0, turn % len(every)
        for case in every[at:] + every[:at]:
            if key not in keys_of(case):
                continue
            failing = failures(case, key)
            if failing:
                assert prose.fails in failing, (key, case.name, failing)
                noticed += 1
            else:
                assert prose.absent, f"nothing shows {key} in {case.name}, and the words do not say why"
            if noticed == 2:
                break
        assert noticed, f"no system of these has the part that {key} breaks"


def failures(case: Case, key: str) -> set[str]:
    checks = dyn.identities(case.read([key]).solution, case.wrench)
    return {check.identity.key for check in checks if not check.holds}


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
    found = dyn.stage_difference(broken, right)
    assert found.relative > 1e-3
    assert found.stage == "smoother"
    assert dyn.stage_difference(right, right).relative == 0.0
    missing = case.read(["inward_filter.prediction.P~M~drop"]).solution
    assert dyn.stage_difference(missing, right).relative == np.inf
