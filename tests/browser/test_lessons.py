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
from app.lessons.lesson import Choice, Curve, Number, Order, Task
from app.lessons.marking import right_answer, wrong_answers
from app.lessons.staged import Staged, staged
from app.state import Session
from tests.browser.page import CANVAS, address, stand_at, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]
LESSONS = {lesson.name: lesson for lesson in packaged()}
BY_KEYS = "gain"


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


@pytest.mark.full
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
