"""*Lecture* in a browser: the how-to's steps as they are written, keys of who types, a phone, both themes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.conftest import calm, visit, watch
from tests.browser.how_to import steps_of
from tests.browser.printed import FRAME, links_of, printed, words_of
from tests.browser.test_accessibility import axe, violations  # noqa: F401
from tests.browser.test_address import address
from tests.browser.test_page import PATIENCE, shown_time, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]


@dataclass
class Lecturer:
    """Does what the how-to says, by the words that it says it with."""

    page: Page
    folder: Path
    file: str = ""
    time: float = 0.0

    @property
    def pane(self) -> Locator:
        return self.page.get_by_role("tabpanel", name="Lecture", exact=True)

    @property
    def titles(self) -> list[str]:
        fields = self.pane.get_by_label(re.compile("^Title of moment"))
        found: list[str] = fields.evaluate_all("fields => fields.map(field => field.value)")
        return found

    def open(self, name: str) -> None:
        self.page.get_by_role("tab", name=name, exact=True).click()

    def says(self, words: str) -> None:
        self.page.get_by_text(words).first.wait_for(timeout=PATIENCE)

    def stop(self) -> None:
        self.page.keyboard.press("Space")
        self.page.get_by_role("button", name="Play (space)").wait_for(timeout=PATIENCE)
        self.time = shown_time(self.page)

    def keep(self) -> None:
        self.page.keyboard.press("k")
        self.says("Kept as moment 1")

    def keep_another(self) -> None:
        self.open("Check")
        wait_until(self.page, lambda: address(self.page).get("tab") == "Check")
        self.page.keyboard.press("k")
        self.says("Kept as moment 2")

    def see_both(self) -> None:
        self.open("Lecture")
        wait_until(self.page, lambda: len(self.titles) == 2)
        pictures = self.pane.locator("li img")
        wait_until(self.page, lambda: pictures.count() == 2)
        sizes = [picture.evaluate("image => image.naturalWidth") for picture in pictures.all()]
        assert sizes == [480, 480]

    def name(self) -> None:
        self.pane.get_by_label("Title of moment 1").fill("Who gives way first?")
        self.pane.get_by_label("Note of moment 1").fill("Let them guess.")
        self.pane.get_by_label("Note of moment 1").press("Tab")
        wait_until(self.page, lambda: self.titles[0] == "Who gives way first?")

    def reorder(self) -> None:
        self.pane.get_by_role("button", name="Move moment 2 up").click()
        wait_until(self.page, lambda: self.titles[1] == "Who gives way first?")

    def remove(self) -> None:
        self.pane.get_by_role("button", name="Remove moment 1").click()
        wait_until(self.page, lambda: self.titles == ["Who gives way first?"])
        self.pane.get_by_role("button", name="Undo: removing").click()
        wait_until(self.page, lambda: len(self.titles) == 2)

    def save(self) -> None:
        with self.page.expect_download() as saved:
            self.pane.get_by_role("button", name="Save as a file").click()
        self.file = str(self.folder / saved.value.suggested_filename)
        saved.value.save_as(self.file)
        whole = json.loads(Path(self.file).read_text(encoding="utf-8"))
        assert [each["note"] for each in whole["moments"]] == ["", "Let them guess."]

    def open_elsewhere(self) -> None:
        self.page.evaluate("sessionStorage.clear()")
        visit(self.page, re.sub(r"\?.*", "?preset=planar_chain&play=0", self.page.url))
        self.open("Lecture")
        self.says("No moment is kept yet")
        self.pane.locator("input[type=file]").set_input_files(self.file)
        self.says("2 moments. Page Down shows the first.")

    def project(self) -> None:
        self.page.keyboard.press("p")
        self.page.get_by_role("button", name="Leave projector mode (P)").wait_for(timeout=PATIENCE)
        self.page.keyboard.press("PageDown")
        self.is_shown("Check")
        assert not self.page.get_by_text("Let them guess.").is_visible()

    def on(self) -> None:
        self.page.keyboard.press("PageDown")
        self.is_shown("Walk")
        assert not self.page.get_by_text("Let them guess.").is_visible()

    def back(self) -> None:
        self.page.keyboard.press("PageUp")
        self.is_shown("Check")

    def is_shown(self, tab: str) -> None:
        page = self.page
        wait_until(page, lambda: address(page).get("preset") == "puma560" and address(page).get("tab", "Walk") == tab)
        wait_until(page, lambda: shown_time(page) == self.time)

    def leave(self) -> None:
        self.page.keyboard.press("Escape")
        self.page.get_by_role("button", name="Projector mode (P)", exact=True).wait_for(timeout=PATIENCE)
        self.page.keyboard.press("PageDown")
        self.is_shown("Walk")
        self.page.get_by_role("alert").get_by_text("Let them guess.").wait_for(timeout=PATIENCE)

    def print(self) -> None:
        self.open("Lecture")
        self.pane.get_by_role("button", name="Handout: print, or save as PDF").click()
        self.page.locator(FRAME).wait_for(state="attached", timeout=PATIENCE)


DONE: dict[str, Callable[[Lecturer], Any]] = {
    "Press *Space*: the motion stops.": Lecturer.stop,
    "Press *K*: the moment is kept, and the page says so.": Lecturer.keep,
    "Open *Check* on the rail, and press *K* again.": Lecturer.keep_another,
    "Open *Lecture* on the rail: both moments are there, each with a picture.": Lecturer.see_both,
    "Write *Who gives way first?* over the title of the first, and *Let them guess.* into its note.": Lecturer.name,
    "Press ↑ at the second: now it is the first.": Lecturer.reorder,
    "Press × at the first: it is gone. Press *Undo*: it is back.": Lecturer.remove,
    "Press *Save as a file*: the browser has the whole lecture, robot files included.": Lecturer.save,
    "Open the page anywhere, open *Lecture*, press *Open a lecture*, and choose the file.": Lecturer.open_elsewhere,
    "Press *P* for the projector, and *Page Down*, or a presenter's remote: the first is shown.": Lecturer.project,
    "Press *Page Down* again: the second is shown.": Lecturer.on,
    "Press *Page Up*: the first is shown again.": Lecturer.back,
    "Press *Escape* to leave the projector, and *Page Down*: beside the world stands the note.": Lecturer.leave,
    "Open *Lecture*, and press *Handout*: the browser's dialog prints it, or saves it as a PDF.": Lecturer.print,
}
"""Of every sentence of the how-to, what is done and what must come of it."""


@pytest.fixture(scope="module")
def alone(chromium: Browser) -> Iterator[BrowserContext]:
    """A profile of its own: what a tab keeps is nobody else's."""
    context = calm(chromium, accept_downloads=True)
    yield context
    context.close()


