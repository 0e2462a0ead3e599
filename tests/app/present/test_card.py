"""The card of one who presents: in words, or small; a projector keeps a size of its own."""

from __future__ import annotations

import pytest

from app.asking import Asking
from app.asking.own import own_question
from app.present.card import Card
from app.state import Session

ADDRESS = "http://school.example/follow/k7m2x9q4tz"


class Shown:
    """A card of one who presents."""

    def __init__(self) -> None:
        self.session = Session("planar_chain")
        self.asking = Asking(self.session, lambda: None)
        self.asking.begin("k7m2x9q4tz")
        self.card = Card(self.session, self.asking, lambda: None)
        self.card.begin(ADDRESS)

    @property
    def words(self) -> str:
        return str(self.card._told.object)


@pytest.fixture
def shown() -> Shown:
    return Shown()


def test_it_says_where_and_how_many_also_when_it_is_small(shown: Shown) -> None:
    shown.card.count(3)
    assert shown.words == f"Followers now: 3. They follow this page at <b>{ADDRESS}</b>"
    assert shown.card._code.visible
    shown.card.fold()
    assert shown.words == f"<b>{ADDRESS}</b> · 3 follow"
    assert not shown.card._code.visible
    shown.card.count(4)
    assert shown.words.endswith("4 follow")


def test_each_mode_keeps_its_size_as_long_as_one_presents(shown: Shown) -> None:
    session, card = shown.session, shown.card
    assert not card.is_small
    session.projector = True
    assert card.is_small
    assert "follow" in shown.words
    assert "Followers now" not in shown.words
    card.fold()
    session.projector = False
    assert "Followers now" in shown.words
    card.fold()
    session.projector = True
    assert not card.is_small
    session.projector = False
    assert card.is_small
    card.end()
    card.begin(ADDRESS)
    assert not card.is_small


def test_small_it_keeps_the_question_that_is_asked(shown: Shown) -> None:
    button = shown.asking.__panel__()
    assert button.visible
    shown.card.fold()
    assert not button.visible
    shown.asking.ask(own_question({"ask": "Which?", "kind": "choice", "options": ["one", "two"], "right": -1}))
    assert button.visible
    shown.asking.end(is_over=True)
    assert not button.visible
    shown.card.fold()
    assert button.visible
