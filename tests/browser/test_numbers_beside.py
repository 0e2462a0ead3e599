"""What stands beside the motion's own numbers is what ``dynamics`` gives: residuals, draws, counts, printed results.

*Check*, *Break it* and *Estimation* of every machine and of a drawn file; in *Cost* and *Papers* whatever is chosen.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pytest
from numpy.typing import NDArray

import dynamics as dyn
from app.draws.chance import difference, variance_limits
from app.measures.counts import GROUPS
from app.measures.path_graph import FORMS
from app.motion.presets import PRESETS
from app.number_text import number_text
from app.papers.result_html import DIGITS
from app.views.method_names import method_name
from tests.browser.test_agreement import solution_at
from tests.browser.test_break_it import CARRIED, ROWS
from tests.browser.test_numbers import of_the_walk, open_drawn, seen
from tests.browser.test_page import PATIENCE, shown_time, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]
Array = NDArray[np.float64]
AT = 0.4
DRAWS = 100
"""As many as are of one seed, however long the machine."""
OPERATIONS = "multiplications", "additions", "divisions", "trigonometric"
CELLS = (
    "tables => tables.flatMap(table => [...table.rows].map(row => [...row.cells].map(cell => cell.innerText.trim())))"
)
NUMBER = r"[±−\d.e,]+|–"


def opened(page: Page, name: str) -> Locator:
    """An instrument, in sight."""
    page.get_by_role("tab", name=name, exact=True).click()
    return page.get_by_role("tabpanel", name=name, exact=True)


def until(page: Page, expected: object, shown: Callable[[], object]) -> None:
    """Waits until both are the same; else fails with what is otherwise.

    Args:
        expected: what, or what gives it.
    """
    seen: list[object] = []

    def is_there() -> bool:
        seen[:] = expected() if callable(expected) else expected, shown()
        return seen[0] == seen[1]

    with contextlib.suppress(AssertionError):
        wait_until(page, is_there, PATIENCE)
    assert seen[1] == seen[0]


def cells(tables: Locator) -> list[list[str]]:
    """All rows of some tables, heads too."""
    found: list[list[str]] = tables.evaluate_all(CELLS)
    return found


def residual(size: float) -> str:
    """As tables of residuals have it."""
    return ("no number" if not np.isfinite(size) else f"{size:.0e}") if size else "0"


def must_hold(solution: dyn.Solution, *breaks: str) -> list[tuple[str, str]]:
    """Title and residual of each statement about the text, or about the text as it is broken."""
    reading = dyn.read_textbook(solution.system, solution.state, solution.tau, breaks=breaks)
    of = reading.solution if breaks else solution
    checks = (*dyn.identities(of), *dyn.text_identities(reading))
    return sorted((check.identity.title, residual(check.worst)) for check in checks)


def shown_residuals(pane: Locator) -> list[tuple[str, str]]:
    """The same, as a pane shows it; and of the papers' sums."""
    rows: list[list[str]] = pane.locator("tbody tr:not(.stage):has(td.mark)").evaluate_all(ROWS)
    return sorted((title, size) for title, _, _, size in rows)


def check_check(page: Page, solution: dyn.Solution) -> None:
    """Every residual of *Check*, and every difference of two methods."""
    pane = opened(page, "Check")
    system, state, tau = solution.system, solution.state, solution.tau
    sums = [(each.title, residual(each.residual)) for each in dyn.paper_sums(solution)]
    expected = sorted([*must_hold(solution), *sums])
    until(page, expected, lambda: shown_residuals(pane))
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

    until(page, differences, matrix)


def check_break_it(page: Page, solution: dyn.Solution) -> None:
    """Every residual of the broken text, beside what still holds; the break is in the address."""
    pane = opened(page, "Break it")
    expected = must_hold(solution, f"{CARRIED}~negate")
    until(page, expected, lambda: shown_residuals(pane))


