"""The bar over the map shows the walk as it is, whoever has set it."""

from __future__ import annotations

from app.state import Session
from app.state.auto_walk import AutoWalk
from app.walker.controls import WalkControls


def test_pace_goes_both_ways() -> None:
    session = Session(preset="planar_chain")
    walk = AutoWalk(session)
    controls = WalkControls(session, walk)
    walk.pace = "Fast"
    assert controls._pace.value == "Fast"
    controls._pace.value = "Slow"
    assert walk.pace == "Slow"
