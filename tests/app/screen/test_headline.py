"""What a projector shows large of a half-step: what it is about, and its value where that is short."""

from __future__ import annotations

import re

import numpy as np
import pytest

from app.sampling.quantities import catalogue
from app.screen.headline import Headline, main_line
from app.state import Session, walk
from app.views.plots.lines import row_name


def at_rest(preset: str) -> Session:
    session = Session(preset)
    while session.run.end < 0.2:
        session.run.accept(session.run.compute())
    session.playing = False
    session.seek(0.2)
    return session


@pytest.mark.parametrize(
    ("preset", "stage", "half", "letters"),
    [
        ("puma560", "filter", 0, {"P"}),
        ("puma560", "filter", 1, {"G"}),
        ("puma560", "smoother", 1, {"theta_dd"}),
        ("two_arms_and_box", "contact", 1, {"x_new"}),
        ("two_arms_and_box", "filter_correction", 1, {"eps_new"}),
        ("free_flyer", "dual_filter", 0, {"S_plus"}),
    ],
)
def test_a_half_step_is_about_one_line(preset: str, stage: str, half: int, letters: set[str]) -> None:
    session = at_rest(preset)
    system = session.system_here
    place = next(place for place in walk.places(system, stage) if place.half == half and place.link < system.n_joints)
    line = main_line(session.reading(), place)
    assert line.key.rpartition(".")[2] in letters


@pytest.mark.parametrize("preset", ["puma560", "two_arms_and_box", "free_flyer"])
def test_every_step_of_a_walk_has_one(preset: str) -> None:
    session = at_rest(preset)
    session.projector = True
    headline, shown = Headline(session), set()
    for place in walk.whole_walk(session.system_here):
        session.walk_to(place)
        headline.draw()
        sheet = headline._sheet
        assert sheet.html.count("data-n=") == len(sheet.numbers) // 8 or "data-beside" in sheet.html
        shown.add(sheet.html)
    assert len(shown) > 2 * session.system_here.n_joints


def said(headline: Headline) -> str:
    return re.sub("<[^>]*>", "", headline._sheet.html)


def test_it_says_which_step_of_how_many_and_what_the_plots_call_the_link() -> None:
    session = at_rest("two_arms_and_box")
    session.projector = True
    headline, system = Headline(session), session.system_here
    order = walk.whole_walk(system)
    for number in (1, 7, len(order)):
        session.walk_to(order[number - 1])
        headline.draw()
        words = said(headline)
        assert words.startswith(f"Step {number} of {len(order)}: ")
        link = order[number - 1].link
        name = row_name(catalogue(session.solution())["filter/joint_inertia"], system, link).partition(", arm")[0]
        assert f", arm {order[number - 1].arm + 1}, link {walk.number(system, link)} ({name}), at " in words
        assert f"data-spoken='Step {number} of {len(order)}: " in headline._sheet.html


def test_out_of_sight_it_costs_nothing() -> None:
    headline = Headline(at_rest("puma560"))
    headline.draw()
    assert headline._sheet.html == ""


def test_its_buttons_step_leave_and_show_the_keys() -> None:
    session, keys = at_rest("puma560"), []
    session.projector = True
    headline = Headline(session, lambda: keys.append("shown"))
    headline.draw()
    assert all(f"data-go='{name}'" in headline._sheet.html for name in ("back", "on", "leave", "keys"))
    order = walk.whole_walk(session.system_here)
    session.walk_to(order[3])
    headline._sheet._handle_msg("on")
    assert session.place == order[4]
    headline._sheet._handle_msg("back")
    headline._sheet._handle_msg("back")
    assert session.place == order[2]
    headline._sheet._handle_msg("keys")
    assert keys == ["shown"]
    headline._sheet._handle_msg("nowhere")
    assert session.projector
    headline._sheet._handle_msg("leave")
    assert not session.projector


def test_it_says_of_which_instant_its_number_is() -> None:
    """While the motion plays it is read less often than the plots beside it are: then both have their own time."""
    session = at_rest("puma560")
    session.projector = True
    headline = Headline(session, lambda: None)
    headline.draw()
    numbers = np.frombuffer(headline._sheet.numbers)
    assert " s:" in re.sub("<[^>]*>", "", headline._sheet.html)
    assert session.time in numbers
    session.seek(0.15)
    headline.draw()
    assert session.time in np.frombuffer(headline._sheet.numbers)


def test_a_broken_text_is_said_to_be_broken() -> None:
    session = at_rest("puma560")
    session.projector = True
    headline = Headline(session)
    headline.draw()
    assert "Broken" not in headline._sheet.html
    session.breaks = frozenset({"inward_filter.prediction.P~phi-P_plus-phi~negate"})
    headline.draw()
    assert "<b class='broken'>Broken text</b>" in headline._sheet.html
