"""What comes of a break is told in one plain sentence, and a link has one name in it, in the table and in the walk."""

from __future__ import annotations

import re

import pytest

import dynamics as dyn
from app.equations.formula import formula
from app.state import Session
from app.state.breakage import Breakage
from app.state.outcome import LAWS as STATED
from app.state.outcome import Outcome, broken_at, first_of, laws_failing
from app.state.walk import called, number
from app.views.check_csv import identities_csv
from app.views.identity_rows import rows_of, where_of
from app.views.identity_table import IdentityTable
from app.views.outcome_html import said

pytestmark = pytest.mark.compiled_only
P = "inward_filter.prediction.P~phi-P_plus-phi"
KINDS = {
    f"{P}~drop": "is computed without the term",
    f"{P}~negate": "is computed with the opposite sign of the term",
    f"{P}.phi~omit": "is computed without the factor",
    f"{P}.phi_2~untranspose": "is computed with a transposition forgotten, in",
    "inward_filter.correction.G~P-H-D.D~multiply": "is computed by multiplication where it should divide by",
    "outward_smoother.correction.theta_dd~G-alpha_plus~negate": "is computed with the opposite sign of the term",
}


def told(preset: str, *keys: str) -> tuple[str, Outcome, Breakage]:
    session = Session(preset)
    session.run.accept(session.run.compute())
    breakage = Breakage(session)
    session.breaks = frozenset(keys)
    found = broken_at(session.run.solution_at(0.2), None, session.breaks)
    return said(breakage, found), found, breakage


@pytest.mark.parametrize("preset", ["puma560", "two_arms_and_box"])
@pytest.mark.parametrize("key", KINDS)
def test_one_sentence_says_what_is_computed_wrongly_and_where_it_first_shows(preset: str, key: str) -> None:
    words, found, breakage = told(preset, key)
    sentence = words.partition("</p>")[0]
    (one,) = breakage.broken
    assert f"{KINDS[key]} {formula(one.breakable.latex)}" in sentence
    system = found.reading.system
    first = first_of(found.checks, system)
    assert first is not None
    where = called(system, first.first_link)
    assert f"first shows at <b>{where}</b>" in sentence
    assert f"“{first.identity.title}” fails." in sentence
    row = next(row for row in rows_of(found.checks, system) if row["key"] == f"{first.stage}/{first.identity.key}")
    assert row["cells"][2] == where
    assert where in identities_csv(found.checks, system)


def test_what_first_shows_is_the_link_that_the_sweep_reaches_first() -> None:
    for key, inward in ((f"{P}~drop", True), ("outward_smoother.correction.alpha~alpha_plus~drop", False)):
        _, found, _ = told("iiwa14", key)
        system = found.reading.system
        first = first_of(found.checks, system)
        assert first is not None
        assert first.stage == ("filter" if inward else "smoother")
        rivals = [each.first_link for each in found.checks if not each.holds and each.stage == first.stage]
        numbers = [number(system, link) for link in rivals if link >= 0]
        assert number(system, first.first_link) == (min(numbers) if inward else max(numbers))


def test_a_turned_sign_is_not_explained_as_a_dropped_term() -> None:
    expect = {
        each.kind: each.prose
        for line in dyn.textbook_lines(Session("puma560").system)
        for each in line.breaks
        if each.key.startswith(f"{P}~")
    }
    assert "carries nothing" in expect["drop"].expect
    assert "carries nothing" not in expect["negate"].expect
    assert "the wrong way round" in expect["negate"].expect
    assert expect["negate"].absent == expect["drop"].absent != ""


def test_several_breaks_are_counted_and_kkt_is_said_in_words() -> None:
    words, found, _ = told("puma560", f"{P}~drop", "inward_filter.correction.eps~H-z~drop")
    assert "The text is broken in 2 places; this first shows at" in words
    hints = [row.get("hint", "") for row in rows_of(found.checks, found.reading.system)]
    assert [bool(re.search("Karush, Kuhn and Tucker", hint)) for hint in hints].count(True) == 1


LAWS = {
    f"{P}~drop": r"Newton–Euler fails at link \d+, \w+; the joints' equation of motion.* and energy too\.",
    "costate_covariance.correction.Lam~tau_bar-Lam_plus-tau_bar~drop": "Every law of mechanics still holds",
}


@pytest.mark.parametrize("key", LAWS)
def test_first_it_is_said_which_laws_of_mechanics_fail(key: str) -> None:
    words, found, _ = told("puma560", key)
    assert re.match(rf"<p role='status'><b>{LAWS[key]}", words), words
    holds = {check.identity.key for check in found.checks if check.holds}
    law = next(iter(laws_failing(found.checks)), None)
    assert ({"newton", "energy"} <= holds) == (law is None)
    if law is not None:
        assert f"fails at {where_of(law, found.reading.system)}" in words


@pytest.mark.parametrize("preset", ["puma560", "two_arms_and_box"])
def test_laws_of_mechanics_stand_before_what_the_recursion_says_of_itself(preset: str) -> None:
    _, found, breakage = told(preset, f"{P}~drop")
    table = IdentityTable(breakage._session, failing_first=True)
    table.show_checks(found.checks, found.reading.system)
    rows = [row for row in table.rows if row["tone"] == "bad"]
    laws = [row["key"].partition("/")[2] in STATED for row in rows]
    assert laws == sorted(laws, reverse=True)
    assert 0 < sum(laws) < len(laws)
    assert len({row["key"] for row in table.rows}) == len(table.rows)


def test_a_link_s_inertia_and_the_mass_matrix_are_two_letters() -> None:
    _, found, _ = told("two_arms_and_box", f"{P}~drop")
    for row in rows_of(found.checks, found.reading.system):
        key, mathml = row["key"].partition("/")[2], row.get("formula", "")
        if key in ("newton_joint", "mobility", "omega", "articulated", "correction"):
            assert "<mi>&#x02133;</mi>" in mathml, key
            assert "<mi>M</mi>" not in mathml, key
            assert "mass matrix of all joints" in row["hint"]
        if key == "newton":
            assert "<mi>M</mi>" in mathml
