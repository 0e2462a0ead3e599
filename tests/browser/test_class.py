"""A question to the class: a lecturer asks, two who follow on phones answer; the second has no mouse."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.page import CANVAS, violations, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]
PHONE = {"width": 390, "height": 844}
GONE = ("400 (Bad Request)",)
"""What the console of a phone says when it asks in the moment in which the lecturer loads the page anew."""


def question(page: Page) -> Locator:
    return page.get_by_role("region", name="A question to the class")


def counts(within: Locator) -> list[str]:
    return within.locator(".bars .count").all_inner_texts()


@pytest.mark.full
def test_a_class_is_asked_and_answers(open_page: Callable[..., Page], new_page: Callable[..., Page], axe: str) -> None:
    page = open_page("preset=planar_chain&play=0", allowed=GONE)
    page.locator(CANVAS).wait_for()
    sheet = page.get_by_role("dialog").filter(has_text="A question to the class")

    def press(name: str) -> None:
        sheet.get_by_role("button", name=name, exact=True).click()

    def says_everywhere(words: str | re.Pattern[str]) -> None:
        for place in (sheet, *asked):
            place.get_by_text(words).first.wait_for()

    def arrives(*answers: Locator) -> None:
        for answer in answers:
            answer.get_by_text("Your answer has arrived.").wait_for()

    # Two follow on their phones.
    page.get_by_label("Present: others follow this page").first.click()
    address = page.get_by_role("dialog").locator("b", has_text="/follow/").text_content() or ""
    page.keyboard.press("Escape")
    phones = [new_page(viewport=PHONE, has_touch=True, allowed=GONE) for _ in range(2)]
    for phone in phones:
        phone.goto(address)
    page.get_by_text("Followers now: 2").wait_for()
    asked, keys = [question(phone) for phone in phones], phones[1].keyboard
    # Choices: a question with too few is refused; an answer may be another before the question is closed.
    page.get_by_role("button", name="Ask the class", exact=True).click()
    sheet.get_by_label("Question", exact=True).fill("Which joint gives way first?")
    press("Ask the class")
    sheet.get_by_role("alert").get_by_text("Write at least 2 choices.").wait_for()
    sheet.get_by_label("Choice 1", exact=True).fill("the tip's")
    sheet.get_by_label("Choice 2", exact=True).fill("the base's")
    sheet.get_by_label("Choice 1 is right").check()
    press("Ask the class")
    for each in asked:
        each.get_by_role("heading", name="Which joint gives way first?").wait_for()
    asked[0].get_by_role("button", name="the base's").click()
    for key in ("Tab", "Tab", "Enter"):  # the second choice, as the page begins
        keys.press(key)
    arrives(*asked)
    keys.press("Shift+Tab")
    keys.press("Space")
    first = asked[1].get_by_role("button", name="the tip's")
    expect(first).to_have_attribute("aria-pressed", "true")
    sheet.get_by_text("2 of 2 have answered").wait_for()
    assert counts(sheet) == []  # how many, and not what
    assert violations(phones[1], axe, None) == []
    # A phone that loads the page anew counts once, and the lecturer's page comes back to the question.
    phones[1].wait_for_function("() => JSON.parse(localStorage.getItem('armsweep-answer')).sent")
    phones[1].reload()
    expect(first).to_have_attribute("aria-pressed", "true")
    page.reload()
    page.locator("#opening").wait_for(state="detached")
    page.get_by_role("button", name="The question: 2 of 2 have answered").click()
    page.get_by_text("Followers now: 2").wait_for()
    press("Close and show")
    says_everywhere("2 answers")
    for place in (sheet, *asked):
        assert counts(place) == ["1 (50 %)", "1 (50 %)"]
        assert place.get_by_text("right", exact=False).count() == 0
    press("Reveal")
    says_everywhere("Right is: the tip's. 1 of 2 chose it.")
    assert "your answer" in asked[1].locator("li.right").inner_text()
    # The lecturer stops: the question leaves the phones.
    page.keyboard.press("Escape")
    sheet.wait_for(state="hidden")
    page.get_by_label("Stop presenting").first.click()
    for each in asked:
        each.wait_for(state="hidden")
    wait_until(page, lambda: not page.get_by_text("Followers now").is_visible())
