"""What begins at the very instant of the cursor, and is computed after that instant, shows in each instrument."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from app.instruments.estimation import Estimation
from app.instruments.influence import InfluenceMaps
from app.instruments.two_filters import TwoFilters
from app.motion.interventions import Pushed
from app.state import Session
from app.state.auto_walk import AutoWalk
from app.views.instrument import Instrument
from app.walker import Walker

AT = 0.5
Shown = Callable[[Instrument], bytes]
INSTRUMENTS = [
    ("free_flyer", lambda session: TwoFilters(session, lambda: None), lambda shown: shown._link.numbers),
    ("puma560", Estimation, lambda shown: shown._words.numbers),
    ("puma560", lambda session: Walker(session, AutoWalk(session)), lambda shown: shown._step.numbers),
    ("two_arms_and_box", InfluenceMaps, lambda shown: shown._below.html),
]


@pytest.mark.parametrize(("preset", "made", "shown"), INSTRUMENTS)
def test_a_push_that_begins_at_the_cursor_shows(
    preset: str, made: Callable[[Session], Instrument], shown: Shown
) -> None:
    session = Session(preset)
    session.playing = False
    session.run = session.run.branch(0.0, [Pushed(AT, np.full((session.system.n_links + 1, 6), 3.0))])
    while session.run.end < AT - 1e-9:
        session.run.accept(session.run.compute())
    session.seek(AT)
    open_before, opened_after = made(session), made(session)
    for instrument in (open_before, opened_after):
        instrument.paint("light")
    open_before.draw()
    before = shown(open_before)
    session.run.accept(session.run.compute())
    assert len(session.run.legs) == 2
    for instrument in (open_before, opened_after):
        instrument.draw()
    assert shown(open_before) == shown(opened_after) != before
