"""The identities of a text with breaks: none fails without one, and a break fails the one that its words name."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import dynamics as dyn
from dynamics.reading.breaks import all_breaks
from dynamics.reading.consequences import PROSE
from tests.dynamics.textbook.cases import NAMES, Case, case_named, draw_cases

SEED = 12
NAMED = [key for key, each in all_breaks().items() if f"{each.line}~{each.part}" in PROSE]


@pytest.fixture(params=NAMES)
def case(request: pytest.FixtureRequest) -> Case:
    return case_named(request.param, SEED)


@cache
def keys_of(case: Case) -> frozenset[str]:
    return frozenset(each.key for row in dyn.textbook_lines(case.system) for each in row.breaks)


def test_every_identity_holds_as_published(case: Case) -> None:
    worst = {(c.stage, c.identity.key): c.worst for c in dyn.identities(case.read().solution, case.wrench)}
    assert max(worst.values()) < 1e-9, worst


@pytest.mark.parametrize("key", NAMED)
def test_a_break_fails_the_identity_that_its_words_name(key: str) -> None:
    """Wherever the part is there at all; the words say where it is not."""
    each = all_breaks()[key]
    prose, noticed = PROSE[f"{each.line}~{each.part}"], 0
    for case in draw_cases(SEED):
        if key not in keys_of(case):
            continue
        failing = failures(case, key)
        if failing:
            assert prose.fails in failing, (case.name, failing)
            noticed += 1
        else:
            assert prose.absent, f"nothing shows it in {case.name}, and the words do not say why"
    assert noticed, "no system of these has the part"


def failures(case: Case, key: str) -> set[str]:
    checks = dyn.identities(case.read([key]).solution, case.wrench)
    return {check.identity.key for check in checks if not check.holds}


def test_the_first_link_is_where_the_error_enters() -> None:
    """Without the inertia that comes from outboard the tip's link is right, and the next one is not."""
    case = case_named("chain", SEED)
    solution = case.read(["inward_filter.prediction.P~phi-P_plus-phi~drop"]).solution
    check = next(c for c in dyn.identities(solution, case.wrench) if c.identity.key == "articulated")
    assert check.residual[0] < 1e-12
    assert check.first_link == 1
    outward = case.read(["outward_smoother.prediction.alpha_plus~phi-alpha~drop"]).solution
    check = next(c for c in dyn.identities(outward, case.wrench) if c.identity.key == "kinematics")
    assert check.first_link == case.system.n_joints - 2
    assert check.residual[-1] < 1e-12


def test_a_division_by_zero_is_told_not_raised() -> None:
    case = case_named("chain", SEED)
    solution = case.read(["inward_filter.prediction.P~M~drop"]).solution
    check = next(c for c in dyn.identities(solution, case.wrench) if c.identity.key == "finite")
    assert not check.holds
    assert check.first_link == 0


def test_the_difference_says_where_it_is_worst() -> None:
    case = case_named("chain", SEED)
    broken, right = case.read(["outward_smoother.correction.alpha~a~drop"]).solution, case.solve()
    found = dyn.stage_difference(broken, right)
    assert found.relative > 1e-3
    assert found.stage == "smoother"
    assert dyn.stage_difference(right, right).relative == 0.0
    missing = case.read(["inward_filter.prediction.P~M~drop"]).solution
    assert dyn.stage_difference(missing, right).relative == np.inf
