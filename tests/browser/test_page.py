"""The page driven as a user would: by mouse and keys, in all three modes, with a look at the pixels."""

from __future__ import annotations

import asyncio
import io
import re
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np
import pytest
from bokeh.protocol import Protocol
from bokeh.util.token import generate_jwt_token, generate_session_id
from PIL import Image
from playwright.sync_api import expect
from tornado.websocket import websocket_connect

from tests.browser.conftest import KEY, PATIENCE, visit, watch
from tests.conftest import run_apart

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]
MODES = ("Single arm", "Multi-arm", "Free-flying")
PICTURED = "as a picture rendered on the server"


@pytest.fixture
def opened(lead: Callable[[str], Page]) -> Page:
    """The app's page as it opens, its scene drawn."""
    page = lead("")
    wait_until(page, lambda: shown_time(page) > 0.0)
    wait_until(page, lambda: is_laid_out(page))
    return page


@pytest.fixture
def still(lead: Callable[[str], Page]) -> Page:
    """The page of the first preset, paused at half a second."""
    page = lead("preset=puma560&t=0.500&play=0")
    wait_until(page, lambda: shown_time(page) == 0.5)
    return page


def wait_until(page: Page, condition: Callable[[], bool], patience: float = PATIENCE) -> None:
    deadline = time.monotonic() + patience / 1e3
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        page.wait_for_timeout(50)


def shown_time(page: Page) -> float:
    """The instant that the page says it shows, s."""
    readout = page.locator(".instant p").first
    for _ in range(20):
        if found := re.search(r"([\d.]+) s of", readout.text_content() or ""):
            return float(found.group(1))
        page.wait_for_timeout(20)  # it is being written anew
    raise AssertionError("the page shows no time")


def picture(page: Page) -> np.ndarray:
    """The 3D view's pixels, (height, width, 3)."""
    return pixels(page.locator("canvas[role=application]").screenshot())


