"""A lecturer: a class is asked, a lecture prepared and shown, lessons done."""

import io
import json
import re
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from pypdf import PdfReader

from app.lessons.exercise import grade, prepare
from app.lessons.library import packaged
from app.state import Session
from tests.app.lessons.conftest import right_answer, wrong_answers
from tests.browser.conftest import reload
from tests.browser.moment import address, pause, shown_time, stand_at, wait_until
from tests.browser.page import SAMPLED, open_tab, violations
from tests.browser.picture import CANVAS
from tests.conftest import zipped

FRAME = "iframe.armsweep-printed"
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
    for phone in phones:
        phone.wait_for_function("window.armsweepFollower?.replay")
    asked, keys = [question(phone) for phone in phones], phones[1].keyboard
    # Choices: a question with too few is refused; an answer may be another before the question is closed.
    page.get_by_role("button", name="Ask the class", exact=True).click()
    sheet.get_by_label("Question", exact=True).fill("Which joint gives way first?")
    press("Ask the class")
    sheet.get_by_text("Write at least 2 choices.").wait_for()
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
    reload(page)
    page.get_by_role("button", name="The question: 2 of 2 have answered").click()
    page.get_by_text("Followers now: 2").wait_for()
    press("Close and show")
    says_everywhere("2 answers")
    for place in (sheet, *asked):
        assert counts(place) == ["1 (50 %)", "1 (50 %)"]
        assert place.get_by_text("right", exact=False).count() == 0
    press("Reveal")
    says_everywhere("The right answer: the tip's. 1 of 2 chose it.")
    assert "your answer" in asked[1].locator("li.right").inner_text()
    # The lecturer stops: the question leaves the phones.
    page.keyboard.press("Escape")
    sheet.wait_for(state="hidden")
    page.get_by_label("Stop presenting").first.click()
    for each in asked:
        each.wait_for(state="hidden")
    wait_until(page, lambda: not page.get_by_text("Followers now").is_visible())


def printed(page: Page) -> PdfReader:
    """The page's newest print."""
    frame = page.locator(FRAME)
    frame.wait_for(state="attached")
    paper = page.context.new_page()
    paper.set_content(frame.get_attribute("srcdoc") or "")
    data = paper.pdf(prefer_css_page_size=True)
    paper.close()
    return PdfReader(io.BytesIO(data))


def words_of(pdf: PdfReader) -> str:
    """All that can be read in it, in one line."""
    text = " ".join(sheet.extract_text() for sheet in pdf.pages)
    return " ".join(unicodedata.normalize("NFKC", text).split())  # fi is one sign there


def links_of(pdf: PdfReader) -> list[str]:
    notes = (note.get_object() for sheet in pdf.pages for note in sheet.get("/Annots", []))
    return [str(note["/A"]["/URI"]) for note in notes if note.get("/Subtype") == "/Link"]


