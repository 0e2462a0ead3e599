"""*Lessons* in a browser: a wrong and a right answer, a draft that outlives a reload, and a lesson of one's own."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from app.lessons.folder import packaged
from app.lessons.marking import marked, right_answer, wrong_answers
from app.lessons.staged import staged
from app.state import Session
from tests.browser.page import address, stand_at, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]
LESSONS = {lesson.name: lesson for lesson in packaged()}


def begin(open_page: Callable[..., Page]) -> Page:
    """A page that has opened the list of lessons."""
    page = stand_at(open_page("preset=planar_chain&t=0.200&play=0&tab=Lessons"), 0.2)
    page.get_by_role("heading", name="Lessons", exact=True).wait_for()
    return page


def pane(page: Page) -> Locator:
    return page.get_by_role("tabpanel", name="Lessons")


def verdict(page: Page, kind: str) -> Locator:
    return pane(page).locator(f".verdict.{kind}")


def reload(page: Page) -> None:
    page.reload()
    page.locator("#opening").wait_for(state="detached")


def test_a_lesson_is_answered_left_and_found_again_and_one_of_ones_own_opened(open_page: Callable[..., Page]) -> None:
    page = begin(open_page)
    where = pane(page)
    # What was filled in but not sent survives a reload, and nobody is judged by it.
    where.get_by_role("button", name=LESSONS["sweeps"].title).click()
    answers = where.locator("form [type=radio]")
    answers.nth(1).check()
    wait_until(page, lambda: address(page).get("lesson") == "sweeps:1")
    reload(page)
    expect(answers.nth(1)).to_be_checked()
    assert not where.locator(".verdict").count()
    # A wrong answer says what is wrong with it, a hint helps, the right one leads on.
    stage = staged(LESSONS["sweeps"].steps[0], Session("planar_chain"))
    check = where.locator("form button[type=submit]")
    for answer, kind in ((wrong_answers(stage)[0], "wrong"), (right_answer(stage), "right")):
        where.locator(f"input[type=radio][value='{answer}']").check()
        check.click()
        verdict(page, kind).filter(has_text=re.split(r"[$*]", marked(stage, answer).words)[0][:50]).wait_for()
        if kind == "wrong":
            assert where.locator(".reveal").count() == 0
            where.get_by_role("button", name=re.compile("^Hint")).click()
            where.locator(".hints li").first.wait_for()
    where.locator(".reveal").wait_for()
    where.locator("[data-go=next]").click()
    where.get_by_role("heading", name=LESSONS["sweeps"].steps[1].title, exact=True).wait_for()
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
