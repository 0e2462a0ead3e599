"""The step at the cursor is handed over as a program and as a document, and to nobody who asks for something else."""

from __future__ import annotations

from typing import Any

import pytest

from app.state import Session
from app.state.auto_walk import AutoWalk
from app.walker.step_text import TEXTS, text_of
from app.walker.walker import Walker


@pytest.fixture
def handed(monkeypatch: pytest.MonkeyPatch) -> tuple[Walker, list[Any]]:
    session = Session("puma560")
    walker = Walker(session, AutoWalk(session))
    walker.draw()
    said: list[Any] = []
    monkeypatch.setattr(walker._step, "_send_msg", said.append)
    return walker, said


@pytest.mark.parametrize("asked", TEXTS)
def test_each_button_hands_over_its_text(handed: tuple[Walker, list[Any]], asked: str) -> None:
    walker, said = handed
    assert f"data-go='{asked}'" in walker._step.html
    walker._step._handle_msg(asked)
    form, is_saved = TEXTS[asked]
    session = walker._session
    text, name = text_of(session.reading(), session.place, form, session.title, session.time)
    assert said == [{"handed": text, "what": f"This step as {form} is", "name": name if is_saved else ""}]
    assert ("P[k] =" in text) is (form == "Python")
    assert name == f"puma_560_reaching_filter_link_6_at_0.000_s.{'py' if form == 'Python' else 'tex'}"


def test_a_stranger_is_handed_nothing(handed: tuple[Walker, list[Any]]) -> None:
    walker, said = handed
    for asked in ("save", "save Python /etc/passwd", "copy ", "save Rust"):
        walker._step._handle_msg(asked)
    assert said == []
