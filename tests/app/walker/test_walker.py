"""The tab *Walk* at moments that differ in what there is to walk."""

from __future__ import annotations

import asyncio
import re

import pytest

from app.state import Session
from app.state.address import asked, query_of
from app.state.auto_walk import AutoWalk
from app.state.opening import RefusedError
from app.walker import Walker
from tests.conftest import run_apart

GONE = "here: the arms hold nothing at this moment"


@pytest.mark.parametrize("sheet", ["", "Links", "Matrices"])
def test_a_walked_step_is_said_whichever_sheet_is_open(sheet: str) -> None:
    session = Session("free_flyer")
    session.playing = False
    session.sheet = sheet
    walker = Walker(session, AutoWalk(session))
    heard = []
    for _ in range(6):
        session.walk_half(1)
        walker.draw()
        opened = walker._links if sheet == "Links" else walker._matrix.sheet if sheet else walker._step
        heard.append(re.search("data-spoken='([^']*)'", opened.html)[1])
    assert len(set(heard)) == 6
    assert all("link" in each for each in heard)


@pytest.mark.parametrize("sheet", ["", "Links", "Matrices"])
def test_what_is_out_of_sight_names_no_link_of_a_machine_that_is_gone(sheet: str) -> None:
    session = Session("puma560")
    session.playing = False
    session.sheet = sheet
    walker = Walker(session, AutoWalk(session))
    walker.draw()
    opened = walker._links if sheet == "Links" else walker._matrix.sheet if sheet else walker._step
    assert "link_6" in opened.html
    session.open_preset("planar_chain")
    walker.forget()
    assert opened.html == ""
    walker.draw()
    assert session.system.link_names[0] in opened.html
    assert "link_6" not in opened.html


def test_a_matrix_of_another_machine_makes_way_before_it_is_computed() -> None:
    session = Session("puma560")
    session.playing = False
    session.param.update(sheet="Matrices", matrix="M, mass matrix")

    async def drawn(walker: Walker) -> str:
        """The sheet, once the matrix is computed."""
        for _ in range(1000):
            await asyncio.sleep(0.01)
            session.jobs.attend()
            walker.draw()
            if "<table" in walker._matrix.sheet.html:
                break
        return walker._matrix.sheet.html

    async def play() -> None:
        walker = Walker(session, AutoWalk(session))
        assert "link_6" in await drawn(walker)
        session.open_preset("planar_chain")
        walker.draw()
        assert "It is being computed" in walker._matrix.sheet.html
        assert "link_6" not in walker._matrix.sheet.html
        assert "It is being computed" not in await drawn(walker)
        session.jobs.stop()

    run_apart(play())


@pytest.mark.parametrize("stage", ["contact", "filter_correction", "smoother_final"])
def test_a_walked_stage_that_a_release_takes_away_is_said_to_be_gone(stage: str) -> None:
    session = Session("two_planar_arms")
    session.playing = False
    while not session.run.complete:
        session.run.accept(session.run.compute())
    session.cursor.time = 0.5
    walker = Walker(session, AutoWalk(session))
    session.select_stage(stage)
    walker.draw()
    assert GONE not in walker._step.html
    session.release()
    while not session.run.complete:
        session.run.accept(session.run.compute())
    session.cursor.time = 0.8
    walker.draw()
    assert session.place.stage == "filter"
    assert GONE in walker._step.html
    session.walk_half(1)  # whoever walks on has chosen what is there
    walker.draw()
    assert GONE not in walker._step.html
    session.select_stage(stage)
    session.cursor.time = 0.2  # before the release
    walker.draw()
    assert session.place.stage == stage
    assert GONE not in walker._step.html


def test_while_the_text_is_broken_every_sheet_says_whose_its_numbers_are() -> None:
    session = Session("puma560")
    session.playing = False
    walker = Walker(session, AutoWalk(session))
    for tab, sheet in ((0, "_step"), (1, "_links"), (2, "_matrix")):
        for broken in (False, True):
            session.breaks = frozenset({"inward_filter.prediction.P~phi-P_plus-phi~negate"} if broken else ())
            walker._tabs.active = tab
            walker.draw()
            found = getattr(walker, sheet)
            text = (found.sheet if tab == 2 else found).html
            assert ("<b>The text is broken</b>" in text) == (broken and tab == 0)
            assert ("<b>The true run's numbers</b>" in text) == (broken and tab > 0)


def test_a_link_says_which_sheet_is_open() -> None:
    session = Session("puma560")
    walker = Walker(session, AutoWalk(session))
    walker._tabs.active = 2
    assert query_of(session)["sheet"] == "Matrices"
    walker._tabs.active = 0
    assert "sheet" not in query_of(session)
    other = Session("puma560")
    asked({"preset": "puma560", "sheet": "Links"}, other).show(other)
    later = Walker(other, AutoWalk(other))
    later.draw()
    assert later._tabs.active == 1
    with pytest.raises(RefusedError, match="sheet"):
        asked({"preset": "puma560", "sheet": "Steps"}, other)