@pytest.mark.timeout(600)
def test_the_how_to_is_followed_to_the_letter(
    alone: BrowserContext,
    serve: Callable[[str], str],
    tmp_path: Path,
    axe: str,  # noqa: F811
) -> None:
    steps = steps_of("lecture.md")
    assert list(steps.values()) == list(DONE)
    assert list(steps) == list(range(1, len(DONE) + 1))
    page = alone.new_page()
    complaints = watch(page)
    visit(page, serve("app"))
    page.locator("canvas[role=application]").wait_for()
    lecturer = Lecturer(page, tmp_path)
    for words in steps.values():
        DONE[words](lecturer)
    # What is printed is a PDF with its picture and its links.
    pdf = printed(page)
    words = words_of(pdf)
    for number, title in enumerate(lecturer.titles, 1):
        assert f"{number}. {title}" in words
    assert "Let them guess." in words
    assert "Mechanics." in words
    assert len(re.findall("[=]", words)) > 3  # equations, as text
    links = links_of(pdf)
    assert [re.findall(r"/app\?.*preset=puma560&", link) != [] for link in links] == [True, True]
    assert (page.locator(FRAME).get_attribute("srcdoc") or "").count("<img ") == 2
    sizes = {picture.image.size for sheet in pdf.pages for picture in sheet.images}  # equal ones of a sheet are one
    assert sizes == {(480, 300)}
    # A reload keeps the moments and the place among them.
    page.reload()
    page.locator("#opening").wait_for(state="detached", timeout=PATIENCE)
    lecturer.open("Lecture")
    wait_until(page, lambda: len(lecturer.titles) == 2)
    page.locator("li[aria-current=true]").get_by_label("Title of moment 2").wait_for(timeout=PATIENCE)
    # Keys stay with whoever types, and with a list that scrolls under the focus.
    title = lecturer.pane.get_by_label("Title of moment 2")
    title.focus()
    wait_until(page, lambda: address(page).get("tab") == "Lecture")
    before = page.url
    page.keyboard.press("PageUp")
    page.wait_for_timeout(700)
    assert (page.url, address(page).get("tab")) == (before, "Lecture")
    # Nothing is wrong with it in either theme, nor on a phone.
    for size in ((1280, 800), (390, 844)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        for _ in range(2):
            assert violations(page, axe, lecturer.pane.element_handle()) == []
            page.get_by_label("Toggle theme").evaluate("button => button.click()")
            page.wait_for_timeout(800)
    # On a phone the list scrolls: under the focus of a key it does, and a click on a picture goes there.
    page.get_by_role("button", name="Show moment 2").focus()
    page.keyboard.press("PageUp")
    page.wait_for_timeout(700)
    assert address(page).get("tab") == "Lecture"
    page.get_by_role("button", name="Show moment 1").click()
    wait_until(page, lambda: address(page).get("tab") == "Check")
    page.close()
    assert complaints == []


def test_keys_are_the_pages_after_a_menu_that_was_left_and_a_file_that_was_not_chosen(
    lead: Callable[[str], Page],
) -> None:
    page = lead("preset=planar_chain&play=0")
    page.get_by_role("tab", name="Lecture", exact=True).click()
    pane = page.get_by_role("tabpanel", name="Lecture", exact=True)
    motion = page.get_by_role("combobox", name="Motion")
    motion.click()
    offered = page.locator(".MuiMenu-root").get_by_role("option").first
    offered.wait_for(timeout=PATIENCE)
    page.keyboard.press("k")  # the open menu's own
    page.keyboard.press("Escape")
    offered.wait_for(state="hidden", timeout=PATIENCE)
    page.keyboard.press("k")
    pane.get_by_text("Kept as moment 1").wait_for(timeout=PATIENCE)
    with page.expect_file_chooser():
        pane.locator("label", has=page.locator("input[type=file]")).click()
    page.keyboard.press("PageDown")
    page.keyboard.press("PageDown")
    pane.get_by_text("This is the last moment of the lecture.").wait_for(timeout=PATIENCE)
    page.keyboard.press("k")
    pane.get_by_text("Kept as moment 2").wait_for(timeout=PATIENCE)
    pane.get_by_label("Note of moment 2").click()
    page.keyboard.press("k")  # of a word that is typed
    page.keyboard.press("PageDown")
    assert pane.get_by_label("Note of moment 2").input_value() == "k"
    assert pane.locator("li").count() == 2
    assert pane.get_by_label("Note of moment 1").get_attribute("placeholder") == "Note, which the class sees, too"
