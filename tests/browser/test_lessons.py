"""*Lessons* in a browser: whole ones played by mouse and by keys, with right, wrong and no answers; nothing is lost."""

from __future__ import annotations

import contextlib
import io
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from app.lessons.folder import packaged
from app.lessons.lesson import KINDS, Choice, Curve, Lesson, Number, Order, Pointed, Task
from app.lessons.marking import marked, right_answer, wrong_answers
from app.lessons.staged import Staged, staged
from app.state import Session
from tests.browser.conftest import calm, visit, watch
from tests.browser.printed import printed, words_of
from tests.browser.screens import AT_REST
from tests.browser.test_accessibility import axe, violations  # noqa: F401
from tests.browser.test_address import address
from tests.browser.test_break_it import choose, point_at, press, tell
from tests.browser.test_page import PATIENCE, shown_time, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only, pytest.mark.timeout(900)]
LESSONS = {lesson.name: lesson for lesson in packaged()}
KIND_OF = {kind: name for name, kind in KINDS.items()}
BY_KEYS, BY_MOUSE = "gain", "one_joint"
LEAST_PAD, MOST_PAD = (44 / 320, 312 / 320), (8 / 190, 164 / 190)
"""Shares of the drawing's width and height within its axes."""


@pytest.fixture(scope="module")
def session() -> Session:
    return Session("planar_chain")


@pytest.fixture(scope="module")
def own(chromium: Browser, serve: Callable[[str], str]) -> Iterator[Page]:
    """One page for the whole file, with a storage of its own."""
    context = calm(chromium)
    page = context.new_page()
    complaints = watch(page)
    visit(page, f"{serve('app')}?preset=puma560&t=0.200&play=0")
    wait_until(page, lambda: shown_time(page) == 0.2)
    page.get_by_role("tab", name="Lessons", exact=True).click()
    page.get_by_role("heading", name="Lessons", exact=True).wait_for(timeout=PATIENCE)
    yield page
    context.close()
    assert not complaints, "\n".join(complaints)


def pane(page: Page) -> Locator:
    return page.get_by_role("tabpanel", name="Lessons")


def to_list(page: Page) -> None:
    """The list, wherever another test has left the page."""
    page.get_by_role("tab", name="Lessons", exact=True).click()
    pane(page).locator("h3").wait_for(timeout=PATIENCE)
    if (button := pane(page).get_by_role("button", name="All lessons")).count():
        button.click()
    pane(page).get_by_role("heading", name="Lessons", exact=True).wait_for(timeout=PATIENCE)
    wait_until(page, lambda: "lesson" not in address(page))


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
        case Number():
            where.get_by_role("textbox", name="My answer").fill(str(answer))
        case Pointed():
            where.get_by_role("combobox", name="Link").select_option(str(answer))
        case Curve() as question:
            assert isinstance(answer, list)
            draw(page, answer, question)
        case Order():
            assert isinstance(answer, list)
            for place, item in enumerate(answer):
                row = where.locator(f".order [data-item='{item}']")
                while row.evaluate("row => [...row.parentNode.children].indexOf(row)") > place:
                    row.get_by_role("button", name=re.compile("^Move up")).click()


def has_come(page: Page, show: Mapping[str, str]) -> bool:
    """Whether the world is the step's: several steps may show the same machine, each another start of it."""
    here = address(page)

    def read(text: str) -> list[float] | str:
        return [float(each) for each in text.split(",")] if re.fullmatch(r"[-0-9.e,]+", text) else text

    return all(read(here.get(key, "")) == read(show[key]) for key in ("preset", "posture", "gravity") if key in show)


CUT = """root => [...root.querySelectorAll(".display")].filter(one => one.scrollWidth > one.clientWidth + 1)
    .map(one => one.textContent)"""
