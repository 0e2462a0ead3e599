"""What was chosen in an instrument is in the link, and a page that follows it shows the same."""

from __future__ import annotations

import functools
from collections.abc import Callable

import pytest

from app.cost.cost import Cost
from app.instruments.influence import InfluenceMaps
from app.instruments.two_filters import TwoFilters
from app.papers.papers import Papers
from app.state import Session
from app.state.address import asked, query_of
from app.views.instrument import Instrument
from tests.conftest import run_apart

pytestmark = pytest.mark.compiled_only


def alive(test: Callable[..., None]) -> Callable[..., None]:
    """The test within a loop, as a page is: what instruments compute beside it begins."""

    @functools.wraps(test)
    def within(**arguments: object) -> None:
        async def live() -> None:
            test(**arguments)

        run_apart(live())

    return within


def followed(session: Session) -> Session:
    """Another page, by this one's link."""
    other = Session("planar_chain")
    asked(query_of(session), other).show(other)
    other.run.accept(other.run.compute())
    return other


def ready(preset: str) -> Session:
    session = Session(preset)
    session.run.accept(session.run.compute())
    session.playing = False
    return session


def drawn(instrument: Instrument) -> Instrument:
    instrument.draw()
    return instrument


@alive
def test_a_number_of_influence_its_map_and_its_sweep() -> None:
    session = ready("two_arms_and_box")
    before = drawn(InfluenceMaps(session))
    for what in ("cell 15 3", "map ΔW", "sweep inward_influence"):
        before._go(what)
    after = drawn(InfluenceMaps(followed(session)))
    assert (after._row, after._choice, after._sweep) == (15, "ΔW", "inward_influence")
    assert after._maps.html == before._maps.html
    assert after._below.html == before._below.html


@alive
def test_the_base_of_two_filters() -> None:
    session = ready("free_flyer")
    before = drawn(TwoFilters(session, lambda: None))
    before._go("base 0")
    other = followed(session)
    assert other.base == session.system.link_names[0]
    assert drawn(TwoFilters(other, lambda: None))._chain.html == before._chain.html


@pytest.mark.parametrize("said", ["r88_fig_9_3", "TML", ""])
@alive
def test_a_result_of_papers(said: str) -> None:
    session = ready("puma560")
    session.result = said
    before, after = drawn(Papers(session)), drawn(Papers(other := followed(session)))
    assert other.result == said
    assert after._head.html == before._head.html
    asked({"preset": "puma560", "result": "r99_fig_1"}, other).show(other)
    after.draw()
    assert other.result == ""  # there is none: the first paper's list


@alive
def test_what_cost_counts_and_races() -> None:
    session = ready("puma560")
    before = drawn(Cost(session))
    for what in ("group 1", "table 2", "form 1"):
        before._go(what)
    before.race._menus[0].value, before.race._menus[1].value = "lagrange", "every other"
    after = drawn(Cost(other := followed(session)))
    assert other.counted == "1:2:1"
    assert after._shows == (1, 2, 1)
    assert [menu.value for menu in after.race._menus] == ["lagrange", "every other"]
    session.jobs.stop()
    other.jobs.stop()


@pytest.mark.parametrize("said", ["influence=9:9", "moved=9999", "base=nobody", "counted=9:9:9", "raced=a,b",
                                  "checked=no/such"])  # fmt: skip
@alive
def test_a_choice_that_there_is_not_is_the_first(said: str) -> None:
    """A link may say anything of that form; nothing fails, and what is shown is what a page opens with, or the last."""
    name, value = said.split("=")
    session = ready("two_arms_and_box" if name in ("influence", "moved") else "free_flyer")
    asked({**query_of(session), name: value}, session).show(session)
    session.run.accept(session.run.compute())
    if session.system.is_floating:
        drawn(TwoFilters(session, lambda: None))
    else:
        shown = drawn(InfluenceMaps(session))
        assert "answer" in shown._maps.html
    drawn(Cost(session))
    session.jobs.stop()
