"""The 3D view: its layers, legend and scales, clicks, views and camera, pictures; and a browser without WebGL."""

import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

import scenes
from app.state import Session
from tests.browser.moment import address, pause, shown_time, solution_at, stand_at, wait_until
from tests.browser.page import open_tab
from tests.browser.picture import (
    CANVAS,
    PICTURES,
    box_of,
    camera,
    colors,
    data,
    difference,
    drag,
    on_screen,
    picture,
    pixels,
)

AT = 0.5
SVG = "{http://www.w3.org/2000/svg}"


def show(open_page: Callable[..., Page], preset: str, more: str = "", allowed: tuple[str, ...] = ()) -> Page:
    """The layers of a preset at an instant that stands still, the cursor's link marked."""
    page = stand_at(open_page(f"preset={preset}&t={AT}&play=0&tab=Show{more}", allowed=allowed), AT)
    page.locator("canvas[data-marked]:not([data-marked=''])").wait_for()
    page.locator("fieldset input[type=checkbox]:visible").first.wait_for()
    return page


def box(page: Page, name: str) -> Locator:
    return page.locator(f"input[type=checkbox][value={name}]")


def visible(page: Page) -> int:
    return int(data(page)["visible"])


def resting(page: Page) -> np.ndarray:
    """The picture once a resting view has been drawn again at double resolution."""
    wait_until(page, lambda: data(page).get("refined") == data(page)["frames"])
    return picture(page)


@pytest.mark.full
def test_layers_are_switched_and_stand_in_picture_legend_and_scale(open_page: Callable[..., Page]) -> None:
    page = show(open_page, "two_arms_and_box")
    notes = page.locator(".notes")
    expect(notes).to_contain_text("applied")
    expect(notes).not_to_contain_text("push")
    before, bare = resting(page), visible(page)
    for layer, words in (
        ("moment", "x(k) moment at the joint"),
        ("contact_influence_sweep", "ψΩ⁻¹ψ′(k) felt through the contacts"),
    ):
        expect(notes).not_to_contain_text(words)
        box(page, layer).check()
        expect(notes).to_contain_text(words)
        wait_until(page, lambda: visible(page) > bare)
        wait_until(page, lambda: difference(before, picture(page)) > 5e-4)
        unit = scenes.CHOICES[layer].unit("translational")
        expect(notes).to_contain_text(unit)
        expect(page.locator("label", has=box(page, layer)).locator(".scale")).to_have_text(re.compile(re.escape(unit)))
        box(page, layer).uncheck()
        expect(notes).not_to_contain_text(words)
        wait_until(page, lambda: visible(page) == bare)
    # A kept run is a ghost, that moves no camera; the dark theme draws the same.
    view = data(page)["camera"]
    page.keyboard.press("a")
    expect(notes).to_contain_text("ghost A:")
    wait_until(page, lambda: visible(page) > bare)
    kept, version = visible(page), int(data(page)["version"])
    page.get_by_label("Toggle theme").click()
    page.locator(".armsweep.dark").wait_for()
    wait_until(page, lambda: int(data(page)["version"]) > version and visible(page) == kept)
    assert resting(page)[3, 3].max() < 60
    assert data(page)["camera"] == view
    # What is let go has no force.
    page.get_by_role("button", name="Release").click()
    expect(notes).not_to_contain_text("applied")


def seen_at(page: Page, point: np.ndarray) -> tuple[float, float, bool]:
    """Where a point of the world is in the picture, px, and whether that is in it."""
    where = box_of(page.locator(CANVAS))
    x, y = on_screen(page, point)
    x, y = x - where["x"], y - where["y"]
    return x, y, bool(0.0 < x < where["width"] and 0.0 < y < where["height"])


def point_at(page: Page, preset: str, layer: str) -> str:
    """Moves the pointer to where something of a layer is in sight, and gives what the page calls it."""
    solution = solution_at(preset, AT)
    scene = scenes.Scene(Session(preset).loaded, solution)
    moved = scene.transforms(solution, (layer,)).reshape(-1, 3, 4).astype(float)[scene.layers[layer]]
    symbol = scenes.CHOICES[layer].symbol
    canvas = page.locator(CANVAS)
    _, _, right, up = camera(page)
    for matrix in sorted(moved, key=lambda one: -np.abs(one).sum()):
        if scenes.CHOICES[layer].group == "ellipsoids":
            angles = np.linspace(0.0, 2.0 * np.pi, 12, endpoint=False)
            points = [matrix[:, 3] + 0.9 * matrix[:, :3] @ (np.cos(a) * right + np.sin(a) * up) for a in angles]
        else:
            points = [matrix[:, 3] + share * matrix[:, 2] for share in (0.86, 0.6, 0.4, 0.25)]
        for point in points:
            x, y, is_seen = seen_at(page, point)
            if not is_seen:
                continue
            where = box_of(canvas)
            page.mouse.move(where["x"] + x, where["y"] + y)
            page.evaluate(PICTURES, 2)
            title = canvas.get_attribute("title") or ""
            if title.startswith(f"{symbol}, "):
                return title
    raise AssertionError(f"nothing of {layer} is in sight")