"""Formulas on lines of their own that are wider than the sheet."""
STEP = """(root, {title}) => new Promise((done, fail) => {
    const late = setTimeout(() => fail(new Error(`no step ${title}`)), LATE)
    const see = () => {
        if (root.querySelector("h3")?.textContent !== title || !root.querySelector("form legend")) return
        watch.disconnect()
        clearTimeout(late)
        done(root.querySelectorAll(".reveal").length)
    }
    const watch = new MutationObserver(see)
    watch.observe(root, {childList: true, subtree: true})
    see()
})""".replace("LATE", str(PATIENCE))
"""Resolves as soon as a step is there, with the number of its solutions that are shown."""
SEND = """(root, {answer, kind, verdict, hint}) => new Promise((done, fail) => {
    const form = root.querySelector("form"), field = form.elements.answer
    if (hint) root.querySelector("[data-go=hint]").click()
    if (answer !== null && kind === "choice") form.querySelector(`input[value="${answer}"]`).checked = true
    else if (answer !== null && kind === "order") answer.forEach((item, place) => {
        const row = form.querySelector(`[data-item="${item}"]`)
        while ([...row.parentNode.children].indexOf(row) > place) row.querySelector("[data-move='-1']").click()
    })
    else if (answer !== null && field) field.value = answer
    const again = kind === "task" && verdict === "right" // until what was typed is computed
        ? setInterval(() => root.querySelector("form")?.requestSubmit(), 1500) : 0
    const late = setTimeout(() => fail(new Error(`${answer} is not ${verdict}: ${form.textContent}`)), LATE)
    const watch = new MutationObserver(() => {
        const found = root.querySelector(`.verdict.${verdict}`)
        if (!found || (verdict === "right" && !root.querySelector(".reveal"))) return
        if (hint && !root.querySelector(".hints li")) return
        watch.disconnect()
        clearTimeout(late)
        clearInterval(again)
        done(found.textContent)
    })
    watch.observe(root, {childList: true, subtree: true})
    form.requestSubmit()
})""".replace("LATE", str(PATIENCE))
"""Fills an answer in as its form takes it and sends it; resolves as soon as it is judged, with what is said."""


def play_quickly(page: Page, lesson: Lesson, session: Session) -> None:
    """A whole lesson like ``play``, but no step waits for the world, which comes after it, nor for a picture."""
    sheet = pane(page).locator(".lesson")
    sheet.locator(f"[data-go='open {[*LESSONS].index(lesson.name)}']").dispatch_event("click")
    for step in lesson.steps:
        kind = KIND_OF[type(step.question)]

        def sent(answer: object, verdict: str, hint: bool = False, kind: str = kind) -> str:
            said: str = sheet.evaluate(SEND, {"answer": answer, "kind": kind, "verdict": verdict, "hint": hint})
            return said

        stage = staged(step, session)  # while the page's own server does the same
        assert sheet.evaluate(STEP, {"title": step.title}) == 0
        sent(None, "wrong" if kind == "task" else "none")
        if kind == "task":
            assert sheet.locator("[data-go=reveal]").count() == 1
            wait_until(page, lambda step=step: has_come(page, step.show))  # the world, too
            do(page, DONE[lesson.name])
            page.get_by_role("tab", name="Lessons", exact=True).dispatch_event("click")
            sent(None, "right", hint=True)
        elif isinstance(step.question, Curve):
            draw(page, wrong_answers(stage)[0], step.question)
            sent(None, "wrong")
            draw(page, right_answer(stage), step.question)
            sent(None, "right")
        else:
            wrong = wrong_answers(stage)[0]
            assert plain_start(marked(stage, wrong).words) in sent(wrong, "wrong")
            sent(right_answer(stage), "right", hint=True)
        assert sheet.evaluate(CUT) == [], step.name
        sheet.locator("[data-go=next]").dispatch_event("click")
    sheet.get_by_role("heading", name="Lessons", exact=True).wait_for(timeout=PATIENCE)


def do(page: Page, act: Callable[[Page], None]) -> None:
    """Until it is done: what is typed the moment a field is there may still be of the machine before."""

    def shown() -> dict[str, str]:
        opened = "tab", "beside", "lesson", "changing"
        return {name: value for name, value in address(page).items() if name not in opened}

    before = shown()
    for _ in range(3):
        act(page)
        with contextlib.suppress(AssertionError):
            wait_until(page, lambda: shown() != before, 8000.0)
            return
    raise AssertionError("what the task asks for changes nothing")


def change(page: Page, group: str, fields: tuple[tuple[str, str], ...]) -> None:
    """Types into *Change*, as the task of a lesson asks."""
    page.get_by_role("tab", name="Change", exact=True).dispatch_event("click")
    where = page.get_by_role("tabpanel", name="Change")
    head = where.get_by_role("button", name=group, exact=True)
    if head.get_attribute("aria-pressed") != "true":  # as an earlier task may have left it
        head.dispatch_event("click")
    page.evaluate(AT_REST)  # its fields are made anew for another machine
    for name, value in fields:
        field = where.get_by_role("textbox", name=re.compile(name)).first
        field.fill(value)
        field.press("Enter")


