"""The first minute: when it comes, what of the page it changes, that it gives it back, and the fall's own reasons."""

import re
from collections.abc import Callable, Mapping

import numpy as np
import pytest

import dynamics as dyn
from app.motion.presets import PRESETS
from app.motion.setup import Setup, machine_of_preset
from app.opening.fall import WINDOW, Fall
from app.opening.welcome import WelcomeCard
from app.page import PageParts, assembled
from app.state.address import query_of
from tests.app.arrival import idle
from tests.conftest import run_apart

pytestmark = pytest.mark.compiled_only
DRAWN = [0.0, 30.0, 60.0, 90.0, 90.0]


@pytest.fixture
def page() -> PageParts:
    return opened({})


async def settle(page: PageParts) -> None:
    page.session.jobs.attend()
    await idle(page.session.jobs)


def opened(query: Mapping[str, str], act: Callable[[PageParts], None] = lambda _: None) -> PageParts:

    async def make() -> PageParts:
        page = assembled(dict(query))
        act(page)
        await settle(page)
        return page

    return run_apart(make())


def press(page: PageParts, said: object) -> None:

    async def live() -> None:
        card(page)._handle_msg(said)
        await settle(page)

    run_apart(live())
    page.welcome.draw()


def card(page: PageParts) -> WelcomeCard:
    (found,) = page.page.select(WelcomeCard)
    return found


def count(page: PageParts) -> int:
    return len(page.page.select(WelcomeCard))


def taken(page: PageParts, joint: int = 3) -> WelcomeCard:
    """The challenge taken up, and what comes of it known to the server."""
    page.welcome.arrive(True)
    press(page, f"joint {joint}")
    return card(page)


def test_it_comes_on_a_first_visit_only(page: PageParts) -> None:
    assert count(page) == 0
    page.welcome.begin()
    assert count(page) == 0
    page.welcome.arrive(True)
    assert count(page) == 1
    assert "Kalman" in card(page).html
    assert page.session.playing
    page.welcome.arrive(True)
    assert count(page) == 1


@pytest.mark.parametrize("query", [{"preset": "puma560", "t": "1"}, {"lesson": "gain:1"}, {"x": "1"}])
def test_a_link_never_gets_it_but_a_page_that_is_loaded_again_does(query: dict[str, str]) -> None:
    page = opened(query)
    page.welcome.begin()
    page.welcome.arrive(True)
    assert count(page) == 0
    page.welcome.arrive(False)
    assert count(page) == 1


def test_the_challenge_holds_the_arm_lets_it_go_and_tells(page: PageParts) -> None:
    session, heard = page.session, []
    session.param.watch(lambda event: heard.append(event.new), "whispered")
    shown = taken(page)
    assert ((session.playing, session.time, session.layers), session.setup) == ((False, 0.0, []), session.setup.plain())
    assert "How far joint 4 will swing" in shown.html
    assert "data-true" not in shown.html
    session.select_link(5)  # pointed at in the world
    page.welcome.draw()
    assert "How far joint 2 will swing" in shown.html
    shown._handle_msg({"drawn": DRAWN})
    assert (session.setup.drive, session.playing, session.cursor.link) == ("free", True, 5)
    assert session.can_undo
    assert shown.state == "falling"
    session.cursor.time = 1.0
    page.welcome.draw()
    assert "data-true" not in shown.html
    session.cursor.time = 2.0
    page.welcome.draw()
    for part in ("Right, joint 2 swings furthest", "data-true", "an inertia of 1.2 kg"):
        assert part in shown.html
    assert any(words.startswith("Right, joint 2 swings furthest") for words in heard)
    shown._handle_msg("step")  # straight to where the gain acts
    cursor = session.cursor
    assert (session.walked, cursor.stage, cursor.link, cursor.half, cursor.time) == (True, "filter", 5, 1, 0.0)
    assert (count(page), session.preset.name, session.tab) == (0, "iiwa14_hanging", "")


@pytest.mark.parametrize("way", ["play", "papers"])
def test_after_the_card_the_page_is_as_it_opened(page: PageParts, way: str) -> None:
    before = query_of(page.session)
    shown = taken(page)
    shown._handle_msg({"drawn": DRAWN})
    shown._handle_msg(way)
    assert count(page) == 0
    after = query_of(page.session)
    assert page.session.tab == ("Papers" if way == "papers" else "")
    assert {name: value for name, value in after.items() if name != "tab"} == before
    assert not page.session.can_undo


def test_the_answer_and_its_reason_are_those_of_an_independent_simulation_and_of_the_filter() -> None:
    for preset in ("puma560", "iiwa14_hanging", "panda", "planar_chain"):
        setup = Setup(machine_of_preset(PRESETS[preset]), drive="free")
        found = Fall.of(setup.run())
        recording = dyn.simulate(setup.machine.system, setup.machine.state, duration=WINDOW, dt=1e-3)
        q = np.array([recording.state_at(time).q for time in found.times])
        swings = np.degrees(np.abs(q - q[0]).max(axis=0))
        best = found.furthest
        assert best == int(np.argmax(swings)), preset
        np.testing.assert_allclose(found.swings[best], swings.max(), rtol=0.02)
        assert found.verdict(best).startswith("Right, ")
        assert all(found.name(best) in found.verdict(k).lower() for k in range(len(swings)))
        stages, words = found.first.stages["filter"], found.why(best)
        inertia, innovation = (np.ravel(stages[name]) for name in ("joint_inertia", "innovation"))
        (told,) = re.findall(r"([\d.]+) kg", words)
        assert float(told) == pytest.approx(inertia[best], rel=0.06), preset
        for pull in re.findall(r"([\d.]+) N", words):
            assert float(pull) == pytest.approx(abs(innovation[best]), rel=0.06), preset
        assert ("the most for its inertia" in words) == (int(np.argmax(np.abs(innovation / inertia))) == best)
        assert all(found.why(joint).startswith(words) for joint in range(len(swings)))
