"""Each instrument of the rail, used by mouse and by keys; its numbers are the mechanics' own."""

import io
import re
from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

import dynamics as dyn
from app.equations.words import METHODS
from app.instruments.compare.moment import ours
from app.instruments.contact_sweep import what_if
from app.instruments.cost.counts import GROUPS
from app.instruments.methods.sheet import apart
from app.instruments.papers.papers import DIGITS
from app.motion.drawing import whiteness
from app.number_text import number_text, size_of
from app.state.walk import called
from dynamics.papers import count_operations, critical_path, reproduce
from dynamics.reading import read_formulation
from dynamics.solve import from_another_base, rebase, sample_estimation
from tests.browser.equations import cells
from tests.browser.moment import address, shown_time, solution_at, stand_at, until_same, wait_until
from tests.browser.page import choose, open_tab, undo
from tests.browser.picture import PICTURES, box_of

AT = 0.4


def contact_amounts(solution: dyn.Solution) -> list[str]:
    """How far the object's force is predicted wrongly, and what that adds to the contact forces."""
    stage = solution.stages["contact"]
    error = np.linalg.norm((stage["measured_object_force"] - stage["predicted_object_force"])[3:])
    added = np.linalg.norm((stage["contact_force"] - stage["predicted_contact_force"])[:, 3:])
    return [f"{number_text(float(amount))} N" for amount in (error, added)]


def test_contact_and_influence(open_page: Callable[..., Page]) -> None:
    page = stand_at(open_page(f"preset=two_arms_and_box&t={AT:.3f}&play=0&layers=&tab=Contact"), AT)
    influence(page)
    open_tab(page, "Contact")
    solution = solution_at("two_arms_and_box", AT)
    pane = page.get_by_role("tabpanel", name="Contact").first
    amounts = pane.locator(".correction b")
    until_same(page, contact_amounts(solution), amounts.all_inner_texts)
    # Another object changes the chain at once.
    slider = pane.get_by_role("slider", name=re.compile("mass"))
    step = [address(page).get(name) for name in ("stage", "link", "half")]
    pane.get_by_role("button", name="arm 1: rigid").press("ArrowRight")  # is the group's, and walks nowhere
    slider.focus()
    slider.press("ArrowRight")
    until_same(page, contact_amounts(what_if(solution, None, 0.05, True)), amounts.all_inner_texts)
    assert re.fullmatch(r"[\d.]+ kg", slider.get_attribute("aria-valuetext") or "")
    assert [address(page).get(name) for name in ("stage", "link", "half")] == step
    slider.press("End")
    until_same(page, contact_amounts(what_if(solution, None, 4.0, True)), amounts.all_inner_texts)
    pane.get_by_text("Too heavy for the arms").wait_for()
    # A hand holds in another way while the motion plays, and again as before.
    page.get_by_role("button", name="Play (space)").click()
    pane.get_by_role("button", name="arm 2: point contact").click()
    pane.get_by_role("button", name="arm 2: point contact", pressed=True).wait_for()
    wait_until(page, lambda: "happenings" in address(page))
    undo(page)
    pane.get_by_role("button", name="arm 2: rigid", pressed=True).wait_for()
    page.get_by_role("button", name="Pause (space)").click()
    page.get_by_role("button", name="Play (space)").wait_for()
    pane.get_by_role("button", name="The walk's contact stage").click()
    wait_until(page, lambda: address(page).get("stage") == "contact")


