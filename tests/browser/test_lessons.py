"""*Lessons* in a browser: whole ones played by mouse and by keys, with right, wrong and no answers; nothing is lost."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from app.lessons.folder import packaged
from app.lessons.lesson import Choice, Curve, Lesson, Number, Order, Pointed, Task
from app.lessons.marking import marked, right_answer, wrong_answers
from app.lessons.staged import Staged, staged
from app.state import Session
from tests.browser.page import CANVAS, address, group, stand_at, wait_until
from tests.browser.printed import printed, words_of

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]
LESSONS = {lesson.name: lesson for lesson in packaged()}
BY_KEYS, BY_MOUSE = "gain", "satellite"
LEAST_PAD, MOST_PAD = (44 / 320, 312 / 320), (8 / 190, 164 / 190)
"""Shares of the drawing's width and height within its axes."""


@pytest.fixture(scope="module")
def session() -> Session:
    return Session("planar_chain")


def begin(open_page: Callable[..., Page]) -> Page:
    """A page that has opened the list of lessons."""
    page = stand_at(open_page("preset=planar_chain&t=0.200&play=0&tab=Lessons"), 0.2)
    page.get_by_role("heading", name="Lessons", exact=True).wait_for()
    return page


def pane(page: Page) -> Locator:
    return page.get_by_role("tabpanel", name="Lessons")


def verdict(page: Page, kind: str) -> Locator:
    return pane(page).locator(f".verdict.{kind}")


def plain_start(words: str) -> str:
    """Of what is said, as far as it looks as it is written."""
    return re.split(r"[$*]", words)[0][:50]


def draw(page: Page, values: list[float], question: Curve) -> None:
    """Along a curve, by mouse."""
    pad = pane(page).locator(".pad svg")
    pad.scroll_into_view_if_needed()
    box = pad.bounding_box()
    assert box is not None
    down = False
    for k, value in enumerate(values):
        share = (question.most - value) / (question.most - question.least)
        x = box["x"] + box["width"] * (LEAST_PAD[0] + (LEAST_PAD[1] - LEAST_PAD[0]) * k / (len(values) - 1))
        y = box["y"] + box["height"] * (MOST_PAD[0] + (MOST_PAD[1] - MOST_PAD[0]) * share)
        page.mouse.move(x, y)
        if not down:
            page.mouse.down()
            down = True
    page.mouse.up()


def give(page: Page, stage: Staged, answer: object) -> None:
    """Fills an answer in, by mouse."""
    where = pane(page)
    match stage.step.question:
        case Choice():
            where.locator(f"input[type=radio][value='{answer}']").check()
        case Pointed():
            where.get_by_role("combobox", name="Link").select_option(str(answer))
        case Curve() as question:
            assert isinstance(answer, list)
            draw(page, answer, question)


def play(page: Page, lesson: Lesson, session: Session, tries: Callable[[Staged], list[object]]) -> None:
    """A whole lesson from the list: no answer, wrong ones, a hint, the right one, and on."""
    where = pane(page)
    where.get_by_role("button", name=lesson.title).click()
    for at, step in enumerate(lesson.steps):
        where.get_by_role("heading", name=step.title, exact=True).wait_for()
        stage = staged(step, session)
        where.locator("form legend").wait_for()
        wait_until(page, lambda at=at: address(page).get("lesson") == f"{lesson.name}:{at + 1}")
        wait_until(page, lambda step=step: address(page).get("preset") == step.show["preset"])
        assert where.locator(".reveal").count() == 0
        check = where.locator("form button[type=submit]")
        if not isinstance(step.question, Task):
            check.click()
            verdict(page, "none").wait_for()
            assert where.get_by_role("button", name="Show the solution").count() == 0
        for wrong in tries(stage):
            give(page, stage, wrong)
            check.click()
            words = plain_start(marked(stage, wrong).words)
            if isinstance(step.question, Curve):  # a mouse draws to the pixel
                words = "It goes otherwise"
            verdict(page, "wrong").filter(has_text=words).wait_for()
        where.get_by_role("button", name=re.compile("^Hint")).click()
        where.locator(".hints li").first.wait_for()
        if isinstance(step.question, Task):
            check.click()
            verdict(page, "wrong").wait_for()
            group(page, "Torques")
            field = page.get_by_role("textbox", name=re.compile(r"shoulder_yaw_joint \(N m\)")).first
            field.fill("-5")
            field.press("Enter")
            wait_until(page, lambda: "torques" in address(page))
            page.get_by_role("tab", name="Lessons", exact=True).click()
        else:
            give(page, stage, right_answer(stage))
        check.click()
        verdict(page, "right").wait_for()
        where.locator(".reveal").wait_for()
        where.locator("[data-go=next]").click()
    where.get_by_role("heading", name="Lessons", exact=True).wait_for()