def draws_expected(solution: dyn.Solution, link: int, seed: int) -> list[list[str]]:
    """The rows of *Estimation*'s tables: the joint's five, every joint, the three covariances of a link."""
    system, state, theory = solution.system, solution.state, solution.stages["filter"]
    drawn = dyn.sample_estimation(system, state, DRAWS, seed)
    d = theory["joint_inertia"][: system.n_joints].ravel()
    variance = (drawn.innovation**2).mean(axis=0)
    unit = "kg m²" if system.joint_models[link].kind == "revolute" else "kg"
    low, high = variance_limits(DRAWS)
    mean, limit = drawn.innovation[:, link].mean(), 1.96 * np.sqrt(d[link] / DRAWS)
    rows = [
        [f"{number_text(d[link])} {unit}"],
        [f"{number_text(variance[link])} {unit}"],
        [number_text(variance[link] / d[link])],
        [f"{number_text(low, digits=3)} to {number_text(high, digits=3)}"],
        [f"{number_text(mean, digits=3)}; ±{number_text(limit, digits=3)}"],
    ]
    rows += [[number_text(value) for value in (d[k], variance[k], variance[k] / d[k])] for k in range(system.n_joints)]
    trues = (
        theory["articulated_inertia"],
        theory["articulated_inertia_updated"],
        dyn.smoothed_force_covariance(system, state),
    )
    for true, errors in zip(trues, (drawn.prediction_error, drawn.corrected_error, drawn.smoothed_error), strict=True):
        sample = errors[:, link].T @ errors[:, link] / DRAWS
        found = difference(sample, true[link], DRAWS, np.diag(trues[0][link]))
        rows.append([number_text(value, digits=3) for value in (found.relative, found.typical, found.limit)])
    return rows


def correlations(solution: dyn.Solution, seed: int) -> Array:
    """Of innovations; on the diagonal their variances by D(k)."""
    drawn = dyn.sample_estimation(solution.system, solution.state, DRAWS, seed).innovation
    products = drawn.T @ drawn
    root = np.sqrt(np.diag(products))
    matrix = products / np.outer(root, root)
    np.fill_diagonal(
        matrix, np.diag(products) / DRAWS / solution.stages["filter"]["joint_inertia"][: len(root)].ravel()
    )
    return matrix


def check_estimation(page: Page, solution: dyn.Solution) -> None:
    """Every number about the draws, at the tip."""
    pane = opened(page, "Estimation")
    pane.get_by_role("button", name=f"{DRAWS}", exact=True).click()
    pane.get_by_role("button", name="Draw", exact=True).click()
    told = pane.get_by_text(re.compile(rf"^{DRAWS} draws, seed \d+\.$"))
    told.wait_for()
    every = pane.locator("details").filter(has_text="Every joint")

    def seed() -> int:
        return int(told.inner_text().rstrip(".").split()[-1])

    def tables() -> list[list[str]]:
        every.evaluate("details => { details.open = true }")
        pairs = [row[1:] for row in cells(pane.locator("table.pairs"))]
        links = [[text for text in row if re.fullmatch(NUMBER, text)] for row in cells(pane.locator("table.links"))]
        return [*pairs, *(row[-3:] for row in links if row)]

    until(page, lambda: draws_expected(solution, 0, seed()), tables)
    grid, matrix = pane.locator("table.grid").first, correlations(solution, seed())
    texts = [[number_text(value, digits=2, padded=True) for value in row] for row in matrix]
    until(page, texts, lambda: [row[1:] for row in cells(grid)[1:]])
    smoothed = dyn.smoothed_force_covariance(solution.system, solution.state)
    known = np.concatenate([*of_the_walk(solution), smoothed.ravel(), matrix.ravel()])
    until(page, [], lambda: seen(pane, known))


@pytest.mark.parametrize("preset", PRESETS)
def test_residuals_and_draws_are_the_mechanics_own(lead: Callable[[str], Page], preset: str) -> None:
    page = lead(f"preset={preset}&t={AT:.3f}&play=0&link=0&breaks={CARRIED}~negate")
    wait_until(page, lambda: shown_time(page) == AT)
    solution = solution_at(preset, AT)
    check_check(page, solution)
    check_break_it(page, solution)
    if not solution.system.is_floating:
        check_estimation(page, solution)


def test_and_of_a_drawn_file(lead: Callable[[str], Page]) -> None:
    page, run = open_drawn(lead, 5)
    solution = run.solution_at(0.04)
    check_check(page, solution)
    if not solution.system.is_floating:
        check_estimation(page, solution)