def press_from_both_sides(page: Page) -> None:
    typed("Torques", (r"1.joint_3 \(N m\)", "4"), (r"1.joint_2 \(N m\)", "2"))(page)
    where = page.get_by_role("tabpanel", name="Change")
    where.get_by_role("combobox", name="Arm").last.click()
    page.get_by_role("option", name="Arm 2").click()
    typed("Torques", (r"2.joint_3 \(N m\)", "-4"), (r"2.joint_2 \(N m\)", "-2"))(page)


def break_what_is_updated(page: Page) -> None:
    page.get_by_role("tab", name="Break it", exact=True).dispatch_event("click")
    page.get_by_role("heading", name="Break it").wait_for(timeout=PATIENCE)
    choose(page, "Inward filter", "R87 (43)")
    point_at(page, "P+", 1)
    press(page, "Turn the sign")
    tell(page)


def choose_long_chain(page: Page) -> None:
    page.get_by_role("combobox", name="Motion").click()
    page.get_by_role("option", name="Chain of twelve links").click()


def typed(group: str, *fields: tuple[str, str]) -> Callable[[Page], None]:
    return partial(change, group=group, fields=fields)


DONE: Mapping[str, Callable[[Page], None]] = MappingProxyType(
    {
        "one_joint": typed("Torques", (r"joint_1 \(N m\)", "-1.2145")),
        "two_links": typed("Torques", (r"joint_2 \(N m\)", "-2.2146")),
        "sweeps": typed("Torques", (r"joint_5 \(N m\)", "1")),
        "heavier": typed("Bodies", ("Mass", "5")),
        "two_arms": typed("Bodies", ("Mass", "400")),
        "limits": typed("Bodies", ("Mass", "120")),
        "internal": press_from_both_sides,
        "satellite": typed("Torques", (r"shoulder_yaw_joint \(N m\)", "-5")),
        "four_ways": choose_long_chain,
        "wrong_sign": break_what_is_updated,
    }
)
"""What the last step of a lesson asks to be done on the page; the gain's is done by keys, the covariance has none."""


def play(page: Page, lesson: Lesson, session: Session, tries: Callable[[Staged], list[object]]) -> None:
    """A whole lesson from the list: no answer, wrong ones, a hint, the right one, and on."""
    where = pane(page)
    where.get_by_role("button", name=lesson.title).click()
    for at, step in enumerate(lesson.steps):
        where.get_by_role("heading", name=step.title, exact=True).wait_for(timeout=PATIENCE)
        stage = staged(step, session)
        where.locator("form legend").wait_for(timeout=PATIENCE)
        wait_until(page, lambda at=at: address(page).get("lesson") == f"{lesson.name}:{at + 1}")
        wait_until(page, lambda step=step: address(page).get("preset") == step.show["preset"])
        assert where.locator(".reveal").count() == 0
        check = where.locator("form button[type=submit]")
        if not isinstance(step.question, Task):
            check.click()
            verdict(page, "none").wait_for(timeout=PATIENCE)
            assert where.get_by_role("button", name="Show the solution").count() == 0
        for wrong in tries(stage):
            give(page, stage, wrong)
            check.click()
            words = plain_start(marked(stage, wrong).words)
            if isinstance(step.question, Curve):  # a mouse draws to the pixel
                words = "It goes otherwise"
            verdict(page, "wrong").filter(has_text=words).wait_for(timeout=PATIENCE)
        where.get_by_role("button", name=re.compile("^Hint")).click()
        where.locator(".hints li").first.wait_for(timeout=PATIENCE)
        if isinstance(step.question, Task):
            check.click()
            verdict(page, "wrong").wait_for(timeout=PATIENCE)
            DONE[lesson.name](page)
            page.get_by_role("tab", name="Lessons", exact=True).click()
        else:
            give(page, stage, right_answer(stage))
        check.click()
        verdict(page, "right").wait_for(timeout=PATIENCE)
        where.locator(".reveal").wait_for(timeout=PATIENCE)
        where.locator("[data-go=next]").click()
    where.get_by_role("heading", name="Lessons", exact=True).wait_for(timeout=PATIENCE)


FOCUSED = """() => {
    let focused = document.activeElement
    while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement
    return focused
}"""


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


