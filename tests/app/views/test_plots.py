"""The plots under the world, without a browser."""

from __future__ import annotations

import panel as pn
import pytest

from app.state import Session
from app.views.plots import Plots


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


def test_lines_grow_with_the_type_of_a_large_screen() -> None:
    """At 3840 pixels a line of one and a half is a hair beside letters of 24."""
    session = Session("two_planar_arms")
    session.run.accept(session.run.compute())
    plots = Plots(session)
    plots.draw()

    def drawn(number: int = 0) -> tuple[set[float], list[int]]:
        figure = plots._views[number].figure
        glyphs = [each.glyph for each in figure._renderers if each.visible]
        return {figure.now.line_width, *(glyph.line_width for glyph in glyphs)}, list(glyphs[1].line_dash)

    assert drawn() == ({1.5}, [6])
    plots._act({"do": "scale", "value": 2.0})
    assert drawn() == ({3.0}, [12])
    session.select_link(0)
    plots.draw()
    assert drawn()[0] == {3.0}
    assert 6.0 in drawn(1)[0], "the line of the chosen link"
    plots._act({"do": "add"})
    assert plots._views[-1].figure.now.line_width == 3.0
    for nonsense in (float("nan"), -3, "9", None):
        plots._act({"do": "scale", "value": nonsense})
    assert drawn()[0] == {1.5}
    assert session.plots_follow is False, "by the panel that was added"


def test_a_projector_shows_what_the_walked_stage_computes_unless_plots_are_chosen() -> None:
    session = Session("two_planar_arms")
    session.run.accept(session.run.compute())
    session.playing = False
    plots = Plots(session)

    def projected() -> str:
        plots.draw()
        return plots._sets.panels[plots._board.projected].traces[0][0]

    session.walk_stage(0)
    assert projected() == "filter/kalman_gain"
    session.walk_stage(1)
    assert projected() == "smoother_final/joint_acceleration"  # of what is held
    plots._act({"do": "tab", "name": "Motion"})
    assert projected() == "motion/energy"
