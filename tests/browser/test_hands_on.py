"""Hands on the machine: pushed by mouse, finger and key, posed by sliders and by its tip."""

import re
from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Page

from app.motion.interventions import ForceStep
from app.state import Session
from tests.app.arrival import computed
from tests.browser.moment import address, pause, settled, shown_session, shown_time, stand_at, wait_until
from tests.browser.page import group
from tests.browser.picture import CANVAS, HALF_VIEW, box_of, camera, data, difference, drag, hover, on_screen, picture

STILL = "preset=puma560&t=0.500&play=0"


def read(shown: str) -> float:
    return float(shown.replace("−", "-"))


def readout(page: Page) -> dict[str, np.ndarray | float]:
    text = page.locator("table.push").locator("xpath=..").inner_text()
    found: dict[str, np.ndarray | float] = {}
    for name in ("stretch, m", "velocity, m/s", "force, N"):
        if row := re.search(rf"{name}\s+(\S+)\s+(\S+)\s+(\S+)", text):
            found[name] = np.array([read(x) for x in row.groups()])
    if size := re.search(r"([\d.]+) N\n", text):
        found["size"] = float(size.group(1))
    if law := re.search(r"= ([\d.e+]+) N/m · stretch − ([\d.e+]+) N s/m", text):
        found["stiffness"], found["damping"] = (float(x) for x in law.groups())
    return found


def pushes(session: Session) -> list[ForceStep]:
    return [each for each in session.setup.interventions if isinstance(each, ForceStep)]


def test_a_link_is_pushed_by_mouse_and_by_key(open_page: Callable[..., Page]) -> None:
    page = stand_at(open_page(STILL), 0.5)
    # Empty space turns the view.
    box, view = box_of(page.locator(CANVAS)), data(page).get("camera")
    drag(page, (box["x"] + 15, box["y"] + 15), (105.0, 45.0))
    wait_until(page, lambda: address(page).get("camera") == data(page)["camera"])
    assert data(page)["camera"] != view
    assert "happenings" not in page.url
    group(page, "Push")
    before = settled(page)
    axes = camera(page)[1:]
    x, y = on_screen(page, before.solution().link_pose[2][:3, 3])
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30, y - 20, steps=4)
    page.locator("table.push").wait_for()
    wait_until(page, lambda: {"size", "stiffness", "force, N"} <= readout(page).keys())
    said = readout(page)
    force = said["stiffness"] * said["stretch, m"] - said["damping"] * said["velocity, m/s"]
    digits = 0.5e-4 * (said["stiffness"] + said["damping"]) + 1e-3
    assert said["force, N"] == pytest.approx(force, abs=digits)
    assert said["size"] == pytest.approx(np.linalg.norm(said["force, N"]), abs=2e-3)
    wait_until(page, lambda: page.locator(".armsweep .label").inner_text().endswith("N"))
    page.mouse.up()
    page.locator("table.push").wait_for(state="detached")
    # The camera may have stepped back from an arm that reaches out of the picture; it has not turned.
    assert np.array(camera(page)[1:]) == pytest.approx(np.array(axes), abs=2e-3)
    pause(page)
    after = settled(page)
    done = pushes(after)
    assert done[0].time == pytest.approx(before.time, abs=1e-9)
    assert done[-1].wrench is None
    forces = [each.wrench[:, 3:].sum(axis=0) for each in done if each.wrench is not None]
    assert min(np.abs(force - said["force, N"]).max() for force in forces) < 1e-3
    alone = computed(Session("puma560").run, after.time)
    assert np.abs(alone.solution_at(after.time).state.q - after.solution().state.q).max() > 1e-4
    page.keyboard.press("Control+z")
    wait_until(page, lambda: "happenings" not in page.url)
    # By keys, as long as a button is held.
    before = settled(page)
    slider = page.get_by_role("slider", name=re.compile("Force"))
    slider.focus()
    page.keyboard.press("End")
    most = float(slider.get_attribute("aria-valuenow") or "nan")
    page.get_by_role("button", name="−y", exact=True).focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Hold to push").focus()
    page.keyboard.down("Space")
    page.locator("table.push").wait_for()
    wait_until(page, lambda: readout(page).get("size") == pytest.approx(most, abs=1e-3))
    assert readout(page)["force, N"] == pytest.approx([0.0, -most, 0.0], abs=1e-3)
    page.keyboard.up("Space")
    page.locator("table.push").wait_for(state="detached")
    page.get_by_role("button", name="Pause (space)").click()
    page.get_by_role("button", name="Play (space)").wait_for()
    done = pushes(settled(page))
    assert done[0].time == pytest.approx(before.time, abs=1e-9)
    assert done[-1].wrench is None


