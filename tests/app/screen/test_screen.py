"""What a browser says of its screen and its user is followed, and nothing else."""

from __future__ import annotations

import panel_material_ui as pmui
import pytest

from app.page import assembled
from app.screen import Frame, Projector, Screen, SheetSwitch
from app.state import Session


def test_a_theme_is_chosen_and_motion_stopped() -> None:
    session, chosen = Session("puma560"), []
    screen = Screen(session, chosen.append)
    session.playing = True
    for said in ("dark", "light", "still"):
        screen._handle_msg(said)
    assert chosen == ["dark", "light"]
    assert not session.playing


@pytest.mark.parametrize("said", [None, 3, "blue", ["dark"], {"dark": 1}, "ON", b"on"])
def test_nonsense_changes_nothing(said: object) -> None:
    session, chosen = Session("puma560"), []
    Screen(session, chosen.append)._handle_msg(said)
    assert not chosen
    assert session.playing
    assert not session.projector


def test_projector_mode_is_the_sessions_whoever_sets_it() -> None:
    session = Session("puma560")
    screen, projector = Screen(session, lambda _: None), Projector(session, few=[])
    frame = Frame(session, {"world": projector})
    screen._handle_msg("on")
    assert session.projector
    assert screen.projector
    assert frame._grid.css_classes == ["projector"]
    assert projector._button.description == "Leave projector mode (P)"
    screen._handle_msg("off")
    assert not session.projector
    assert not screen.projector
    assert frame._grid.css_classes == []


def test_the_sheet_is_opened_for_what_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[object] = []
    monkeypatch.setattr(SheetSwitch, "_send_msg", lambda _, words: told.append(words))
    whole = assembled({})
    (chip,) = (one for one in whole.page.select(pmui.Chip) if "badge" in one.css_classes)
    chip.clicks += 1
    assert whole.session.tab == "Check"
    assert told == ["Instruments"]