def test_a_whole_lesson_by_keys_is_heard(own: Page, session: Session) -> None:
    page, lesson = own, LESSONS[BY_KEYS]
    where = pane(page)
    to_list(page)
    listen(page)
    page.locator("canvas[role=application]").focus()
    to_instrument(page, "Lessons")
    reach(page, f"[data-go='open {[*LESSONS].index('gain')}']")
    page.keyboard.press("Enter")
    for step in lesson.steps:
        where.get_by_role("heading", name=step.title, exact=True).wait_for(timeout=PATIENCE)
        wait_until(page, lambda step=step: page.evaluate(f"({FOCUSED})()?.textContent") == step.title)
        where.locator("form legend").wait_for(timeout=PATIENCE)
        stage = staged(step, session)
        if isinstance(step.question, Task):
            to_instrument(page, "Change")
            change = page.get_by_role("tabpanel", name="Change")
            change.get_by_role("button", name="Posture", exact=True).focus()
            page.keyboard.press("Enter")
            change.get_by_role("combobox", name="Start").wait_for(timeout=PATIENCE)  # not another group's field
            field = change.get_by_role("textbox", name=re.compile("joint_1")).first
            field.wait_for(timeout=PATIENCE)
            field.focus()
            page.keyboard.press("Control+a")
            page.keyboard.type("86")  # degrees
            page.keyboard.press("Enter")
            page.keyboard.press("Tab")
            to_instrument(page, "Lessons")
        else:
            reach(page, "form [type=submit]")
            page.keyboard.press("Enter")
            verdict(page, "none").wait_for(timeout=PATIENCE)
            reach(page, "[data-go=home]", "Shift+Tab")
            give_by_keys(page, stage, wrong_answers(stage)[-1])  # of a drawing: not where it begins
            if not isinstance(step.question, Number):
                reach(page, "form [type=submit]")
            page.keyboard.press("Enter")
            verdict(page, "wrong").wait_for(timeout=PATIENCE)
            if isinstance(step.question, Number):  # it is typed anew
                wait_until(page, lambda: page.evaluate(f"({FOCUSED})()?.matches('input[name=answer]')"))
            words = verdict(page, "wrong").inner_text()[2:]
            wait_until(page, lambda words=words: words.strip() in heard(page))
            reach(page, "[data-go=home]", "Shift+Tab")
            give_by_keys(page, stage, right_answer(stage))
        if not isinstance(step.question, Number):
            reach(page, "form [type=submit]")
        page.keyboard.press("Enter")
        verdict(page, "right").wait_for(timeout=PATIENCE)
        if isinstance(step.question, Number):  # and one goes on
            wait_until(page, lambda: page.evaluate(f"({FOCUSED})()?.matches('[data-go=next]')"))
        reach(page, "[data-go=next]")
        page.keyboard.press("Enter")
    where.get_by_role("heading", name="Lessons", exact=True).wait_for(timeout=PATIENCE)
    assert "done" in where.get_by_role("button", name=lesson.title).inner_text()


def test_a_drawing_keeps_its_arrows_after_a_click(own: Page) -> None:
    """What the pointer led to gives its keys to the page, and a curve drawn by mouse is mended by keys."""
    page = own
    to_list(page)
    pane(page).get_by_role("button", name=LESSONS["gain"].title).click()
    pane(page).locator("form legend").wait_for(timeout=PATIENCE)
    while pane(page).locator(".pad").count() == 0:
        before = pane(page).locator("h3").inner_text()
        pane(page).get_by_role("button", name="Next", exact=True).click()
        wait_until(page, lambda before=before: pane(page).locator("h3").inner_text() != before)
        pane(page).locator("form legend").wait_for(timeout=PATIENCE)
    pad = pane(page).locator(".pad svg")
    pad.click()
    walk, drawn = address(page).get("link"), pad.get_attribute("aria-valuetext") or ""
    page.keyboard.press("ArrowUp")
    assert pad.get_attribute("aria-valuetext") != drawn
    page.keyboard.press("ArrowRight")
    assert (pad.get_attribute("aria-valuetext") or "").split(":")[0] != drawn.split(":")[0]
    page.wait_for_timeout(300)
    assert address(page).get("link") == walk