def test_a_click_on_a_quantity_leads_to_its_place(open_page: Callable[..., Page]) -> None:
    preset = "two_arms_and_box"
    page = show(open_page, preset, "&layers=&stage=filter&link=0")
    for layer, stage in (("contact_force", "contact"), ("force", "smoother_final")):
        box(page, layer).check()
        expect(page.locator(".notes")).to_contain_text(scenes.CHOICES[layer].symbol)
        title = point_at(page, preset, layer)
        page.mouse.down()
        page.mouse.up()
        expect(page.locator(".spoken").first).to_have_text(f"Selected: {title}")
        wait_until(page, lambda title=title: title in data(page)["marked"].split("; "))  # type: ignore[misc]
        wait_until(page, lambda stage=stage: address(page).get("stage") == stage)  # type: ignore[misc]
        link = solution_at(preset, AT).system.link_names[int(address(page)["link"])].rpartition("/")[2]
        assert title.endswith(link) or layer == "contact_force"
        box(page, layer).uncheck()
        wait_until(page, lambda: "layers" not in address(page))
    view = data(page)["camera"]
    page.locator(CANVAS).press("Escape")
    wait_until(page, lambda: data(page)["marked"] == "")
    assert data(page)["camera"] == view


LOST = ("object does not belong to this context",)
"""What the console says when objects of a graphics context that was lost are let go."""


def toward(page: Page) -> np.ndarray:
    """The direction from which one looks."""
    return -camera(page)[1]


def test_the_camera_is_the_users_until_another_machine_comes(open_page: Callable[..., Page]) -> None:
    page = show(open_page, "puma560", "&layers=trails", LOST)
    canvas = page.locator(CANVAS)
    wait_until(page, lambda: "camera" in data(page))
    resting(page)
    home = data(page)["camera"]
    for name, key, axis in (
        ("Front view", "1", (1, 0, 0)),
        ("View from the side", "2", (0, -1, 0)),
        ("View from above", "3", (0, 0, 1)),
    ):
        page.get_by_role("button", name=name).click()
        wait_until(page, lambda axis=axis: np.allclose(toward(page), axis, atol=2e-3))  # type: ignore[misc]
        canvas.focus()
        page.keyboard.press("Shift+ArrowLeft")
        page.keyboard.press(key)
        wait_until(page, lambda axis=axis: np.allclose(toward(page), axis, atol=2e-3))  # type: ignore[misc]
    page.keyboard.press("1")
    turntable = page.get_by_role("button", name="Turntable")
    turntable.click()
    start = data(page)["camera"]
    wait_until(page, lambda: data(page)["camera"] != start)
    place = box_of(canvas)
    drag(page, (place["x"] + 20, place["y"] + 20), (40.0, 10.0))
    expect(turntable).to_have_attribute("aria-pressed", "false")
    # Nothing takes the camera below the floor.
    canvas.focus()
    for _ in range(40):
        page.keyboard.press("Shift+ArrowDown")
    for _ in range(40):
        page.keyboard.press("Control+ArrowDown")
    position = camera(page)[0]
    assert position[2] > 0.0
    for key in ("+", "-"):
        before = data(page)["camera"]
        page.keyboard.press(key)
        wait_until(page, lambda before=before: data(page)["camera"] != before)  # type: ignore[misc]
    page.keyboard.press("Home")
    wait_until(page, lambda: data(page)["camera"] == home)
    page.mouse.move(place["x"] + 0.5 * place["width"], place["y"] + 0.5 * place["height"])
    page.mouse.wheel(0, -400)
    wait_until(page, lambda: data(page)["camera"] != home)
    page.mouse.dblclick(place["x"] + 40, place["y"] + 60)
    wait_until(page, lambda: data(page)["camera"] == home)
    # A lost graphics context comes back.
    canvas.evaluate("c => { c.lost = c.getContext('webgl2').getExtension('WEBGL_lose_context'); c.lost.loseContext() }")
    page.get_by_text("graphics context was lost").wait_for()
    canvas.evaluate("c => c.lost.restoreContext()")
    page.locator(".status").wait_for(state="hidden")
    wait_until(page, lambda: colors(picture(page)) > 20)
    # Another machine is framed anew.
    page.get_by_role("button", name="Free-flying").click()
    wait_until(page, lambda: data(page)["camera"] != home)
    page.locator("canvas[data-marked^=link]").wait_for()
    resting(page)
    own = data(page)["camera"]
    canvas.press("Shift+ArrowLeft")
    wait_until(page, lambda: data(page)["camera"] != own)
    canvas.press("Home")
    wait_until(page, lambda: data(page)["camera"] == own)