def test_two_filters(open_page: Callable[..., Page]) -> None:
    page = stand_at(open_page(f"preset=free_flyer&t={AT:.3f}&play=0&tab=Two+filters"), AT)
    pane = page.get_by_role("tabpanel", name="Two filters").first
    solution = solution_at("free_flyer", AT)
    row = pane.locator("table.links:visible tr.here")

    def says(k: int, name: str, P: np.ndarray, S: np.ndarray) -> None:
        """Mean masses of P, S and their sum."""
        means = [number_text(float(np.trace(each[k, 3:, 3:])) / 3.0, padded=True) for each in (P, S, P + S)]
        until_same(page, [name, *means], lambda: row.locator("td").all_inner_texts()[:4])

    P = solution.stages["filter"]["articulated_inertia"]
    S = solution.stages["dual_filter"]["dual_articulated_inertia"]
    pane.get_by_role("button", name="elbow", exact=True).click()
    says(3, "elbow", P, S)
    pane.get_by_role("heading", name="Link elbow").wait_for()
    alpha = solution.stages["dual_filter"]["acceleration"][3]
    column = pane.locator("[data-equation='dual_filter acceleration']:visible table.column").first.locator("td")
    until_same(page, [number_text(a, padded=True) for a in alpha], column.all_inner_texts)
    pane.get_by_role("button", name="bus", exact=True).focus()
    page.keyboard.press("Enter")
    says(7, "bus", P, S)
    # Any link is as good a base.
    pane.get_by_role("button", name="count from hand").click()
    pane.get_by_role("heading", name="Counted from hand instead of bus").wait_for()
    again = from_another_base(solution, rebase(solution.system, "hand"))
    says(7, "bus", again.articulated_inertia, again.dual_articulated_inertia)
    same = pane.locator("[data-told=operational_space_inertia] .source").inner_text()
    sizes = [float(size.replace("−", "-")) for size in re.findall(r"to (\S+?)(?:;|$)", same)]
    assert len(sizes) == 2
    assert all(size < 1e-9 for size in sizes)
    pane.get_by_role("button", name="Back to bus").click()
    pane.get_by_role("heading", name="Any link as the base").wait_for()
    pane.get_by_role("button", name="Walk this step").click()
    page.get_by_text(re.compile("Start at the base, and combination")).first.wait_for()


def influence(page: Page) -> None:
    open_tab(page, "Influence")
    solution = solution_at("two_arms_and_box", AT)
    maps = dyn.influence(solution.system, solution.state)
    pane = page.get_by_role("tabpanel", name="Influence")
    pane.locator("[data-go='cell 9 3']").click()
    said = pane.locator(".answer")
    until_same(page, f"{number_text(maps.W[9, 3], size_of(maps.W[9]))} rad/s²", said.inner_text)
    wait_until(page, lambda: address(page).get("torqued") == "3" and address(page).get("layers") == "influence")
    page.get_by_text("by 1 N m at a joint").first.wait_for()
    forces = [maps.contact_force[6 * c.tip : 6 * c.tip + 6] for c in solution.system.contacts]
    cell = pane.locator("[data-go='cell 20 5']")
    cell.hover()
    # In another process two kernels may add up in another order.
    shown = float(cell.get_attribute("title") or "nan")
    assert np.isclose(shown, np.concatenate([maps.W, *forces])[20, 5], rtol=1e-9)
    cell.click()
    pane.get_by_text("moment x at the tip of arm 2.").first.wait_for()
    pane.locator("[data-go='cell 9 3']").click()
    pane.get_by_role("button", name="the object absent").click()
    until_same(page, "0 rad/s²", said.inner_text)  # without the object no arm feels the other
    pane.get_by_role("button", name="3 inward: influence").click()
    pane.get_by_role("button", name="The walk's contact stage").click()
    wait_until(page, lambda: address(page).get("stage") == "contact")


def column(pane: Locator, heading: str, at: int) -> list[str]:
    table = pane.locator(f"h3:has-text('{heading}') + .wide table.beside:visible")
    return table.locator(f"tbody td:nth-child({at + 2})").all_inner_texts()


def beside(values: np.ndarray, others: np.ndarray) -> list[str]:
    """Numbers as they stand beside others of the same size."""
    pairs = zip(values, others, strict=True)
    return [number_text(value, max(abs(value), abs(other)), padded=True) for value, other in pairs]


def test_methods_check_and_compare(open_page: Callable[..., Page]) -> None:
    page = stand_at(open_page(f"preset=puma560&t={AT:.3f}&play=0&tab=Methods&formulation=newton_euler"), AT)
    methods(page)
    compare(page)
    check(page)


