"""What can be done to panels, and that nothing else can."""

from __future__ import annotations

import pytest

from app.sampling.quantities import Plotted, catalogue
from app.state import Session
from app.views.plots.panel_sets import PanelSets
from app.views.plots.panels import MOST_PANELS, TAB_OF, TABS
from app.views.plots.quantity_list import items_of
from app.views.plots.symbols import plain

ARM, BOX, FLYER = "planar_chain", "two_arms_and_box", "free_flyer"


def quantities(preset: str) -> dict[str, Plotted]:
    return catalogue(Session(preset).run.solution_at(0.0))


@pytest.fixture
def sets() -> PanelSets:
    return PanelSets(quantities(ARM))


def test_tabs_open_where_their_quantities_are() -> None:
    found = {
        preset: {tab for tab in TABS if PanelSets(quantities(preset)).can_open(tab)} for preset in (ARM, BOX, FLYER)
    }
    assert found == {
        ARM: {"Filter", "Motion"},
        BOX: {"Filter", "Contact", "Motion"},
        FLYER: {"Filter", "Motion", "Two filters"},
    }


@pytest.mark.parametrize(
    ("preset", "stage", "key"),
    [
        (ARM, "filter", "filter/kalman_gain"),
        (ARM, "smoother", "smoother/joint_acceleration"),
        (BOX, "smoother", "smoother_final/joint_acceleration"),
        (BOX, "contact", "contact/contact_force"),
        (BOX, "filter_correction", "contact/contact_force"),
        (BOX, "smoother_final", "smoother_final/joint_acceleration"),
        (FLYER, "dual_filter", "dual_filter/dual_articulated_inertia/trace"),
    ],
)
def test_a_stage_has_one_panel_of_its_own(preset: str, stage: str, key: str) -> None:
    sets = PanelSets(quantities(preset))
    sets.open(TAB_OF[stage])
    assert key in {shown for shown, _ in sets.panels[sets.of_stage(stage)].traces}


def test_put_join_clear_remove_and_restore(sets: PanelSets) -> None:
    own = list(sets.panels)
    sets.put(0, "motion/q")
    assert sets.panels[0].traces == (("motion/q", "value"),)
    assert sets.panels[0].follow == "all"
    sets.join(0, "motion/qd")
    assert [key for key, _ in sets.panels[0].traces] == ["motion/q", "motion/qd"]
    sets.clear(1)
    assert sets.panels[1].traces == ()
    sets.join(1, "motion/energy")
    assert sets.panels[1].traces == (("motion/energy", "all"),)
    sets.remove(3)
    assert len(sets.panels) == 3
    sets.restore()
    assert sets.panels == own


def test_no_more_than_six_panels(sets: PanelSets) -> None:
    for _ in range(9):
        sets.put(99, "motion/q")
    assert len(sets.panels) == MOST_PANELS
    assert sets.add() == MOST_PANELS - 1


def test_one_line_a_link_takes_one_number_a_link(sets: PanelSets) -> None:
    sets.put(0, "filter/kalman_gain")
    sets.set(0, "follow", "all")
    assert sets.panels[0].traces == (("filter/kalman_gain", "|force|"),)
    sets.choose_component(0, 0, "all")
    assert sets.panels[0].follow == "cursor"
    sets.set(0, "bars", True)
    assert sets.panels[0].traces == (("filter/kalman_gain", "|force|"),)


def test_nonsense_changes_nothing(sets: PanelSets) -> None:
    before = list(sets.panels)
    sets.put(0, "no/such")
    sets.join(-1, "motion/q")
    sets.remove(-1)
    sets.remove(40)
    sets.clear(40)
    sets.choose_component(0, 7, "all")
    sets.choose_component(0, 0, "nothing")
    sets.set(0, "traces", ())
    sets.set(-3, "full", True)
    sets.open("No such tab")
    assert sets.panels == before


def test_another_system_gets_its_own_panels_unless_they_were_changed(sets: PanelSets) -> None:
    sets.put(1, "motion/q")
    changed = list(sets.panels)
    sets.adapt(quantities(BOX))
    assert sets.panels == changed
    sets.open("Motion")
    assert sets.panels[3].traces == (("smoother_final/joint_acceleration", "value"),)
    sets.open("Contact")
    sets.adapt(quantities(FLYER))
    assert sets.active == "Filter"


@pytest.mark.parametrize(
    "words", ["gain", "Kalman", "inertia", "ε", "epsilon", "articulated-body", "covariance", "P(k)"]
)
def test_both_vocabularies_and_symbols_are_found(words: str) -> None:
    assert any(words.lower() in item["search"] for item in items_of(quantities(FLYER)))


def test_symbols_as_text() -> None:
    assert plain(r"\ddot\theta(k)") == "θ̈(k)"
    assert plain(r"P^+(k)") == "P⁺(k)"
    assert plain(r"\epsilon_s(k)/\sqrt{D_s(k)}") == "εₛ(k)/√Dₛ(k)"
    for quantity in quantities(FLYER).values():
        assert "\\" not in plain(quantity.symbol)
