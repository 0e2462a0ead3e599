"""*Lessons* without a browser: the page follows each step, what is to be predicted stays hidden, progress is kept."""

import csv
import io
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

import scenes
from app.classroom.ask import PollPanel
from app.classroom.presentation import PRESENTATIONS
from app.lessons.exercise import Exercise
from app.lessons.lessons import NAME, Lessons, Visit
from app.lessons.library import packaged
from app.lessons.progress import plain
from app.state import Session
from app.state.address import asked, query_of
from app.views.scene_view import follow_click
from tests.app.arrival import idle
from tests.app.lessons.conftest import FILES, right_answer, wrong_answers
from tests.conftest import zipped

GAIN = next(lesson for lesson in packaged() if lesson.name == "gain")


class Page:
    def __init__(self) -> None:
        self.session = Session("puma560")
        self.session.playing = False
        self.asking = PollPanel(self.session)
        self.panel, self.sent = Lessons(self.session, self.asking), list[Any]()
        self.panel._sheet._send_msg = self.sent.append  # type: ignore[method-assign]
        self.panel.paint("light")
        self.panel.draw()

    async def go(self, what: str) -> None:
        kind, _, name = what.partition(" ")
        places = {lesson.name: k for k, lesson in enumerate(self.panel._lessons)}
        self.panel._go(f"open {places[name]}" if kind == "open" else what)
        await self.settle()

    async def settle(self) -> None:
        await idle(self.session.jobs)
        self.panel.draw()

    @property
    def html(self) -> str:
        return self.panel._sheet.html

    @property
    def visit(self) -> Visit:
        assert self.panel._visit is not None
        return self.panel._visit

    @property
    def exercise(self) -> Exercise:
        assert self.visit.exercise is not None
        return self.visit.exercise


@pytest.fixture
def page() -> Iterator[Page]:
    made = Page()
    yield made
    made.session.jobs.stop()


async def test_a_link_is_chosen_by_a_click_and_not_by_where_an_answer_leads(page: Page) -> None:
    session, sent = page.session, page.sent
    page.panel._open(next(lesson for lesson in packaged() if lesson.name == "satellite"), 4)
    await page.settle()
    scene = scenes.Scene(session.loaded, session.solution())
    assert session.cursor.link == 0
    for link in (0, 5):  # the first is where the cursor is
        follow_click(session, next(each for each in scene.meshes if each.link == link), session.solution())
        page.panel.draw()
    assert [each["pointed"] for each in sent if "pointed" in each] == [0, 5]
    sent.clear()
    page.panel._answer(right_answer(page.exercise))
    await page.settle()
    assert session.cursor.link == 0
    assert not any("pointed" in each for each in sent)


async def test_a_step_leads_the_page_and_hides_what_is_to_be_predicted(page: Page) -> None:
    session, panel = page.session, page.panel
    page.panel._go("open 0")
    assert session.opening.reads_link
    await page.go("list")  # a world that comes late brings no step back
    assert (session.lesson, session.preset.name, "All lessons" in page.html) == ("", "puma560", False)
    await page.go("open gain")
    assert session.preset.name == "planar_chain"
    assert ((session.lesson, session.tab, session.playing), session.layers) == (("gain:1", NAME, False), [])
    assert (session.plots, session.panels) == ("Motion", "Motion;-")
    assert "Which way does joint 2 start to turn?" in page.html
    await page.go("reveal")  # without an answer
    for part in ('class="reveal"', "Show the solution", page.exercise.reveal):
        assert part not in page.html
    panel._answer(wrong_answers(page.exercise)[0])
    assert "Not so" in page.html
    shown = page.html
    panel._answer(wrong_answers(page.exercise)[0])
    assert page.html != shown  # the same words again come again: the sheet waits for them
    assert 'class="reveal"' not in page.html
    assert "Show the solution" in page.html
    await page.go("hint")
    assert 'class="hints"' in page.html
    assert session.whispered == f"Hint 1 of {len(page.exercise.hints)} is shown."
    panel._answer(right_answer(page.exercise))
    assert 'class="reveal"' in page.html
    await page.settle()
    assert (session.layers, (session.plots, session.panels)) == (session.param.layers.default, ("", ""))
    kept = json.loads([each for each in page.sent if "keep" in each][-1]["keep"])
    assert kept["lessons"] == {"gain": {"01_push": [3, 1, 1, 0]}}


