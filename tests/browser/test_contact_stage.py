"""*Contact* in a browser: the chain says what the dynamics says, and another object changes it at once."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pytest

import dynamics as dyn
from app.instruments.contact_sweep import what_if
from app.number_text import number_text
from tests.browser.test_address import address
from tests.browser.test_agreement import solution_at
from tests.browser.test_page import PATIENCE, shown_time, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]
AT = 0.4


def said(solution: dyn.Solution) -> list[str]:
    stage = solution.stages["contact"]
    error = np.linalg.norm((stage["measured_object_force"] - stage["predicted_object_force"])[3:])
    added = np.linalg.norm((stage["contact_force"] - stage["predicted_contact_force"])[:, 3:])
    return [f"{number_text(float(amount))} N" for amount in (error, added)]


def test_another_object_changes_the_chain(lead: Callable[[str], Page]) -> None:
    page = lead(f"preset=two_arms_and_box&t={AT:.3f}&play=0&tab=Contact")
    wait_until(page, lambda: shown_time(page) == AT)
    solution = solution_at("two_arms_and_box", AT)
    pane = page.get_by_role("tabpanel", name="Contact")
    amounts = pane.locator(".correction b")
    wait_until(page, lambda: amounts.all_inner_texts() == said(solution))
    pane.get_by_text("falls as if let go").wait_for(timeout=PATIENCE)
    slider = pane.get_by_role("slider", name=re.compile("mass"))
    slider.focus()
    slider.press("End")
    heavy = what_if(solution, None, 4.0, True)
    wait_until(page, lambda: amounts.all_inner_texts() == said(heavy))
    pane.get_by_text("Too heavy for the arms").wait_for(timeout=PATIENCE)
    pane.get_by_role("button", name="The walk's contact stage").click()
    wait_until(page, lambda: address(page).get("stage") == "contact")
    page.get_by_role("tab", name="Walk", exact=True).click()
    page.get_by_role("button", name="Single arm").click()
    wait_until(page, lambda: page.get_by_role("tab", name="Contact", exact=True).count() == 1)  # that of the plots


def test_its_plots_are_pictures_with_names_and_no_stops_of_tab(lead: Callable[[str], Page]) -> None:
    page = lead("preset=two_arms_and_box&tab=Contact&t=0.3&play=0")
    plots = page.get_by_role("tabpanel", name="Contact").locator(".bk-events")
    wait_until(page, lambda: plots.count() == 4, PATIENCE)

    def told() -> list[tuple[str | None, ...]]:
        return [tuple(one.get_attribute(name) for name in ("tabindex", "role", "aria-label")) for one in plots.all()]

    wait_until(page, lambda: all(one[2] for one in told()), PATIENCE)
    assert {one[:2] for one in told()} == {("-1", "img")}
    assert len({one[2] for one in told()}) == 4


DRAWN = """() => {
    const models = Bokeh.documents.flatMap(one => [...one.all_models])
    const plot = models.find(one => one.name === 'object 1')
    const [whole, dashed] = plot.renderers.map(one => one.glyph.attributes)
    const plain = value => value?.value ?? value
    const letters = [plot.title.text_font_size, plot.below[0].major_label_text_font_size].map(plain)
    const sizes = letters.map(each => each.endsWith("em") && !each.endsWith("rem") ? parseFloat(each) : NaN)
    return [whole.line_width, dashed.line_width, ...plain(dashed.line_dash), plot.height, ...sizes].map(plain)
}"""
"""How thick two lines of a plot are, the dashes of the second, the plot's height, in pixels; its letters, in em."""


