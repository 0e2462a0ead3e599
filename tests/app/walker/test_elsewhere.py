"""A step of the walk leads to every instrument that shows what it computes, and to its line to be broken."""

from __future__ import annotations

import re

import pytest

import dynamics as dyn
from app.page import assembled
from app.screen import Instruments
from app.state import Session
from app.state.auto_walk import AutoWalk
from app.walker import Walker
from app.walker.elsewhere import SHOWN, shown_in
from tests.conftest import run_apart

pytestmark = pytest.mark.compiled_only


@pytest.mark.parametrize("preset", ["puma560", "two_arms_and_box", "free_flyer", "two_arm_flyer"])
def test_what_it_leads_to_is_on_the_rail(preset: str) -> None:
    async def live() -> None:
        whole = assembled({"preset": preset, "play": "0"})
        instruments = next(one for one in whole.clock._every_third if isinstance(one, Instruments))
        system = dyn.example(preset)[0]
        for stage in SHOWN:
            assert set(shown_in(system, stage)) <= {*instruments._offers}
            assert all(instruments._offers[name].suits(system) for name in shown_in(system, stage))
        whole.session.jobs.stop()

    run_apart(live())


def test_a_click_opens_it_beside_the_walk() -> None:
    session = Session("two_arms_and_box")
    session.playing = False
    walker = Walker(session, AutoWalk(session))
    session.walk_to(session.place_in("contact"))
    walker.draw()
    ways = re.findall(r"data-go='((?:see|break) [^']*)'", walker._step.html)
    assert "see Contact" in ways
    walker._go("see Contact")
    assert (session.tab, session.beside) == ("Contact", "Walk")
    (line,) = [way for way in ways if way.startswith("break")]
    walker._go(line)
    assert (session.tab, session.line) == ("Break it", line.removeprefix("break "))
    for nonsense in ("see Cost", "see", "break", "break a", "break contact/nothing/0"):
        walker._go(nonsense)
    assert (session.tab, session.line) == ("Break it", line.removeprefix("break "))
