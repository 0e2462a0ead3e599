"""What the scene shows: switched by mouse and by keys, told in legend and scales, and clicked to move the cursor."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlparse

import numpy as np
import pytest
from playwright.sync_api import expect

import dynamics as dyn
import scenes
from app.state import Session
from app.views.playback import INTERVAL
from scenes.scales import Scale
from tests.browser.test_page import PATIENCE, difference, picture, shown_time, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]

VISIT = Callable[..., "Page"]


@pytest.fixture
def visit(lead: Callable[[str], Page]) -> VISIT:
    """The app at an instant that stands still, its scene drawn and marked."""

    def go(preset: str, *, t: float = 0.5, **query: str) -> Page:
        rest = "".join(f"&{name}={value}" for name, value in query.items())
        page = lead(f"preset={preset}&t={t}&play=0{rest}")
        page.locator("canvas[data-frame]").wait_for(timeout=60_000.0)
        wait_until(page, lambda: shown_time(page) == t)
        page.locator("canvas[data-marked]:not([data-marked=''])").wait_for(timeout=PATIENCE)
        page.get_by_role("tab", name="Show").click()
        page.locator("fieldset input[type=checkbox]:visible").first.wait_for(timeout=PATIENCE)
        return page

    return go


def data(page: Page) -> dict[str, str]:
    found: dict[str, str] = page.locator("canvas[role=application]").evaluate("canvas => ({...canvas.dataset})")
    return found


def box(page: Page, name: str) -> Any:
    return page.locator(f"input[type=checkbox][value={name}]")


def settled(page: Page) -> np.ndarray:
    """The picture once a resting view has been drawn again at double resolution."""
    wait_until(page, lambda: data(page).get("refined") == data(page)["frames"])
    return picture(page)


def moment(preset: str, t: float) -> tuple[dyn.System, dyn.Solution]:
    """What the page shows, computed here."""
    from app.state import Session

    session = Session(preset)
    while session.run.end < t:
        session.run.accept(session.run.compute())
    return session.loaded, session.run.solution_at(t)


def test_what_is_not_there_is_not_in_the_legend(visit: VISIT) -> None:
    page = visit("two_arms_and_box")
    notes = page.locator(".notes")
    expect(notes).to_contain_text("applied")
    expect(notes).not_to_contain_text("push")
    page.get_by_role("button", name="Release").click()
    expect(notes).not_to_contain_text("applied", timeout=PATIENCE)
    expect(notes).not_to_contain_text("arrows:")


def test_the_legend_of_what_opens_is_read_without_scrolling(visit: VISIT) -> None:
    """Two arms at rest have most to be told: seven things in two lines."""
    notes = visit("two_arms_and_box", t=0.0).locator(".notes")
    expect(notes).to_contain_text("direction freed", timeout=PATIENCE)
    assert notes.evaluate("notes => notes.scrollHeight - notes.clientHeight") == 0


@pytest.mark.parametrize(
    ("preset", "layer", "words"),
    [
        ("puma560", "velocity", "V(k) velocity"),
        ("two_arms_and_box", "moment", "x(k) moment at the joint"),
        ("free_flyer", "operational_space_inertia", "P(k)+S(k) operational-space inertia"),
        ("puma560", "smoothed_force_covariance", "P−PΛP(k) what no torque tells of"),
        ("two_planar_arms", "contact_influence_sweep", "ψΩ⁻¹ψ′(k) felt through the contacts"),
    ],
)
def test_a_switch_changes_picture_legend_and_scale(visit: VISIT, preset: str, layer: str, words: str) -> None:
    page = visit(preset)
    before, bare = settled(page), int(data(page)["visible"])
    notes = page.locator(".notes")
    expect(notes).not_to_contain_text(words)
    box(page, layer).check()
    expect(notes).to_contain_text(words)
    wait_until(page, lambda: int(data(page)["visible"]) > bare)
    wait_until(page, lambda: difference(before, picture(page)) > 5e-4)
    unit = scenes.CHOICES[layer].unit("translational")
    expect(notes).to_contain_text(unit)
    expect(page.locator("label", has=box(page, layer)).locator(".scale")).to_have_text(re.compile(re.escape(unit)))
    box(page, layer).uncheck()
    expect(notes).not_to_contain_text(words)
    wait_until(page, lambda: int(data(page)["visible"]) == bare)


def test_switches_and_choices_work_by_keyboard(visit: VISIT) -> None:
    page = visit("puma560", layers="articulated_inertia")
    first = page.locator("fieldset input[type=checkbox]:visible").first
    first.focus()
    assert first.is_checked()
    shown = int(data(page)["visible"])
    page.keyboard.press("Space")
    expect(page.locator(".notes")).not_to_contain_text("ellipsoids:")
    wait_until(page, lambda: int(data(page)["visible"]) < shown)
    alone = int(data(page)["visible"])
    assert not first.is_checked()
    assert shown_time(page) == 0.5  # the key did not also play
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(box(page, "articulated_inertia_updated")).to_be_checked()
    expect(page.locator(".notes")).to_contain_text("P⁺(k)")
    wait_until(page, lambda: int(data(page)["visible"]) > alone)
    all_links = int(data(page)["visible"])
    page.get_by_role("button", name="this link").focus()
    page.keyboard.press("Enter")
    wait_until(page, lambda: int(data(page)["visible"]) < all_links)
    page.get_by_role("button", name="moments of inertia").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".notes")).to_contain_text("√kg m")


def fitting(preset: str, shown: list[str]) -> scenes.Scene:
    """A scene whose scales have met every instant of a preset's motion, in steps of a fiftieth of a second."""
    run = Session(preset).run
    while not run.complete:
        run.accept(run.compute())
    solutions = [run.solution_at(time) for time in np.arange(0.0, run.end + 1e-9, INTERVAL)]
    scene = scenes.Scene(run.actuation.system, solutions[0])
    for solution in solutions:
        scene.transforms(solution, shown)
    scene.scales.refit()
    return scene


