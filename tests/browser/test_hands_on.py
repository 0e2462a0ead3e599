"""Hands on the machine: pushed by mouse and by key, posed by sliders and by its tip, and what the page says of it."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlparse

import numpy as np
import pytest

from app.motion.interventions import Pushed
from app.state import Session
from app.state.address import restore
from tests.browser.conftest import calm, visit, watch
from tests.browser.test_page import PATIENCE, difference, pause, picture, shown_time, still, wait_until  # noqa: F401

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser, BrowserContext, Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]
HALF_VIEW = np.tan(np.radians(19.0))
"""Of the camera's field of view, as in camera.js."""


def camera(page: Page) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Position, and unit vectors forward, right and up."""
    said = page.locator("canvas[role=application]").get_attribute("data-camera") or ""
    numbers = np.array([float(x) for x in said.split()])
    forward = numbers[3:] - numbers[:3]
    forward /= np.linalg.norm(forward)
    right = np.cross(forward, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    return numbers[:3], forward, right, np.cross(right, forward)


def on_screen(page: Page, point: np.ndarray) -> tuple[float, float]:
    """Pixels of a place (m, world)."""
    box = page.locator("canvas[role=application]").bounding_box()
    assert box is not None
    position, forward, right, up = camera(page)
    away = point - position
    scale = box["height"] / 2.0 / HALF_VIEW / (away @ forward)
    x = box["x"] + box["width"] / 2.0 + scale * (away @ right)
    return float(x), float(box["y"] + box["height"] / 2.0 - scale * (away @ up))


def shift_of(page: Page, point: np.ndarray, pixels: tuple[float, float]) -> np.ndarray:
    """Metres in the plane through a place that faces the user, of so many pixels to the right and down."""
    box = page.locator("canvas[role=application]").bounding_box()
    assert box is not None
    position, forward, right, up = camera(page)
    size = 2.0 * HALF_VIEW * ((point - position) @ forward) / box["height"]
    return np.asarray(size * (pixels[0] * right - pixels[1] * up))


def shown_session(page: Page) -> Session:
    """A session of the test's own that is what the page's address says."""
    session = Session("puma560")
    restore(session, {name: values[0] for name, values in parse_qs(urlparse(page.url).query).items()})
    assert session.message == ""
    while session.run.end < session.cursor.time and not session.run.complete:
        session.run.accept(session.run.compute())
    return session


def address_time(page: Page) -> float:
    found = re.search(r"[?&]t=([\d.]+)", page.url)
    return float(found.group(1)) if found else np.inf


def group(page: Page, name: str) -> None:
    """Opens a group of the tab Change."""
    page.get_by_role("tab", name="Change").click()
    head = page.get_by_role("button", name=name, exact=True)

    def is_open() -> bool:
        return head.get_attribute("aria-pressed") == "true"

    def opens() -> bool:  # a click on a tab that is still being laid out may miss; a second too early would close it
        if not is_open():
            head.click()
            with suppress(AssertionError):
                wait_until(page, is_open, 5000.0)
        return is_open()

    wait_until(page, opens)


def settled(page: Page) -> Session:
    """The paused page's session, when the address has caught up with the page."""
    wait_until(page, lambda: "play=0" in page.url and abs(address_time(page) - shown_time(page)) < 0.0051)
    return shown_session(page)


def read(shown: str) -> float:
    return float(shown.replace("−", "-"))


def vector(table: Locator, name: str) -> np.ndarray:
    cells = table.locator("tr", has_text=name).locator("td.number").all_inner_texts()
    return np.array([read(cell) for cell in cells])


def readout(page: Page) -> dict[str, np.ndarray | float]:
    """All numbers of one moment of the readout."""
    text = page.locator("table.push").locator("xpath=..").inner_text()
    found: dict[str, np.ndarray | float] = {}
    for name in ("stretch, m", "velocity, m/s", "force, N"):
        if row := re.search(rf"{name}\s+(\S+)\s+(\S+)\s+(\S+)", text):
            found[name] = np.array([read(x) for x in row.groups()])
    found["size"] = float(re.search(r"([\d.]+) N\n", text).group(1))  # type: ignore[union-attr]
    if law := re.search(r"= ([\d.e+]+) N/m · stretch − ([\d.e+]+) N s/m", text):
        found["stiffness"], found["damping"] = (float(x) for x in law.groups())
    return found