def methods(page: Page) -> None:
    """Every method arrives where the dynamics does; a whole one is walked by keys; accelerations are asked for."""
    pane = page.get_by_role("tabpanel", name="Methods")
    solution = solution_at("puma560", AT)
    system, state, tau = solution.system, solution.state, solution.tau
    reading = read_formulation(system, state, "newton_euler", tau, solution.joint_acceleration)
    pane.get_by_role("button", name="One step on").focus()
    for at in range(1, len(reading.steps)):
        page.keyboard.press("Enter")
        pane.get_by_text(f"step {at + 1} of {len(reading.steps)}", exact=True).wait_for()
    value = reading.lines(len(reading.steps) - 1)[0].value.item()
    shown = pane.locator("section.equation .numbers .value:visible").first
    until_same(page, number_text(value, padded=True), shown.inner_text)
    pane.get_by_role("button", name="Motions, outward, link_4").click()
    pane.get_by_text("step 4 of 18", exact=True).wait_for()
    wait_until(page, lambda: address(page).get("formulation") == "newton_euler:3")
    for name in ("lagrange", "composite_bodies"):
        choose(page, "Method", METHODS[name].title)
        reading = read_formulation(system, state, name, tau, solution.joint_acceleration)
        pane.get_by_text(f"step 1 of {len(reading.steps)}", exact=True).wait_for()
        aimed = solution.tau if reading.arrives == "torque" else solution.joint_acceleration
        until_same(page, beside(reading.answer, aimed), lambda: column(pane, "Where it arrives", 0))
        wait_until(page, lambda name=name: address(page).get("formulation") == name)  # type: ignore[misc]
    choose(page, "Method", METHODS["inverse_dynamics"].title)
    field = pane.get_by_label(f"{system.joint_names[2]} (rad/s²)")
    field.fill("1.5")
    field.press("Enter")
    wanted = solution.joint_acceleration.copy()
    wanted[2] = 1.5
    torque = dyn.inverse_dynamics(system, state, wanted)
    until_same(page, beside(torque, tau), lambda: column(pane, "Torques", 0))
    assert apart(dyn.forward_dynamics(system, state, torque).joint_acceleration, wanted) < 1e-10
    pane.get_by_role("button", name="As they are now").click()
    wait_until(page, lambda: column(pane, "Torques", 0) == column(pane, "Torques", 1))


def check(page: Page) -> None:
    """From the badge: every method against every other, a row's own place, the worst moment of the run."""
    badge = page.get_by_role("button", name=re.compile(r"methods agree to \de-\d\d"))
    badge.focus()
    page.keyboard.press("Enter")
    heard = page.locator(".drawing > [aria-live=polite]")
    wait_until(page, lambda: (heard.text_content() or "").startswith("Check is open: methods agree to "))
    pane = page.get_by_role("tabpanel", name="Check")
    matrix = pane.locator("table.matrix tbody tr:not(.about) td")
    wait_until(page, lambda: sum(text != "" for text in matrix.all_inner_texts()) == 21)
    solution = solution_at("puma560", AT)
    expected = dyn.agreement(solution.system, solution.state, solution.tau)
    shown = max(float(text) for text in matrix.all_inner_texts() if text)
    assert shown == pytest.approx(expected.worst, rel=0.06)
    assert float(badge.inner_text().split()[-1]) == shown < 1e-12
    row = page.get_by_role("row", name=re.compile("Links accelerate as their joints do"))
    check = next(c for c in dyn.identities(solution) if c.identity.key == "kinematics")
    name = called(solution.system, check.worst_link)
    until_same(page, ["✓ holds", name], lambda: row.get_by_role("cell").all_inner_texts()[:2])
    row.get_by_role("button").focus()
    page.keyboard.press("Enter")
    page.locator("tr[aria-current=true]:visible").wait_for()
    wait_until(page, lambda: address(page).get("stage") == "smoother")
    open_tab(page, "Check")
    page.get_by_role("button", name="Worst moment of the run").click()
    told = page.get_by_text(re.compile(r"Worst of \d+ instants: [\d.]+e-\d+ at [\d.]+ s"))
    told.wait_for()
    found = re.search(r"of (\d+) instants: (\S+) at ([\d.]+) s", told.inner_text())
    assert found is not None
    count, worst, at = found.groups()
    assert 40 <= int(count) <= 60
    wait_until(page, lambda: abs(shown_time(page) - float(at)) < 0.006)
    solution = solution_at("puma560", float(at))
    assert float(worst) == pytest.approx(dyn.agreement(solution.system, solution.state, solution.tau).worst, rel=0.06)