def test_results_survive_a_reload_and_are_saved_as_a_table_and_a_pdf(own: Page) -> None:
    page = own
    to_list(page)
    page.reload()
    page.locator("#opening").wait_for(state="detached", timeout=PATIENCE)
    wait_until(page, lambda: address(page).get("tab") == "Lessons")
    row = pane(page).get_by_role("button", name=LESSONS["gain"].title)
    row.wait_for(timeout=PATIENCE)
    wait_until(page, lambda: "done" in row.inner_text())
    pane(page).get_by_label("Name on my results").fill("Ada Lovelace")
    with page.expect_download() as saved:
        pane(page).get_by_role("button", name="Save my results").click()
    text = Path(saved.value.path()).read_text(encoding="utf-8")
    assert re.fullmatch(r"armsweep_Ada_Lovelace_\w+_\d{4}-\d\d-\d\d\.csv", saved.value.suggested_filename)
    assert re.search(
        r"^The gain: .*,01_push,A push on the last joint,right,\d+,\d+,no,Ada Lovelace,[-\d]+ [:\d]+,\d\S*$",
        text,
        re.MULTILINE,
    )
    pane(page).get_by_role("button", name="My results: print, or save as PDF").click()
    written = words_of(printed(page))
    assert "Name: Ada Lovelace" in written
    assert f"{len(LESSONS['gain'].steps)} of {len(LESSONS['gain'].steps)} answered right" in written
    for step in LESSONS["gain"].steps:
        assert step.title in written


@pytest.mark.parametrize("name", [name for name in LESSONS if name not in (BY_KEYS, BY_MOUSE)])
def test_every_other_lesson_is_played(own: Page, session: Session, name: str) -> None:
    to_list(own)
    play_quickly(own, LESSONS[name], session)
    assert "done" in pane(own).get_by_role("button", name=LESSONS[name].title).inner_text()


def test_a_whole_lesson_by_mouse(own: Page, session: Session) -> None:
    lesson = LESSONS[BY_MOUSE]
    to_list(own)
    play(own, lesson, session, lambda stage: wrong_answers(stage)[:1])
    row = pane(own).get_by_role("button", name=lesson.title)
    assert "done" in row.inner_text()
    pane(own).get_by_role("button", name="All lessons").wait_for(state="detached")


def first_step(page: Page, name: str) -> Locator:
    """Opens a lesson at its first step, wherever it was left."""
    to_list(page)
    pane(page).get_by_role("button", name=LESSONS[name].title).click()
    where = pane(page)
    where.get_by_role("button", name="Back", exact=True).or_(where.locator("form")).first.wait_for(timeout=PATIENCE)
    while (back := where.get_by_role("button", name="Back", exact=True)).count():
        back.click()
    return where


def test_an_answer_that_was_clicked_is_changed_by_arrows(own: Page) -> None:
    answers = first_step(own, "sweeps").locator("form [type=radio]")
    answers.first.click()
    own.keyboard.press("ArrowDown")
    expect(answers.nth(1)).to_be_checked()
    assert "walked=1" not in own.url


def test_a_projector_shows_the_step_in_place_of_what_would_give_the_answer_away(own: Page) -> None:
    where = first_step(own, "sweeps")
    own.get_by_label("Projector mode (P)").click()
    own.get_by_role("button", name="Leave projector mode (P)").wait_for(timeout=PATIENCE)
    try:
        expect(where.locator("form legend")).to_be_in_viewport(ratio=1.0)
        expect(own.locator(".headline").first).to_be_hidden()
        expect(own.get_by_role("tablist", name="Instruments")).to_be_hidden()
    finally:
        own.keyboard.press("Escape")
    own.get_by_role("tablist", name="Instruments").wait_for(timeout=PATIENCE)


def test_a_click_on_next_leads_the_focus_to_the_next_step(own: Page) -> None:
    where = first_step(own, "sweeps")
    for step in LESSONS["sweeps"].steps[1:3]:
        where.locator("[data-go=next]").click()
        wait_until(own, lambda step=step: own.evaluate(f"({FOCUSED})()?.textContent") == step.title)


def test_what_was_filled_in_but_not_sent_survives_a_reload(own: Page) -> None:
    where = first_step(own, "sweeps")
    where.locator("form [type=radio]").nth(1).check()
    wait_until(own, lambda: address(own).get("lesson") == "sweeps:1")
    own.reload()
    own.locator("#opening").wait_for(state="detached", timeout=PATIENCE)
    expect(where.locator("form [type=radio]").nth(1)).to_be_checked()
    assert not where.locator(".verdict").count()
    name = LESSONS["sweeps"].steps[0].name
    own.evaluate(f"localStorage.setItem('armsweep-drafts', '{{\"sweeps/{name}\": [null]}}')")  # no page writes this
    own.reload()
    own.locator("#opening").wait_for(state="detached", timeout=PATIENCE)
    expect(where.locator("form [type=radio]").nth(1)).not_to_be_checked()


