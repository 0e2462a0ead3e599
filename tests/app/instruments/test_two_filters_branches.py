"""Gather and scatter: the sums at a body where branches meet are the mechanics' own, of the preset and of any tree."""

from __future__ import annotations

import re

import numpy as np
import pytest

import dynamics as dyn
from app.equations.sheet import Figures
from app.instruments.two_filters import TwoFilters
from app.instruments.two_filters_branches import branches_html, meetings
from app.state.walk import PREDICTION, Place
from app.walker.map_layout import map_of
from app.walker.step_sheet import step_html
from tests.app.instruments.test_two_filters import at, numbers_of, tree

pytestmark = pytest.mark.compiled_only
BODY = 12


@pytest.fixture(scope="module")
def flown() -> dyn.Solution:
    return at("two_arm_flyer", 0.7).solution()


@pytest.mark.parametrize("seed", [3, 8, None])
def test_every_sum_is_that_of_the_text(seed: int | None, flown: dyn.Solution) -> None:
    """By its own letters: what each branch carries in, R(k) of the others, S+(k)."""
    solution = flown if seed is None else tree(seed, 12)
    reading = dyn.read_textbook(solution.system, solution.state, solution.tau)
    phi, inboard = reading.letter("phi"), np.asarray(solution.system.inboard)
    P, P_plus, S, S_plus, R, M = (np.asarray(reading.letter(name)) for name in ("P", "P_plus", "S", "S_plus", "R", "M"))

    def mass(inertia: np.ndarray) -> float:
        return float(np.trace(inertia[3:, 3:]) / 3.0)

    found = meetings(solution)
    counts = {k: int((inboard == k).sum()) for k in range(solution.system.n_links)}
    assert [each.body for each in found] == [k for k in sorted(counts, reverse=True) if counts[k] > 1]
    assert found
    for each in found:
        i = each.body
        assert each.apart < 1e-9
        assert each.own == pytest.approx(mass(M[i]))
        for at_, (j, carried, felt) in enumerate(zip(each.branches, each.carried, each.scattered, strict=True)):
            assert carried == pytest.approx(mass(np.asarray(phi(i, j)) @ P_plus[j] @ np.asarray(phi(i, j)).T), rel=1e-9)
            assert each.others(at_) == pytest.approx(mass(R[j]), rel=1e-8)
            assert felt == pytest.approx(mass(S_plus[j]), rel=1e-8)
            assert felt == pytest.approx(mass(S[i]) + mass(M[i]) + mass(R[j]), rel=1e-8)
        assert each.gathered == pytest.approx(mass(P[i]), rel=1e-9)


def test_the_page_shows_them_with_their_links(flown: dyn.Solution) -> None:
    figures = Figures()
    html = branches_html(flown, figures)
    (body,) = meetings(flown)
    assert body.branches == (5, 11)
    shown = numbers_of(html, figures)
    gathered = [body.own, *body.carried, body.gathered]
    assert shown[:4] == pytest.approx(gathered)
    assert shown[4:8] == pytest.approx([body.inboard, body.own, body.carried[1], body.scattered[0]])
    assert shown[8:12] == pytest.approx([body.inboard, body.own, body.carried[0], body.scattered[1]])
    assert set(re.findall(r"data-go='link (\d+)'", html)) == {"5", "11"}
    assert branches_html(at("free_flyer", 0.0).solution(), Figures()) == ""


def test_the_instrument_has_it_and_any_link_as_the_base() -> None:
    session = at("two_arm_flyer", 0.3)
    instrument = TwoFilters(session, lambda: None)
    instrument.draw()
    assert "gather and scatter" in instrument._branches.html
    for link in range(session.system.n_links - 1):
        instrument._go(f"base {link}")
        assert f"Counted from {session.system.link_names[link]} instead of bus" in instrument._counted.html
        assert session.message == ""
    session.open_preset("free_flyer")
    instrument.draw()
    assert instrument._branches.html == ""


def test_the_walk_says_where_branches_meet(flown: dyn.Solution) -> None:
    reading = dyn.read_textbook(flown.system, flown.state, flown.tau)
    difference = dyn.stage_difference(reading.solution, flown)

    def sheet(stage: str, link: int) -> str:
        return step_html(reading, difference, Place(stage, 0, link, PREDICTION), "light", Figures())

    assert "<b>Gather</b>: 2 branches meet here" in sheet("filter", BODY)
    assert "<b>Scatter</b>: from bus" in sheet("dual_filter", 5)
    assert "<b>Scatter</b>" in sheet("dual_filter", 11)
    for stage, link in (("filter", 3), ("dual_filter", 4), ("dual_filter", BODY)):
        assert not re.search("Gather|Scatter", sheet(stage, link))
    captions = [caption for caption in map_of(flown.system).captions if caption.kind == "branch"]
    assert [caption.text for caption in captions] == ["gather", "scatter"]
    assert not [each for each in map_of(at("free_flyer", 0.0).system).captions if each.kind == "branch"]


def test_the_body_turns_because_the_arms_move() -> None:
    """Far, though nothing pushes and no momentum is there."""
    session = at("two_arm_flyer", 2.5)
    before, now = session.run.solution_at(0.0), session.run.solution_at(2.5)
    turn = before.link_pose[-1, :3, :3].T @ now.link_pose[-1, :3, :3]
    assert np.degrees(np.arccos((np.trace(turn) - 1.0) / 2.0)) > 30.0
    for solution in (before, now):
        assert np.abs(solution.momentum).max() < 1e-6
