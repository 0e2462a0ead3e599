"""The screen: instruments are made when opened, a projector's headline, questions that lead to Check and Break it."""

import re

import panel as pn
import pytest
from panel.viewable import Viewable

import dynamics as dyn
from app.messages import Kind, kind_of
from app.screen.instruments import CHECK, PROMPTS, Instruments, Offer, Questions
from app.state import Session
from app.views.components import Instrument
from dynamics.check import paper_sums, text_identities
from dynamics.reading import textbook_lines


class Spy(Instrument):
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
            Offer("Understand", "Walk", "directions_walk", "steps", lambda: Spy("Walk", told)),
            Offer("Set up", "Show", "visibility", "layers", lambda: Spy("Show", told)),
            Offer("Set up", "Model", "precision_manufacturing", "parts", lambda: Spy("Model", told)),
        ],
    )


@pytest.fixture
def session() -> Session:
    return Session("planar_chain")


def test_a_browser_opens_and_sets_beside_and_both_are_drawn(session: Session) -> None:
    told: list[str] = []
    instruments = offered(told, session)
    rail = instruments.__panel__()
    instruments.draw()
    assert instruments.follows
    told.clear()
    assert (rail.made, len(rail.panes)) == (["Walk"], 1)  # what nobody opens has no model in the page
    rail.param.update(active="Show")
    assert (session.tab, told) == ("Show", ["make Show", "paint Show light", "draw Show"])
    assert (rail.made, len(rail.panes)) == (["Walk", "Show"], 2)
    assert not instruments.follows
    told.clear()
    rail.param.update(beside="Walk")
    assert (session.beside, told) == ("Walk", ["draw Show", "draw Walk"])
    assert instruments.follows  # one of them does
    rail.param.update(beside="Show")  # changes places, as the browser says it: first one, then the other
    rail.param.update(active="Walk")
    assert (instruments.open_names, session.tab) == (("Walk", "Show"), "")


def test_what_a_machine_cannot_do_is_not_there() -> None:
    session, told = Session("two_arms_and_box"), list[str]()
    contact = Offer("Understand", "Contact", "handshake", "object", lambda: Spy("Contact", told), lambda s: s.is_held)
    walk_, show, _ = offered(told, Session("puma560"))._offers.values()
    instruments = Instruments(session, [walk_, contact, show])
    rail = instruments.__panel__()
    instruments.open("Contact")
    session.beside = "Show"
    session.open_preset("puma560")
    assert (rail.there, (session.tab, rail.active, session.beside)) == (["Walk", "Show"], ("", "Walk", "Show"))
    instruments.open("Contact")
    assert session.message == ""  # who chooses another machine sees its rail; who follows a link has asked for a name
    session.param.update(tab="Contact")
    assert kind_of(session.message) is Kind.LINK_IN_PART
    assert (instruments.open_names, rail.active) == (("Walk", "Show"), "Walk")
    session.open_preset("two_arms_and_box")
    assert rail.there == ["Walk", "Contact", "Show"]
    instruments.open("Contact")
    assert instruments.open_names == ("Contact", "Show")


PRESETS = ("puma560", "two_arms_and_box", "free_flyer", "point_contact", "two_arm_flyer")


def asked(session: Session, name: str) -> tuple[Questions, list[str]]:
    opened: list[str] = []
    questions = Questions(session, name, opened.append)
    questions.draw()
    return questions, opened


def test_each_way_leads_to_a_row_or_a_line_that_is_there() -> None:
    for preset in PRESETS:
        session = Session(preset)
        system, solution = session.system_here, session.solution()
        checks = [*dyn.identities(solution), *text_identities(session.reading())]
        rows = {f"{check.stage}/{check.identity.key}" for check in checks}
        rows |= {f"sum/{each.title}" for each in paper_sums(solution)}
        lines = {f"{line.stage}/{line.key}/0" for line in textbook_lines(system)}
        for name in PROMPTS:
            if (name == "Contact") != system.is_held and name in ("Contact", "Two filters"):
                continue
            questions, opened = asked(session, name)
            ways = re.findall(r"data-go='(check|break) ([^']*)'", questions.below.html)
            assert len(ways) == len(set(ways)) > 0
            for kind, what in ways:
                assert what in (rows if kind == CHECK.lower() else lines), (preset, what)
                questions._go(f"{kind} {what}")
                told = session.checked if kind == "check" else session.line.query.get("line", what)
                assert (told, session.beside) == (what, name)
            questions._go("break filter/nothing.at.all/0")
            assert len(opened) == len(ways)


def test_an_instrument_of_the_true_run_says_above_it_that_the_text_is_broken(session: Session) -> None:
    questions, _ = asked(session, "Papers")
    above, made = questions.around(pn.pane.Str("Papers"))
    assert (above.parts, made.object) == ([], "Papers")
    session.break_texts(frozenset({next(line.breaks[0].key for line in textbook_lines(session.system) if line.breaks)}))
    questions.draw()
    assert above.parts == [questions.above]
    session.break_texts(frozenset())
    questions.draw()
    assert not questions.above.visible
