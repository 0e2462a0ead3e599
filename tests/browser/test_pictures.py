"""Pictures that the page saves: of a plot in vectors and in pixels, and of the 3D view at the size one asks for."""

from __future__ import annotations

import base64
import io
import re
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]
SVG = "{http://www.w3.org/2000/svg}"


def saved(page: Page, button: Locator, folder: Path) -> Path:
    """The file that a button has saved."""
    with page.expect_download() as download:
        button.click()
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    return file


def plot_saved(page: Page, panel: int, ending: str, folder: Path) -> Path:
    page.get_by_role("button", name=f"Choices of panel {panel}").click()
    return saved(page, page.get_by_role("button", name=f"Save {ending}", exact=True), folder)


def is_blank(picture: Image.Image) -> bool:
    """Whether it has but one color."""
    return len(np.unique(np.asarray(picture.convert("RGBA")).reshape(-1, 4), axis=0)) < 2


def test_a_plot_is_saved_in_vectors_and_in_pixels(lead: Callable[[str], Page], tmp_path: Path) -> None:
    page = lead("preset=puma560&t=0.5&play=0")
    file = plot_saved(page, 1, "SVG", tmp_path)
    assert re.fullmatch(r"[a-z0-9_]+_at_0\.500_s\.svg", file.name)
    root = ElementTree.parse(file).getroot()
    texts = ["".join(each.itertext()) for each in root.iter(f"{SVG}text")]
    heading = page.get_by_role("group", name=re.compile("^Panel 1:")).get_by_role("heading").inner_text()
    assert texts[0] == heading.strip()
    assert any(each.endswith("t = 0.500 s") for each in texts)
    assert "time in s" in texts
    assert "pure number and in 1/m" in texts
    picture = Image.open(plot_saved(page, 1, "PNG", tmp_path))
    assert picture.size == tuple(3 * int(root.get(side) or 0) for side in ("width", "height"))
    assert picture.width > 3 * 640  # as large as a picture is, however narrow its panel
    assert not is_blank(picture)


def scene_saved(page: Page, width: int, height: int, ending: str, folder: Path, *, legend: bool = True) -> Path:
    """The 3D view of the page at a size."""
    form = page.get_by_role("dialog", name="Save the 3D view as a picture")
    if not form.is_visible():
        page.get_by_role("button", name="Save picture", exact=True).click()
    form.get_by_label("Width in pixels").fill(str(width))
    form.get_by_label("Height in pixels").fill(str(height))
    form.get_by_label("With time, scales and legend").set_checked(legend)
    return saved(page, form.get_by_role("button", name=f"Save {ending}", exact=True), folder)


def numbers_of(picture: Image.Image) -> np.ndarray:
    return np.asarray(picture.convert("RGB"), dtype=float)


SEEN = """() => { let found = null
  const take = (canvas, [left, top, width, height]) => {
    const part = Object.assign(document.createElement('canvas'), { width, height })
    part.getContext('2d').drawImage(canvas, -left, -top)
    found = [part.toDataURL(), width, height] }
  window.dispatchEvent(new CustomEvent('armsweep-picture', { detail: take }))
  return found }"""


def seen(page: Page) -> Image.Image:
    """What the page shows where nothing covers it."""
    address, *_ = page.evaluate(SEEN)
    return Image.open(io.BytesIO(base64.b64decode(address.partition(",")[2])))