async def test_the_page_goes_back_to_where_it_was(page: Page) -> None:
    session = page.session
    session.param.update(tab=NAME, layers=["push"])
    session.set_torque("joint_1", 3.0)
    session.seek(0.1)
    before, setup = query_of(session), session.setup
    await page.go("open two_arms")
    await page.go("next")
    assert (session.lesson, session.preset.name) == ("two_arms:2", "two_arms_and_box")
    await page.go("list")
    assert "Back to where the page was" in page.html
    page.panel._go("home")
    assert (session.setup is setup, query_of(session)) == (True, before)
    assert "Back to where the page was" not in page.html


async def test_a_lesson_is_walked_to_its_end(page: Page) -> None:
    session, panel = page.session, page.panel
    await page.go("open gain")
    for at, step in enumerate(GAIN.steps, 1):
        assert (session.message, session.lesson) == ("", f"gain:{at}")
        assert (session.preset.name, f"{session.cursor.time:.3f}") == (step.show["preset"], step.show["t"])
        await page.go("hint")
        assert session.whispered == f"Hint 1 of {len(page.exercise.hints)} is shown."
        right = right_answer(page.exercise)
        if right is None:  # to be done on the page: the moment after does it
            panel._answer(None)
            assert page.visit.grade.verdict == "wrong"
            asked(step.then, session).tried().show(session)
            session.param.update(tab=NAME, lesson=f"gain:{at}")
        panel._answer(right)
        assert page.visit.is_revealed, (step.name, page.visit.grade)
        await page.settle()
        assert (session.message, session.beside) == ("", step.then.get("tab", ""))
        await page.go("next")
    assert (panel._progress.count(GAIN), session.lesson, page.html.count("· done")) == (len(GAIN.steps), "", 1)


async def test_progress_is_the_browsers_and_nothing_that_it_sends_is_trusted(page: Page) -> None:
    session, panel, hear = page.session, page.panel, page.panel._sheet._handle_msg
    for lessons in (
        "[]", '{"gain": [1]}', '{"gain": {"01_push": 1}}', '{"gain": {"01_push": [1, 0, 7, 0]}}',
        '{"gain": {"01_push": ["1", 0, 1, 0]}}', '{"gain": {"01_push": [1]}}', '{"<b>": {"<i>": [1, 0, 1, 0]}}',
    ):  # fmt: skip
        hear({"kept": f'{{"version": 1, "lessons": {lessons}}}'})
    for nonsense in (None, 3, "nonsense", "[]", '{"version":2}', "x" * 10**6, "[" * 50_000):
        hear({"kept": nonsense})
    assert panel._progress.count(GAIN) == 0
    hear({"kept": '{"version": 1, "lessons": {"gain": {"01_push": [3, 1, 1, 0, 2], "02_moment": [1, 0, 0, 1]}}}'})
    assert (panel._progress.count(GAIN), f"2 of {len(GAIN.steps)} steps" in page.html) == (2, True)
    await page.go("open gain")
    assert session.lesson == "gain:3"  # the first that is not over
    await page.go("hint")
    assert session.whispered == "Hint 1 of 2 is shown."
    await page.go("back")
    assert "not right; then the solution was shown" in page.html
    for nonsense in (None, 7, [], {}, {"answer": {}}, {"go": 1}, "open 99", "open -1", "open", "x" * 5000, b"x"):
        hear(nonsense)
    assert session.lesson == "gain:2"
    hear({"results": "pdf", "name": []})
    assert not any("save" in each or "show" in each for each in page.sent)
    hear({"results": "csv", "name": " =Ada\n Lovelace\0"})
    saved = next(each for each in page.sent if "save" in each)
    assert re.fullmatch(r"armsweep_Ada_Lovelace_gain_\d{4}-\d\d-\d\d\.csv", saved["save"])
    rows = [row for row in csv.DictReader(io.StringIO(saved["text"])) if row["lesson"] == GAIN.title]
    assert [row["answer"] for row in rows[:3]] == ["right", "wrong", "not tried"]
    assert [rows[0][name] for name in ("step", "tries", "hints", "name")] == ["01_push", "3", "1", "'=Ada Lovelace"]
    assert [plain(cell) for cell in ("=1+1", "+1", "-1", "@x", "x")] == ["'=1+1", "'+1", "'-1", "'@x", "x"]
    hear({"results": "print", "name": "<b>Ada</b>"})
    printed = next(each["show"] for each in page.sent if "show" in each)
    for part in (
        "A push on the last joint</th><td>right</td><td>3</td><td>1</td><td>no</td>", "&lt;b&gt;Ada&lt;/b&gt;",
        f"<h2>{GAIN.title}</h2><p>1 of {len(GAIN.steps)} answered right.</p>", f"Not begun: {packaged()[0].title};",
    ):  # fmt: skip
        assert part in printed
    await page.go("list")
    await page.go("forget")
    assert panel._progress.count(GAIN) == 0