def test_a_link_is_pushed_by_the_mouse(still: Page) -> None:  # noqa: F811
    group(still, "Push")
    before = settled(still)
    point = before.solution().link_pose[2][:3, 3]
    view = camera(still)[1:]
    x, y = on_screen(still, point)
    still.mouse.move(x, y)
    still.mouse.down()
    still.mouse.move(x + 30, y - 20, steps=4)
    still.locator("table.push").wait_for(timeout=PATIENCE)
    still.get_by_text(re.compile(r"^[\d.]+ N")).first.wait_for()
    said = readout(still)
    force = said["stiffness"] * said["stretch, m"] - said["damping"] * said["velocity, m/s"]
    digits = 0.5e-4 * (said["stiffness"] + said["damping"]) + 1e-3
    assert said["force, N"] == pytest.approx(force, abs=digits)
    assert said["size"] == pytest.approx(np.linalg.norm(said["force, N"]), abs=2e-3)
    assert still.locator(".armsweep .label").inner_text().endswith("N")
    still.mouse.up()
    still.locator("table.push").wait_for(state="detached", timeout=PATIENCE)
    # The camera may have stepped back from an arm that reaches out of the picture; it has not turned.
    assert np.array(camera(still)[1:]) == pytest.approx(np.array(view), abs=2e-3)
    pause(still)
    after = settled(still)
    interventions = [intervention for intervention in after.setup.interventions if isinstance(intervention, Pushed)]
    assert interventions[0].time == pytest.approx(before.time, abs=1e-9)
    assert interventions[-1].wrench is None
    forces = [
        intervention.wrench[:, 3:].sum(axis=0) for intervention in interventions if intervention.wrench is not None
    ]
    assert min(np.abs(force - said["force, N"]).max() for force in forces) < 1e-3
    alone = Session("puma560")
    while alone.run.end < after.time:
        alone.run.accept(alone.run.compute())
    assert np.abs(alone.run.solution_at(after.time).state.q - after.solution().state.q).max() > 1e-4
    still.keyboard.press("Control+z")
    wait_until(still, lambda: "happenings" not in still.url)


def test_a_link_is_pushed_by_a_finger(chromium: Browser, serve: Callable[[str], str]) -> None:
    context = calm(chromium, viewport={"width": 1180, "height": 820}, has_touch=True)
    try:
        push_by_finger(context, serve("app"))
    finally:
        context.close()


def push_by_finger(context: BrowserContext, url: str) -> None:
    page = context.new_page()
    problems = watch(page)
    visit(page, f"{url}?preset=puma560&t=1.000&play=0")
    page.locator("canvas[role=application]").wait_for(timeout=60_000.0)
    wait_until(page, lambda: shown_time(page) == 1.0)
    wait_until(page, lambda: bool(page.locator("canvas[role=application]").get_attribute("data-camera")))
    x, y = on_screen(page, settled(page).solution().link_pose[2][:3, 3])
    finger = context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": a, "y": b} for a, b in points]})

    touch("touchStart", (x, y))
    for step in range(1, 5):
        touch("touchMove", (x + 8.0 * step, y - 5.0 * step))
    wait_until(page, lambda: page.locator(".armsweep .label").inner_text().endswith("N"))
    wait_until(page, lambda: shown_time(page) > 1.05)
    touch("touchEnd")
    page.locator(".armsweep .label").wait_for(state="hidden")
    pause(page)
    pushed = [each for each in settled(page).setup.interventions if isinstance(each, Pushed)]
    assert pushed[0].time == pytest.approx(1.0, abs=1e-9)
    assert pushed[-1].wrench is None
    assert problems == []


