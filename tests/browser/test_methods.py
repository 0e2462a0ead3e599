"""*Methods* in a browser: its numbers are those of the dynamics, and a whole method is walked by the keyboard."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

import dynamics as dyn
from app.equations.methods import METHODS
from app.formulations.sheet import apart
from app.number_text import number_text
from tests.browser.test_address import address
from tests.browser.test_agreement import solution_at
from tests.browser.test_page import PATIENCE, shown_time, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]
AT = 0.4


def column(pane: Locator, heading: str, at: int) -> list[str]:
    table = pane.locator(f"h3:has-text('{heading}') + .wide table.beside:visible")
    return table.locator(f"tbody td:nth-child({at + 2})").all_inner_texts()


@pytest.mark.parametrize("preset", ["puma560", "free_flyer", "two_arms_and_box"])
def test_every_method_arrives_where_the_dynamics_does(lead: Callable[[str], Page], preset: str) -> None:
    page = lead(f"preset={preset}&t={AT:.3f}&play=0&tab=Methods&formulation=constrained")
    wait_until(page, lambda: shown_time(page) == AT)
    solution = solution_at(preset, AT)
    pane = page.get_by_role("tabpanel", name="Methods")
    for name in dyn.readable_formulations(solution.system):
        if name in ("inverse_dynamics", "group_inverse"):
            continue
        pane.get_by_role("combobox", name="Method").click()
        page.get_by_role("option", name=METHODS[name].title, exact=True).click()
        reading = dyn.read_formulation(solution.system, solution.state, name, solution.tau, solution.joint_acceleration)
        pane.get_by_text(f"step 1 of {len(reading.steps)}", exact=True).wait_for(timeout=PATIENCE)
        texts = [number_text(value, max(abs(value), abs(other)), padded=True) for value, other in zip(
            reading.answer.tolist(), (solution.tau if reading.arrives == "torque" else solution.joint_acceleration),
            strict=True)]  # fmt: skip
        wait_until(page, lambda texts=texts: column(pane, "Where it arrives", 0) == texts)  # type: ignore[misc]
        chosen = name
    wait_until(page, lambda: address(page).get("formulation") == chosen)


def test_a_whole_method_by_the_keyboard(lead: Callable[[str], Page]) -> None:
    page = lead(f"preset=puma560&t={AT:.3f}&play=0&tab=Methods&formulation=newton_euler")
    wait_until(page, lambda: shown_time(page) == AT)
    pane = page.get_by_role("tabpanel", name="Methods")
    solution = solution_at("puma560", AT)
    reading = dyn.read_formulation(
        solution.system, solution.state, "newton_euler", solution.tau, solution.joint_acceleration
    )
    on = pane.get_by_role("button", name="One step on")
    on.focus()
    for at in range(1, len(reading.steps)):
        page.keyboard.press("Enter")
        pane.get_by_text(f"step {at + 1} of {len(reading.steps)}", exact=True).wait_for(timeout=PATIENCE)
    value = reading.lines(len(reading.steps) - 1)[0].value.item()
    shown = pane.locator("section.equation .numbers .value:visible").first
    wait_until(page, lambda: shown.inner_text() == number_text(value, padded=True))
    pane.get_by_role("button", name="Motions, outward, link 3, link_4").click()
    pane.get_by_text("step 4 of 18", exact=True).wait_for(timeout=PATIENCE)
    wait_until(page, lambda: address(page).get("formulation") == "newton_euler:3")


def test_what_is_wanted_of_a_joint(lead: Callable[[str], Page]) -> None:
    page = lead(f"preset=puma560&t={AT:.3f}&play=0&tab=Methods&formulation=inverse_dynamics")
    wait_until(page, lambda: shown_time(page) == AT)
    pane = page.get_by_role("tabpanel", name="Methods")
    solution = solution_at("puma560", AT)
    field = pane.get_by_label("joint 3 (rad/s²)")
    field.fill("1.5")
    field.press("Enter")
    wanted = solution.joint_acceleration.copy()
    wanted[2] = 1.5
    torque = dyn.inverse_dynamics(solution.system, solution.state, wanted)
    texts = [
        number_text(value, max(abs(value), abs(own)), padded=True)
        for value, own in zip(torque, solution.tau, strict=True)
    ]
    wait_until(page, lambda: column(pane, "Torques", 0) == texts)
    again = dyn.forward_dynamics(solution.system, solution.state, torque)
    assert apart(again.joint_acceleration, wanted) < 1e-10
    pane.get_by_role("button", name="As they are now").click()
    wait_until(page, lambda: column(pane, "Torques", 0) == column(pane, "Torques", 1))
