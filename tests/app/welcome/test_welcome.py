"""The first minute without a browser: when it comes, what of the page it changes, and that it gives all of it back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from app.page import Assembled, assembled
from app.state.address import query_of
from app.welcome.card import WelcomeCard
from tests.conftest import run_apart

pytestmark = pytest.mark.compiled_only
DRAWN = [0.0, 30.0, 60.0, 90.0, 90.0]


@pytest.fixture
def page() -> Assembled:
    return opened({})


async def settle(page: Assembled) -> None:
    """What is computed in threads has come."""
    jobs = page.session.jobs
    jobs.attend()
    while jobs.running:
        await asyncio.wait(jobs.running)
        jobs.attend()


def opened(query: Mapping[str, str], act: Callable[[Assembled], None] = lambda _: None) -> Assembled:
    """The page of an address, when it has come, after something was done."""

    async def make() -> Assembled:
        page = assembled(dict(query))
        act(page)
        await settle(page)
        return page

    return run_apart(make())


def press(page: Assembled, said: object) -> None:
    """Something is clicked, and what comes of it awaited."""

    async def live() -> None:
        card(page)._handle_msg(said)
        await settle(page)

    run_apart(live())
    page.welcome.draw()


def card(page: Assembled) -> WelcomeCard:
    (found,) = page.page.select(WelcomeCard)
    return found


def count(page: Assembled) -> int:
    return len(page.page.select(WelcomeCard))


def taken(page: Assembled, joint: int = 3) -> WelcomeCard:
    """The challenge taken up, and what comes of it known to the server."""
    page.welcome.arrive(True)
    press(page, f"joint {joint}")
    return card(page)


def test_it_comes_to_who_was_never_here_and_makes_nothing_for_others(page: Assembled) -> None:
    assert count(page) == 0
    page.welcome.begin()
    assert count(page) == 0
    page.welcome.arrive(True)
    assert count(page) == 1
    assert "Kalman" in card(page).html
    assert page.session.playing
    page.welcome.arrive(True)
    assert count(page) == 1


@pytest.mark.parametrize(
    "query", [{"preset": "puma560", "t": "1"}, {"play": "0"}, {"lesson": "gain:1"}, {"preset": "iiwa14"}, {"x": "1"}]
)
def test_a_link_never_gets_it_but_a_page_that_is_loaded_again_does(query: dict[str, str]) -> None:
    page = opened(query)
    page.welcome.begin()
    page.welcome.arrive(True)
    assert count(page) == 0
    page.welcome.arrive(False)
    assert count(page) == 1


def test_an_address_and_a_key_ask_for_it_again() -> None:
    page = opened({"first": "1", "theme": "dark"})
    page.welcome.begin()
    assert count(page) == 1
    page.welcome.call()
    assert count(page) == 0
    page.welcome.call()
    assert card(page).called


def test_it_never_stands_on_a_wall(page: Assembled) -> None:
    page.session.projector = True
    page.welcome.arrive(True)
    page.welcome.call()
    assert count(page) == 0
    page.session.projector = False
    page.welcome.call()
    page.session.projector = True
    page.welcome.draw()
    assert count(page) == 0
    assert page.session.projector


def test_the_challenge_holds_the_arm_lets_it_go_and_tells(page: Assembled) -> None:
    session, heard = page.session, []
    session.param.watch(lambda event: heard.append(event.new), "whispered")
    shown = taken(page)
    assert (session.playing, session.time, session.layers) == (False, 0.0, [])
    assert session.setup == session.setup.plain()
    assert "How far joint 3 will swing" in shown.html
    assert "data-true" not in shown.html
    session.select_link(4)  # pointed at in the world
    page.welcome.draw()
    assert "How far joint 2 will swing" in shown.html
    shown._handle_msg({"drawn": DRAWN})
    assert (session.setup.drive, session.playing, session.cursor.link) == ("free", True, 4)
    assert session.can_undo
    assert shown.state == "falling"
    session.cursor.time = 1.0
    page.welcome.draw()
    assert "data-true" not in shown.html
    session.cursor.time = 2.0
    page.welcome.draw()
    assert "Right, joint 2 swings furthest" in shown.html
    assert "Both rise first." in shown.html
    assert "data-true" in shown.html
    assert "an inertia of 4.3 kg" in shown.html
    assert any(words.startswith("Right, joint 2 swings furthest") for words in heard)


@pytest.mark.parametrize(
    "drawn", [None, 3, "x", [], [1], [float("nan")] * 30, [1e13, 2], ["1", "2"], {"a": 1}, [0.0] * 999]
)
def test_a_drawing_may_be_anything(page: Assembled, drawn: Any) -> None:
    shown = taken(page)
    shown._handle_msg({"drawn": drawn})
    page.session.cursor.time = 2.0
    page.welcome.draw()
    assert shown.state == "told"
    assert "nan" not in shown.html


@pytest.mark.parametrize("said", [None, 3, "", "joint", "joint 99", "joint -1", "joint x", ["close"], {"drawn": DRAWN}])
def test_nonsense_changes_nothing(page: Assembled, said: Any) -> None:
    page.welcome.arrive(True)
    before = page.session.setup
    card(page)._handle_msg(said)
    assert page.session.setup is before
    assert card(page).state == "greeting"


@pytest.mark.parametrize("way", ["play", "close", "lessons", "papers"])
def test_whichever_way_one_goes_on_the_page_is_as_it_opened(page: Assembled, way: str) -> None:
    before = query_of(page.session)
    shown = taken(page)
    shown._handle_msg({"drawn": DRAWN})
    shown._handle_msg(way)
    assert count(page) == 0
    after = query_of(page.session)
    tab = {"lessons": "Lessons", "papers": "Papers"}.get(way)
    assert page.session.tab == (tab or "")
    assert {name: value for name, value in after.items() if name != "tab"} == before
    assert not page.session.can_undo


def test_who_goes_on_to_something_else_keeps_that(page: Assembled) -> None:
    taken(page)
    page.session.tab = "Show"
    page.welcome.draw()
    assert count(page) == 0
    assert (page.session.tab, page.session.setup.drive, page.session.playing) == ("Show", "", True)
    page.welcome.call()
    press(page, "joint 2")
    page.session.set_gravity((0.0, 0.0, -1.6))
    page.welcome.draw()
    assert count(page) == 0
    assert page.session.setup.gravity == (0.0, 0.0, -1.6)
    assert page.session.layers


def test_play_and_pause_do_not_send_it_away(page: Assembled) -> None:
    page.welcome.arrive(True)
    page.session.playing = False
    page.session.seek(3.0)
    page.session.select_link(2)
    page.welcome.draw()
    assert count(page) == 1


def test_a_page_that_was_loaded_again_while_the_arm_fell_plays_on_as_loaded(page: Assembled) -> None:
    shown = taken(page)
    shown._handle_msg({"drawn": DRAWN})
    address = query_of(page.session)
    assert address["drive"] == "free"
    again = opened(address, lambda page: page.welcome.arrive(False))
    again.welcome.draw()
    assert again.session.setup.drive == "free"
    assert card(again).state == "greeting"
    press(again, "joint 1")
    card(again)._handle_msg("play")
    assert (again.session.setup.drive, again.session.playing) == ("", True)
    assert again.session.layers


@pytest.mark.parametrize("way", ["play", "close"])
def test_just_play_plays_where_it_was_stopped_and_a_closed_card_leaves_it_as_it_was(page: Assembled, way: str) -> None:
    page.welcome.arrive(True)
    page.session.playing = False
    card(page)._handle_msg(way)
    assert count(page) == 0
    assert page.session.playing == (way == "play")


def test_where_no_arm_can_fall_the_first_one_does() -> None:
    page = opened({"preset": "two_arms_and_box", "first": "1"}, lambda page: page.welcome.begin())
    page.welcome.draw()
    press(page, "joint 5")
    assert page.session.preset.name == "puma560"
    card(page)._handle_msg("close")
    assert page.session.preset.name == "two_arms_and_box"
