"""Every number of the page, residuals too, is one that ``dynamics`` says of the same moment, on two machines."""

import contextlib
import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator, Mapping

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Locator, Page
from scipy.spatial.transform import Rotation

import dynamics as dyn
from app.number_text import DIGITS, ROUNDING, number_text
from app.views.check_tables import method_name
from dynamics.check import paper_sums, text_identities
from dynamics.operators import acceleration_parts, contact_gain
from dynamics.reading import LineReading, read_formulation, readable_formulations
from dynamics.solve import velocity_without_momentum
from tests.browser.equations import CARRIED, ROWS, cells, failing
from tests.browser.moment import solution_at, stand_at, until_same, wait_until
from tests.browser.page import open_tab
from tests.browser.screens import DRAWN

AT = 0.4
Array = NDArray[np.float64]
HALVES = slice(3), slice(3, 6)
"""Angular and linear."""
SHOWN = f"""pane => {{
    {DRAWN}
    const found = []
    drawn(pane, node => {{
        if (!node.matches('[data-n], [data-go^="cell "][title]')) return
        node.dispatchEvent(new PointerEvent('pointerover', {{bubbles: true, composed: true}}))
        found.push([node.textContent, node.title])
    }})
    return found
}}"""
"""Each number as it is written, and as its title calls it: its place, all its digits, its unit."""


def arrays(value: object) -> Iterator[Array]:
    """All that is a number in a result of ``dynamics``."""
    if isinstance(value, np.ndarray | float | int):
        yield np.asarray(value, dtype=float).ravel()
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from arrays(part)
    elif isinstance(value, tuple):
        for part in value:
            yield from arrays(part)
    elif dataclasses.is_dataclass(value):
        yield from arrays(vars(value))


def lines(readings: Iterable[LineReading]) -> Iterator[Array]:
    for line in readings:
        yield line.value.ravel()
        yield from (factor.value.ravel() for term in line.terms for factor in term.factors)


def of_the_walk(solution: dyn.Solution) -> Iterator[Array]:
    yield from arrays({name: dict(stage) for name, stage in solution.stages.items()})
    for stage in solution.stages.values():
        for value in stage.values():
            if value.shape[-2:] == (6, 6):
                yield from (np.linalg.eigvalsh(value[..., half, half]).ravel() for half in HALVES)
    reading = dyn.read_textbook(solution.system, solution.state, solution.tau)
    for stage in solution.stages:
        yield from lines(line for half in (0, 1) for line in reading.lines(stage, 0, half))


def of_contact(solution: dyn.Solution) -> Iterator[Array]:
    """The gain and what it is made of, the two estimates of R88 (9.1) and (9.2), and how hard each tip squeezes."""
    yield from of_the_walk(solution)
    system, stage = solution.system, solution.stages["contact"]
    gain = contact_gain(system, solution.state)
    yield from arrays(gain)
    tips = [contact.tip for contact in system.contacts]
    applied = stage["contact_force"][tips]
    let_go = np.linalg.solve(gain.object_inertia, stage["measured_object_force"])
    for alone in (let_go, -let_go):
        yield alone
        yield gain.grasp_map.T @ alone
    yield (stage["free_tip_acceleration"] - stage["contact_bias_acceleration"])[tips].ravel()
    squeezing = (gain.squeezing @ applied.ravel()).reshape(-1, 6)
    free = stage["predicted_contact_force"][tips]
    yield (applied - free).ravel()
    for force in (free, applied, applied - free, squeezing, applied - squeezing):
        yield from (np.linalg.norm(force[:, half], axis=1) for half in HALVES)


def of_two_filters(solution: dyn.Solution) -> Iterator[Array]:
    yield from of_the_walk(solution)
    P = solution.stages["filter"]["articulated_inertia"]
    S = solution.stages["dual_filter"]["dual_articulated_inertia"]
    for felt in (P, S, P + S):
        yield np.trace(felt[:, 3:, 3:], axis1=1, axis2=2) / 3.0
    yield from of_branches(solution)


def of_branches(solution: dyn.Solution) -> Iterator[Array]:
    """Mean masses where branches meet: what each carries in and is given, and what the others carry; JR 3.4."""
    system = solution.system
    for i in range(system.n_links):
        branches = np.flatnonzero(np.asarray(system.inboard) == i)
        if len(branches) > 1:
            yield np.array([system.link_models[i].mass])
            updated, predicted = (
                np.trace(solution.stages[stage][name][branches, 3:, 3:], axis1=1, axis2=2) / 3.0
                for stage, name in (
                    ("filter", "articulated_inertia_updated"),
                    ("dual_filter", "dual_articulated_inertia_predicted"),
                )
            )
            yield from (updated, predicted, updated.sum() - updated)


def of_flight(before: dyn.Solution, now: dyn.Solution, time: float) -> Iterator[Array]:
    center = dyn.center_of_mass(before.system, before.state)
    yield center.coast([time])[0]
    yield center.linear_momentum + center.mass * center.gravity * time
    yield from arrays(center)
    yield from arrays(dyn.center_of_mass(now.system, now.state))
    turned = now.link_pose[-1, :3, :3] @ before.link_pose[-1, :3, :3].T
    yield np.array([np.degrees(Rotation.from_matrix(turned).magnitude()), 0.0])
    by_joints = velocity_without_momentum(now.system, now.state)[:3]
    yield from (by_joints, now.link_velocity[-1, :3], now.link_velocity[-1, :3] - by_joints)


def of_influence(solution: dyn.Solution) -> Iterator[Array]:
    yield from arrays(dyn.influence(solution.system, solution.state))
    yield from arrays(acceleration_parts(solution))
    yield solution.joint_acceleration


