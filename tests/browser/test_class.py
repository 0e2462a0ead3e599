"""A question to the class: a lecturer asks, two who follow on phones answer; the second has no mouse."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from app.lessons.folder import packaged
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
    # A number: what is none is refused, and what is near counts.
    press("Another question")
    sheet.get_by_label("a number").check()
    sheet.get_by_label("Question", exact=True).fill("How heavy is the arm?")
    sheet.get_by_label("Unit").fill("kg")
    sheet.get_by_label("Right answer").fill("35")
    press("Ask the class")
    for each in asked:
        each.get_by_label("Your answer, in kg").wait_for()
    asked[0].get_by_label("Your answer, in kg").fill("34.5 kg")
    asked[0].get_by_role("button", name="Send my answer").click()
    keys.press("Tab")
    keys.type("a lot")
    keys.press("Enter")
    asked[1].get_by_text("This is no number").first.wait_for()
    keys.press("Control+A")
    keys.type("70")
    keys.press("Enter")
    arrives(*asked)
    press("Close and show")
    press("Reveal")
    says_everywhere("Right is: 35 kg. 1 of 2 said so, to within 1.75 kg.")
    assert sheet.locator(".bars .label").all_inner_texts() == ["34.5 kg✓ right", "70 kg"]
    # A lesson's question, its last step to be put in order; the lesson goes on when it is revealed.
    page.keyboard.press("Escape")
    sheet.wait_for(state="hidden")
    page.get_by_role("tab", name="Lessons", exact=True).click()
    pane = page.get_by_role("tabpanel", name="Lessons")
    *before, last = next(lesson.steps for lesson in packaged() if lesson.name == "covariance")
    pane.get_by_role("button", name="Why the mass matrix is a covariance").click()
    for step in before:
        pane.get_by_role("heading", name=step.title, exact=True).wait_for()
        pane.locator("[data-go=next]").dispatch_event("click")
    pane.get_by_role("heading", name=last.title, exact=True).wait_for()
    pane.get_by_role("button", name="Ask the class").click()
    for each in asked:
        each.locator(".order li").nth(2).wait_for()
    rows = asked[1].locator(".order li")
    moved = rows.nth(2).get_attribute("data-item")
    rows.nth(2).get_by_role("button", name=re.compile("^Move up")).focus()
    keys.press("Enter")
    expect(rows.nth(1)).to_have_attribute("data-item", str(moved))
    for each in asked:
        each.get_by_role("button", name="Send my answer").click()
    arrives(*asked)
    assert phones[1].evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"]
    sheet.get_by_text("2 of 2 have answered").wait_for()
    press("Close and show")
    sheet.locator(".places").wait_for()
    press("Reveal")
    says_everywhere(re.compile("^Right is: 1. "))
    for place in (sheet, *asked):
        told = place.locator(".places tbody tr").evaluate_all(
            "rows => rows.map(row => [...row.cells].slice(1).map(cell => parseInt(cell.innerText) || 0))"
        )
        assert [sum(row) for row in told] == [2] * len(told)
        assert place.locator(".places td.right").count() == len(told)
    asked[1].get_by_text("Your order:").first.wait_for()
    pane.locator(".reveal").wait_for()
    assert violations(page, axe, sheet.element_handle()) == []
    # The lecturer stops: the question leaves the phones.
    page.keyboard.press("Escape")
    sheet.wait_for(state="hidden")
    page.get_by_label("Stop presenting").first.click()
    for each in asked:
        each.wait_for(state="hidden")
    wait_until(page, lambda: not page.get_by_text("Followers now").is_visible())