def compare(page: Page) -> None:
    pane, shown = open_tab(page, "Compare"), solution_at("puma560", AT)
    broken = ["inward_filter.correction.P_plus~G-H-P~drop"]
    reading = dyn.read_textbook(shown.system, shown.state, shown.tau, breaks=broken)
    into = io.BytesIO()
    np.savez(into, **ours(reading.solution))  # type: ignore[arg-type]
    pane.get_by_text("Save ours as an example").wait_for()
    pane.locator("input[type=file]").set_input_files(
        {"name": "mine.npz", "mimeType": "application/octet-stream", "buffer": into.getvalue()}
    )
    pane.get_by_text("The two differ first in the updated articulated inertia").wait_for()
    pane.get_by_role("button", name="It differs first at").first.focus()
    page.keyboard.press("Enter")
    wait_until(page, lambda: "tab=Compare" not in page.url and address(page).get("stage") == "filter")
    open_tab(page, "Compare")
    pane.get_by_text("The two differ first in the updated articulated inertia").wait_for()


def test_cost_and_estimation(open_page: Callable[..., Page]) -> None:
    page = stand_at(open_page(f"preset=iiwa14&t={AT:.3f}&play=0&link=4&tab=Cost&counted=0:0:1"), AT)
    cost(page)
    estimation(page)


def estimation(page: Page) -> None:
    """Draws by a click, words that lead to the walk, and what plays is held where it is drawn."""
    pane = open_tab(page, "Estimation")
    pane.get_by_role("button", name="1,000", exact=True).click()
    pane.get_by_role("button", name="Draw", exact=True).click()
    told = pane.get_by_text(re.compile(r"^1,000 draws, seed \d+\.$"))
    told.wait_for()
    seed = int(told.inner_text().rstrip(".").split()[-1])
    solution = solution_at("iiwa14", AT)
    drawn = sample_estimation(solution.system, solution.state, 1000, seed)
    d, variance = solution.stages["filter"]["joint_inertia"][4].item(), float((drawn.innovation[:, 4] ** 2).mean())
    table = pane.locator("table.pairs td")
    expected = [f"{number_text(d)} kg m²", f"{number_text(variance)} kg m²", number_text(variance / d)]
    until_same(page, expected, lambda: table.all_inner_texts()[:3])
    # One honest drawing in twenty is found not white.
    ought = solution.stages["filter"]["joint_inertia"][:7].ravel()
    is_white = whiteness(drawn.innovation.T @ drawn.innovation, 1000, ought).is_white
    pane.get_by_text(f"Innovations: {'✓ white' if is_white else '✗ not white'}").wait_for()
    pane.get_by_role("link", name=re.compile("^innovations covariance")).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("tab", name="Walk", exact=True)).to_have_attribute("aria-selected", "true")
    wait_until(page, lambda: (address(page).get("half"), address(page).get("link")) == ("1", "4"))
    open_tab(page, "Estimation")
    page.get_by_role("button", name="Play (space)").click()
    pane.get_by_text("These draws belong to").wait_for()
    pane.get_by_role("button", name="Draw", exact=True).or_(
        pane.get_by_role("button", name="Draw anew here")
    ).first.click()
    page.get_by_role("button", name="Play (space)").wait_for()
    pane.get_by_text("These draws belong to").wait_for(state="detached")
    page.keyboard.press(".")
    pane.get_by_text("These draws belong to").wait_for()