def test_a_verdict_is_of_the_answer_that_was_sent(own: Page) -> None:
    where = first_step(own, "sweeps")
    where.locator("form [type=radio]").first.check()
    send = """form => { form.requestSubmit(); return form.parentNode.querySelector(".verdict").textContent }"""
    for _ in range(2):  # the same answer again is judged again, and until then nothing is said of it
        assert where.locator("form").evaluate(send) == "Checking …"
        verdict(own, "wrong").get_by_text("Not so.").wait_for(timeout=PATIENCE)


def test_where_nothing_is_drawn_the_world_has_the_room(own: Page) -> None:
    plots, world = own.get_by_role("tabpanel", name="Motion"), own.locator("canvas[role=application]")
    to_list(own)
    pane(own).get_by_role("button", name=LESSONS["limits"].title).click()
    pane(own).locator("form").wait_for(timeout=PATIENCE)
    plots.get_by_text("Nothing is drawn here.").first.wait_for(timeout=PATIENCE)
    wait_until(own, lambda: (plots.bounding_box() or {"height": 1e9})["height"] < 40.0)
    alone = world.bounding_box()
    own.get_by_role("button", name="Choose quantities to plot").click()
    wait_until(own, lambda: (plots.bounding_box() or {"height": 0.0})["height"] > 100.0)  # to drag one there
    beside = world.bounding_box()
    own.get_by_role("button", name="Choose quantities to plot").click()
    assert alone
    assert beside
    assert alone["height"] > beside["height"] + 100.0


def test_a_finger_that_scrolls_draws_nothing(own: Page) -> None:
    to_list(own)
    pane(own).get_by_role("button", name=LESSONS["satellite"].title).click()
    for step in LESSONS["satellite"].steps:
        pane(own).get_by_role("heading", name=step.title, exact=True).wait_for(timeout=PATIENCE)
        if isinstance(step.question, Curve):
            break
        pane(own).locator("[data-go=next]").click()
    own.set_viewport_size({"width": 390, "height": 844})
    try:
        own.evaluate("document.dispatchEvent(new CustomEvent('armsweep:sheet', {detail: 'Instruments'}))")
        pad = pane(own).locator(".pad svg")
        pad.wait_for(timeout=PATIENCE)
        pad.scroll_into_view_if_needed()
        finger = own.context.new_cdp_session(own)
        finger.send("Emulation.setTouchEmulationEnabled", {"enabled": True})

        def swipe(across: float, down: float) -> tuple[str, float]:
            """What is drawn then, and where the drawing is."""
            box = pad.bounding_box()
            assert box is not None
            x, y = box["x"] + 0.4 * box["width"], box["y"] + 0.5 * box["height"]
            for k in range(13):
                place = {"x": x + across * k / 12, "y": y + down * k / 12}
                kind = "touchMove" if k else "touchStart"
                finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [place]})
                own.wait_for_timeout(20)
            finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
            own.wait_for_timeout(400)  # what was flung comes to rest
            now = pad.bounding_box()
            assert now is not None
            return pad.locator(".mine").get_attribute("points") or "", now["y"] - box["y"]

        before = pad.locator(".mine").get_attribute("points") or ""
        drawn, moved = swipe(0.0, -70.0)
        assert drawn == before
        assert moved < -20.0
        drawn, moved = swipe(90.0, 4.0)
        assert drawn != before
        assert moved == 0.0
        again, moved = swipe(0.0, 70.0)
        assert again == drawn
        assert moved > 20.0
    finally:
        own.context.new_cdp_session(own).send("Emulation.setTouchEmulationEnabled", {"enabled": False})
        own.set_viewport_size({"width": 1280, "height": 800})


def test_the_page_goes_back_to_where_it_was(own: Page) -> None:
    page = own
    visit(page, re.sub(r"\?.*", "?preset=panda&t=0.300&play=0", page.url))  # what a lesson has left may still come
    wait_until(page, lambda: shown_time(page) == 0.3)
    to_list(page)
    wait_until(page, lambda: address(page).get("tab") == "Lessons" and address(page).get("t") == "0.300")
    before = address(page)
    pane(page).get_by_role("button", name=LESSONS["two_arms"].title).click()
    wait_until(page, lambda: address(page).get("preset") == "two_arms_and_box")
    pane(page).locator("form legend").wait_for(timeout=PATIENCE)
    pane(page).get_by_role("button", name="Back to where the page was").click()
    wait_until(page, lambda: address(page) == before)


