"""Every instrument's numbers on every preset, and on a drawn robot file, are those of ``dynamics`` called directly."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pytest

import dynamics as dyn
from app.motion.own_file import OwnFile
from app.motion.presets import PRESETS
from app.motion.run import Run
from app.motion.setup import Setup, machine_of_file, machine_of_preset
from tests.browser.conftest import visit
from tests.browser.test_page import PATIENCE, shown_time, wait_until
from tests.dynamics.systems import draw_robot

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]
AT = 0.4
ROUNDING = 1e-11
"""Share of the largest of a table: what is less may be written as zero, and adds up otherwise in another process."""
NUMBER = re.compile(r"−?\d+(?:\.(\d+))?(?:e(−?\d+))?")
TEXTS = "nodes => nodes.map(node => node.innerText.trim())"


def apart(texts: Sequence[str], values: np.ndarray) -> list[str]:
    """What is not the number that it should be, to the digits that stand there."""
    numbers, size = np.asarray(values, float).ravel(), float(np.abs(values).max(initial=0.0))
    if len(texts) != len(numbers):
        return [f"{len(texts)} numbers stand where {len(numbers)} belong"]
    wrong = []
    for text, value in zip(texts, numbers.tolist(), strict=True):
        found = NUMBER.match(text)
        if found is None:
            wrong.append(f"{text!r} for {value!r}")
            continue
        decimals, power = len(found[1] or ""), int((found[2] or "0").replace("−", "-"))
        shown = float(found[0].replace("−", "-"))
        last = 10.0 ** (power - decimals)
        if "." not in found[0] and shown:  # four digits: of 12340 the last is not shown
            last = max(last, 10.0 ** (np.floor(np.log10(abs(shown))) - 3))
        if abs(shown - value) > 0.5001 * last * (shown != 0.0) + ROUNDING * size:
            wrong.append(f"{text!r} for {value!r}")
    return wrong


def run_of(setup: Setup) -> Run:
    run = setup.run()
    while run.end < AT - 1e-9:
        run.accept(run.compute())
    return run


def of_influence(pane: Locator, solution: dyn.Solution) -> tuple[list[str], np.ndarray]:
    maps, system = dyn.influence(solution.system, solution.state), solution.system
    forces = [maps.contact_force[6 * each.tip : 6 * each.tip + 6] for each in system.contacts]
    rows = [maps.W, *forces, *([maps.object_acceleration] if system.is_held else [])]
    return pane.locator("[data-go^='cell ']").evaluate_all(TEXTS), np.concatenate(rows)


def of_two_filters(pane: Locator, solution: dyn.Solution) -> tuple[list[str], np.ndarray]:
    """The mean mass that each link is, pushed from each way."""
    stages, shift = solution.stages, slice(3, 6)
    inertias = (stages["filter"]["articulated_inertia"], stages["dual_filter"]["dual_articulated_inertia"],
                dyn.operational_space_inertia(solution.system, solution.state))  # fmt: skip
    masses = [[np.trace(each[k, shift, shift]) / 3.0 for each in inertias] for k in range(solution.system.n_links)]
    cells = pane.locator("table.links").first.locator("td.number:not(:first-child)")
    return cells.evaluate_all(TEXTS), np.array(masses)[::-1]


def of_contact(pane: Locator, solution: dyn.Solution) -> tuple[list[str], np.ndarray]:
    """What the object's own forces leave to be corrected, and what the correction is."""
    stage = solution.stages["contact"]
    error = np.linalg.norm((stage["measured_object_force"] - stage["predicted_object_force"])[3:])
    added = np.linalg.norm((stage["contact_force"] - stage["predicted_contact_force"])[:, 3:])
    return pane.locator(".correction b").evaluate_all(TEXTS), np.array([error, added])


