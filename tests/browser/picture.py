"""The 3D view, and places on the page."""

import io

import numpy as np
from PIL import Image
from playwright.sync_api import Locator, Page

from tests.browser.moment import wait_until

CANVAS = "canvas[role=application]"
PICTURES = "count => new Promise(done => { const next = () => count-- ? requestAnimationFrame(next) : done(); next() })"
"""Waits until so many pictures were drawn."""
HALF_VIEW = np.tan(np.radians(19.0))
"""Of the camera's field of view, as in camera.js."""


def data(page: Page) -> dict[str, str]:
    found: dict[str, str] = page.locator(CANVAS).evaluate("canvas => ({...canvas.dataset})")
    return found


def pixels(png: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB")).astype(int)


def picture(page: Page) -> np.ndarray:
    return pixels(page.locator(CANVAS).screenshot())


def colors(image: np.ndarray) -> int:
    return len(np.unique(image.reshape(-1, 3) // 8, axis=0))


def difference(one: np.ndarray, other: np.ndarray) -> float:
    """Share of the pixels that differ visibly."""
    return float(np.mean(np.abs(one - other).max(axis=2) > 24))


def box_of(part: Locator) -> dict[str, float]:
    """Where it is on the page, in pixels."""
    found = part.bounding_box()
    assert found is not None
    return dict(found)


def camera(page: Page) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Position, and unit vectors forward, right and up."""
    wait_until(page, lambda: bool(data(page).get("camera")))
    numbers = np.array([float(x) for x in data(page)["camera"].split()])
    forward = numbers[3:] - numbers[:3]
    forward /= np.linalg.norm(forward)
    right = np.cross(forward, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    return numbers[:3], forward, right, np.cross(right, forward)


def on_screen(page: Page, point: np.ndarray) -> tuple[float, float]:
    """Pixels of a place (m, world)."""
    box = box_of(page.locator(CANVAS))
    position, forward, right, up = camera(page)
    away = point - position
    scale = box["height"] / 2.0 / HALF_VIEW / (away @ forward)
    x = box["x"] + box["width"] / 2.0 + scale * (away @ right)
    return float(x), float(box["y"] + box["height"] / 2.0 - scale * (away @ up))


def hover(page: Page, point: np.ndarray, what: str = "") -> tuple[float, float]:
    """Moves the pointer to a place (m, world) until the page says what can be held there; gives where that is, px."""
    found = [0.0, 0.0]

    def is_hovered() -> bool:  # the camera may still move, and the browser not know yet that it may be held
        found[:] = on_screen(page, point)
        page.mouse.move(found[0], found[1] + 1)
        page.mouse.move(*found)
        hovered = data(page).get("hovered")
        return hovered == what if what else bool(hovered)

    wait_until(page, is_hovered)
    return found[0], found[1]


def drag(page: Page, start: tuple[float, float], shift: tuple[float, float], steps: int = 5) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] + shift[0], start[1] + shift[1], steps=steps)
    page.mouse.up()