@pytest.mark.parametrize("preset", ["puma560", "two_arms_and_box", "free_flyer"])
def test_scales_are_stated_and_fit_the_whole_run(visit: VISIT, preset: str) -> None:
    page = visit(preset, layers="")
    shown = ["costate_covariance", "moment", "acceleration", "angular_velocity"]
    for name in shown:
        box(page, name).check()
    scene = fitting(preset, shown)
    for name, (unit, _) in scene.stated(shown).items():
        scale, row = scene.scales._scales[unit], page.locator("label", has=box(page, name)).locator(".scale")

        def fits(scale: Scale = scale, row: Locator = row, unit: str = unit) -> bool:
            found = re.fullmatch(rf"10 cm: ([\d.e−-]+) ?{re.escape(unit)}", row.inner_text())
            amount = float(found[1].replace("−", "-")) if found else np.nan
            return bool(0.15 * scale.length <= 0.1 / amount * scale._most <= 1.5 * scale.length)

        wait_until(page, fits)


@pytest.mark.parametrize(
    ("preset", "layer", "stage"),
    [
        ("puma560", "articulated_inertia", "filter"),
        ("puma560", "acceleration", "smoother"),
        ("two_arms_and_box", "contact_force", "contact"),
        ("two_arms_and_box", "force", "smoother_final"),
        ("free_flyer", "dual_articulated_inertia", "dual_filter"),
    ],
)
def test_a_click_on_a_quantity_sets_link_and_stage(visit: VISIT, preset: str, layer: str, stage: str) -> None:
    start = "smoother" if stage == "filter" else "filter"
    page = visit(preset, layers=layer, stage=start, link="0")
    title = point_at(page, preset, layer)
    page.mouse.down()
    page.mouse.up()
    expect(page.locator(".spoken").first).to_have_text(f"Selected: {title}")
    wait_until(page, lambda: title in data(page)["marked"].split("; "))
    wait_until(page, lambda: address(page).get("stage") == stage)
    system = moment(preset, 0.5)[0]
    name = system.link_names[int(address(page)["link"])]
    assert title.endswith(name) or layer == "contact_force"
    assert f"link {name}" in data(page)["marked"].split("; ")


def address(page: Page) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlparse(page.url).query).items()}


