"""The bar over the map shows the walk as it is, whoever has set it."""

from __future__ import annotations

from app.state import Session
from app.state.auto_walk import AutoWalk
from app.walker.controls import LAST, WalkControls
from app.walker.step_sheet import LAST as LAST_STEP
from app.walker.step_sheet import spoken


def test_pace_goes_both_ways() -> None:
    session = Session(preset="planar_chain")
    walk = AutoWalk(session)
    controls = WalkControls(session, walk)
    walk.pace = "Fast"
    assert controls._pace.value == "Fast"
    controls._pace.value = "Slow"
    assert walk.pace == "Slow"


def test_while_the_motion_plays_it_is_said_that_the_step_is_not_what_one_sees() -> None:
    session = Session(preset="puma560")
    session.playing = True
    controls = WalkControls(session, AutoWalk(session))
    assert controls._word.object == ""  # nobody walks, and the picture shows what it says
    session.walk_half(3)
    assert not session.playing, "the step is shown by a world that stands"
    assert controls._word.object == ""
    session.playing = True
    assert "pause" in controls._word.object
    session.playing = False
    assert controls._word.object == ""
    session.walked = False  # another machine
    assert "→ shows this step" in controls._word.object, "nobody walks yet: the layers are the user's"
    session.walked = True
    session.playing = True
    assert "pause" in controls._word.object
    session.follows_walk = False  # nor would a pause show the step
    assert controls._word.object == ""


def test_the_last_step_of_the_walk_is_said_to_be_it() -> None:
    session = Session(preset="planar_chain")
    session.playing = False
    controls = WalkControls(session, AutoWalk(session))
    session.walk_to_start()
    while not session.at_end_of_walk:
        assert controls._word.object != LAST
        session.walk_half(1)
    assert controls._word.object == LAST
    assert LAST_STEP in spoken(session.system_here, session.place)
    session.follows_walk = False
    assert controls._word.object == LAST
    session.walk_half(-1)
    assert controls._word.object == ""
    assert LAST_STEP not in spoken(session.system_here, session.place)
