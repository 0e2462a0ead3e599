"""What the dock shows goes into a link and comes back; whatever a link says, panels can be drawn."""

from __future__ import annotations

import numpy as np
import pytest

from app.motion.presets import PRESETS
from app.sampling.quantities import catalogue
from app.state import Session
from app.state.address import query_of, restore
from app.state.arrangement import FORMS
from app.views.plots import Plots
from app.views.plots.panel_sets import PanelSets
from app.views.plots.panels import ALL, CURSOR, MOST_PANELS, TABS


def sets_of(preset: str) -> tuple[PanelSets, Session]:
    session = Session(preset)
    return PanelSets(catalogue(session.run.solution_at(0.0))), session


def panels(sets: PanelSets) -> dict[str, list[object]]:
    return {name: list(kept) for name, kept in sets.of_tabs.items()}


def test_as_it_opens_it_says_nothing() -> None:
    for preset in PRESETS:
        assert sets_of(preset)[0].text == ""


def test_what_was_made_of_the_panels_comes_back() -> None:
    sets, session = sets_of("two_arms_and_box")
    sets.set(1, "follow", "3")
    sets.set(2, "full", True)
    sets.remove(0)
    sets.open("Motion")
    sets.add()
    sets.join(0, "motion/tau")
    sets.choose_component(1, 0, "force x")
    sets.put(2, "filter/articulated_inertia")
    sets.choose_component(2, 0, "1,2")
    sets.set(2, "follow", "3")
    sets.set(3, "bars", True)
    text = sets.text
    assert FORMS["panels"].fullmatch(text)
    other, _ = sets_of("two_arms_and_box")
    other.read(text, session.system)
    assert panels(other) == panels(sets)
    assert other.text == text
    other.read("", session.system)
    assert other.text == ""


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seed", range(3))
def test_whatever_a_link_says_can_be_drawn(preset: str, seed: int) -> None:
    rng = np.random.default_rng([7, seed])
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
    assert shown._sets.active == "Two filters"
    assert shown.panels == plots.panels
    assert query_of(other) == query_of(session)


@pytest.mark.parametrize("pinned", [False, True])
def test_another_machine_is_walked_from_its_first_set_of_plots_unless_one_was_opened(pinned: bool) -> None:
    session = Session("puma560")
    session.run.accept(session.run.compute())
    session.playing = False
    plots = Plots(session)
    plots.draw()
    session.walk_to(session.place_in("smoother"))
    plots.draw()
    assert plots._sets.active == "Motion"
    if pinned:
        plots._act({"do": "tab", "name": "Motion"})
    session.open_preset("two_arms_and_box")
    plots.draw()
    assert session.place.stage == "filter"
    assert plots._sets.active == ("Motion" if pinned else "Filter")