def point_at(page: Page, preset: str, layer: str) -> str:
    """Moves the pointer to where something of a layer is in sight, and gives what the page calls it."""
    system, solution = moment(preset, 0.5)
    scene = scenes.Scene(system, solution)
    moved = scene.transforms(solution, (layer,)).reshape(-1, 3, 4).astype(float)[scene.layers[layer]]
    symbol = scenes.CHOICES[layer].symbol
    canvas = page.locator("canvas[role=application]")
    where = canvas.bounding_box()
    assert where is not None
    place, target = np.array(data(page)["camera"].split(), float).reshape(2, 3)
    back = (place - target) / np.linalg.norm(place - target)
    right = np.cross([0.0, 0.0, 1.0], back)
    right /= np.linalg.norm(right)
    up = np.cross(back, right)
    for matrix in sorted(moved, key=lambda one: -np.abs(one).sum()):
        if scenes.CHOICES[layer].group == "ellipsoids":
            angles = np.linspace(0.0, 2.0 * np.pi, 12, endpoint=False)
            points = [matrix[:, 3] + 0.9 * matrix[:, :3] @ (np.cos(a) * right + np.sin(a) * up) for a in angles]
        else:
            points = [matrix[:, 3] + share * matrix[:, 2] for share in (0.86, 0.6, 0.4, 0.25)]
        for point in points:
            offset = point - place
            scale = 0.5 * where["height"] / (np.tan(np.radians(19.0)) * -(offset @ back))
            x, y = 0.5 * where["width"] + scale * (offset @ right), 0.5 * where["height"] - scale * (offset @ up)
            if not (0.0 < x < where["width"] and 0.0 < y < where["height"]):
                continue
            page.mouse.move(where["x"] + x, where["y"] + y)
            page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            title = canvas.get_attribute("title") or ""
            if title.startswith(f"{symbol}, "):
                return title
    raise AssertionError(f"nothing of {layer} is in sight")


def test_the_mark_follows_the_cursor_from_elsewhere_and_through_a_change_of_machine(visit: VISIT) -> None:
    page = visit("puma560", link="4")
    assert "link link_2" in data(page)["marked"].split("; ")
    page.get_by_role("button", name="Free-flying").click()
    wait_until(page, lambda: data(page).get("marked", "").startswith("link ") and "link_2" not in data(page)["marked"])
    marked = data(page)["marked"]
    page.get_by_label("Toggle theme").click()
    page.locator(".armsweep.dark").wait_for(timeout=PATIENCE)
    wait_until(page, lambda: data(page)["marked"] == marked)
    view = data(page)["camera"]
    page.locator("canvas[role=application]").press("Escape")
    wait_until(page, lambda: data(page)["marked"] == "")
    assert data(page)["camera"] == view


def test_dark_and_light_draw_the_same_layers(visit: VISIT) -> None:
    page = visit("two_arms_and_box", layers="articulated_inertia,contact_force,frames,trails,mass_centres")
    light, view, version = int(data(page)["visible"]), data(page)["camera"], int(data(page)["version"])
    page.get_by_label("Toggle theme").click()
    page.locator(".armsweep.dark").wait_for(timeout=PATIENCE)
    wait_until(page, lambda: int(data(page)["version"]) == version + 1)
    wait_until(page, lambda: int(data(page)["visible"]) == light)
    assert settled(page)[3, 3].max() < 60
    assert data(page)["camera"] == view  # the same scene in other colors does not move the camera


def test_trails_follow_the_scrubber_both_ways(visit: VISIT) -> None:
    page = visit("puma560", t=0.2, layers="trails")
    few = int(data(page)["visible"])
    slider = page.locator("input[type=range]:visible").first
    slider.focus()
    page.keyboard.press("PageUp")
    wait_until(page, lambda: shown_time(page) > 0.2)
    for _ in range(12):
        page.keyboard.press("PageUp")
    wait_until(page, lambda: int(data(page)["visible"]) > few + 5)
    page.keyboard.press("Home")
    wait_until(page, lambda: int(data(page)["visible"]) <= few)


def test_a_kept_run_is_a_ghost(visit: VISIT) -> None:
    page = visit("puma560", layers="")
    bare, view = int(data(page)["visible"]), data(page)["camera"]
    page.keyboard.press("a")
    expect(page.locator(".notes")).to_contain_text("ghost A: PUMA 560", timeout=PATIENCE)
    wait_until(page, lambda: int(data(page)["visible"]) == bare + 7)  # its bodies, and its letter
    assert data(page)["camera"] == view


def test_the_walk_shows_what_it_has_come_to_and_moves_it(visit: VISIT) -> None:
    """Of a half-step the picture goes over into the next, until the user says what is shown."""
    page = visit("puma560", stage="filter", link="3")
    notes, shown = page.locator(".notes"), int(data(page)["visible"])
    settled(page)
    before = int(data(page)["frames"])
    page.keyboard.press("ArrowRight")
    expect(notes).to_contain_text("joint free", timeout=PATIENCE)
    wait_until(page, lambda: int(data(page)["frames"]) >= before + 4)  # pictures on the way
    wait_until(page, lambda: int(data(page)["visible"]) < shown)  # the links further in have none yet
    settled(page)
    page.get_by_label("While paused").uncheck()
    wait_until(page, lambda: int(data(page)["visible"]) >= shown)
    page.get_by_label("While paused").check()
    wait_until(page, lambda: int(data(page)["visible"]) < shown)