def pixels(png: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB")).astype(int)


def colors(image: np.ndarray) -> int:
    return len(np.unique(image.reshape(-1, 3) // 8, axis=0))


def difference(one: np.ndarray, other: np.ndarray) -> float:
    """Share of the pixels that differ visibly."""
    return float(np.mean(np.abs(one - other).max(axis=2) > 24))


def button(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def is_laid_out(page: Page) -> bool:
    """Whether all has its place: the picture moves sooner than that."""
    canvas = page.locator("canvas[role=application]")
    before = canvas.bounding_box()
    page.wait_for_timeout(200)
    return canvas.bounding_box() == before


def pause(page: Page) -> None:
    """Pauses, and waits for the server to say so: a slow machine may show an older instant until then."""
    page.keyboard.press(" ")
    page.get_by_role("button", name="Play (space)").wait_for(timeout=PATIENCE)
    wait_until(page, lambda: stands_still(page))


def stands_still(page: Page) -> bool:
    before = shown_time(page)
    page.wait_for_timeout(400)
    return shown_time(page) == before


@pytest.mark.parametrize("mode", MODES)
def test_each_mode_moves_and_is_checked(opened: Page, mode: str) -> None:
    if mode != MODES[0]:
        opened.get_by_role("button", name=mode).click()
        wait_until(opened, lambda: "preset=built" in opened.url)
        wait_until(opened, lambda: 0.0 < shown_time(opened) < 5.0)
    first = picture(opened)
    assert colors(first) > 20, "the canvas is blank"
    wait_until(opened, lambda: difference(first, picture(opened)) > 0.002)
    opened.get_by_role("button", name=re.compile(r"methods agree to \de-1\d")).wait_for(timeout=PATIENCE)
    for tab in ("Motion", "Filter") if mode != "Multi-arm" else ("Contact", "Motion", "Filter"):
        opened.get_by_role("tablist", name="Sets of plots").get_by_role("tab", name=tab, exact=True).click()
        plots = opened.locator(".bk-Figure canvas:visible")  # *Check* has one too, where it was opened
        plots.first.wait_for()
        opened.wait_for_timeout(600)
        assert colors(pixels(plots.first.screenshot())) > 4, f"the plots of {tab} are blank"


async def pulled(url: str) -> str:
    """The document of a session that its websocket opens, as JSON."""
    key = KEY.encode()  # which the one that has sent the page shares with this one
    token = generate_jwt_token(generate_session_id(key, signed=True), key, signed=True)
    socket = await websocket_connect(f"{url.replace('http', 'ws', 1)}/ws", subprotocols=["bokeh", token])

    async def told(word: str) -> str:
        while True:
            answer = await asyncio.wait_for(socket.read_message(), 3.0 * PATIENCE / 1e3)
            assert answer is not None
            if isinstance(answer, str) and word in answer:
                return answer

    await told('"ACK"')  # the server has made the session, and listens
    question = Protocol().create("PULL-DOC-REQ")
    for part in (question.header_json, question.metadata_json, question.content_json):
        await socket.write_message(part)
    document = await told('"roots"')
    socket.close()
    return document


def test_a_session_opened_by_its_websocket_asks_no_other_host(serve: Callable[[str], str]) -> None:
    """As where several processes serve, and another one has sent the page."""
    document = run_apart(pulled(serve("app")))
    sheets = re.findall(r'"([^"\s\\]+\.css[^"\s\\]*)"', document)
    assert sheets
    assert [url for url in sheets if "//" in url] == []


def test_play_pause_step_and_reset(opened: Page) -> None:
    pause(opened)
    at = shown_time(opened)
    for _ in range(10):
        opened.keyboard.press(".")
    wait_until(opened, lambda: shown_time(opened) == pytest.approx(at + 0.1, abs=0.011))
    for _ in range(20):
        opened.keyboard.press(",")
    wait_until(opened, lambda: shown_time(opened) == pytest.approx(at - 0.1, abs=0.011))
    opened.keyboard.press("r")  # what stood still stands still
    wait_until(opened, lambda: shown_time(opened) == 0.0)
    assert stands_still(opened)


def test_the_scrubber_moves_the_scene(still: Page) -> None:
    slider = still.locator("input[type=range]:visible").first
    slider.focus()
    still.keyboard.press("Home")
    wait_until(still, lambda: shown_time(still) == 0.0)
    still.wait_for_timeout(500)
    start = picture(still)
    for _ in range(20):
        still.keyboard.press("PageUp")
    wait_until(still, lambda: shown_time(still) > 1.0)
    wait_until(still, lambda: difference(start, picture(still)) > 0.002)


def test_a_torque_shows_soon(opened: Page) -> None:
    opened.get_by_role("tab", name="Change").click()
    opened.get_by_role("button", name="Torques", exact=True).click()
    slider = opened.locator("[role=tabpanel] input[type=range]:visible, input[type=range]:visible").nth(2)
    slider.focus()
    started = time.monotonic()
    opened.keyboard.press("End")
    wait_until(opened, lambda: shown_time(opened) < 1.0)
    assert time.monotonic() - started < 5.0
    wait_until(opened, lambda: shown_time(opened) > 1.0)


def test_release_and_grasp(opened: Page) -> None:
    opened.get_by_role("button", name="Multi-arm").click()
    wait_until(opened, lambda: 0.3 < shown_time(opened) < 5.0)
    button(opened, "Release")
    opened.get_by_role("button", name="Grasp", exact=True).wait_for()
    opened.get_by_text("released", exact=True).wait_for()
    landing = opened.get_by_role("img", name=re.compile("ground"))  # too near for words of its own
    assert re.search("ground", str(landing.get_attribute("title")))
    landing.click()  # it has a place to point at, which leads there
    wait_until(opened, lambda: shown_time(opened) > 0.3)
    button(opened, "Grasp")
    opened.get_by_role("button", name="Release", exact=True).wait_for()


def test_a_bad_file_is_told_in_words_and_the_robot_moves_on(opened: Page) -> None:
    opened.get_by_role("tab", name="Model").click()
    bad = {"name": "bad.urdf", "mimeType": "text/xml", "buffer": b"<robot name='r'><link name='<script>'/></robot>"}
    opened.get_by_role("tabpanel", name="Model").locator("input[type=file]").set_input_files(files=[bad])
    alert = opened.get_by_role("alert").filter(has_text="That did not work")  # beside what an earlier test was told
    alert.wait_for()
    before = picture(opened)
    wait_until(opened, lambda: difference(before, picture(opened)) > 0.002)
    alert.get_by_role("button", name="Close").click()
    alert.wait_for(state="hidden")


def test_a_good_file_is_opened(opened: Page) -> None:
    opened.get_by_role("tab", name="Model").click()
    inertial = "<inertial><mass value='1'/><inertia ixx='.1' iyy='.1' izz='.1' ixy='0' ixz='0' iyz='0'/></inertial>"
    text = (
        f"<robot name='r'><link name='base'/><link name='arm'><inertial><origin xyz='.3 0 0'/>{inertial[10:]}</link>"
        "<joint name='turn' type='continuous'><parent link='base'/><child link='arm'/><axis xyz='0 1 0'/></joint>"
        "</robot>"
    )
    good = {"name": "mine.urdf", "mimeType": "text/xml", "buffer": text.encode()}
    opened.get_by_role("tabpanel", name="Model").locator("input[type=file]").set_input_files(files=[good])
    opened.get_by_role("combobox", name="Motion").get_by_text("mine.urdf").wait_for()
    before = picture(opened)
    wait_until(opened, lambda: difference(before, picture(opened)) > 0.001)


def test_each_file_is_named_in_turn(still: Page) -> None:
    still.get_by_role("tab", name="Model").click()
    inertial = "<inertial><mass value='1'/><inertia ixx='.1' iyy='.1' izz='.1' ixy='0' ixz='0' iyz='0'/></inertial>"
    text = (
        f"<robot name='r'><link name='base'/><link name='arm'>{inertial}</link><joint name='turn' type='continuous'>"
        "<parent link='base'/><child link='arm'/><axis xyz='0 1 0'/></joint></robot>"
    )
    for name in ("one.urdf", "two.urdf"):
        file = {"name": name, "mimeType": "text/xml", "buffer": text.encode()}
        still.get_by_role("tabpanel", name="Model").locator("input[type=file]").set_input_files(files=[file])
        still.get_by_role("combobox", name="Motion").get_by_text(name).wait_for()


def test_an_arm_that_reaches_up_stays_in_the_picture(opened: Page) -> None:
    opened.get_by_role("combobox").first.click()
    opened.get_by_role("option", name="KUKA iiwa 14, reaching").click()
    wait_until(opened, lambda: shown_time(opened) < 1.0)
    wait_until(opened, lambda: shown_time(opened) > 2.0)
    top = picture(opened)[2:4]
    middle = slice(top.shape[1] // 3, 2 * top.shape[1] // 3)
    assert np.ptp(top[:, middle], axis=(0, 1)).max() < 60, "something solid is cut off at the top"


def test_the_badge_opens_its_table(still: Page) -> None:
    still.get_by_role("button", name=re.compile("methods agree")).click()
    still.get_by_text("Relative difference at the cursor").wait_for()


def test_both_themes(still: Page) -> None:
    light = picture(still)
    still.get_by_label("Toggle theme").click()
    wait_until(still, lambda: picture(still)[:8].mean() < light[:8].mean() - 100)


@pytest.fixture(scope="module")
def pictured(chromium: Browser, serve: Callable[[str], str]) -> Iterator[Page]:
    """A page of the app in a browser that has no WebGL, paused."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    complaints = watch(page)
    page.add_init_script(
        "const get = HTMLCanvasElement.prototype.getContext;"
        "HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {"
        "  return /webgl/.test(kind) ? null : get.call(this, kind, ...rest) }"
    )
    visit(page, f"{serve('app')}?preset=puma560&t=0.5&play=0")
    page.get_by_alt_text(PICTURED).wait_for(timeout=60_000.0)
    wait_until(page, lambda: shown_time(page) == 0.5)
    yield page
    context.close()
    assert not complaints, "\n".join(complaints)


@pytest.mark.render
def test_without_webgl_there_are_pictures_and_a_word_about_it(pictured: Page) -> None:
    pictured.get_by_text("No WebGL here").wait_for()
    image = pictured.get_by_alt_text(PICTURED)
    wait_until(pictured, lambda: colors(pixels(image.screenshot())) > 20)
    first = pixels(image.screenshot())
    pictured.keyboard.press(" ")
    wait_until(pictured, lambda: difference(first, pixels(image.screenshot())) > 0.002)
    pause(pictured)


@pytest.mark.render
def test_without_webgl_the_pictures_show_the_same_layers(pictured: Page) -> None:
    image = pictured.get_by_alt_text(PICTURED)
    pictured.get_by_role("tab", name="Show").click()
    frames = pictured.locator("input[type=checkbox][value=frames]")
    frames.wait_for(timeout=PATIENCE)
    pictured.wait_for_timeout(500)
    first = pixels(image.screenshot())
    frames.check()
    expect(pictured.locator(".notes")).to_contain_text("link frames")
    wait_until(pictured, lambda: difference(first, pixels(image.screenshot())) > 1e-3)
