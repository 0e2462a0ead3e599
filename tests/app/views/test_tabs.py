"""A tab's instrument is made when the tab is opened, once, and drawn while it is open."""

from __future__ import annotations

from functools import partial

import panel as pn
import pytest
from panel.viewable import Viewable

from app.state import Session
from app.views.plots import Plots
from app.views.tabs import Instrument, Tabs


class Told(Instrument):
    def __init__(self, name: str, told: list[str]) -> None:
        super().__init__()
        self._name, self._told = name, told
        told.append(f"make {name}")

    def draw(self) -> None:
        self._told.append(f"draw {self._name}")

    def paint(self, theme: str) -> None:
        self._told.append(f"paint {self._name} {theme}")

    def __panel__(self) -> Viewable:
        return pn.pane.Str(self._name)


def test_what_nobody_opens_is_not_made() -> None:
    told: list[str] = []
    tabs = Tabs({name: lambda name=name: Told(name, told) for name in "abc"})
    assert told == []
    tabs.paint("dark")
    tabs.draw()
    assert told == ["make a", "paint a dark", "draw a"]
    told.clear()
    tabs.open("c")  # in sight at once, and in the colors of the page
    assert told == ["make c", "paint c dark", "draw c"]
    told.clear()
    tabs.draw()
    tabs.paint("light")
    tabs.open("a")
    assert told == ["draw c", "paint a light", "paint c light", "draw a"]
    shown = [part.object for part in tabs.__panel__().select(pn.pane.Str) if part.object]
    assert shown == ["a", "c"]


def test_the_open_tab_is_the_sessions() -> None:
    session = Session("planar_chain")
    tabs = Tabs({name: lambda name=name: Told(name, []) for name in ("Walk", "Show", "Model")})
    tabs.follow(session)
    assert session.tab == ""
    tabs.open("Model")
    assert session.tab == "Model"
    tabs.open("Walk")
    assert session.tab == ""
    session.tab = "Show"
    assert tabs._at == 1
    session.tab = "Nowhere"  # as a link may say
    assert (session.tab, tabs._at) == ("Show", 1)
    session.tab = ""
    assert tabs._at == 0


def test_at_rest_the_servers_numbers_are_said_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """While it plays the browser reads its own off the lines, also beside bars, which are the server's."""
    session = Session("two_planar_arms")
    session.run.accept(session.run.compute())
    session.has_player = True
    plots = Plots(session)
    told: list[dict[str, object]] = []
    monkeypatch.setattr(plots._board, "_send_msg", told.append)
    monkeypatch.setattr(type(plots), "follows", True)
    plots.draw()
    before = len(told)
    plots.draw()
    assert len(told) == before
    session.playing = False
    plots.draw()
    assert [said["panels"] for said in told[before:]] == [told[before - 1]["panels"]]


def test_a_figure_is_made_for_a_panel_that_is_there() -> None:
    session = Session("two_planar_arms")
    session.run.accept(session.run.compute())
    plots = Plots(session)
    plots.draw()
    panels = len(plots._sets.panels)
    assert len(plots.__panel__().select(pn.pane.Bokeh)) == panels < 6
    first = plots.__panel__().select(pn.pane.Bokeh)[0]
    plots._act({"do": "add"})
    plots._act({"do": "remove", "panel": 0})
    plots._act({"do": "add"})
    made = plots.__panel__().select(pn.pane.Bokeh)
    assert len(made) == panels + 1
    assert made[0] is first


def test_a_tab_that_is_not_made_yet_says_so() -> None:
    tabs = Tabs({name: partial(Told, name, []) for name in ("Walk", "Show")})
    held = tabs.__panel__()
    assert "Opening" in held[1].object  # type: ignore[index]
    assert "role='status'" in held[1].object  # type: ignore[index]
    tabs.open("Show")
    tabs.draw()
    assert isinstance(held[1], pn.pane.Str)  # type: ignore[index]
