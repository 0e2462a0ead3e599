"""The search for the worst moment: bounded, in slices, and at the worst of what it looked at."""

from __future__ import annotations

import numpy as np
import pytest

import dynamics as dyn
from app.motion.interventions import Pushed
from app.state import Session
from app.state.agreement_search import COARSE, ROUNDS, AgreementSearch, agreement_at


@pytest.fixture
def session() -> Session:
    session = Session("puma560")
    session.run.accept(session.run.compute())
    return session


@pytest.mark.slow
def test_it_ends_at_the_worst_of_a_bounded_number_of_instants(session: Session) -> None:
    search = AgreementSearch(session.run)
    slices = 0
    while not search.done:
        search.accept(search.look())
        slices += 1
    assert COARSE <= len(search.found) <= search.most == COARSE + 2 * ROUNDS
    assert slices > 1
    instant, worst = search.worst
    assert worst == max(search.found.values())
    solution = session.run.solution_at(instant)
    assert worst == dyn.agreement(solution.system, solution.state, solution.tau).worst
    times, values = search.curve
    assert times == sorted(times)
    assert values[times.index(instant)] == worst


def test_it_closes_in_around_the_worst(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """A narrow peak off the coarse instants is found to a step."""
    peak = 0.1337

    def fake(run: object, instant: float, only: object = None) -> object:
        return type("Found", (), {"worst": 1e-12 / (1e-4 + abs(instant - peak))})()

    monkeypatch.setattr("app.state.agreement_search.agreement_at", fake)
    search = AgreementSearch(session.run)
    while not search.done:
        search.accept(search.look())
    assert search.worst[0] == pytest.approx(peak, abs=1.1e-3)


def test_a_run_of_one_instant_is_searched_too() -> None:
    search = AgreementSearch(Session("puma560").run)
    while not search.done:
        search.accept(search.look())
    assert list(search.found) == [0.0]


def test_a_push_is_part_of_the_comparison(session: Session) -> None:
    wrench = np.zeros((session.system.n_links + 1, 6))
    wrench[0, 3:] = 5.0, -3.0, 2.0
    session.seek(0.1)
    session.intervene(Pushed(0.1, wrench))
    session.run.accept(session.run.compute())
    solution = session.run.solution_at(0.15)
    found = agreement_at(session.run, 0.15)
    assert found.worst == dyn.agreement(solution.system, solution.state, solution.tau, wrench).worst
    assert found.worst_residual < 1e-9


def test_at_rest_the_methods_are_compared_too() -> None:
    """Torques that hold an arm's weight balance: the accelerations are rounding, their parts are not."""
    system, state = dyn.example("puma560")
    still = system.state(q=state.q)
    tau = dyn.inverse_dynamics(system, still, np.zeros(6))
    found = dyn.agreement(system, still, tau)
    assert found.scale > 0.1
    assert found.worst < 1e-13
    floating, start = dyn.example("free_flyer")
    nothing = dyn.agreement(floating, floating.state(q=start.q))
    assert nothing.scale == 0.0
    assert nothing.worst == 0.0
