"""The view's floor, its shadow, and a camera that goes to named views and round them, in software WebGL."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.browser.test_page import wait_until
from tests.browser.test_viewer import SMALL, data, difference, settled, visit

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
__all__ = ["visit"]


def camera(page: Page) -> tuple[np.ndarray, np.ndarray]:
    """Position and target, m."""
    numbers = np.array([float(x) for x in data(page)["camera"].split()])
    return numbers[:3], numbers[3:]


def test_no_drag_and_no_key_takes_the_camera_below_the_floor(visit: Callable[..., Page]) -> None:
    page = visit(play="off", **SMALL)
    settled(page)
    page.locator("canvas").focus()
    for _ in range(40):
        page.keyboard.press("Shift+ArrowDown")
    low, _ = camera(page)
    assert 0.0 < low[2] < 0.2  # the toy's floor is at zero
    for _ in range(40):
        page.keyboard.press("Control+ArrowDown")
    position, target = camera(page)
    assert position[2] > 0.0
    assert target[2] >= 0.0
    box = page.locator("canvas").bounding_box()
    assert box is not None
    x, y = box["x"] + 30, box["y"] + 40
    page.mouse.move(x, y + 250)
    page.mouse.down()
    page.mouse.move(x, y, steps=8)
    page.mouse.up()
    assert camera(page)[0][2] > 0.0


def toward(page: Page) -> np.ndarray:
    """The direction from which one looks."""
    position, target = camera(page)
    direction: np.ndarray = (position - target) / np.linalg.norm(position - target)
    return direction


def test_views_by_button_and_key_and_the_turntable_until_a_drag(visit: Callable[..., Page]) -> None:
    page = visit(play="off", **SMALL)
    settled(page)
    home = data(page)["camera"]
    for name, key, axis in (("Front", "1", (1, 0, 0)), ("side", "2", (0, -1, 0)), ("above", "3", (0, 0, 1))):
        for act in (lambda n=name: page.get_by_role("button", name=n).click(), lambda k=key: page.keyboard.press(k)):
            page.locator("canvas").focus()
            page.keyboard.press("Shift+ArrowLeft")
            act()
            wait_until(page, lambda axis=axis: np.allclose(toward(page), axis, atol=2e-3))  # type: ignore[misc]
            page.locator("canvas").focus()
    turntable = page.get_by_role("button", name="Turntable")
    page.keyboard.press("1")
    wait_until(page, lambda: np.allclose(toward(page), (1, 0, 0), atol=2e-3))
    settled(page)
    turntable.click()
    before = camera(page)[0]
    page.wait_for_timeout(700)
    position, target = camera(page)
    assert turntable.get_attribute("aria-pressed") == "true"
    assert np.linalg.norm(position - before) > 1e-3
    assert np.linalg.norm(position - target) == pytest.approx(np.linalg.norm(before - target), rel=1e-3)
    box = page.locator("canvas").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 60, box["y"] + 30, steps=3)
    page.mouse.up()
    assert turntable.get_attribute("aria-pressed") == "false"
    page.locator("canvas").press("0")
    settled(page)
    assert data(page)["camera"] == home


RIM = 4
"""Pixels at a canvas's edge, where the ring of the focus is."""


def redness(picture: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows and columns of the points of the toy's arrows, which alone are red without green."""
    red, green, _ = np.moveaxis(picture, 2, 0)
    rows, columns = np.nonzero((red > 110) & (green < 0.4 * red))
    return rows, columns


def test_no_view_and_no_turn_cuts_an_arrow(visit: Callable[..., Page]) -> None:
    page = visit(play="off", longest="2.6", **SMALL)
    settled(page)

    def is_whole() -> None:
        picture = settled(page)
        rows, columns = redness(picture)
        height, width, _ = picture.shape
        assert len(rows) > 50
        assert RIM < rows.min() < rows.max() < height - 1 - RIM
        assert RIM < columns.min() < columns.max() < width - 1 - RIM

    for key, axis in (("1", (1, 0, 0)), ("2", (0, -1, 0)), ("3", (0, 0, 1))):
        page.locator("canvas").press(key)
        wait_until(page, lambda axis=axis: np.allclose(toward(page), axis, atol=2e-3))  # type: ignore[misc]
        is_whole()
    page.locator("canvas").press("2")
    wait_until(page, lambda: np.allclose(toward(page), (0, -1, 0), atol=2e-3))
    for _ in range(3):
        page.locator("canvas").press("t")
        page.wait_for_timeout(900)
        page.locator("canvas").press("t")
        is_whole()


def test_who_wants_no_motion_is_at_the_view_at_once(visit: Callable[..., Page], page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    visit(play="off", **SMALL)
    settled(page)
    frames = int(data(page)["frames"])
    page.locator("canvas").press("2")
    settled(page)
    assert int(data(page)["frames"]) - frames <= 2
    position, target = camera(page)
    assert abs(position[0] - target[0]) < 1e-3


def test_the_shadow_is_seen_and_can_be_switched_off(visit: Callable[..., Page]) -> None:
    page = visit(play="off", **SMALL)
    shaded = settled(page)
    assert data(page)["shadow"] == "on"
    page.get_by_role("button", name="shadow").click()
    page.wait_for_selector("canvas[data-shadow=off]")
    plain = settled(page)
    assert difference(shaded, plain) > 0.003
    assert plain.sum() > shaded.sum()