FOCUSED = """() => {
    let focused = document.activeElement
    while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement
    return focused
}"""
"""The element that has the focus."""


def reach(page: Page, selector: str, key: str = "Tab", most: int = 150) -> None:
    """Moves the focus by keys alone."""
    for _ in range(most):
        if page.evaluate(f"selector => ({FOCUSED})()?.matches(selector)", selector):
            return
        page.keyboard.press(key)
    raise AssertionError(f"no key leads to {selector}")


def give_by_keys(page: Page, stage: Staged, answer: object) -> None:
    """Fills an answer in; the focus is at the step's heading or in its form."""
    match stage.step.question:
        case Choice():
            reach(page, "input[type=radio]")
            assert isinstance(answer, int)
            page.keyboard.press("Space")
            while page.evaluate(f"({FOCUSED})().value") != str(answer):
                page.keyboard.press("ArrowDown")
        case Number():
            reach(page, "input[name=answer]")
            page.keyboard.press("Control+a")
            page.keyboard.type(str(answer))
        case Order():
            assert isinstance(answer, list)
            for place, item in enumerate(answer):
                at = f"[data-item='{item}']"
                row = pane(page).locator(at)
                while row.evaluate("row => [...row.parentNode.children].indexOf(row)") > place:
                    if not page.evaluate(f"({FOCUSED})()?.matches(\"{at} [data-move='-1']\")"):
                        reach(page, "[data-go=home]", "Shift+Tab")
                        reach(page, f"{at} [data-move='-1']")
                    page.keyboard.press("Enter")
        case Curve() as question:
            assert isinstance(answer, list)
            reach(page, ".pad svg")
            page.keyboard.press("Home")
            fine = (question.most - question.least) / 40
            for k in range(25):
                wanted = answer[round(k * (len(answer) - 1) / 24)]
                now = float(page.evaluate(f"({FOCUSED})().getAttribute('aria-valuenow')"))
                for _ in range(abs(round((wanted - now) / fine))):
                    page.keyboard.press("ArrowUp" if wanted > now else "ArrowDown")
                page.keyboard.press("ArrowRight")


def to_instrument(page: Page, name: str) -> None:
    """By the page's key for the rail."""
    page.keyboard.press("i")
    page.keyboard.type(name.lower())
    page.keyboard.press("Enter")
    wait_until(page, lambda: page.get_by_role("tab", name=name, exact=True).get_attribute("aria-selected") == "true")


LISTEN = """region => {
    window.heard = []
    const hear = () => window.heard.push(region.textContent.trim())
    new MutationObserver(hear).observe(region, {childList: true, characterData: true, subtree: true})
}"""


def listen(page: Page) -> None:
    """From now on all that is spoken is kept: something else may be spoken soon after."""
    page.locator(".drawing > [aria-live=polite]").evaluate(LISTEN)


def heard(page: Page) -> list[str]:
    said: list[str] = page.evaluate("window.heard")
    return said


def test_a_whole_lesson_by_keys_is_heard(open_page: Callable[..., Page], session: Session) -> None:
    page, lesson = begin(open_page), LESSONS[BY_KEYS]
    where = pane(page)
    listen(page)
    page.locator(CANVAS).focus()
    to_instrument(page, "Lessons")
    reach(page, f"[data-go='open {[*LESSONS].index('gain')}']")
    page.keyboard.press("Enter")
    for step in lesson.steps:
        where.get_by_role("heading", name=step.title, exact=True).wait_for()
        wait_until(page, lambda step=step: page.evaluate(f"({FOCUSED})()?.textContent") == step.title)
        where.locator("form legend").wait_for()
        stage = staged(step, session)
        if isinstance(step.question, Task):
            to_instrument(page, "Change")
            change = page.get_by_role("tabpanel", name="Change")
            change.get_by_role("button", name="Posture", exact=True).focus()
            page.keyboard.press("Enter")
            change.get_by_role("combobox", name="Start").wait_for()  # not another group's field
            field = change.get_by_role("textbox", name=re.compile("joint_1")).first
            field.wait_for()
            field.focus()
            page.keyboard.press("Control+a")
            page.keyboard.type("86")  # degrees
            page.keyboard.press("Enter")
            page.keyboard.press("Tab")
            to_instrument(page, "Lessons")
        else:
            reach(page, "form [type=submit]")
            page.keyboard.press("Enter")
            verdict(page, "none").wait_for()
            reach(page, "[data-go=home]", "Shift+Tab")
            give_by_keys(page, stage, wrong_answers(stage)[-1])  # of a drawing: not where it begins
            if not isinstance(step.question, Number):
                reach(page, "form [type=submit]")
            page.keyboard.press("Enter")
            verdict(page, "wrong").wait_for()
            if isinstance(step.question, Number):  # it is typed anew
                wait_until(page, lambda: page.evaluate(f"({FOCUSED})()?.matches('input[name=answer]')"))
            words = verdict(page, "wrong").inner_text()[2:]
            wait_until(page, lambda words=words: words.strip() in heard(page))
            reach(page, "[data-go=home]", "Shift+Tab")
            give_by_keys(page, stage, right_answer(stage))
        if not isinstance(step.question, Number):
            reach(page, "form [type=submit]")
        page.keyboard.press("Enter")
        verdict(page, "right").wait_for()
        if isinstance(step.question, Number):  # and one goes on
            wait_until(page, lambda: page.evaluate(f"({FOCUSED})()?.matches('[data-go=next]')"))
        reach(page, "[data-go=next]")
        page.keyboard.press("Enter")
    where.get_by_role("heading", name="Lessons", exact=True).wait_for()
    assert "done" in where.get_by_role("button", name=lesson.title).inner_text()