def test_a_zip_opened_on_the_page_is_taught(own: Page) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("mine/lesson.toml", 'title = "My own"\naim = "Try."\nminutes = 1\n')
        archive.writestr(
            "mine/01_a.md", '+++\ntitle = "Hello"\nshow = "?preset=panda&t=0.000"\n+++\n{{ links }} links.\n'
        )
    to_list(own)
    chooser = pane(own).locator("input[type=file]")
    chooser.set_input_files({"name": "mine.zip", "mimeType": "application/zip", "buffer": data.getvalue()})
    pane(own).get_by_role("button", name="My own").click(timeout=PATIENCE)
    pane(own).get_by_text("7 links.").wait_for(timeout=PATIENCE)
    pane(own).get_by_role("button", name="All lessons").click()
    chooser.set_input_files({"name": "bad.zip", "mimeType": "application/zip", "buffer": b"nonsense"})
    told = pane(own).get_by_text("no zip that can be read")
    told.wait_for(timeout=PATIENCE)
    wait_until(own, lambda: is_in_sight(told))
    with own.expect_download() as saved:
        pane(own).get_by_role("button", name="Save an example (zip)").click()
    example = Path(saved.value.path()).read_bytes()
    chooser.set_input_files({"name": saved.value.suggested_filename, "mimeType": "application/zip", "buffer": example})
    pane(own).get_by_text("is open, the last of the list").wait_for(timeout=PATIENCE)


IN_SIGHT = """node => {
    const box = node.getBoundingClientRect()
    let at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
    for (let inner = at; inner; at = inner ?? at) {
        inner = at.shadowRoot?.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
        if (inner === at) break
    }
    return at === node || node.contains(at)
}"""


def is_in_sight(what: Locator) -> bool:
    """Whether its middle is seen, wherever its panel is scrolled to."""
    return bool(what.evaluate(IN_SIGHT))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_and_a_phone_has_room(lead: Callable[[str], Page], axe: str, theme: str) -> None:  # noqa: F811
    page = lead("preset=puma560&t=0.3&play=0")
    wait_until(page, lambda: shown_time(page) == 0.3)
    if theme == "dark":
        page.get_by_label("Toggle theme").click()
        page.locator(".armsweep.dark").wait_for(timeout=PATIENCE)
    page.get_by_role("tab", name="Lessons", exact=True).click()
    where = pane(page)
    where.get_by_role("button", name=LESSONS["gain"].title).wait_for(timeout=PATIENCE)
    found = [f"list: {line}" for line in violations(page, axe, where.element_handle())]
    where.get_by_role("button", name=LESSONS["satellite"].title).click()
    for at, step in enumerate(LESSONS["satellite"].steps[:5]):
        where.get_by_role("heading", name=step.title, exact=True).wait_for(timeout=PATIENCE)
        where.locator("form legend").wait_for(timeout=PATIENCE)
        if at >= 3:  # a drawing, and a link to point at
            if isinstance(step.question, Curve):
                draw(page, [0.1, 0.5], step.question)
            else:
                where.get_by_role("combobox", name="Link").select_option("2")
            where.locator("form [type=submit]").click()
            verdict(page, "wrong").wait_for(timeout=PATIENCE)
            where.get_by_role("button", name="Show the solution").click()
            where.locator(".reveal").wait_for(timeout=PATIENCE)
            found += [f"{step.name}: {line}" for line in violations(page, axe, where.element_handle())]
        where.locator("[data-go=next]").click()
    page.set_viewport_size({"width": 390, "height": 844})
    page.evaluate("document.dispatchEvent(new CustomEvent('armsweep:sheet', {detail: 'Instruments'}))")
    page.wait_for_timeout(500)
    wide = where.locator(".lesson").evaluate("node => node.scrollWidth - node.clientWidth")
    where.locator("form [type=submit]").scroll_into_view_if_needed()
    assert where.locator("form [type=submit]").is_visible()
    page.set_viewport_size({"width": 1280, "height": 800})
    assert wide <= 0
    assert not found, "\n".join(dict.fromkeys(found))
