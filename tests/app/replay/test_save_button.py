"""The button beside the page: it works a slice at a time, waits for nobody, and ends with its session."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from app.motion.presets import PRESETS
from app.motion.setup import Setup, machine_of_preset
from app.replay import SaveReplay
from app.replay.curves import Curves
from app.replay.parcel import Parcel
from app.replay.save_button import BUSY, MOST_AT_ONCE, UNFINISHED
from app.state import Session
from app.views.plots import Plots
from tests.app.replay.test_replay import parcel_of
from tests.conftest import run_apart

pytestmark = pytest.mark.compiled_only


def short(preset: str = "planar_chain", duration: float = 0.3) -> Session:
    """A session whose whole run is short."""
    session = Session(preset)
    machine = machine_of_preset(PRESETS[preset])
    setup = Setup(replace(machine, preset=replace(machine.preset, duration=duration)))
    session.show(setup, {}, {"playing": False})
    return session


def finish(session: Session) -> None:
    while not session.run.complete:
        session.run.accept(session.run.compute())


def pressed(session: Session, panels: Callable[[], object] | None = None) -> tuple[SaveReplay, list[tuple[str, str]]]:
    button = SaveReplay(session, panels or (lambda: Plots(session).panels))  # type: ignore[arg-type]
    saved: list[tuple[str, str]] = []
    button._download.save = lambda name, text: saved.append((name, text))  # type: ignore[method-assign]
    button.make()
    return button, saved


async def attend(session: Session, until: Callable[[], bool]) -> None:
    while not until():
        session.jobs.attend()
        await asyncio.sleep(0.005)


@pytest.mark.slow
def test_it_saves_what_is_shown() -> None:
    async def save() -> tuple[SaveReplay, list[tuple[str, str]]]:
        session = short()
        finish(session)
        session.param.update(layers=["spatial_inertia"], speed=0.1)
        session.cursor.param.update(time=0.2, link=2, stage="smoother")
        plots = Plots(session)
        plots._act({"do": "tab", "name": "Motion"})
        plots._act({"do": "remove", "panel": 1})
        button, saved = pressed(session, lambda: plots.panels)
        await asyncio.wait_for(attend(session, lambda: bool(saved)), 60)
        return button, saved

    button, saved = run_apart(save())
    ((name, text),) = saved
    data, _ = parcel_of(text)
    assert name == "planar_chain_swinging.html"
    assert (data["time"], data["speed"], data["pictures"]["on"]) == (0.2, 0.1, ["spatial_inertia"])
    assert data["walks"]["start"] == ["smoother", 2, 0]
    tabs = {tab["name"]: len(tab["looks"][0]["light"]["cells"]) for tab in data["curves"]["tabs"]}
    assert next(iter(tabs)) == "Motion"
    assert tabs["Motion"] == tabs["Filter"] - 1
    assert "saved as planar_chain_swinging.html" in button._told.words
    assert not SaveReplay._making


def test_a_tab_without_a_panel_is_left_out() -> None:
    session = short()
    finish(session)
    plots = Plots(session)
    while plots.panels["Filter"]:
        plots._act({"do": "remove", "panel": 0})
    curves = Curves(session, plots.panels)
    for _ in curves.draw():
        pass
    assert [tab["name"] for tab in curves.data(Parcel())["tabs"]] == [tab for tab in plots.panels if tab != "Filter"]


def test_a_run_that_is_not_there_yet_is_waited_for_by_the_user() -> None:
    session = short()
    _, saved = pressed(session)
    assert session.message == UNFINISHED
    assert not saved
    assert not SaveReplay._making


def test_a_run_that_no_replay_holds_is_told() -> None:
    session = short(duration=0.05)
    finish(session)
    pressed(session)
    assert "a replay holds" in session.message
    assert not SaveReplay._making


@pytest.mark.slow
def test_a_server_makes_only_so_many_at_once_and_a_session_that_ends_makes_room() -> None:
    async def press() -> None:
        sessions = [short() for _ in range(MOST_AT_ONCE + 1)]
        for session in sessions:
            finish(session)
        buttons = [pressed(session)[0] for session in sessions]
        assert [session.message for session in sessions] == [""] * MOST_AT_ONCE + [BUSY]
        buttons[0].stop()
        sessions[0].jobs.stop()
        buttons[-1].make()
        assert len(SaveReplay._making) == MOST_AT_ONCE
        assert buttons[-1] in SaveReplay._making
        for session, button in zip(sessions, buttons, strict=True):
            session.jobs.stop()
            button.stop()

    run_apart(press())
    assert not SaveReplay._making


@pytest.mark.slow
def test_a_fault_is_told_and_the_next_one_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    async def save() -> list[tuple[str, str]]:
        session = short()
        finish(session)
        with monkeypatch.context() as broken:
            broken.setattr("app.replay.walks.step_html", lambda *_: 1 / 0)
            button, saved = pressed(session)
            await asyncio.wait_for(attend(session, lambda: bool(session.message)), 60)
        assert "The replay could not be made" in session.message
        assert not SaveReplay._making
        button.make()
        await asyncio.wait_for(attend(session, lambda: bool(saved)), 60)
        return saved

    assert len(run_apart(save())) == 1
