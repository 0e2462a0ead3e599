"""The tab *Walk* at moments that differ in what there is to walk."""

from __future__ import annotations

import re

import pytest

from app.state import Session
from app.state.address import asked, query_of
from app.state.auto_walk import AutoWalk
from app.state.opening import RefusedError
from app.walker import Walker

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
