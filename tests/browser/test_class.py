"""A question to the class: the how-to's steps as they are written, by a lecturer and two who follow on phones."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from app.asking import Asked, Chosen, Drawn, Ordered, Tried
from app.asking.asking import QUESTION
from app.asking.ballot import Ballot
from app.lessons.folder import packaged
from app.number_text import beside_numbers
from tests.browser.conftest import calm, visit, watch
from tests.browser.how_to import steps_of
from tests.browser.test_accessibility import axe, violations  # noqa: F401
from tests.browser.test_page import PATIENCE, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]
PHONE = {"width": 390, "height": 844}
WRITTEN = "How heavy is the arm?"


@dataclass
class Class:
    """Does what the how-to says, by the words that it says it with; the second of the followers has no mouse."""

    page: Page
    axe: str
    open_phone: Callable[[str], Page]
    phones: list[Page] = field(default_factory=list)
    address: str = ""

    @property
    def sheet(self) -> Locator:
        return self.page.get_by_role("dialog").filter(has_text="A question to the class")

    def asked(self, which: int) -> Locator:
        return self.phones[which].get_by_role("region", name="A question to the class")

    def press(self, name: str) -> None:
        self.sheet.get_by_role("button", name=name, exact=True).click()

    def close_sheet(self) -> None:
        self.page.keyboard.press("Escape")
        self.sheet.wait_for(state="hidden", timeout=PATIENCE)

    def says(self, which: int, words: str) -> None:
        self.asked(which).get_by_text(words).first.wait_for(timeout=PATIENCE)

    def counts(self, within: Locator) -> list[str]:
        return within.locator(".bars .count").all_inner_texts()

    def begin(self) -> None:
        self.page.get_by_label("Present: others follow this page").first.click()
        shown = self.page.get_by_role("dialog").locator("b", has_text="/follow/")
        self.address = shown.text_content(timeout=PATIENCE) or ""
        self.page.keyboard.press("Escape")
        self.page.get_by_text("They follow this page at").wait_for(timeout=PATIENCE)

    def follow(self) -> None:
        self.phones += [self.open_phone(self.address) for _ in range(2)]
        self.page.get_by_text("Followers now: 2").wait_for(timeout=PATIENCE)
        assert not self.asked(0).is_visible()

    def write(self) -> None:
        self.page.get_by_role("button", name="Ask the class", exact=True).click()
        self.sheet.get_by_label("Question", exact=True).fill("Which joint gives way first?")

    def choices(self) -> None:
        self.press("Ask the class")
        self.sheet.get_by_role("alert").get_by_text("Write at least 2 choices.").wait_for(timeout=PATIENCE)
        self.sheet.get_by_label("Choice 1", exact=True).fill("the tip's")
        self.sheet.get_by_label("Choice 2", exact=True).fill("the base's")
        self.sheet.get_by_label("Choice 1 is right").check()

    def ask(self) -> None:
        self.press("Ask the class")
        for phone in (0, 1):
            self.asked(phone).get_by_role("heading", name="Which joint gives way first?").wait_for(timeout=PATIENCE)

    def choose(self) -> None:
        self.asked(0).get_by_role("button", name="the base's").click()
        by_keys = self.phones[1].keyboard
        for key in ("Tab", "Tab", "Enter"):  # the second choice, as the page begins
            by_keys.press(key)
        for phone in (0, 1):
            self.says(phone, "Your answer has arrived.")
        by_keys.press("Shift+Tab")
        by_keys.press("Space")
        first = self.asked(1).get_by_role("button", name="the tip's")
        wait_until(self.phones[1], lambda: first.get_attribute("aria-pressed") == "true")
        self.sheet.get_by_text("2 of 2 have answered").wait_for(timeout=PATIENCE)
        assert self.counts(self.sheet) == []
        assert violations(self.phones[1], self.axe, None) == []

    def reload(self) -> None:
        phone = self.phones[1]
        phone.wait_for_function("() => JSON.parse(localStorage.getItem('armsweep-answer')).sent")
        phone.reload()
        chosen = self.asked(1).get_by_role("button", name="the tip's")
        chosen.wait_for(timeout=PATIENCE)
        assert chosen.get_attribute("aria-pressed") == "true"
        self.sheet.get_by_text("2 of 2 have answered").wait_for(timeout=PATIENCE)

    def come_back(self) -> None:
        self.page.reload()
        self.page.locator("#opening").wait_for(state="detached", timeout=PATIENCE)
        self.page.get_by_role("button", name="The question: 2 of 2 have answered").click(timeout=PATIENCE)
        self.page.get_by_text("Followers now: 2").wait_for(timeout=PATIENCE)

    def show(self) -> None:
        self.press("Close and show")
        for place in (self.sheet, self.asked(0), self.asked(1)):
            place.get_by_text("2 answers").wait_for(timeout=PATIENCE)
            assert self.counts(place) == ["1 (50 %)", "1 (50 %)"]
            filled = place.locator(".bars .bar span").evaluate_all("bars => bars.map(bar => bar.style.width)")
            assert filled == ["50%", "50%"]  # of all who answered
            assert place.get_by_text("right", exact=False).count() == 0

    def reveal(self) -> None:
        self.press("Reveal")
        for place in (self.sheet, self.asked(0), self.asked(1)):
            place.get_by_text("Right is: the tip's. 1 of 2 chose it.").wait_for(timeout=PATIENCE)
            assert "✓ right" in place.locator("li.right").inner_text()
        assert "your answer" in self.asked(1).locator("li.right").inner_text()
        assert violations(self.phones[0], self.axe, None) == []

    def project(self) -> None:
        self.close_sheet()
        self.page.keyboard.press("p")
        self.page.get_by_role("button", name="Leave projector mode (P)").wait_for(timeout=PATIENCE)
        self.page.get_by_role("button", name=re.compile("^The question: 2 of 2")).click()
        self.press("Another question")  # there is none as yet: its form is what fills the screen
        self.sheet.get_by_label("Question", exact=True).wait_for(timeout=PATIENCE)
        paper = self.sheet.bounding_box()
        assert paper is not None
        assert (paper["width"], paper["height"]) == (1280, 800)
        assert violations(self.page, self.axe, self.sheet.element_handle()) == []

    def number(self) -> None:
        self.sheet.get_by_label("a number").check()
        self.sheet.get_by_label("Question", exact=True).fill(WRITTEN)
        self.sheet.get_by_label("Unit").fill("kg")
        self.sheet.get_by_label("Right answer").fill("35")

    def type(self) -> None:
        self.press("Ask the class")
        by_keys = self.phones[1]
        for phone in (0, 1):
            self.asked(phone).get_by_label("Your answer, in kg").wait_for(timeout=PATIENCE)
        self.asked(0).get_by_label("Your answer, in kg").fill("34.5 kg")
        self.asked(0).get_by_role("button", name="Send my answer").click()
        by_keys.keyboard.press("Tab")
        by_keys.keyboard.type("a lot")
        by_keys.keyboard.press("Enter")
        self.says(1, "This is no number")
        by_keys.keyboard.press("Control+A")
        by_keys.keyboard.type("70")
        by_keys.keyboard.press("Enter")
        for phone in (0, 1):
            self.says(phone, "Your answer has arrived.")
        assert self.phones[1].evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"]

    def within(self) -> None:
        self.press("Close and show")
        self.press("Reveal")
        for place in (self.sheet, self.asked(0), self.asked(1)):
            place.get_by_text("Right is: 35 kg. 1 of 2 said so, to within 1.75 kg.").wait_for(timeout=PATIENCE)
            assert place.locator(".bars .label").all_inner_texts() == ["34.5 kg✓ right", "70 kg"]
        size = self.sheet.locator(".bars .label").first.evaluate("e => parseFloat(getComputedStyle(e).fontSize)")
        assert size > 0.02 * 1280  # to be read from the last row
        assert violations(self.page, self.axe, self.sheet.element_handle()) == []

    def lesson(self) -> None:
        self.close_sheet()
        self.page.keyboard.press("Escape")
        self.page.get_by_role("button", name="Projector mode (P)", exact=True).wait_for(timeout=PATIENCE)
        self.page.get_by_role("tab", name="Lessons", exact=True).click()
        pane = self.page.get_by_role("tabpanel", name="Lessons")
        pane.locator(".lessons button").first.click()
        pane.get_by_role("button", name="Ask the class").click()
        self.sheet.get_by_role("button", name="Close and show").wait_for(timeout=PATIENCE)
        for phone in (0, 1):
            self.asked(phone).get_by_role("button", name="Send my answer").wait_for(timeout=PATIENCE)
            assert WRITTEN not in self.asked(phone).inner_text()

    def go_on(self) -> None:
        self.press("Close and show")
        self.press("Reveal")
        self.says(0, "Right is:")
        self.page.get_by_role("tabpanel", name="Lessons").locator(".reveal").wait_for(timeout=PATIENCE)

    def last_step(self, name: str) -> None:
        pane = self.page.get_by_role("tabpanel", name="Lessons")
        *before, last = next(lesson.steps for lesson in packaged() if lesson.name == name)
        for step in before:
            pane.get_by_role("heading", name=step.title, exact=True).wait_for(timeout=PATIENCE)
            pane.locator("[data-go=next]").dispatch_event("click")
        pane.get_by_role("heading", name=last.title, exact=True).wait_for(timeout=PATIENCE)
        pane.get_by_role("button", name="Ask the class").click()

    def ask_to_try(self) -> None:
        self.close_sheet()
        self.last_step("one_joint")
        for phone in (0, 1):
            own = self.asked(phone).get_by_role("link", name="Try it on a page of your own")
            own.wait_for(timeout=PATIENCE)
            assert own.evaluate("link => link.href") == f"{self.page.url.partition('?')[0]}?lesson=one_joint%3A8"

    def try_it(self) -> None:
        there = self.phones[0].context.new_page()  # what a page of lessons keeps is seen in ``test_lessons``
        there.goto(self.address)
        there.evaluate(
            'localStorage.setItem(\'armsweep-lessons\', \'{"lessons":{"one_joint":{"08_task":[1,0,1,0]}}}\')'
        )
        there.close()
        self.sheet.get_by_text("1 of 2 have answered").wait_for(timeout=PATIENCE)
        done = self.asked(0).get_by_role("button", name="done", exact=True)
        assert done.get_attribute("aria-pressed") == "true"
        self.asked(1).get_by_role("button", name="not yet", exact=True).click()
        self.sheet.get_by_text("2 of 2 have answered").wait_for(timeout=PATIENCE)
        assert violations(self.phones[1], self.axe, None) == []

    def tried(self) -> None:
        self.press("Close and show")
        self.press("Reveal")
        for place in (self.sheet, self.asked(0), self.asked(1)):
            place.get_by_text("1 of 2 have done it.").wait_for(timeout=PATIENCE)
            assert self.counts(place) == ["1 (50 %)", "1 (50 %)"]
            filled = place.locator(".bars .bar span").evaluate_all("bars => bars.map(bar => bar.style.width)")
            assert filled == ["50%", "50%"]  # of all who answered
        self.page.get_by_role("tabpanel", name="Lessons").locator(".reveal").wait_for(timeout=PATIENCE)

    def ask_for_an_order(self) -> None:
        self.close_sheet()
        pane = self.page.get_by_role("tabpanel", name="Lessons")
        pane.get_by_role("button", name="All lessons").click()
        pane.get_by_role("button", name="Why the mass matrix is a covariance").click()
        self.last_step("covariance")

    def order(self) -> None:
        for phone in (0, 1):
            self.asked(phone).locator(".order li").nth(2).wait_for(timeout=PATIENCE)
        keys = self.phones[1].keyboard
        third = self.asked(1).locator(".order li").nth(2)
        moved = third.get_attribute("data-item")
        third.get_by_role("button", name=re.compile("^Move up")).focus()
        keys.press("Enter")
        assert self.asked(1).locator(".order li").nth(1).get_attribute("data-item") == moved
        for phone in (0, 1):
            self.asked(phone).get_by_role("button", name="Send my answer").click()
            self.says(phone, "Your answer has arrived.")
        assert self.phones[1].evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"]
        assert violations(self.phones[1], self.axe, None) == []
        self.sheet.get_by_text("2 of 2 have answered").wait_for(timeout=PATIENCE)

    def places(self) -> None:
        self.press("Close and show")
        self.sheet.locator(".places").wait_for(timeout=PATIENCE)
        self.press("Reveal")
        for place in (self.sheet, self.asked(0), self.asked(1)):
            place.get_by_text(re.compile("^Right is: 1. ")).wait_for(timeout=PATIENCE)
            rows = place.locator(".places tbody tr")
            told = rows.evaluate_all(
                "rows => rows.map(row => [...row.cells].slice(1).map(cell => parseInt(cell.innerText) || 0))"
            )
            assert [sum(row) for row in told] == [2] * len(told)
            assert place.locator(".places td.right").count() == len(told)
        self.says(1, "Your order:")
        assert violations(self.phones[1], self.axe, None) == []
        assert violations(self.page, self.axe, self.sheet.element_handle()) == []

    def end(self) -> None:
        self.close_sheet()
        self.page.get_by_label("Stop presenting").first.click()
        for phone in (0, 1):
            self.asked(phone).wait_for(state="hidden", timeout=PATIENCE)


DONE: dict[str, Callable[[Class], None]] = {
    "Press *Present* in the page's header, and *Escape*: over the world stands the address.": Class.begin,
    "Two open it on their phones: *Followers now: 2*.": Class.follow,
    "Press *Ask the class* over the world, and write *Which joint gives way first?*": Class.write,
    "Write two choices, *the tip's* and *the base's*, and mark the first as right.": Class.choices,
    "Press *Ask the class* in the sheet: the question stands on both phones.": Class.ask,
    "Both choose, and one of them chooses again: *2 of 2 have answered* says the sheet, and not what.": Class.choose,
    "One of them loads the page anew: the answer is still there, and counts once.": Class.reload,
    "Load the lecturer's page anew: press *The question* over the world: both answers are there.": Class.come_back,
    "Press *Close and show*: a bar for each choice, with its count, stands in the sheet and on the phones.": Class.show,
    "Press *Reveal*: both say what is right.": Class.reveal,
    "Press *Escape*, and *P* for the projector; press *The question*: it fills the screen.": Class.project,
    "Press *Another question*, choose *a number*, and write *How heavy is the arm?*, *kg* and *35*.": Class.number,
    "Press *Ask the class*; one types *34.5 kg*, the other *a lot*, which is no number, and then *70*.": Class.type,
    "Press *Close and show*, and *Reveal*: *1 of 2* was right, to within 5 %.": Class.within,
    "Press *Escape* twice, open *Lessons*, begin the first, and press *Ask the class* in it.": Class.lesson,
    "Press *Close and show*, and *Reveal*: the page goes on as the lesson does.": Class.go_on,
    "Press *Escape*, go on to the last step, *Do it yourself*, and press *Ask the class*: each may try it on a page of "
    "their own.": Class.ask_to_try,
    "One of them does it there: *1 of 2 have answered*. The other presses *not yet*.": Class.try_it,
    "Press *Close and show*, and *Reveal*: *1 of 2 have done it*, and the page shows how.": Class.tried,
    "Press *Escape*, open the lesson *Why the mass matrix is a covariance*, go to its last step, and press *Ask the "
    "class*.": Class.ask_for_an_order,
    "One of them moves the third up, both send what they have: *2 of 2 have answered*.": Class.order,
    "Press *Close and show*, and *Reveal*: of each it stands there how many have put it at which place.": Class.places,
    "Press *Escape*, and *Stop presenting*: the question leaves the phones.": Class.end,
}
"""Of every sentence of the how-to, what is done and what must come of it."""


@pytest.fixture
def class_(chromium: Browser, serve: Callable[[str], str], axe: str) -> Iterator[Class]:  # noqa: F811
    contexts = [calm(chromium)]
    complaints: list[list[str]] = []

    def opened(browser: Any) -> Page:
        page: Page = browser.new_page()
        complaints.append(watch(page))
        return page

    def open_phone(address: str) -> Page:
        contexts.append(calm(chromium, viewport=PHONE, has_touch=True))
        phone = opened(contexts[-1])
        phone.goto(address)
        return phone

    page = opened(contexts[0])
    visit(page, f"{serve('app')}?preset=planar_chain&play=0")
    page.locator("canvas[role=application]").wait_for(timeout=PATIENCE)
    yield Class(page, axe, open_phone)
    for context in contexts:
        context.close()
    assert [told for each in complaints for told in each if "400 (Bad Request)" not in told] == []


@pytest.mark.timeout(600)
def test_the_how_to_is_followed_to_the_letter(class_: Class) -> None:
    steps = steps_of("present.md")
    assert list(steps.values()) == list(DONE)
    assert list(steps) == list(range(1, len(DONE) + 1))
    for words in steps.values():
        DONE[words](class_)


TRUE = tuple(0.1 * k for k in range(5))
UNANSWERED: tuple[tuple[Asked, list[str], str], ...] = (
    (Chosen("Which?", ("the tip's", "the base's"), frozenset({0})), ["the tip's", "the base's"], "the tip's✓ right"),
    (Tried("Try it.", "gain/09_task", "gain:9"), ["done", "not yet"], "Nobody has tried it."),
    (Ordered("In which order?", ("D", "P", "G"), (1, 0, 2)), ["D", "P", "G"], "P0 ✓D0 ✓G0 ✓"),
    (Drawn("How far?", "m", 1.0, 0.0, 1.0, TRUE), ["1 s"], "right"),
)
"""What is asked, what stands there when it is closed and nobody has answered, and what more when it is revealed."""


@pytest.mark.parametrize(("asked", "choices", "right"), UNANSWERED)
def test_what_nobody_has_answered_still_stands_there(page: Page, asked: Asked, choices: list[str], right: str) -> None:
    ballot = Ballot(asked)
    scripts = beside_numbers(*QUESTION).replace("export ", "")
    show = f"told => {{ {scripts}; return distribution(told).textContent }}"
    ballot.close()
    closed = page.evaluate(show, ballot.told)
    assert closed.startswith("No answers")
    assert [each for each in choices if each not in closed] == []
    assert right not in closed
    ballot.reveal()
    assert right in page.evaluate(show, ballot.told)
