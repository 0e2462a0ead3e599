"""The plots: what panels show, what can be done to them, what a link says of them, and what is copied."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dynamics as dyn
from app.motion.presets import PRESETS
from app.motion.quantities import PlotQuantity, catalogue
from app.state import Session
from app.state.address import query_of
from app.state.arrangement import FORMS
from app.views.plots import Plots
from app.views.plots.dock import everything
from app.views.plots.panels import ALL, CURSOR, MOST_PANELS, TABS, PanelSets
from tests.app.arrival import restore

ARM, BOX = "planar_chain", "two_arms_and_box"


def quantities(preset: str) -> dict[str, PlotQuantity]:
    return catalogue(Session(preset).run.solution_at(0.0))


def test_what_was_made_of_the_panels_comes_back() -> None:
    sets, system = PanelSets(quantities(BOX)), dyn.example(BOX)[0]
    assert sets.text == ""
    for name in ("Joint inertia", "Eigenvalues"):
        sets.open_prepared(name)
    sets.set(1, "follow", "3")
    sets.set(2, "full", True)
    sets.remove(0)
    sets.open("Motion")
    sets.remove(0)
    sets.open_prepared("Energy")
    sets.add()
    sets.join(0, "motion/tau")
    sets.choose_component(1, 0, "force x")
    sets.put(2, "filter/articulated_inertia")
    sets.choose_component(2, 0, "1,2")
    sets.set(2, "follow", "3")
    sets.open_prepared("Acceleration")
    sets.set(3, "bars", True)
    text = sets.text
    assert FORMS["panels"].fullmatch(text)
    other = PanelSets(quantities(BOX))
    other.read(text, system)
    assert {name: list(kept) for name, kept in other.of_tabs.items()} == {
        name: list(kept) for name, kept in sets.of_tabs.items()
    }
    assert other.text == text
    other.read("", system)
    assert other.text == ""


@settings(max_examples=10)
@given(st.sampled_from(sorted(PRESETS)), st.integers(0, 2**32 - 1))
def test_whatever_a_link_says_can_be_drawn(preset: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    session = Session(preset)
    session.run.accept(session.run.compute())
    plots = Plots(session)
    known = list(plots._sets.catalogue.values())
    words = ["-", ALL, CURSOR, "0", "5", "29", "999999", "log", "bars", "full", "difference", "x:y", "::", "", "-1"]
    text = []
    for name in [*rng.permutation([*TABS, "Nowhere"]), "Filter"]:
        text.append(str(name))
        for _ in range(int(rng.integers(0, MOST_PANELS + 3))):
            traces = [known[int(rng.integers(len(known)))] for _ in range(int(rng.integers(0, 4)))]
            parts = [f"{each.key}:{each.components[int(rng.integers(len(each.components)))].key}" for each in traces]
            text.append("~".join([*parts, *rng.choice(words, int(rng.integers(0, 4)))]))
    session.panels, session.plots = ";".join(text), str(rng.choice([*TABS, "Nowhere"]))
    plots.draw()
    assert all(len(kept) <= MOST_PANELS for kept in plots.panels.values())
    assert session.plots in ("", *TABS)
    again = session.panels
    session.panels = ""
    plots.draw()
    session.panels = again
    plots.draw()
    assert session.panels == again


def test_one_panel_is_open_and_the_others_wait_for_a_click_without_a_figure() -> None:
    session = Session("planar_chain")
    plots = Plots(session)
    plots.draw()
    board = plots._board
    assert (len(plots._views), len(board.cells), len(plots.panels["Filter"])) == (1, 1, 4)
    assert [each["name"] for each in board.prepared] == ["Joint inertia", "Eigenvalues", "Innovation"]
    assert plots._list is None
    board._handle_msg({"do": "prepared", "name": "Innovation"})
    assert [cell["title"] for cell in board.cells] == ["Kalman gain G(k)", "Innovation ε(k)"]
    board._handle_msg({"do": "remove", "panel": 1})
    assert (len(board.prepared), session.panels) == (3, "")
    assert [panel.title for panel in plots.panels["Filter"]][3] == "Innovation ε(k)"


def test_a_link_opens_the_plots_that_it_was_made_of() -> None:
    session = Session("free_flyer")
    session.run.accept(session.run.compute())
    plots = Plots(session)
    plots.draw()
    assert not {"plots", "panels", "tab", "line", "motion"} & set(query_of(session))
    plots._act({"do": "tab", "name": "Two filters"})
    plots._act({"do": "put", "panel": 0, "key": "motion/energy"})
    other = Session("puma560")
    other.run.accept(other.run.compute())
    shown = Plots(other)
    shown.draw()
    restore(other, query_of(session))
    assert not other.message
    shown.draw()
    assert (shown._sets.active, shown.panels, query_of(other)) == ("Two filters", plots.panels, query_of(session))


def test_a_kept_run_of_another_machine_has_no_numbers_of_this_one() -> None:
    """Not even where a quantity of that name is smaller there, and its first choice would stand in."""
    for kept, component in (("puma560", ""), ("point_contact", "diagonal"), ("point_contact", "1,10")):
        session = Session(kept)
        session.keep()
        session.open_preset("four_arms_and_box")
        for run in (session.run, session.kept[0].run):
            run.accept(run.compute())
        plots = Plots(session)
        plots._act({"do": "put", "panel": 0, "key": "contact/omega"})
        plots._act({"do": "component", "panel": 0, "trace": 0, "value": component})
        list(plots.sampler.catching_up())
        plots.draw()
        _, *table = [line.split(",") for line in everything(plots._views[0], plots._look()).splitlines()]
        lines = len(plots._views[0].lines)
        assert all(row[-2 * lines : -lines] != [""] * lines for row in table), (kept, component)
        assert all(row[-lines:] == [""] * lines for row in table), (kept, component)


def test_a_zoom_is_in_the_link_and_comes_back_with_it() -> None:
    session = Session("puma560")
    session.playing = False
    plots = Plots(session)
    plots.draw()
    assert session.zoom == ""
    plots._shared.span.update(start=2.0, end=4.5)  # by the browser
    plots.draw()
    assert session.zoom == "2-4.5"
    session.zoom = "1-3"  # a link
    plots.draw()
    assert plots._window.shown == pytest.approx((1.0, 3.0))
    session.zoom = ""
    plots.draw()
    assert plots._window.is_whole