def test_empty_space_still_turns_the_view(still: Page) -> None:  # noqa: F811
    canvas = still.locator("canvas[role=application]")
    box = canvas.bounding_box()
    assert box is not None
    before = canvas.get_attribute("data-camera")
    still.mouse.move(box["x"] + 15, box["y"] + 15)
    still.mouse.down()
    still.mouse.move(box["x"] + 120, box["y"] + 60, steps=5)
    still.mouse.up()
    wait_until(still, lambda: canvas.get_attribute("data-camera") != before)
    assert "happenings" not in still.url


def test_a_link_is_pushed_by_a_key(still: Page) -> None:  # noqa: F811
    group(still, "Push")
    before = settled(still)
    slider = still.get_by_role("slider", name=re.compile("Force"))
    slider.focus()
    still.keyboard.press("End")
    most = float(slider.get_attribute("aria-valuenow") or "nan")
    direction = still.get_by_role("button", name="−y", exact=True)
    direction.focus()
    still.keyboard.press("Enter")
    hold = still.get_by_role("button", name="Hold to push")
    hold.focus()
    still.keyboard.down("Space")
    still.locator("table.push").wait_for(timeout=PATIENCE)
    said = readout(still)
    assert said["size"] == pytest.approx(most, abs=1e-3)
    assert said["force, N"] == pytest.approx([0.0, -most, 0.0], abs=1e-3)
    still.keyboard.up("Space")
    still.locator("table.push").wait_for(state="detached", timeout=PATIENCE)
    still.evaluate("document.activeElement.blur()")
    pause(still)
    interventions = settled(still).setup.interventions
    assert interventions[0].time == pytest.approx(before.time, abs=1e-9)
    assert interventions[-1].wrench is None  # type: ignore[attr-defined]


def test_a_tap_is_a_fifth_of_a_second(still: Page) -> None:  # noqa: F811
    group(still, "Push")
    still.get_by_role("button", name="Tap for 0.2 s").focus()
    still.keyboard.press("Enter")
    still.get_by_title("push", exact=True).wait_for(timeout=PATIENCE)
    wait_until(still, lambda: "happenings" in still.url)
    first, last = shown_session(still).setup.interventions
    assert last.time - first.time == pytest.approx(0.2)


def test_a_torque_is_typed(still: Page) -> None:  # noqa: F811
    """Nothing runs while one types; Escape takes it back, Enter says it, beyond the slider's end too; one step back."""
    group(still, "Torques")
    field = still.get_by_role("textbox", name=re.compile(r"^joint_2\b"))
    slider = still.get_by_role("slider", name=re.compile(r"^joint_2\b"))
    wait_until(still, lambda: field.input_value() == "0")
    most = float(slider.get_attribute("aria-valuemax") or "nan")
    field.press_sequentially("25")
    field.press("Escape")
    assert field.input_value() == "0"
    field.fill(f"{2.0 * most:g}")
    assert "torques" not in still.url
    field.press("Enter")
    wait_until(still, lambda: slider.get_attribute("aria-valuenow") == f"{most:g}")
    wait_until(still, lambda: 2.0 * most in shown_session(still).torques.values())
    field.fill("a lot")
    field.press("Enter")
    still.get_by_text("'a lot' is no number from").wait_for(timeout=PATIENCE)  # at the field
    wait_until(still, lambda: field.input_value() == f"{2.0 * most:g}")
    field.focus()
    still.keyboard.press(" ")  # nothing is being typed: that plays
    wait_until(still, lambda: "play=1" in still.url)
    still.keyboard.press(" ")
    still.keyboard.press("Control+z")  # and that takes the torque back, here as elsewhere
    wait_until(still, lambda: "torques" not in still.url)
    wait_until(still, lambda: field.input_value() == "0")
    still.keyboard.press("Control+y")
    wait_until(still, lambda: field.input_value() == f"{2.0 * most:g}")
    wait_until(still, lambda: "play=0" in still.url)
    still.keyboard.press("a")  # nor is a letter part of a number
    still.get_by_text("Kept as A").wait_for(timeout=PATIENCE)
    assert field.input_value() == f"{2.0 * most:g}"
    still.get_by_role("button", name="Undo (Ctrl+Z)").click()
    wait_until(still, lambda: field.input_value() == "0")