def of_methods(solution: dyn.Solution) -> Iterator[Array]:
    name = next(iter(readable_formulations(solution.system)))
    reading = read_formulation(solution.system, solution.state, name, solution.tau, solution.joint_acceleration)
    yield reading.answer
    yield from lines(reading.lines(0))
    for found in (solution.tau, solution.joint_acceleration, solution.object_acceleration):
        yield from arrays(found)


INSTRUMENTS: dict[str, Callable[[dyn.Solution], Iterator[Array]]] = {
    "Walk": of_the_walk, "Contact": of_contact, "Two filters": of_two_filters, "Influence": of_influence,
    "Methods": of_methods,
}  # fmt: skip


def number_of(title: str) -> float:
    """What a title calls a number: its place may stand before it, its unit behind."""
    words = title.rpartition(": ")[2].split()
    return float((words or [""])[0].replace("−", "-"))


def strangers(shown: list[tuple[str, str]], known: Array) -> list[str]:
    """What is shown and is none of the numbers that are known, or is written otherwise than its digits are."""
    there = np.unique(known[np.isfinite(known)])
    rounding = ROUNDING * np.abs(there).max()
    found = []
    for text, title in shown:
        value, plain = number_of(title), text.strip("()")
        if plain == "0" or abs(value) <= rounding:  # beside others it is rounding
            is_known = abs(value) <= rounding
        else:
            at = np.searchsorted(there, value)
            near = there[max(at - 1, 0) : at + 1]
            is_known = bool(np.isclose(near, value, rtol=1e-7, atol=rounding).any())
            is_known &= plain in (number_text(value, 0.0, digits, True) for digits in (2, 3, DIGITS))
        if not is_known:
            found.append(f"{text}: {title}")
    return found


def seen(pane: Locator, known: Array) -> list[str]:
    """The strangers in a pane; or that hardly anything is there."""
    shown = pane.evaluate(SHOWN)
    return strangers(shown, known) if len(shown) > 20 else [f"shows {len(shown)} numbers"]


def look_up(page: Page, then: dyn.Solution, now: dyn.Solution, time: float) -> list[str]:
    """Opens each instrument that this machine has, and gives what is shown there and is not the mechanics' own."""
    wrong, rail = [], page.get_by_role("tablist", name="Instruments")
    also = [np.array([time]), *(of_flight(then, now, time) if now.system.is_floating else ())]
    for name, known in INSTRUMENTS.items():
        tab = rail.get_by_role("tab", name=name, exact=True)
        if not tab.is_visible():
            continue
        tab.click()
        pane = page.locator(f"#{tab.get_attribute('aria-controls')}[role=tabpanel]")
        there = np.concatenate([*known(now), *also])
        with contextlib.suppress(AssertionError):  # what was there of another moment goes; what stays is told
            wait_until(page, lambda pane=pane, there=there: not seen(pane, there))  # type: ignore[misc]
        wrong += [f"{name}, {line}" for line in seen(pane, there)]
    return wrong


def residual(size: float) -> str:
    """As tables of residuals have it."""
    return ("no number" if not np.isfinite(size) else f"{size:.0e}") if size else "0"


def must_hold(solution: dyn.Solution, *breaks: str) -> list[tuple[str, str]]:
    """Title and residual of each statement about the text, or about the text as it is broken."""
    reading = dyn.read_textbook(solution.system, solution.state, solution.tau, breaks=breaks)
    of = reading.solution if breaks else solution
    checks = (*dyn.identities(of), *text_identities(reading))
    return sorted((check.identity.title, residual(check.worst)) for check in checks)


def shown_residuals(pane: Locator) -> list[tuple[str, str]]:
    """The same, as a pane shows it; and of the papers' sums."""
    rows: list[list[str]] = pane.locator("tbody tr:not(.stage):has(td.mark)").evaluate_all(ROWS)
    return sorted((title, size) for title, _, _, size in rows)


def check_check(page: Page, solution: dyn.Solution) -> None:
    pane = open_tab(page, "Check")
    system, state, tau = solution.system, solution.state, solution.tau
    sums = [(each.title, residual(each.residual)) for each in paper_sums(solution)]
    expected = sorted([*must_hold(solution), *sums])
    until_same(page, expected, lambda: shown_residuals(pane))
    found: dict[frozenset[str], float] = {}
    for row in dyn.agreement(system, state, tau).rows:
        both = frozenset({method_name(row.left), method_name(row.right)})
        found[both] = max(row.relative, found.get(both, 0.0))
    differences = {both: residual(size) for both, size in found.items()}

    def matrix() -> dict[frozenset[str], str]:
        table = cells(pane.locator("table.matrix"))[1::2]
        names = [re.sub(r"^\d+\s+", "", row[0]) for row in table]
        return {
            frozenset({name, names[k]}): text
            for name, row in zip(names, table, strict=True)
            for k, text in enumerate(row[1:])
            if text
        }

    until_same(page, differences, matrix)


@pytest.mark.parametrize("preset", ["two_arms_and_box", pytest.param("free_flyer", marks=pytest.mark.full)])
def test_every_number_is_the_mechanics_own(open_page: Callable[..., Page], preset: str) -> None:
    page = stand_at(open_page(f"preset={preset}&t={AT:.3f}&play=0&link=0&breaks={CARRIED}~negate"), AT)
    solution = solution_at(preset, AT)
    pane = open_tab(page, "Break it")
    until_same(page, must_hold(solution, f"{CARRIED}~negate"), lambda: shown_residuals(pane))
    pane.get_by_role("button", name="Mend").first.click()
    wait_until(page, lambda: not failing(page))
    check_check(page, solution)
    wrong = look_up(page, solution_at(preset, 0.0), solution, AT)
    assert not wrong, "\n".join(wrong[:60])
