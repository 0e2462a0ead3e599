"""The 3D view, driven as a user would, in software WebGL."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.browser.test_page import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page, WebSocket

pytestmark = pytest.mark.browser

N_MESHES = 70
SMALL = {"width": "640", "height": "360"}
"""Pixels, where it does not matter how many there are: here a processor fills each."""


@pytest.fixture
def visit(page: Page, serve: Callable[[str], str]) -> Callable[..., Page]:
    """Open the toy page with query arguments and wait for its first drawn frame."""

    def go(**query: str) -> Page:
        arguments = "&".join(f"{key}={value}" for key, value in query.items())
        page.goto(f"{serve('toy_app')}?{arguments}")
        if query.get("webgl") == "off":
            page.wait_for_selector(".armsweep img", timeout=30_000)
        else:
            page.wait_for_selector("canvas[data-frames]", timeout=30_000)
        return page

    return go


def data(page: Page) -> dict[str, Any]:
    return page.locator("canvas").evaluate("canvas => ({...canvas.dataset})")


def pixels(page: Page, selector: str = "canvas") -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(page.locator(selector).screenshot())).convert("RGB")).astype(int)


def settled(page: Page) -> np.ndarray:
    """The picture once a resting view has been drawn again at double resolution."""
    page.wait_for_function(
        """() => { const find = root => root.querySelector('canvas[data-frames]')
            ?? [...root.querySelectorAll('*')].map(n => n.shadowRoot && find(n.shadowRoot)).find(Boolean);
            const d = find(document).dataset; return d.refined === d.frames }"""
    )
    return pixels(page)


def difference(a: np.ndarray, b: np.ndarray) -> float:
    """Share of pixels that differ visibly."""
    return float((np.abs(a - b).max(axis=2) > 24).mean())


def report(page: Page) -> str:
    return page.locator(".report div").first.inner_text().split(":")[1].strip()


def wait_for_report(page: Page, accept: Callable[[int], bool]) -> int:
    for _ in range(100):
        if accept(int(report(page))):
            return int(report(page))
        page.wait_for_timeout(50)
    raise AssertionError(f"selected stayed {report(page)}")


def test_it_draws_every_mesh_and_moves(visit: Callable[..., Page]) -> None:
    page = visit(**SMALL)
    first = pixels(page)
    assert data(page)["meshes"] == str(N_MESHES)
    assert len(np.unique(first.reshape(-1, 3), axis=0)) > 200
    page.wait_for_timeout(700)
    assert difference(first, pixels(page)) > 0.01


def test_frames_arrive_and_are_drawn(visit: Callable[..., Page]) -> None:
    """How many a second is for ``benchmarks``; here they come at all, and the newest is what is drawn."""
    page = visit(**SMALL)
    before = data(page)
    for _ in range(200):
        now = data(page)
        if int(now["frames"]) >= int(before["frames"]) + 10:
            break
        page.wait_for_timeout(50)
    assert int(now["frames"]) >= int(before["frames"]) + 10
    assert int(now["received"]) >= int(before["received"]) + 10
    assert float(now["latency"]) >= 0.0


def test_a_frame_is_one_small_message(page: Page, visit: Callable[..., Page]) -> None:
    sizes: list[int] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda payload: sizes.append(len(payload)))

    page.on("websocket", listen)
    visit(**SMALL)
    page.remove_listener("websocket", listen)
    page.wait_for_timeout(500)
    before, sent = int(data(page)["received"]), len(sizes)
    page.wait_for_timeout(2000)
    frames = int(data(page)["received"]) - before
    assert sum(sizes[sent:]) / frames < 6000


def test_nothing_is_drawn_while_nothing_changes(visit: Callable[..., Page]) -> None:
    page = visit(play="off", **SMALL)
    settled(page)
    before = data(page)["frames"]
    page.wait_for_timeout(600)
    assert data(page)["frames"] == before


def test_the_camera_is_the_users_until_another_machine_comes(visit: Callable[..., Page]) -> None:
    page = visit(play="off")
    start, camera = settled(page), data(page)["camera"]
    page.mouse.move(900, 300)
    page.mouse.down()
    page.mouse.move(700, 250, steps=5)
    page.mouse.up()
    assert difference(start, settled(page)) > 0.05
    turned = data(page)["camera"]
    assert turned != camera
    page.get_by_role("button", name="swap scene").click()
    page.wait_for_selector("canvas[data-meshes='7']")
    settled(page)
    own = data(page)["camera"]
    assert own not in (turned, camera)
    page.locator("canvas").press("Home")
    settled(page)
    assert data(page)["camera"] == own


def test_a_view_that_came_with_a_link_waits_for_the_machine_of_the_link(visit: Callable[..., Page]) -> None:
    page = visit(play="off", camera="3.0000 -3.0000 2.0000 0.0000 0.0000 0.6000", **SMALL)
    settled(page)
    linked = data(page)["camera"]
    assert linked.startswith("3.0000 -3.0000")
    page.get_by_role("button", name="swap scene").click()
    page.wait_for_selector("canvas[data-meshes='7']")
    settled(page)
    assert data(page)["camera"] == linked


def test_what_can_be_taken_hold_of_is_seen_under_the_pointer(visit: Callable[..., Page]) -> None:
    page = visit(play="off", drag="on", **SMALL)
    before = settled(page)
    cursor = "canvas => canvas.style.cursor"
    x, y = next(place for place in places(page) if look_under(page, place) == "object")
    assert data(page)["hovered"] == "box"
    assert page.locator("canvas").evaluate(cursor) == "grab"
    assert difference(before, settled(page)) > 1e-3  # its rim
    page.mouse.down()
    assert page.locator("canvas").evaluate(cursor) == "grabbing"
    page.mouse.move(x + 12, y + 3, steps=3)
    assert page.locator("canvas").evaluate(cursor) == "grabbing"
    page.mouse.up()
    page.mouse.move(8, 8)
    page.wait_for_selector("canvas[data-hovered='']", state="attached")
    assert page.locator("canvas").evaluate(cursor) == "default"


def places(page: Page) -> list[tuple[float, float]]:
    """Round the middle of the picture, nearest first."""
    box = page.locator("canvas").bounding_box()
    assert box is not None
    middle = np.array([box["x"] + box["width"] / 2, box["y"] + box["height"] / 2])
    grid = [(float(middle[0] + dx), float(middle[1] + dy)) for dx in range(-60, 61, 12) for dy in range(-90, 91, 12)]
    return sorted(grid, key=lambda place: float(np.hypot(*(np.array(place) - middle))))


def look_under(page: Page, place: tuple[float, float]) -> str:
    """What kind of body the pointer finds there."""
    page.mouse.move(*place)
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return "object" if data(page).get("hovered") == "box" else ""


def test_where_nothing_can_be_dragged_nothing_says_so(visit: Callable[..., Page]) -> None:
    page = visit(play="off", **SMALL)
    settled(page)
    for place in places(page)[:20]:
        assert not look_under(page, place)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_ghost_has_a_dashed_rim_that_one_sees(visit: Callable[..., Page], theme: str) -> None:
    """Its body is see-through, and pale; the rim has its whole tone, and gaps that no other rim has."""
    page = visit(play="off", theme=theme, ghost="D0107A")  # a tone that nothing else has
    seen = settled(page)
    rim = np.abs(seen - np.array([0xD0, 0x10, 0x7A])).max(axis=2) < 12
    rows, columns = np.flatnonzero(rim.any(axis=1)), np.flatnonzero(rim.any(axis=0))
    assert rim.sum() > 100
    assert np.ptp(rows) < 160  # round one body
    assert np.ptp(columns) < 160
    around = 2 * (np.ptp(rows) + np.ptp(columns))
    assert rim.sum() < 2.5 * around  # a rim, and no area


def test_a_new_scene_is_framed_while_the_camera_is_untouched(visit: Callable[..., Page]) -> None:
    page = visit(play="off", **SMALL)
    settled(page)
    camera = data(page)["camera"]
    page.get_by_role("button", name="swap scene").click()
    page.wait_for_selector("canvas[data-meshes='7']")
    settled(page)
    assert data(page)["camera"] != camera


def test_a_view_that_would_miss_a_new_scene_is_given_up(visit: Callable[..., Page]) -> None:
    page = visit(play="off")
    settled(page)
    page.mouse.move(640, 300)
    for _ in range(12):
        page.mouse.wheel(0, -400)
    settled(page)
    inside = data(page)["camera"]
    page.get_by_role("button", name="swap scene").click()
    page.wait_for_selector("canvas[data-meshes='7']")
    settled(page)
    framed = data(page)["camera"]
    assert framed != inside
    page.locator("canvas").press("Home")
    settled(page)
    assert data(page)["camera"] == framed


def test_wheel_and_double_click(visit: Callable[..., Page]) -> None:
    page = visit(play="off")
    settled(page)
    camera = data(page)["camera"]
    page.mouse.move(640, 300)
    page.mouse.wheel(0, -400)
    settled(page)
    assert data(page)["camera"] != camera
    page.mouse.dblclick(60, 60)
    settled(page)
    assert data(page)["camera"] == camera


def test_keys_turn_move_and_zoom_with_a_visible_focus(visit: Callable[..., Page]) -> None:
    page = visit(play="off", **SMALL)
    settled(page)
    page.keyboard.press("Tab")
    assert page.locator("canvas").evaluate("canvas => canvas.getRootNode().activeElement === canvas")
    ring = page.locator(".focus-ring")
    assert ring.is_visible()
    seen = [data(page)["camera"]]
    for key in ("Shift+ArrowLeft", "Shift+ArrowUp", "Control+ArrowRight", "+", "-", "Home"):
        page.keyboard.press(key)
        settled(page)
        seen.append(data(page)["camera"])
    assert len(set(seen[:5])) == 5
    wait_until(page, lambda: data(page)["camera"] == seen[0])  # a slow browser is still on its way home
    assert page.locator("canvas").get_attribute("aria-label")


def test_a_click_selects_and_a_click_beside_clears(visit: Callable[..., Page]) -> None:
    page = visit(play="off")
    plain = settled(page)
    box = np.argwhere(np.abs(plain - (205, 170, 80)).max(axis=2) < 40)
    row, column = box.mean(axis=0)
    where = page.locator("canvas").bounding_box()
    assert where is not None
    page.mouse.click(where["x"] + column, where["y"] + row)
    assert wait_for_report(page, lambda index: index >= 0) == N_MESHES - 2
    rim = np.abs(settled(page) - (11, 18, 32)).max(axis=2) < 12  # palette.SELECTED on light
    assert rim.sum() > 100
    page.mouse.click(where["x"] + 30, where["y"] + 30)
    wait_for_report(page, lambda index: index == -1)
    assert difference(plain, settled(page)) < 1e-4


def test_escape_clears_the_selection(visit: Callable[..., Page]) -> None:
    page = visit(play="off")
    settled(page)
    page.mouse.click(600, 240)
    wait_for_report(page, lambda index: index >= 0)
    page.locator("canvas").press("Escape")
    wait_for_report(page, lambda index: index == -1)


def test_dark_theme_and_legend(visit: Callable[..., Page]) -> None:
    page = visit(play="off", theme="dark", **SMALL)
    assert settled(page)[5, 5].max() < 60
    for words in ("contact force", "10 N per 0.1 m", "grid: 0.5 m"):
        expect(page.locator(".notes")).to_contain_text(words)


def test_without_webgl_pictures_and_a_sentence(visit: Callable[..., Page]) -> None:
    page = visit(webgl="off")
    expect(page.get_by_text("No WebGL here: pictures rendered on the server")).to_be_visible()
    page.wait_for_function(
        """() => { const find = root => root.querySelector('.armsweep img')
            ?? [...root.querySelectorAll('*')].map(n => n.shadowRoot && find(n.shadowRoot)).find(Boolean);
            return find(document).naturalWidth === 80 }"""
    )
    expect(page.locator(".webgl div").first).to_contain_text("False")


def test_a_lost_context_comes_back(visit: Callable[..., Page]) -> None:
    page = visit(**SMALL)
    canvas = page.locator("canvas")
    canvas.evaluate("c => { c.lost = c.getContext('webgl2').getExtension('WEBGL_lose_context'); c.lost.loseContext() }")
    page.get_by_text("graphics context was lost").wait_for()
    canvas.evaluate("c => c.lost.restoreContext()")
    page.locator(".status").wait_for(state="hidden")
    before = int(data(page)["frames"])
    page.wait_for_timeout(1000)
    assert int(data(page)["frames"]) > before + 5
    assert len(np.unique(pixels(page).reshape(-1, 3), axis=0)) > 200


def test_a_lost_context_that_stays_away_gives_pictures(visit: Callable[..., Page]) -> None:
    page = visit(**SMALL)
    page.locator("canvas").evaluate("c => c.getContext('webgl2').getExtension('WEBGL_lose_context').loseContext()")
    page.get_by_text("No WebGL here").wait_for(timeout=10_000)
    expect(page.locator(".armsweep img")).to_be_visible()


def test_removed_and_shown_again_while_frames_arrive(visit: Callable[..., Page]) -> None:
    page = visit(**SMALL)
    toggle = page.get_by_role("button", name="hide")
    for _ in range(3):
        toggle.click()
        page.locator("canvas").wait_for(state="detached")
        page.wait_for_timeout(200)
        toggle.click()
        page.wait_for_selector("canvas[data-frame]")
    assert len(np.unique(pixels(page).reshape(-1, 3), axis=0)) > 200


def test_it_follows_its_size(visit: Callable[..., Page]) -> None:
    page = visit(play="off", width="500", height="700")
    settled(page)
    box = page.locator("canvas").bounding_box()
    assert box is not None
    assert box["width"] == pytest.approx(500, abs=20)
    assert difference(pixels(page)[:, :8], pixels(page)[:, -8:]) < 0.5
