"""What instruments share: choices in the link, and a push that begins at the cursor."""

from collections.abc import Callable

import numpy as np
import pytest

from app.instruments.cost.cost import Cost
from app.instruments.estimation import Estimation
from app.instruments.influence import InfluenceMaps
from app.instruments.papers.papers import Papers
from app.instruments.two_filters import TwoFilters
from app.instruments.walk import Walker
from app.motion.interventions import ForceStep
from app.state import Session
from app.state.address import asked, query_of
from app.state.walk import AutoWalk
from app.views.components import Instrument
from tests.app.arrival import computed

pytestmark = pytest.mark.compiled_only


def followed(session: Session) -> Session:
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


async def test_a_page_that_follows_a_link_shows_what_was_chosen_in_an_instrument() -> None:
    session = ready("two_arms_and_box")
    influence = drawn(InfluenceMaps(session))
    for what in ("cell 15 3", "map ΔW", "sweep inward_influence"):
        influence._go(what)
    again = drawn(InfluenceMaps(followed(session)))
    assert (again._row, again._choice, again._sweep) == (15, "ΔW", "inward_influence")
    assert (again._maps.html, again._below.html) == (influence._maps.html, influence._below.html)
    session = ready("free_flyer")
    filters = drawn(TwoFilters(session, lambda: None))
    filters._go("base 0")
    other = followed(session)
    assert other.base == session.system.link_names[0]
    assert drawn(TwoFilters(other, lambda: None))._chain.html == filters._chain.html
    session = ready("puma560")
    for result in ("r88_fig_9_3", "TML", ""):
        session.result = result
        papers = drawn(Papers(session))
        assert drawn(Papers(other := followed(session)))._head.html == papers._head.html
        assert other.result == result
    cost = drawn(Cost(session))
    for what in ("group 1", "table 2", "form 1"):
        cost._go(what)
    cost.race._menus[0].value, cost.race._menus[1].value = "lagrange", "every other"
    again = drawn(Cost(other := followed(session)))
    assert again._shows == (1, 2, 1)
    assert [menu.value for menu in again.race._menus] == ["lagrange", "every other"]
    session.jobs.stop()
    other.jobs.stop()


SHOWN: list[tuple[str, Callable[[Session], Instrument], Callable[[Instrument], object]]] = [
    ("free_flyer", lambda session: TwoFilters(session, lambda: None), lambda shown: shown._link.numbers),
    ("puma560", Estimation, lambda shown: shown._words.numbers),
    ("puma560", lambda session: Walker(session, AutoWalk(session)), lambda shown: shown._step.numbers),
    ("two_arms_and_box", InfluenceMaps, lambda shown: shown._below.html),
]


def test_a_push_that_begins_at_the_cursor_shows() -> None:
    """It is computed after that instant; an instrument that was open before shows what a new one does."""
    at = 0.5
    for preset, made, shown in SHOWN:
        session = Session(preset)
        session.playing = False
        session.run = session.run.branch(0.0, [ForceStep(at, np.full((session.system.n_links + 1, 6), 3.0))])
        computed(session.run, at - 1e-9)
        session.seek(at)
        old, new = made(session), made(session)
        for instrument in (old, new):
            instrument.paint("light")
        before = shown(drawn(old))
        session.run.accept(session.run.compute())
        assert len(session.run.legs) == 2
        assert shown(drawn(old)) == shown(drawn(new)) != before, preset