def reload(page: Page) -> None:
    page.reload()
    page.locator("#opening").wait_for(state="detached")


def test_a_whole_lesson_by_mouse_and_its_results(open_page: Callable[..., Page], session: Session) -> None:
    """Results survive a reload, and are saved as a table and printed."""
    page, lesson = begin(open_page), LESSONS[BY_MOUSE]
    play(page, lesson, session, lambda stage: wrong_answers(stage)[:1])
    row = pane(page).get_by_role("button", name=lesson.title)
    assert "done" in row.inner_text()
    reload(page)
    wait_until(page, lambda: "done" in row.inner_text())
    pane(page).get_by_label("Name on my results").fill("Ada Lovelace")
    with page.expect_download() as saved:
        pane(page).get_by_role("button", name="Save my results").click()
    text = Path(saved.value.path()).read_text(encoding="utf-8")
    assert re.fullmatch(r"armsweep_Ada_Lovelace_\w+_\d{4}-\d\d-\d\d\.csv", saved.value.suggested_filename)
    first = lesson.steps[0]
    line = rf"^{re.escape(lesson.title)}.*,{first.name},{re.escape(first.title)},right,\d+,\d+,no,Ada Lovelace,"
    assert re.search(line, text, re.MULTILINE), text
    pane(page).get_by_role("button", name="My results: print, or save as PDF").click()
    written = words_of(printed(page))
    assert "Name: Ada Lovelace" in written
    assert f"{len(lesson.steps)} of {len(lesson.steps)} answered right" in written
    for step in lesson.steps:
        assert step.title in written


def test_a_draft_the_way_back_and_a_lesson_of_ones_own(open_page: Callable[..., Page]) -> None:
    page = begin(open_page)
    where = pane(page)
    # The page goes back to where it was.
    wait_until(page, lambda: address(page).get("t") == "0.200" and "layers" in address(page))
    before = address(page)
    where.get_by_role("button", name=LESSONS["two_arms"].title).click()
    wait_until(page, lambda: address(page).get("preset") == "two_arms_and_box")
    where.locator("form legend").wait_for()
    where.get_by_role("button", name="Back to where the page was").click()
    wait_until(page, lambda: address(page) == before)
    # What was filled in but not sent survives a reload, and nobody is judged by it.
    where.get_by_role("button", name=LESSONS["sweeps"].title).click()
    answers = where.locator("form [type=radio]")
    answers.nth(1).check()
    wait_until(page, lambda: address(page).get("lesson") == "sweeps:1")
    reload(page)
    expect(answers.nth(1)).to_be_checked()
    assert not where.locator(".verdict").count()
    where.get_by_role("button", name="All lessons").click()
    # A folder of text is a lesson; what is none is refused in words.
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("mine/lesson.toml", 'title = "My own"\naim = "Try."\nminutes = 1\n')
        archive.writestr(
            "mine/01_a.md", '+++\ntitle = "Hello"\nshow = "?preset=panda&t=0.000"\n+++\n{{ links }} links.\n'
        )
    chooser = where.locator("input[type=file]")
    chooser.set_input_files({"name": "mine.zip", "mimeType": "application/zip", "buffer": data.getvalue()})
    where.get_by_role("button", name="My own").click()
    where.get_by_text("7 links.").wait_for()
    where.get_by_role("button", name="All lessons").click()
    chooser.set_input_files({"name": "bad.zip", "mimeType": "application/zip", "buffer": b"nonsense"})
    where.get_by_text("no zip that can be read").wait_for()
    with page.expect_download() as saved:
        where.get_by_role("button", name="Save an example (zip)").click()
    example = Path(saved.value.path()).read_bytes()
    chooser.set_input_files({"name": saved.value.suggested_filename, "mimeType": "application/zip", "buffer": example})
    where.get_by_text("is open, the last of the list").wait_for()
