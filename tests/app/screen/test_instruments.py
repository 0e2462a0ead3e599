"""An instrument is made when it is opened, once, and drawn while it is open, alone or beside another."""

from __future__ import annotations

import panel as pn
import pytest
from panel.viewable import Viewable

from app.screen import Instruments, Offer
from app.state import Session
from app.state.address import query_of
from app.views.instrument import Instrument
from app.wording import Kind, kind_of


class Told(Instrument):
    def __init__(self, name: str, told: list[str]) -> None:
        super().__init__()
        self._name, self._told = name, told
        told.append(f"make {name}")

    @property
    def follows(self) -> bool:
        return self._name == "Walk"

    def draw(self) -> None:
        self._told.append(f"draw {self._name}")

    def forget(self) -> None:
        self._told.append(f"forget {self._name}")

    def paint(self, theme: str) -> None:
        self._told.append(f"paint {self._name} {theme}")

    def __panel__(self) -> Viewable:
        return pn.pane.Str(self._name)


def offered(told: list[str], session: Session) -> Instruments:
    return Instruments(
        session,
        [
            Offer("Understand", "Walk", "directions_walk", "steps", lambda: Told("Walk", told)),
            Offer("Set up", "Show", "visibility", "layers", lambda: Told("Show", told)),
            Offer("Set up", "Model", "precision_manufacturing", "parts", lambda: Told("Model", told)),
        ],
    )


@pytest.fixture
def session() -> Session:
    return Session("planar_chain")


def words_in(pane: object) -> str:
    (shown,) = pane  # type: ignore[misc, attr-defined]
    return str(shown.object)


def test_what_nobody_opens_is_not_made(session: Session) -> None:
    told: list[str] = []
    instruments = offered(told, session)
    assert told == []
    instruments.paint("dark")
    instruments.draw()
    assert told == ["make Walk", "paint Walk dark", "draw Walk"]
    told.clear()
    instruments.open("Model")  # in sight at once, and in the colors of the page
    assert told == ["make Model", "paint Model dark", "draw Model"]
    told.clear()
    instruments.draw()
    instruments.paint("light")
    instruments.open("Walk")
    assert told == ["draw Model", "paint Walk light", "paint Model light", "draw Walk"]
    walk, show, model = instruments.__panel__().panes
    assert [words_in(pane) for pane in (walk, model)] == ["Walk", "Model"]
    assert words_in(show) == "Opening …"


def test_a_browser_opens_and_sets_beside_and_both_are_drawn(session: Session) -> None:
    told: list[str] = []
    instruments = offered(told, session)
    rail = instruments.__panel__()
    instruments.draw()
    assert instruments.follows
    told.clear()
    rail.param.update(active="Show")
    assert session.tab == "Show"
    assert told == ["make Show", "paint Show light", "draw Show"]
    assert not instruments.follows
    told.clear()
    rail.param.update(beside="Walk")
    assert session.beside == "Walk"
    assert told == ["draw Show", "draw Walk"]
    assert instruments.follows  # one of them does
    rail.param.update(beside="Show")  # changes places, as the browser says it: first one, then the other
    rail.param.update(active="Walk")
    assert instruments.open_names == ("Walk", "Show")
    assert session.tab == ""


def test_what_is_out_of_sight_forgets_a_machine_that_is_gone(session: Session) -> None:
    told: list[str] = []
    instruments = offered(told, session)
    for name in ("Walk", "Show", "Model"):
        instruments.open(name)
    told.clear()
    session.set_mass(2.0 * session.mass)
    assert told == []
    session.open_preset("puma560")
    assert [each for each in told if "forget" in each] == ["forget Walk", "forget Show"]


@pytest.mark.parametrize("nonsense", ["Nowhere", "walk", "<b>", "Show "])
def test_what_is_open_is_the_sessions_and_nonsense_leaves_it(session: Session, nonsense: str) -> None:
    instruments = offered([], session)
    rail = instruments.__panel__()
    instruments.open("Model")
    session.beside = "Walk"
    assert (rail.active, rail.beside, session.tab) == ("Model", "Walk", "Model")
    assert {"tab": "Model", "beside": "Walk"}.items() <= query_of(session).items()
    session.tab = nonsense  # as a link may say
    session.beside = nonsense
    rail.param.update(active=nonsense, beside=nonsense)  # as a browser may
    assert (session.tab, session.beside) == ("Model", "Walk")
    assert (rail.active, rail.beside) == ("Model", "Walk")
    session.param.update(tab="Walk", beside="")
    assert (rail.active, rail.beside, session.tab) == ("Walk", "", "")
    assert not {"tab", "beside"} & query_of(session).keys()


def test_what_a_machine_cannot_do_is_not_there() -> None:
    session, told = Session("two_arms_and_box"), list[str]()
    instruments = Instruments(
        session,
        [
            Offer("Understand", "Walk", "directions_walk", "steps", lambda: Told("Walk", told)),
            Offer("Understand", "Contact", "handshake", "object", lambda: Told("Contact", told), lambda s: s.is_held),
            Offer("Set up", "Show", "visibility", "layers", lambda: Told("Show", told)),
        ],
    )
    rail = instruments.__panel__()
    assert rail.there == ["Walk", "Contact", "Show"]
    instruments.open("Contact")
    session.beside = "Show"
    session.open_preset("puma560")
    assert rail.there == ["Walk", "Show"]
    assert (session.tab, rail.active, session.beside) == ("", "Walk", "Show")
    instruments.open("Contact")
    rail.param.update(active="Contact", beside="Contact")
    assert session.message == ""  # who chooses another machine sees its rail; who follows a link has asked for a name
    session.param.update(tab="Contact")
    assert session.message == "Contact has nothing to say of this machine; Walk is open."
    assert kind_of(session.message) is Kind.LINK_IN_PART
    assert instruments.open_names == ("Walk", "Show")
    assert (session.tab, rail.active, rail.beside) == ("", "Walk", "Show")
    session.open_preset("two_arms_and_box")
    assert rail.there == ["Walk", "Contact", "Show"]
    instruments.open("Contact")
    assert instruments.open_names == ("Contact", "Show")


def test_a_projector_shows_an_instrument_as_long_as_that_says_so(session: Session) -> None:
    told: list[str] = []
    walk = Offer("Understand", "Walk", "directions_walk", "steps", lambda: Told("Walk", told))
    lessons = Offer("Understand", "Lessons", "school", "lessons", lambda: Told("Lessons", told),
                    projects=lambda: bool(session.lesson))  # fmt: skip
    instruments = Instruments(session, [walk, lessons])
    session.param.update(tab="Lessons", lesson="gain:1")
    assert instruments.projected == ""
    session.projector = True
    assert instruments.projected == "Lessons"
    session.lesson = ""  # their list is for who chooses
    assert instruments.projected == ""
    session.param.update(tab="", lesson="gain:1")
    assert instruments.projected == ""


def test_every_name_stands_once_and_groups_stand_together() -> None:
    from app.page import assembled

    rail = next(iter(assembled({}).page.select(lambda part: type(part).__name__ == "Rail")))
    names, groups = ([item[what] for item in rail.items] for what in ("name", "group"))
    assert len(set(names)) == len(names) == len(rail.panes)
    assert [group for k, group in enumerate(groups) if k == 0 or groups[k - 1] != group] == sorted(
        set(groups), key=["Understand", "Question", "Set up"].index
    )
    assert all(item["icon"] and item["words"] for item in rail.items)