def of_methods(pane: Locator, solution: dyn.Solution) -> tuple[list[str], np.ndarray]:
    """The dense solve's accelerations, and the filter's beside them; of a held object's, too."""
    system = solution.system
    found = dyn.read_formulation(system, solution.state, "constrained", solution.tau)
    both = [np.column_stack([found.answer, solution.joint_acceleration])]
    if system.is_held:
        thing = np.asarray(found.letter("alpha_C")).ravel()
        both.append(np.column_stack([thing, np.asarray(solution.object_acceleration)]))
    return pane.locator("h3:has-text('Where it arrives') ~ .wide td.number").evaluate_all(TEXTS), np.concatenate(both)


def of_estimation(pane: Locator, solution: dyn.Solution) -> tuple[list[str], np.ndarray]:
    """What an estimator calls the innovation's covariance, the innovation and the residual, at the tip."""
    stage, names = solution.stages["filter"], ("joint_inertia", "innovation", "residual")
    shown = [pane.locator(f"[data-equation='filter {name}'] [data-n]").first for name in names]
    return [each.inner_text().strip() for each in shown], np.array([stage[name][0] for name in names]).ravel()


def of_walk(pane: Locator, solution: dyn.Solution) -> tuple[list[str], np.ndarray]:
    """The tip's P(k) across its joint: the first half-step's own value."""
    cells = pane.locator("[data-equation='filter articulated_inertia'] .numbers").first.locator("[data-n]")
    value = solution.stages["filter"]["articulated_inertia"][0]
    return cells.evaluate_all(TEXTS)[: value.size], value


READ = {
    "Influence": of_influence, "Two filters": of_two_filters, "Contact": of_contact, "Methods": of_methods,
    "Estimation": of_estimation, "Walk": of_walk,
}  # fmt: skip


def offered(system: dyn.System) -> list[str]:
    """Which of them the rail has for a machine."""
    return [name for name in READ if not (
        (name == "Contact" and not system.is_held) or (name == "Two filters" and system.kind != "free_flyer")
        or (name in ("Influence", "Estimation") and system.is_floating)
    )]  # fmt: skip


def check(page: Page, name: str, solution: dyn.Solution) -> None:
    page.get_by_role("tab", name=name, exact=True).first.click()
    pane = page.get_by_role("tabpanel", name=name)
    wrong: list[str] = ["nothing has been read"]

    def agrees() -> bool:
        wrong[:] = apart(*READ[name](pane, solution))
        return not wrong

    try:
        wait_until(page, agrees)
    except AssertionError as error:
        raise AssertionError(f"{name}: {wrong[:5]}") from error


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_instruments_say_what_the_dynamics_says(lead: Callable[[str], Page], preset: str) -> None:
    page = lead(f"preset={preset}&t={AT:.3f}&play=0&link=0&formulation=constrained")
    wait_until(page, lambda: shown_time(page) == AT)
    solution = run_of(Setup(machine_of_preset(PRESETS[preset]))).solution_at(AT)
    for name in offered(solution.system):
        check(page, name, solution)


def test_and_of_a_robot_file_that_nobody_knows(page: Page, serve: Callable[[str], str]) -> None:
    text = draw_robot(np.random.default_rng(20), 5, branching=0.4, mass_decades=1.0).urdf().encode()
    digest = OwnFile.of(text, "drawn.urdf").digest
    visit(page, f"{serve('app')}?preset=file&file={digest}&name=drawn.urdf&t={AT:.3f}&play=0&formulation=constrained")
    page.get_by_text("This link shows drawn.urdf (fingerprint").wait_for(timeout=PATIENCE)
    page.get_by_role("tab", name="Model").click()
    file = {"name": "drawn.urdf", "mimeType": "text/xml", "buffer": text}
    page.locator("input[type=file]").set_input_files(files=[file])  # type: ignore[list-item]
    page.get_by_text("drawn.urdf is open.").wait_for(timeout=PATIENCE)
    wait_until(page, lambda: shown_time(page) == AT)
    solution = run_of(Setup(machine_of_file(text, "drawn.urdf"))).solution_at(AT)
    for name in offered(solution.system):
        check(page, name, solution)
