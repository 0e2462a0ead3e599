"""A lecturer and a follower, each with a browser: what the one does the other sees, and never the reverse."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.conftest import visit, watch
from tests.browser.test_page import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = pytest.mark.browser

BLUR = """() => {
    let focused = document.activeElement
    while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement
    focused?.blur()
}"""
STATE = """() => {
    const {replay, state} = armsweepFollower
    const {scene, layers, layerOf} = replay.data.pictures
    const P = 'articulated_inertia', on = replay.recorded.on(replay.shown)
    return {
        how: document.getElementById('lead').dataset.how,
        run: armsweepFollower.shown.run,
        time: Number(replay.now.toFixed(4)),
        step: replay.walks.stretch.steps[replay.walks.step],
        layers: [...replay.shown],
        near: replay.recorded.near,
        whose: scene.meshes.filter((mesh, k) => on[k] && layers[layerOf[k]] === P).map(mesh => mesh.link),
        camera: document.querySelector('.view').firstElementChild.shadowRoot.querySelector('canvas').dataset.camera,
        led: state,
        title: replay.data.title,
        tabs: replay.board.tabs.length,
        read: replay.at.textContent,
    }
}"""
READINGS = """() => {
    const texts = root => [...root.querySelectorAll('*')].flatMap(each => [
        ...(each.matches('.cell:not([hidden]) .readings dd') ? [each.textContent] : []),
        ...(each.shadowRoot ? texts(each.shadowRoot) : []),
    ])
    return texts(document)
}"""
LOST = "ERR_INTERNET_DISCONNECTED"


class Lesson:
    """The two pages."""

    def __init__(self, lecturer: Page, follower: Page) -> None:
        self.lecturer, self.follower = lecturer, follower

    @property
    def seen(self) -> dict[str, Any]:
        """What the follower sees."""
        return dict(self.follower.evaluate(STATE))

    def wait(self, true: str, arg: object = None) -> None:
        """Until something holds of what the follower sees."""
        self.follower.wait_for_function(f"wanted => {{ const seen = ({STATE})(); return {true} }}", arg=arg)

    def press(self, key: str) -> None:
        """The lecturer presses a key."""
        self.lecturer.evaluate(BLUR)
        self.lecturer.keyboard.press(key)


@pytest.fixture
def lesson(page: Page, chromium: Browser, serve: Callable[[str], str]) -> Iterator[Lesson]:
    visit(page, f"{serve('app')}?preset=two_planar_arms&play=0")
    page.locator("canvas[role=application]").wait_for(timeout=60_000.0)
    page.get_by_label("Present: others follow this page").first.click()
    address = page.get_by_role("dialog").locator("b", has_text="/follow/").text_content()
    page.keyboard.press("Escape")
    other = chromium.new_context(viewport={"width": 1280, "height": 800}).new_page()
    complaints = watch(other)
    other.goto(str(address))
    other.wait_for_function("window.armsweepFollower?.replay", timeout=60_000.0)
    yield Lesson(page, other)
    other.context.close()
    page.evaluate("() => sessionStorage.clear()")  # or the next page in this tab goes on presenting
    assert [told for told in complaints if LOST not in told] == []


def test_what_the_lecturer_does_the_follower_sees(lesson: Lesson) -> None:
    from playwright.sync_api import expect

    lecturer, follower = lesson.lecturer, lesson.follower
    assert lesson.seen["how"] == "following"
    for _ in range(3):
        lesson.press(".")
    lesson.wait("seen.time === 0.03")
    lesson.wait("seen.read === 'Numbers of 0.03 s'")  # the lecturer has paused there
    before = lesson.seen["step"]
    lesson.press("ArrowDown")
    lesson.wait("seen.step.join() !== wanted.join()", before)
    assert lesson.seen["step"] == lesson.seen["led"]["step"]
    lesson.press("ArrowUp")  # to the filter, whose step shows the inertia of its own link
    alone = "seen.step[0] === 'filter' && seen.whose.join() === String(seen.step[1]) && seen.near === seen.step[1]"
    lesson.wait(alone)
    follower.keyboard.press("ArrowRight")  # one's own step shows that of every link
    lesson.wait("seen.how === 'around' && seen.whose.length > 1 && seen.near === null")
    follower.keyboard.press("f")
    lesson.wait(f"seen.how === 'following' && {alone}")
    lecturer.get_by_role("tab", name="Show", exact=True).click()
    lecturer.locator("input[type=checkbox][value=mass_centres]").click()
    lesson.wait("seen.layers.includes('mass_centres')")

    canvas = lecturer.locator("canvas[role=application]")
    box = canvas.bounding_box()
    assert box is not None
    lecturer.mouse.move(box["x"] + 40, box["y"] + 40)
    lecturer.mouse.down()
    lecturer.mouse.move(box["x"] + 140, box["y"] + 60, steps=3)
    lecturer.mouse.up()
    lesson.wait("seen.camera === wanted", canvas.get_attribute("data-camera"))

    follower.keyboard.press("ArrowRight")  # whoever looks around is left alone
    lesson.wait("seen.how === 'around'")
    own = lesson.seen["step"]
    lesson.press(".")
    lesson.wait("seen.led.time === 0.04")
    assert (lesson.seen["time"], lesson.seen["step"]) == (0.03, own)
    expect(lecturer.get_by_label("Time", exact=True)).to_have_value("0.04")
    follower.keyboard.press("f")
    lesson.wait("seen.how === 'following' && seen.time === 0.04 && seen.step.join() === seen.led.step.join()")

    lecturer.get_by_role("button", name="Free-flying").first.click()
    lesson.wait("seen.title === 'Planar arm of three links, floating' && seen.how === 'following'")
    read = lecturer.evaluate(READINGS)
    assert len(read) > 5
    follower.wait_for_function(
        f"wanted => ({READINGS})().join() === wanted.join()", arg=read
    )  # of an instant that stays
    follower.set_viewport_size({"width": 390, "height": 780})  # its sheet lies below the fold there
    line = follower.get_by_role("group", name="The step of the walk")
    for stage in ("Outward smoother, ", "Dual filter, "):
        lesson.press("ArrowDown")
        expect(line).to_contain_text(stage)
        expect(line.locator("math")).to_be_visible()
        assert line.evaluate("line => line.scrollWidth <= line.clientWidth")  # however long the equation is
    lesson.press(" ")  # what was paused stays so until it is played
    lesson.wait("seen.time > 0.5")


def test_a_follower_keeps_the_moment_and_comes_back_by_itself(lesson: Lesson) -> None:
    lesson.press(".")
    lesson.wait("seen.time === 0.01")
    follower = lesson.follower
    follower.context.set_offline(True)
    follower.evaluate("() => armsweepFollower.lose('lost')")
    lesson.press(".")
    assert lesson.seen["how"] == "lost"
    assert lesson.seen["time"] == 0.01
    assert "comes back by itself" in str(follower.get_by_role("status").first.text_content())
    follower.context.set_offline(False)
    lesson.wait("seen.time === 0.02 && seen.how === 'following'")
    lesson.lecturer.wait_for_function("() => new URLSearchParams(location.search).get('t') === '0.020'")
    lesson.lecturer.reload()  # another session, the same code
    lesson.wait("seen.how !== 'following'")
    lesson.wait("seen.how === 'following' && seen.time === 0.02")
    lesson.lecturer.get_by_label("Stop presenting").first.click()
    lesson.wait("seen.how === 'over'")
    assert lesson.seen["time"] == 0.02
    lesson.press(".")
    follower.keyboard.press(".")
    lesson.wait("seen.time === 0.03")  # what has come stays one's own


def test_the_machine_keeps_clear_of_the_card_and_of_a_moments_note(lead: Callable[[str], Page]) -> None:
    page = lead("preset=planar_chain&play=0")
    room = page.locator(".armsweep .room")

    def top() -> float:
        return box(room)["y"]

    def stands_above(*parts: Locator) -> bool:
        return max(box(part)["y"] + box(part)["height"] for part in parts) <= top() + 1.0

    whole = top()
    page.get_by_label("Present: others follow this page").first.click()
    try:
        page.get_by_role("dialog").locator("b", has_text="/follow/").wait_for()
        page.keyboard.press("Escape")
        words, small = page.get_by_text("They follow this page at"), page.get_by_text("· 0 follow")
        words.wait_for()
        wait_until(page, lambda: top() > whole + 30.0 and stands_above(words, page.get_by_text("Show the code")))
        large = top()
        page.get_by_role("button", name="Shrink it to the address").click()
        small.wait_for()
        wait_until(page, lambda: whole < top() < large and stands_above(small))
        page.evaluate(BLUR)
        for key, words_of_it in (("k", "Kept as moment 1: "), ("k", "Kept as moment 2: "), ("PageUp", "1 of 2: ")):
            page.keyboard.press(key)
            note = page.get_by_text(words_of_it).locator("visible=true")  # the panel of moments says so, too
            note.wait_for()
            wait_until(page, lambda note=note: stands_above(small, note))
        page.get_by_role("button", name="Show all of it").click()
        words.wait_for()
        page.evaluate(BLUR)
        page.keyboard.press("p")
        small.wait_for()  # a projector's begins so
        wait_until(page, lambda: stands_above(small))
        page.set_viewport_size({"width": 1024, "height": 768})
        page.get_by_role("button", name="Show all of it").click()
        wait_until(page, lambda: stands_above(words, page.get_by_text("Show the code")))
        page.set_viewport_size({"width": 1280, "height": 800})
        page.keyboard.press("p")
        words.wait_for()
    finally:
        page.get_by_label("Stop presenting").first.dispatch_event("click")  # also where a projector hides it
    wait_until(page, lambda: not words.is_visible())


def box(part: Locator) -> dict[str, float]:
    """Where it is on the page, in pixels; nowhere, far below, as long as it is not there."""
    found = part.first.bounding_box()
    return dict(found) if found else {"x": 0.0, "y": 1e6, "width": 0.0, "height": 0.0}