def counted(method: str, n: int) -> list[str]:
    """A row of *Cost*."""
    found = dyn.count_operations(method, n)
    return [f"{getattr(found, name):,}" for name in OPERATIONS]


def lines_of_table(method: str, n: int) -> list[tuple[str, ...]]:
    """A table of TML for n links: what is printed, and below it what is counted where that is another law of n."""
    found = [dyn.count_operations(method, each).published for each in range(1, n + 1)]
    totals = [dyn.count_operations(method, each) for each in range(1, n + 1)]
    rows: list[list[tuple[Sequence[float], Sequence[float]]]] = [
        [(each.rows[k].published[:2], each.rows[k].counted[:2]) for each in found if each is not None]
        for k in range(len(found[0].rows if found[0] is not None else ()))
    ]
    rows.append(
        [
            ((paper.multiplications, paper.additions), (own.multiplications, own.additions))
            for paper, own in zip(found, totals, strict=True)
            if paper is not None
        ]
    )
    lines = []
    for row in rows:
        printed, own = row[-1]
        lines += [printed] if all(a == b for a, b in row) else [printed, own]
    return [tuple(f"{value:,.0f}" for value in line) for line in lines]


def test_every_count_is_the_mechanics_own(lead: Callable[[str], Page]) -> None:
    page = lead(f"preset=iiwa14&t={AT:.3f}&play=0&tab=Cost")
    pane, n = page.get_by_role("tabpanel", name="Cost", exact=True), 7
    for group in GROUPS:
        pane.get_by_role("button", name=group.name, exact=True).click()
        expected = {each.name: counted(each.key, n) for each in group.methods}

        def counts(names: frozenset[str] = frozenset(expected)) -> dict[str, list[str]]:
            return {row[0]: row[1:] for row in cells(pane.locator("table.counts").first) if row[0] in names}

        until(page, expected, counts)
    for form in FORMS:
        arms = 2 if form.key == "spoked_wheel" else 1
        pane.get_by_role("button", name=form.name, exact=True).click()
        path = dyn.critical_path(form.key, n, arms)
        times = number_text(path.speedup, digits=3)
        steps = f"{path.path.steps:,} steps along the longest chain of {path.sequential.steps:,} in all"
        pane.get_by_text(re.compile(rf"{steps}, at most {re.escape(times)} times as quick")).wait_for()
        pane.get_by_text(f"Along it {path.path.multiplications:,} × and {path.path.additions:,} +").wait_for()


@pytest.mark.parametrize(("number", "method"), [(2, "lagrange"), (3, "newton_euler"), (4, "newton_euler_modified")])
def test_every_number_of_tml_is_counted_or_printed(lead: Callable[[str], Page], number: int, method: str) -> None:
    page = lead(f"preset=puma560&t={AT:.3f}&play=0&tab=Cost")
    pane = page.get_by_role("tabpanel", name="Cost", exact=True)
    pane.get_by_role("button", name=f"Table {number}", exact=True).click()
    table = pane.locator("table.counts").filter(has_text=f"TML Table {number}, ")
    expected = lines_of_table(method, 6)
    until(page, expected, lambda: [tuple(row[1:]) for row in cells(table)[1:] if len(row) == 3])


def test_every_printed_number_stands_beside_ours(lead: Callable[[str], Page]) -> None:
    page = lead(f"preset=puma560&t={AT:.3f}&play=0&tab=Papers")
    pane = page.get_by_role("tabpanel", name="Papers", exact=True)
    pane.get_by_role("button", name="R87", exact=True).click()
    results = dyn.paper_results()
    pane.locator(".results button").first.click()
    for at, result in enumerate(results):
        pane.get_by_role("heading", name=f"{result.paper}, {result.place}: {result.title}", exact=True).wait_for()
        expected = [
            [number_text(each.published, digits=DIGITS), number_text(each.ours, digits=DIGITS)]
            for each in dyn.reproduce(result.name).numbers
        ]
        until(
            page,
            lambda expected=expected: expected,
            lambda: [row[1:3] for row in cells(pane.locator("table.beside"))[1:]],
        )
        if at + 1 < len(results):
            pane.get_by_role("button", name="Next", exact=True).click()