def test_the_scene_is_saved_at_any_size_as_it_is_seen(lead: Callable[[str], Page], tmp_path: Path) -> None:
    page = lead("preset=two_arms_and_box&t=0.5&play=0&layers=articulated_inertia")
    shown = seen(page)
    width, height = 3 * (shown.width // 2), 3 * (shown.height // 2)
    file = scene_saved(page, width, height, "PNG", tmp_path, legend=False)
    assert re.fullmatch(r"[a-z0-9_]+_view_at_0\.500_s\.png", file.name)
    large = Image.open(file)
    assert large.size == (width, height)
    assert width > 1024, "several pieces"
    small = (shown.width // 3, shown.height // 3)
    ours, its = (numbers_of(each.resize(small, Image.Resampling.BOX)) for each in (large, shown))
    assert np.abs(ours - its).mean() < 2.0
    seam = numbers_of(large)[:, 1021:1028]  # between two pieces the picture changes no more than beside them
    steps = np.abs(np.diff(seam, axis=1)).mean(axis=(0, 2))
    assert steps[2] < 2.0 * max(steps[0], steps[1], steps[3], steps[4]) + 0.5
    again = numbers_of(seen(page).resize(small, Image.Resampling.BOX))
    assert np.abs(again - its).mean() < 1.0, "the page shows what it showed"


def test_a_picture_of_another_shape_shows_all_that_is_seen(lead: Callable[[str], Page], tmp_path: Path) -> None:
    """A square of a wide view: its middle is the view, what is above and below it is more of the world."""
    page = lead("preset=puma560&t=0.5&play=0")
    shown = seen(page)
    square = Image.open(scene_saved(page, 600, 600, "PNG", tmp_path, legend=False))
    assert square.size == (600, 600)
    height = round(600 * shown.height / shown.width)
    top = (600 - height) // 2
    middle = numbers_of(square.crop((0, top, 600, top + height)).resize((150, height // 4), Image.Resampling.BOX))
    assert np.abs(middle - numbers_of(shown.resize((150, height // 4), Image.Resampling.BOX))).mean() < 3.0


def test_below_the_scene_stand_its_time_scales_and_legend(lead: Callable[[str], Page], tmp_path: Path) -> None:
    page = lead("preset=two_arms_and_box&t=0.5&play=0&layers=articulated_inertia")
    root = ElementTree.parse(scene_saved(page, 1000, 640, "SVG", tmp_path)).getroot()
    assert [root.get(side) for side in ("width", "height")] == ["1000", "640"]
    texts = ["".join(each.itertext()) for each in root.iter(f"{SVG}text")]
    assert texts[0].endswith("t = 0.500 s")
    assert any("grid: " in each for each in texts)
    chips = page.locator(".armsweep .notes .chip span:not(.words)").all_inner_texts()
    assert chips
    assert set(chips) <= set(texts)
    image = root.find(f"{SVG}image")
    assert image is not None
    scene = Image.open(io.BytesIO(base64.b64decode((image.get("href") or "").partition(",")[2])))
    assert (scene.width, scene.height) == (1000, int(image.get("height") or 0))
    picture = Image.open(scene_saved(page, 1000, 640, "PNG", tmp_path))
    assert picture.size == (1000, 640)
    np.testing.assert_array_equal(numbers_of(picture)[: scene.height], numbers_of(scene))
    assert not is_blank(picture.crop((0, scene.height, 1000, 640)))


def test_a_picture_of_a_motion_is_of_one_moment(lead: Callable[[str], Page], tmp_path: Path) -> None:
    """The clock goes on while it is drawn; the picture stands still, and then shows the present again."""
    page = lead("preset=two_arms_and_box&play=1")
    file = scene_saved(page, 2500, 1500, "PNG", tmp_path, legend=False)
    told = re.search(r"_at_(\d+\.\d{3})_s\.png$", file.name)
    assert told
    canvas = page.locator(".armsweep canvas")
    before = float(canvas.get_attribute("data-moment") or 0.0)
    expect(canvas).not_to_have_attribute("data-moment", str(before))
    assert float(canvas.get_attribute("data-moment") or 0.0) != pytest.approx(float(told[1]), abs=1e-3)


def test_a_picture_is_cancelled_or_refused_in_words(lead: Callable[[str], Page]) -> None:
    page = lead("preset=puma560&t=0.5&play=0")
    button = page.get_by_role("button", name="Save picture", exact=True)
    button.click()
    form = page.get_by_role("dialog", name="Save the 3D view as a picture")
    says, width, height = (
        form.get_by_role("status"),
        form.get_by_label("Width in pixels"),
        form.get_by_label("Height in pixels"),
    )
    for size in (("0", "600"), ("", "600"), ("800.5", "600"), ("20000", "600"), ("16384", "16384")):
        width.fill(size[0])
        height.fill(size[1])
        form.get_by_role("button", name="Save PNG").click()
        expect(says).to_contain_text("From 64 to 16384 pixels along an edge")
    form.get_by_label("With time, scales and legend").check()
    width.fill("64")
    height.fill("64")
    form.get_by_role("button", name="Save PNG").click()
    expect(says).to_contain_text("the legend leaves no room")
    width.fill("4000")
    height.fill("4000")
    form.get_by_role("button", name="Save PNG").click()
    form.get_by_role("button", name="Cancel").click()  # the pointer leaves no focus behind, on this page
    expect(says).to_have_text("Cancelled: nothing was saved.")
    page.keyboard.press("Escape")
    expect(form).to_be_hidden()
    expect(button).to_be_focused()


def test_a_step_is_saved_as_a_program_and_copied_as_a_document(lead: Callable[[str], Page], tmp_path: Path) -> None:
    page = lead("preset=puma560&t=0.5&play=0")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    file = saved(page, page.get_by_role("button", name="Save this step as Python"), tmp_path)
    assert file.name == "puma_560_reaching_filter_link_6_at_0.500_s.py"
    assert "P[k] = " in file.read_text(encoding="utf-8")
    button = page.get_by_role("button", name="Copy this step as LaTeX")
    button.focus()
    page.keyboard.press("Enter")
    page.get_by_text("This step as LaTeX is copied.").wait_for()
    assert page.evaluate("navigator.clipboard.readText()").startswith(r"\documentclass")
