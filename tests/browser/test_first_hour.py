"""The tutorial in a browser, step by step as it is written: each name is on the page, each step shows what it says."""

import re
import time
from collections.abc import Callable
from urllib.parse import parse_qsl

import pytest
from playwright.sync_api import Page

from docs.page_pictures import TABLE
from tests.browser.conftest import PATIENCE, ROOT
from tests.browser.moment import address, wait_until

pytestmark = pytest.mark.full
TEXT = (ROOT / "docs" / "first_hour.md").read_text(encoding="utf-8")
ITALIC, BOLD = re.compile(r"(?<!\*)\*([^*]+)\*(?!\*)"), re.compile(r"\*\*([^*]+)\*\*")
IF_BUILT = "in the reference"
"""Is only there where there is one."""


def steps() -> dict[int, str]:
    """The numbered steps of the tutorial, each in one line."""
    found = re.findall(r"^(\d+)\. (.+\n(?: +.+\n)*)", TEXT, re.MULTILINE)
    return {int(number): " ".join(words.split()) for number, words in found}


def tab(name: str) -> Callable[[Page], None]:
    return lambda page: page.get_by_role("tab", name=name, exact=True).first.click()


def button(name: str) -> Callable[[Page], None]:
    return lambda page: page.get_by_role("button", name=name).first.click()


def key(*names: str) -> Callable[[Page], None]:
    def press(page: Page) -> None:
        for name in names:
            page.keyboard.press(name)

    return press


def check(page: Page) -> None:
    button("methods agree to")(page)
    page.get_by_role("tab", name="Check", exact=True, selected=True).wait_for()


def drop(page: Page) -> None:
    page.get_by_role("button", name="Drop the term").first.click()
    page.get_by_role("button", name="Show me without a guess").wait_for()


def open_more(page: Page) -> None:
    page.locator("section.equation .more summary").first.click()


def fly(page: Page) -> None:
    button("Free-flying")(page)
    page.get_by_role("combobox", name="Machine").filter(has_text="Free flyer, reaching").wait_for()
    tab("Two filters")(page)


def type_line(page: Page) -> None:
    button("Single arm")(page)
    motion = page.get_by_role("combobox", name="Machine")
    motion.filter(has_text="KUKA iiwa 14, reaching").wait_for()
    motion.click()
    page.get_by_role("option", name="PUMA 560, reaching").click()
    motion.filter(has_text="PUMA 560, reaching").wait_for()
    tab("Write it")(page)
    field = page.get_by_role("combobox", name="Right side of D[k]")
    first, second = re.findall(r"`(H @ [^`]+)`", steps()[14])
    field.fill(first)
    field.fill(second)


DONE: dict[int, tuple[Callable[[Page], None], ...]] = {
    1: (key("Space"),), 2: (key("r"),), 3: (key("ArrowRight"),), 4: (key("ArrowRight", "ArrowRight"),),
    5: (open_more,), 6: (), 7: (check,), 8: (tab("Break it"), drop), 9: (button("Show me without a guess"),),
    10: (button("Mend"),), 11: (button("Multi-arm"), tab("Contact")),
    12: (button("Play (space)"), button("Release")), 13: (fly,), 14: (type_line,), 15: (button("Next line"),),
}  # fmt: skip
"""What a person does at each step."""
PICTURED = {4: "walk", 11: "contact"}
"""Steps whose numbers stand in a picture, too."""
SEEN = """() => {
    const found = []
    const read = node => {
        if (node.nodeType === Node.TEXT_NODE) found.push(node.data)
        if (node.nodeType !== Node.ELEMENT_NODE || ["STYLE", "SCRIPT"].includes(node.tagName)) return
        if (getComputedStyle(node).display === "none") return
        found.push(node.getAttribute("aria-label") ?? "")
        for (const child of [...(node.shadowRoot?.childNodes ?? []), ...node.childNodes]) read(child)
    }
    read(document.body)
    return found.join("")
}"""
"""All text that is drawn, in its order, with the names of what has one."""


def plain(text: str) -> str:
    """Without blanks, which two elements side by side need not have between them, and without capitals."""
    return re.sub(r"\s+", "", text).casefold()


def test_each_step_of_the_first_hour_shows_what_it_says(open_page: Callable[..., Page]) -> None:
    page = open_page("preset=puma560&play=1&tab=Walk")
    page.get_by_role("button", name="Pause (space)").wait_for()
    assert DONE.keys() == steps().keys()
    after = plain(page.evaluate(SEEN))
    for number, words in steps().items():
        before = after
        for act in DONE[number]:
            act(page)
        after = plain(page.evaluate(SEEN))
        bold = [each.rstrip(".") for each in BOLD.findall(words)]
        names = [each for each in ITALIC.findall(BOLD.sub("", words)) if each != IF_BUILT or plain(IF_BUILT) in before]
        due = time.monotonic() + PATIENCE / 1e3
        while missing := [each for each in (*bold, *names) if plain(each) not in before + after]:
            assert time.monotonic() < due, f"step {number}: the page does not show {missing}"
            page.wait_for_timeout(50)
            after = plain(page.evaluate(SEEN))
        if number in PICTURED:
            wanted = dict(parse_qsl(TABLE[PICTURED[number]].query))
            wait_until(page, lambda: is_as_wanted(address(page), wanted))  # noqa: B023


def is_as_wanted(shown: dict[str, str], wanted: dict[str, str]) -> bool:
    """Whether a picture is of the machine, the instant and the place in the walk that a page shows."""
    names = wanted.keys() & {"preset", "build", "stage", "link", "half"}
    return float(shown["t"]) == float(wanted["t"]) and all(shown.get(name) == wanted[name] for name in names)