def cost(page: Page) -> None:
    pane, n = page.get_by_role("tabpanel", name="Cost", exact=True), 7
    pane.locator("svg.graph").wait_for()
    for each in GROUPS[:2]:
        pane.get_by_role("button", name=each.name, exact=True).click()
        found = {method.name: count_operations(method.key, n) for method in each.methods}
        names = ("multiplications", "additions", "divisions", "trigonometric")
        expected = {name: [f"{getattr(count, kind):,}" for kind in names] for name, count in found.items()}

        def counts(methods: frozenset[str] = frozenset(found)) -> dict[str, list[str]]:
            return {row[0]: row[1:] for row in cells(pane.locator("table.counts").first) if row[0] in methods}

        until_same(page, expected, counts)
    pane.get_by_role("button", name="Two filters", exact=True).focus()
    page.keyboard.press("Enter")
    path = critical_path("two_filter", n)
    pane.get_by_text(
        f"{path.path.steps:,} steps along the longest chain of {path.sequential.steps:,} in all"
    ).wait_for()
    pane.get_by_text(f"Along it {path.path.multiplications:,} × and {path.path.additions:,} +").wait_for()
    pane.get_by_role("button", name="Race", exact=True).click()
    pane.get_by_text("Done.", exact=True).wait_for()
    pane.get_by_text(re.compile(r" solutions to one of .*, at t = ")).wait_for()


def test_papers(open_page: Callable[..., Page]) -> None:
    page = open_page("preset=planar_chain&t=0.200&play=0&tab=Papers")
    pane = page.get_by_role("tabpanel", name="Papers", exact=True)
    pane.get_by_role("button", name="Rodriguez 1988", exact=True).click()
    pane.get_by_role("button", name="Fig. 9.3 Contact forces").click()
    pane.get_by_text("2 numbers, all as printed").wait_for()
    pane.get_by_role("button", name="Next", exact=True).click()  # its limits, two of which are not as printed
    numbers = reproduce("r88_limits").numbers
    expected = [[number_text(number, digits=DIGITS) for number in (each.published, each.ours)] for each in numbers]
    until_same(page, expected, lambda: [row[1:3] for row in cells(pane.locator("table.beside"))[1:]])
    assert pane.get_by_text("differs").count() == 2
    pane.get_by_role("button", name="Open in the page").click()
    wait_until(page, lambda: address(page).get("preset") == "two_arms_and_box")
    wait_until(page, lambda: (address(page).get("tab"), address(page).get("beside")) == ("Contact", "Papers"))
    wait_until(page, lambda: shown_time(page) == 0.0)


def test_study(open_page: Callable[..., Page]) -> None:
    page = open_page("preset=puma560&t=0.300&play=0&tab=Study&study=q:3.14,tau:3;filter.joint_inertia:joint_1;1000")
    stand_at(page, 0.3)
    pane = page.get_by_role("tabpanel", name="Study", exact=True)
    pane.get_by_label("Torques, ± N m or N").first.wait_for()
    assert pane.get_by_role("checkbox", name="Torques, ± N m or N").is_checked()
    assert not pane.get_by_role("checkbox", name="Gravity, none to m/s²").is_checked()
    pane.get_by_role("button", name="Start", exact=True).focus()
    page.keyboard.press("Enter")
    pane.get_by_text("1,000 states.", exact=True).wait_for(timeout=300_000)  # it yields to all others
    plot = pane.locator("canvas").first
    plot.scroll_into_view_if_needed()

    places: list[dict[str, float]] = []

    def is_laid_out() -> bool:  # the plots come one after the other, and push each other down
        if plot.is_visible():
            places.append(box_of(plot))
            page.evaluate(PICTURES, 3)
        return len(places) > 2 and places[-1] == places[-2] == places[-3]

    wait_until(page, is_laid_out)
    box = places[-1]
    page.mouse.click(
        box["x"] + 0.22 * box["width"], box["y"] + 0.3 * box["height"]
    )  # another click opens another state
    wait_until(page, lambda: address(page).get("beside") == "Study")
    assert address(page)["link"] == "5"
    assert shown_time(page) == 0.0
    open_tab(page, "Study")
    told = pane.get_by_text(re.compile(r"^State [\d,]+ is open"))
    told.wait_for()
    reported, own = pane.locator("b.reported"), pane.locator("b.here")
    wait_until(page, lambda: own.inner_text() == reported.inner_text() != "")
    assert re.search(r"\d", own.inner_text())
    page.keyboard.press("Control+z")
    wait_until(page, lambda: told.count() == 0)