async def test_a_link_leads_to_a_step_and_leaves_its_moment(page: Page) -> None:
    session = page.session
    query = {"preset": "panda", "t": "0.1", "lesson": "covariance:3", "tab": NAME, "play": "0"}
    asked(query, session).show(session)
    page.panel.draw()
    await page.settle()
    assert ("Do the two torques agree?" in page.html, session.preset.name) == (True, "panda")
    await page.go("again")
    assert session.preset.name == "planar_chain"
    for lesson, words in (("nothing:1", '<h3 tabindex="-1">Lessons'), ("gain:99", f"step {len(GAIN.steps)} of")):
        session.lesson = lesson
        page.panel.draw()
        assert words in page.html
    await page.settle()
    await page.go("next")  # after the last step
    assert (session.lesson, '<h3 tabindex="-1">Lessons' in page.html) == ("", True)


async def test_a_zip_becomes_a_lesson_of_the_page_and_a_bad_one_is_refused(page: Page) -> None:
    count = len(page.panel._lessons)

    async def told(data: object) -> str:
        page.panel.open_zip(data, "<b>.zip")
        await page.settle()
        return str(page.panel.own_message.object)

    files = {f"own/{name}": re.sub(r'"(A (?:test|step))', r'"<i>\1', text) for name, text in FILES.items()}
    assert "A test is open, the last of the list." in await told(zipped(files))
    pages = [page.html, str(page.panel.own_message.object)]
    await page.go("open own")
    assert ("How large is" in page.html, "&lt;i&gt;A step" in page.html) == (True, True)
    assert "<i>" not in "".join([*pages, page.html])
    await page.go("list")
    bad = {**files, "own/01_step.md": files["own/01_step.md"].replace("planar_chain", "puma650")}
    assert "01_step.md:3: the page cannot show this: there is no preset &#39;puma650&#39;." in await told(zipped(bad))
    assert "for 33 reasons" in await told(zipped({"lesson.toml": "title = 1", **{f"{k}_a.md": "" for k in range(30)}}))
    assert "not a zip" in await told(b"nonsense")
    assert "A lesson has at most" in await told("text")
    assert len(page.panel._lessons) == count + 1


async def test_a_class_is_asked_and_the_page_goes_on_when_its_answer_is_revealed(page: Page) -> None:
    async def reveal() -> None:
        for what in ("close", "reveal"):
            page.asking._board._handle_msg({"do": what})
        await page.settle()

    await page.go("open gain")
    await page.go("class")
    assert ("Ask the class" in page.html, page.asking.poll) == (False, None)  # there is none
    page.asking.begin(PRESENTATIONS.open("l8n3y0r5ab", lambda: {"jump": 1, "time": 0.0}))
    page.panel.draw()
    assert "Ask the class" in page.html
    await page.go("class")
    assert page.asking.poll is not None
    assert page.asking.poll.question.ask == page.exercise.ask
    assert not page.visit.is_revealed
    await reveal()
    assert 'aria-label="Solution"' in page.html
    assert page.panel._progress.count(GAIN) == 0  # no answer was given here
    await page.go("class")
    await page.go("next")
    await reveal()
    assert not page.visit.is_revealed  # the lecturer is elsewhere by now
    page.asking.end()
    page.panel.draw()
    assert "Ask the class" not in page.html
