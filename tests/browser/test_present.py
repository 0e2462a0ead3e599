"""A lecturer and a follower, each with a browser: what the one does the other sees, and never the reverse."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.moment import address, until_same, wait_until
from tests.browser.picture import CANVAS, box_of, data, drag

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
LOST = "ERR_INTERNET_DISCONNECTED"


class Pair:
    def __init__(self, lecturer: Page, follower: Page) -> None:
        self.lecturer, self.follower = lecturer, follower

    @property
    def seen(self) -> dict[str, Any]:
        return dict(self.follower.evaluate(STATE))

    def wait(self, true: str, arg: object = None) -> None:
        self.follower.wait_for_function(f"wanted => {{ const seen = ({STATE})(); return {true} }}", arg=arg)

    def press(self, key: str) -> None:
        self.lecturer.evaluate(BLUR)
        self.lecturer.keyboard.press(key)


@pytest.fixture
def lesson(open_page: Callable[..., Page], new_page: Callable[..., Page]) -> Pair:
    page = open_page("preset=two_planar_arms&play=0")
    page.locator(CANVAS).wait_for()
    page.get_by_label("Present: others follow this page").first.click()
    followed = page.get_by_role("dialog").locator("b", has_text="/follow/").text_content()
    page.keyboard.press("Escape")
    other = new_page(allowed=(LOST,))
    other.goto(str(followed))
    other.wait_for_function("window.armsweepFollower?.replay")
    return Pair(page, other)


def test_what_the_lecturer_does_the_follower_sees_and_keeps(lesson: Pair) -> None:
    lecturer, follower = lesson.lecturer, lesson.follower
    lesson.wait("seen.how === 'following'")
    for _ in range(3):
        lesson.press(".")
    lesson.wait("seen.time === 0.03")
    lesson.wait("seen.read === 'Numbers of 0.03 s'")  # the lecturer has paused there
    before = lesson.seen["step"]
    lesson.press("ArrowDown")
    lesson.wait("seen.step.join() !== wanted.join() && seen.step.join() === seen.led.step.join()", before)
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

    box = box_of(lecturer.locator(CANVAS))
    turned = data(lecturer)["camera"]
    drag(lecturer, (box["x"] + 20, box["y"] + 0.5 * box["height"]), (100.0, 20.0))  # beside the card and the machine
    wait_until(lecturer, lambda: data(lecturer)["camera"] != turned)
    until_same(follower, lambda: data(lecturer)["camera"], lambda: lesson.seen["camera"])
    follower.keyboard.press("ArrowRight")  # a follower who looks around is left alone
    lesson.wait("seen.how === 'around'")
    own = lesson.seen["step"]
    lesson.press(".")
    lesson.wait("seen.led.time === 0.04")
    assert (lesson.seen["time"], lesson.seen["step"]) == (0.03, own)
    expect(lecturer.get_by_label("Time", exact=True)).to_have_value("0.04")
    follower.keyboard.press("f")
    lesson.wait("seen.how === 'following' && seen.time === 0.04 && seen.step.join() === seen.led.step.join()")

    # A moment of the lecture: the projector shows its instrument and its title, and so hears the follower.
    lesson.press("k")
    lesson.press("p")
    shown = lecturer.get_by_role("tabpanel", name="Show")
    shown.wait_for()
    title = lecturer.locator(".title", has_text="1 of 1 · ")
    title.wait_for()
    wait_until(lecturer, lambda: box_of(shown)["width"] > 0.4 * lecturer.evaluate("innerWidth"))
    follower.get_by_label("The moment that is shown").get_by_text(str(title.text_content())).wait_for()
    lesson.press("Escape")
    title.wait_for(state="hidden")

    lecturer.get_by_role("button", name="Free-flying").first.click()
    lesson.wait("seen.title === 'Free flyer, reaching' && seen.how === 'following'")
    # A connection that is lost comes back by itself, and so does a lecturer who loads the page anew.
    time = lesson.seen["time"]
    follower.context.set_offline(True)
    follower.evaluate("() => armsweepFollower.lose('lost')")
    lesson.press(".")
    assert (lesson.seen["how"], lesson.seen["time"]) == ("lost", time)
    assert "comes back by itself" in str(follower.get_by_role("status").first.text_content())
    follower.context.set_offline(False)
    then = round(time + 0.01, 4)
    lesson.wait("seen.time === wanted && seen.how === 'following'", then)
    wait_until(lecturer, lambda: float(address(lecturer)["t"]) == then)
    lecturer.reload()  # another session, the same code
    lesson.wait("seen.how !== 'following'")
    lesson.wait("seen.how === 'following' && seen.time === wanted", then)
    lecturer.locator("#opening").wait_for(state="detached")
    lesson.press(" ")  # what was paused stays so until it is played
    lesson.wait("seen.time > 0.5")
    lesson.press(" ")
    lesson.wait("seen.led.playing === false")  # an end sends nothing that is still waiting
    lecturer.get_by_label("Stop presenting").first.click()
    lesson.wait("seen.how === 'over'")
    time = lesson.seen["time"]
    lesson.press(".")
    follower.keyboard.press(".")
    lesson.wait("seen.time === wanted", round(time + 0.01, 4))  # what has come stays one's own