def test_a_link_is_pushed_by_a_finger(open_page: Callable[..., Page]) -> None:
    page = open_page("preset=puma560&t=1.000&play=0", viewport={"width": 1180, "height": 820}, has_touch=True)
    stand_at(page, 1.0)
    x, y = on_screen(page, settled(page).solution().link_pose[2][:3, 3])
    finger = page.context.new_cdp_session(page)

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
    done = pushes(settled(page))
    assert done[0].time == pytest.approx(1.0, abs=1e-9)
    assert done[-1].wrench is None


@pytest.mark.full
def test_a_posture_is_set_by_slider_number_and_tip(open_page: Callable[..., Page]) -> None:
    page = stand_at(open_page(STILL), 0.5)
    group(page, "Posture")
    slider = page.get_by_role("slider", name=re.compile(r"^joint_2\b"))
    field = page.get_by_role("textbox", name=re.compile(r"^joint_2\b"))
    loaded = float(slider.get_attribute("aria-valuenow") or "nan")
    before = picture(page)
    slider.focus()
    for step in range(1, 4):
        page.keyboard.press("ArrowRight")
        moved = pytest.approx(loaded + 0.5 * step)
        # The browser's half of a slider takes a step back that comes while the one before is on its way.
        wait_until(page, lambda moved=moved: float(field.input_value()) == moved)  # type: ignore[misc]
    wait_until(page, lambda: shown_time(page) == 0.0)
    wait_until(page, lambda: difference(before, picture(page)) > 0.001)
    wait_until(page, lambda: "posture" in page.url)
    session = settled(page)
    k = session.system.joint_names.index("joint_2")

    def posture() -> float:
        return float(shown_session(page).setup.posture[k])

    wait_until(page, lambda: posture() == pytest.approx(np.radians(loaded + 1.5)))
    field.fill("-30")
    field.press("Enter")
    wait_until(page, lambda: posture() == pytest.approx(np.radians(-30.0)))
    field.fill("4000")
    field.press("Enter")
    wait_until(page, lambda: posture() == pytest.approx(session.system.joint_models[k].upper, abs=1e-5))
    page.get_by_text("joint_2 stops here: that is its limit").wait_for()
    field.fill("-30")
    field.press("Enter")
    wait_until(page, lambda: posture() == pytest.approx(np.radians(-30.0)))
    # The tip is dragged.
    page.get_by_role("button", name=re.compile("^Pose")).click()
    start = address(page)["posture"]
    tip = settled(page).solution().tip_pose[0, :3, 3]
    x, y = hover(page, tip)
    pixels = (-40.0, -50.0)
    position, forward, right, up = camera(page)
    size = 2.0 * HALF_VIEW * ((tip - position) @ forward) / box_of(page.locator(CANVAS))["height"]
    wanted = tip + size * (pixels[0] * right - pixels[1] * up)
    page.mouse.down()
    page.mouse.move(x + pixels[0], y + pixels[1], steps=12)
    wait_until(page, lambda: address(page)["posture"] != start)
    page.mouse.up()
    assert np.linalg.norm(wanted - tip) > 0.1

    def miss() -> float:
        return float(np.linalg.norm(settled(page).solution().tip_pose[0, :3, 3] - wanted))

    # The point that was taken hold of is on the hand's surface, and the hand may turn.
    wait_until(page, lambda: miss() < 0.06)
    page.keyboard.press("Control+z")
    wait_until(page, lambda: address(page)["posture"] == start)
    wait_until(page, lambda: read(field.input_value()) == -30.0)