def test_an_inertia_is_typed_number_by_number(still: Page) -> None:  # noqa: F811
    """What no body has is named, and waits for the other numbers."""
    group(still, "Bodies")
    names = "Ixx (kg m²)", "Iyy (kg m²)"
    fields = [still.get_by_role("textbox", name=name) for name in names]
    fields[0].wait_for(timeout=PATIENCE)
    before = shown_session(still).setup
    fields[0].fill("0.5")
    fields[0].press("Enter")
    still.get_by_text("violates the triangle inequality").wait_for(timeout=PATIENCE)
    still.get_by_text("Not applied yet").wait_for(timeout=PATIENCE)
    assert fields[0].input_value() == "0.5"
    assert shown_session(still).setup.bodies == before.bodies == {}
    fields[1].fill("0.5")
    fields[1].press("Tab")
    still.get_by_text("Not applied yet").wait_for(state="hidden", timeout=PATIENCE)
    wait_until(still, lambda: [body.inertia[:2] for body in shown_session(still).setup.bodies.values()] == [(0.5, 0.5)])


def test_a_joint_slider_poses_the_start(still: Page) -> None:  # noqa: F811
    group(still, "Posture")
    slider = still.get_by_role("slider", name=re.compile(r"^joint_2\b"))
    field = still.get_by_role("textbox", name=re.compile(r"^joint_2\b"))

    def stays() -> bool:  # the sliders of the machine before may just be making room for this one's
        found = slider.element_handles()
        still.wait_for_timeout(1500)
        return len(found) == 1 and bool(found[0].evaluate("e => e.isConnected"))

    wait_until(still, stays)
    loaded = float(slider.get_attribute("aria-valuenow") or "nan")
    before = picture(still)
    slider.focus()
    for step in range(1, 21):
        still.keyboard.press("ArrowRight")
        moved = pytest.approx(loaded + 0.5 * step)
        # The browser's half of a slider takes a step back that comes while the one before is on its way.
        wait_until(still, lambda moved=moved: float(field.input_value()) == moved)
    assert shown_time(still) == 0.0
    wait_until(still, lambda: difference(before, picture(still)) > 0.002)
    wait_until(still, lambda: "posture" in still.url)
    session = settled(still)
    k = session.system.joint_names.index("joint_2")
    wait_until(still, lambda: shown_session(still).setup.posture[k] == pytest.approx(np.radians(loaded + 10.0)))
    field.fill("-30")
    field.press("Enter")
    wait_until(still, lambda: shown_session(still).setup.posture[k] == pytest.approx(np.radians(-30.0)))
    field.fill("4000")
    field.press("Enter")
    limit = session.system.joint_models[k].upper
    wait_until(still, lambda: shown_session(still).setup.posture[k] == pytest.approx(limit, abs=1e-5))
    still.get_by_text("joint_2 stops here: that is its limit").wait_for()


def test_the_tip_is_posed_by_dragging(still: Page) -> None:  # noqa: F811
    still.get_by_role("button", name=re.compile("^Pose")).click()
    wait_until(still, lambda: shown_time(still) == 0.0)
    still.get_by_role("button", name="Play (space)").wait_for(timeout=PATIENCE)
    before = settled(still).solution()
    tip = before.tip_pose[0, :3, 3]
    still.wait_for_timeout(500)
    x, y = on_screen(still, tip)
    pixels = (-50.0, -60.0)
    still.mouse.move(x, y)
    still.mouse.down()
    still.mouse.move(x + pixels[0], y + pixels[1], steps=12)
    wait_until(still, lambda: "posture" in still.url)
    still.mouse.up()
    wanted = tip + shift_of(still, tip, pixels)

    def miss() -> float:
        return float(np.linalg.norm(settled(still).solution().tip_pose[0, :3, 3] - wanted))

    assert np.linalg.norm(wanted - tip) > 0.15
    # The point that was taken hold of is on the hand's surface, and the hand may turn.
    wait_until(still, lambda: miss() < 0.06)
    still.keyboard.press("Control+z")
    wait_until(still, lambda: "posture" not in still.url)