def test_its_plots_grow_with_the_type_of_a_large_screen(lead: Callable[[str], Page]) -> None:
    page = lead("preset=two_arms_and_box&tab=Contact&t=0.3&play=0")
    plots = page.get_by_role("tabpanel", name="Contact").locator(".bk-events")
    wait_until(page, lambda: plots.count() == 4, PATIENCE)
    usual = [2.0, 2.0, 6.0, *page.evaluate(DRAWN)[3:]]
    assert usual[3] > 100.0
    assert all(0.5 < letter < 1.5 for letter in usual[4:])
    try:
        for width, height in ((1280, 800), (3840, 2160), (1280, 800)):
            page.set_viewport_size({"width": width, "height": height})
            scale = "Number(getComputedStyle(document.documentElement).getPropertyValue('--scale'))"
            wait_until(page, lambda: (page.evaluate(scale) > 1.0) is (width == 3840))  # noqa: B023
            wanted = [page.evaluate(scale) * each for each in usual]
            wait_until(page, lambda: page.evaluate(DRAWN) == pytest.approx(wanted))  # noqa: B023
    finally:
        page.set_viewport_size({"width": 1280, "height": 800})


def test_a_hand_holds_in_another_way_while_it_runs(lead: Callable[[str], Page]) -> None:
    page = lead(f"preset=two_arms_and_box&t={AT:.3f}&play=0&tab=Contact")
    wait_until(page, lambda: shown_time(page) == AT)
    pane = page.get_by_role("tabpanel", name="Contact")
    page.get_by_role("button", name="Play (space)").click()
    pane.get_by_role("button", name="arm 2: point contact").click()
    pane.get_by_role("button", name="arm 2: point contact", pressed=True).wait_for(timeout=PATIENCE)
    assert "happenings" in address(page)
    page.get_by_role("button", name=re.compile("^Undo")).click()
    pane.get_by_role("button", name="arm 2: rigid", pressed=True).wait_for(timeout=PATIENCE)


ENDS = """figure => Object.fromEntries(['predicted', 'correction', 'applied'].map(name => {
  const line = figure.querySelector(`svg:not(.near) > line.${name}`)
  const head = figure.querySelector(`svg:not(.near) > path.${name}`).getAttribute('d').slice(1).split('L')[0]
  return [name, [[line.x1, line.y1].map(end => end.baseVal.value), head.split(' ').map(Number)]]
}))"""


def test_the_forces_close_their_triangle(lead: Callable[[str], Page]) -> None:
    """As they are drawn: the correction leads from the tip of the predicted force to that of the applied one."""
    page = lead("preset=four_arms_and_box&t=0.700&play=0&stage=contact&half=1")
    wait_until(page, lambda: shown_time(page) == 0.7)
    figures = page.get_by_role("tabpanel", name="Walk").locator(".triangles figure")
    wait_until(page, lambda: figures.count() == 4)
    stage = solution_at("four_arms_and_box", 0.7).stages["contact"]
    for k, figure in enumerate(figures.all()):
        ends = figure.evaluate(ENDS)
        np.testing.assert_allclose(ends["predicted"][0], ends["applied"][0], atol=1e-3)
        np.testing.assert_allclose(ends["predicted"][1], ends["correction"][0], atol=1e-3)
        np.testing.assert_allclose(ends["correction"][1], ends["applied"][1], atol=1e-3)
        predicted, applied = (stage[f"{name}_contact_force"][k, 3:] for name in ("predicted", "corrected"))
        drawn = [np.linalg.norm(np.subtract(*ends[name])) for name in ("predicted", "correction", "applied")]
        true = [np.linalg.norm(force) for force in (predicted, applied - predicted, applied)]
        np.testing.assert_allclose(np.divide(drawn, drawn[2]), np.divide(true, true[2]), atol=2e-3)


def test_where_no_force_is_it_is_said(lead: Callable[[str], Page]) -> None:
    """Weightless and at rest; and no longer once it weighs something, whatever was drawn before."""
    page = lead("preset=two_arms_and_box&gravity=0.0,0.0,0.0&drive=free&t=0&play=0&stage=contact&half=1")
    figures = page.get_by_role("tabpanel", name="Walk").locator(".triangles figcaption")
    wait_until(page, lambda: ["nothing pushes here" in text for text in figures.all_inner_texts()] == [True, True])
    page = lead("preset=two_arms_and_box&drive=free&t=0&play=0&stage=contact&half=1")
    wait_until(page, lambda: ["nothing" in text for text in figures.all_inner_texts()] == [False, False])