def test_a_lecture_is_prepared_shown_and_printed(open_page: Callable[..., Page], tmp_path: Path, axe: str) -> None:
    page = open_page()
    wait_until(page, lambda: shown_time(page) > 0.0)
    pause(page)
    wait_until(page, lambda: page.evaluate(SAMPLED) > 9.9)  # what a moment shows is read while nothing is computed
    page.get_by_role("button", name=re.compile("methods agree to")).wait_for()
    time = float(address(page)["t"])
    place = "JSON.parse(sessionStorage.getItem('armsweep-lecture') ?? '{}').place"

    def keep(which: int) -> None:
        page.keyboard.press("k")
        page.get_by_text(f"Kept as moment {which}").first.wait_for()
        wait_until(page, lambda: page.evaluate(place) == which)  # by then what it shows has been read

    # Two moments are kept, each with a picture; named, put in order, one removed and taken back.
    keep(1)
    open_tab(page, "Check")
    wait_until(page, lambda: address(page).get("tab") == "Check")
    keep(2)
    pane = open_tab(page, "Lecture")
    fields = pane.get_by_label(re.compile("^Title of moment"))

    def titles() -> list[str]:
        found: list[str] = fields.evaluate_all("fields => fields.map(field => field.value)")
        return found

    wait_until(page, lambda: len(titles()) == 2)
    pictures = pane.locator("li img")
    wait_until(page, lambda: pictures.evaluate_all("all => all.map(one => one.naturalWidth)") == [480, 480])
    pane.get_by_label("Title of moment 1").fill("Who gives way first?")
    pane.get_by_label("Title of moment 1").press("Tab")
    pane.get_by_role("button", name="Undo: the title of").wait_for()  # the list has been written anew
    pane.get_by_label("Note of moment 1").fill("Let them guess.")
    pane.get_by_label("Note of moment 1").press("Tab")
    pane.get_by_role("button", name="Undo: the note of").wait_for()
    pane.get_by_role("button", name="Move moment 2 up").click()
    wait_until(page, lambda: titles()[1] == "Who gives way first?")
    pane.get_by_role("button", name="Remove moment 1").click()
    wait_until(page, lambda: titles() == ["Who gives way first?"])
    pane.get_by_role("button", name="Undo: removing").click()
    wait_until(page, lambda: len(titles()) == 2)
    with page.expect_download() as saved:
        pane.get_by_role("button", name="Save as a file").click()
    file = tmp_path / saved.value.suggested_filename
    saved.value.save_as(file)
    whole = json.loads(file.read_text(encoding="utf-8"))
    assert [each["note"] for each in whole["moments"]] == ["", "Let them guess."]
    # Printed it is a PDF with its pictures, its equations and its links.
    pane.get_by_role("button", name="Handout: print, or save as PDF").click()
    page.locator(FRAME).wait_for(state="attached")
    pdf = printed(page)
    words = words_of(pdf)
    for which, title in enumerate(titles(), 1):
        assert f"{which}. {title}" in words
    assert "Let them guess." in words
    assert len(re.findall("[=]", words)) > 3  # equations, as text
    assert [bool(re.search(r"/app\?.*preset=iiwa14&", link)) for link in links_of(pdf)] == [True, True]
    world, plot = sorted({picture.image.size for sheet in pdf.pages for picture in sheet.images})
    assert world == (480, 300)
    assert plot[0] >= 640  # the plot beside it, as these instruments have none
    assert plot[1] > 320
    # Opened elsewhere it is shown before a class, one moment at a key, with its note.
    page = open_page("preset=planar_chain&play=0")
    pane = open_tab(page, "Lecture")
    fields = pane.get_by_label(re.compile("^Title of moment"))
    page.get_by_text("No moment is kept yet").first.wait_for()
    pane.locator("input[type=file]").set_input_files(file)
    page.get_by_text("2 moments. Page Down shows the first.").first.wait_for()

    def is_shown(tab: str) -> None:
        wait_until(page, lambda: (address(page).get("preset"), address(page).get("tab", "Walk")) == ("iiwa14", tab))
        stand_at(page, time)

    page.keyboard.press("p")
    page.get_by_role("button", name="Leave projector mode (P)").wait_for()
    for key, tab, noted in (("PageDown", "Check", False), ("PageDown", "Walk", True), ("PageUp", "Check", False)):
        page.keyboard.press(key)
        is_shown(tab)
        note = page.get_by_role("paragraph").filter(has_text="Let them guess.")
        wait_until(page, lambda note=note, noted=noted: note.is_visible() is noted)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Projector mode (P)", exact=True).wait_for()
    page.keyboard.press("PageDown")
    is_shown("Walk")
    page.get_by_role("alert").get_by_text("Let them guess.").wait_for()
    # A reload keeps the moments and the place among them.
    reload(page)
    pane = open_tab(page, "Lecture")
    fields = pane.get_by_label(re.compile("^Title of moment"))
    wait_until(page, lambda: len(titles()) == 2)
    page.locator("li[aria-current=true]").get_by_label("Title of moment 2").wait_for()
    assert violations(page, axe, pane.element_handle()) == []


LESSONS = {lesson.name: lesson for lesson in packaged()}


def begin(open_page: Callable[..., Page]) -> Page:
    page = stand_at(open_page("preset=planar_chain&t=0.200&play=0&tab=Lessons"), 0.2)
    page.get_by_role("heading", name="Lessons", exact=True).wait_for()
    return page


def pane(page: Page) -> Locator:
    return page.get_by_role("tabpanel", name="Lessons")


def verdict(page: Page, kind: str) -> Locator:
    return pane(page).locator(f".verdict.{kind}")


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
    exercise = prepare(LESSONS["sweeps"].steps[0], Session("planar_chain"))
    check = where.locator("form button[type=submit]")
    for answer, kind in ((wrong_answers(exercise)[0], "wrong"), (right_answer(exercise), "right")):
        where.locator(f"input[type=radio][value='{answer}']").check()
        check.click()
        verdict(page, kind).filter(has_text=re.split(r"[$*]", grade(exercise, answer).words)[0][:50]).wait_for()
        if kind == "wrong":
            assert where.locator(".reveal").count() == 0
            where.get_by_role("button", name=re.compile("^Hint")).click()
            where.locator(".hints li").first.wait_for()
    where.locator(".reveal").wait_for()
    where.locator("[data-go=next]").click()
    where.get_by_role("heading", name=LESSONS["sweeps"].steps[1].title, exact=True).wait_for()
    where.get_by_role("button", name="All lessons").click()
    # A folder of text is a lesson; what is none is refused in words.
    data = zipped({
        "mine/lesson.toml": 'title = "My own"\naim = "Try."\nminutes = 1\n',
        "mine/01_a.md": '+++\ntitle = "Hello"\nshow = "?preset=panda&t=0.000"\n+++\n{{ links }} links.\n',
    })  # fmt: skip
    chooser = where.locator("input[type=file]")
    chooser.set_input_files({"name": "mine.zip", "mimeType": "application/zip", "buffer": data})
    where.get_by_role("button", name="My own").click()
    where.get_by_text("7 links.").wait_for()
    where.get_by_role("button", name="All lessons").click()
    chooser.set_input_files({"name": "bad.zip", "mimeType": "application/zip", "buffer": b"nonsense"})
    where.get_by_text("not a zip that can be read").wait_for()