def test_the_picture_is_saved_at_any_size_as_it_is_seen(open_page: Callable[..., Page], tmp_path: Path) -> None:
    page = show(open_page, "two_arms_and_box", "&layers=articulated_inertia")
    button = page.get_by_role("button", name="Save picture", exact=True)
    form = page.get_by_role("dialog", name="Save the 3D view as a picture")

    def fill(width: object, height: object, *, legend: bool) -> None:
        if not form.is_visible():
            button.click()
        form.get_by_label("Width in pixels").fill(str(width))
        form.get_by_label("Height in pixels").fill(str(height))
        form.get_by_label("With time, scales and legend").set_checked(legend)

    def saved(ending: str) -> Path:
        with page.expect_download() as download:
            form.get_by_role("button", name=f"Save {ending}", exact=True).click()
        file = tmp_path / download.value.suggested_filename
        download.value.save_as(file)
        return file

    width, height = 1920, 1200
    fill(width, height, legend=False)
    file = saved("PNG")
    assert re.fullmatch(r"[a-z0-9_]+_view_at_0\.500_s\.png", file.name)
    assert Image.open(file).size == (width, height)
    fill(1000, 640, legend=True)
    root = ElementTree.parse(saved("SVG")).getroot()
    assert [root.get(side) for side in ("width", "height")] == ["1000", "640"]
    texts = ["".join(each.itertext()) for each in root.iter(f"{SVG}text")]
    assert texts[0].endswith("t = 0.500 s")
    chips = page.locator(".armsweep .notes .chip span:not(.words)").all_inner_texts()
    assert chips
    assert set(chips) <= set(texts)
    fill(64, 64, legend=True)
    form.get_by_role("button", name="Save PNG").click()
    expect(form.get_by_role("status")).to_contain_text("the legend leaves no room")
    form.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Record a film of what is seen").click()
    page.get_by_role("button", name="Play (space)").click()
    wait_until(page, lambda: shown_time(page) > AT + 0.5)
    with page.expect_download() as download:
        page.get_by_role("button", name="End the film and save it").click()
    film = tmp_path / download.value.suggested_filename
    download.value.save_as(film)
    assert film.suffix == ".webm"
    assert film.read_bytes().startswith(b"\x1aE\xdf\xa3")  # EBML


NO_WEBGL = """
const get = HTMLCanvasElement.prototype.getContext
HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
  return /webgl/.test(kind) ? null : get.call(this, kind, ...rest)
}"""


@pytest.mark.render
def test_without_webgl_there_are_pictures_of_layers(new_page: Callable[..., Page], serve: Callable[[str], str]) -> None:
    page = new_page()
    page.add_init_script(NO_WEBGL)
    page.goto(f"{serve('app')}?preset=puma560&t=0.5&play=0")
    page.locator("#opening").wait_for(state="detached")
    page.get_by_text("No WebGL here").wait_for()
    stand_at(page, 0.5)
    page.get_by_alt_text("as a picture rendered on the server").wait_for()
    view = page.locator(".armsweep").first

    def seen_here() -> np.ndarray:
        return pixels(view.screenshot())

    wait_until(page, lambda: colors(seen_here()) > 20)
    first = seen_here()
    page.keyboard.press(" ")
    wait_until(page, lambda: difference(first, seen_here()) > 0.002)
    pause(page)
    open_tab(page, "Show")
    frames = page.locator("input[type=checkbox][value=frames]")
    frames.wait_for()
    first = seen_here()
    frames.check()
    expect(page.locator(".notes")).to_contain_text("link frames")
    wait_until(page, lambda: difference(first, seen_here()) > 1e-3)
