"""*Lessons* without a browser: the page follows each step, what is to be predicted stays hidden, progress is kept."""

import csv
import io
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

import scenes
from app.classroom.ask import Asking
from app.classroom.presentation import PRESENTATIONS
from app.lessons.folder import packaged
from app.lessons.lessons import NAME, Lessons
from app.lessons.marking import right_answer, wrong_answers
from app.lessons.results import plain
from app.state import Session
from app.state.address import asked, query_of
from app.views.selection import follow_click
from tests.app.arrival import idle
from tests.app.lessons.conftest import FILES, packed

Page = tuple[Session, Lessons, list[Any]]
GAIN = next(lesson for lesson in packaged() if lesson.name == "gain")


async def settled(session: Session, panel: Lessons) -> None:
    await idle(session.jobs)
    panel.draw()


def place(panel: Lessons, name: str) -> int:
    return next(k for k, lesson in enumerate(panel._lessons) if lesson.name == name)


@pytest.fixture
def page() -> Iterator[Page]:
    session = Session("puma560")
    session.playing = False
    panel, sent = Lessons(session, Asking(session)), list[Any]()
    panel._sheet._send_msg = sent.append  # type: ignore[method-assign]
    panel.paint("light")
    panel.draw()
    yield session, panel, sent
    session.jobs.stop()


async def test_a_link_is_chosen_by_a_click_and_not_by_where_an_answer_leads(page: Page) -> None:
    session, panel, sent = page
    panel._open(panel._lessons[place(panel, "satellite")], 4)
    await settled(session, panel)
    scene = scenes.Scene(session.loaded, session.solution())
    assert session.cursor.link == 0
    for link in (0, 5):  # the first is where the cursor is
        mesh = next(each for each in scene.meshes if each.link == link)
        follow_click(session, mesh, session.solution())
        panel.draw()
    assert [said["pointed"] for said in sent if "pointed" in said] == [0, 5]
    sent.clear()
    panel._answer(right_answer(panel._stage))  # type: ignore[arg-type]
    await settled(session, panel)
    assert session.cursor.link == 0
    assert not any("pointed" in said for said in sent)


async def test_a_step_leads_the_page_and_hides_what_is_to_be_predicted(page: Page) -> None:
    session, panel, sent = page
    assert "All lessons" not in panel._sheet.html
    panel._go(f"open {place(panel, 'gain')}")
    assert "Computing" in panel._sheet.html
    await settled(session, panel)
    assert session.preset.name == "planar_chain"
    assert ((session.lesson, session.tab, session.playing), session.layers) == (("gain:1", NAME, False), [])
    assert (session.plots, session.panels) == ("Motion", "Motion;-")
    shown = panel._sheet.html
    assert "Which way does joint 2 start to turn?" in shown
    for part in ("class='reveal'", "Show the solution", panel._stage.reveal):
        assert part not in shown
    panel._go("reveal")  # without an answer
    assert "class='reveal'" not in panel._sheet.html
    panel._answer(wrong_answers(panel._stage)[0])
    assert "Not so" in panel._sheet.html
    shown = panel._sheet.html
    panel._answer(wrong_answers(panel._stage)[0])
    assert panel._sheet.html != shown  # the same words again come again: the sheet waits for them
    assert "class='reveal'" not in panel._sheet.html
    assert "Show the solution" in panel._sheet.html
    panel._go("hint")
    assert "class='hints'" in panel._sheet.html
    panel._answer(right_answer(panel._stage))
    assert "class='reveal'" in panel._sheet.html
    await settled(session, panel)
    assert (session.layers, (session.plots, session.panels)) == (session.param.layers.default, ("", ""))
    kept = json.loads([one for one in sent if "keep" in one][-1]["keep"])
    assert kept["lessons"] == {"gain": {"01_push": [3, 1, 1, 0, 2]}}


async def test_the_page_goes_back_to_where_it_was(page: Page) -> None:
    session, panel, _ = page
    session.param.update(tab=NAME, layers=["push"])
    session.set_torque("joint_1", 3.0)
    session.seek(0.1)
    before, setup = query_of(session), session.setup
    panel._go(f"open {place(panel, 'two_arms')}")
    await settled(session, panel)
    panel._go("next")
    await settled(session, panel)
    assert (session.lesson, session.preset.name) == ("two_arms:2", "two_arms_and_box")
    panel._go("list")
    assert "Back to where the page was" in panel._sheet.html
    panel._go("home")
    assert "Back to where the page was" not in panel._sheet.html
    assert session.setup is setup
    assert query_of(session) == before
    assert "Each lesson asks you to predict first" in panel._sheet.html


async def test_a_lesson_is_walked_to_its_end(page: Page) -> None:
    session, panel, _ = page
    for name in ("gain", "two_arms"):
        panel._go(f"open {place(panel, name)}")
        lesson = panel._lessons[place(panel, name)]
        for at, step in enumerate(lesson.steps):
            await settled(session, panel)
            assert (session.message, session.lesson) == ("", f"{name}:{at + 1}")
            assert (session.preset.name, f"{session.cursor.time:.3f}") == (step.show["preset"], step.show["t"])
            assert panel._stage is not None
            right = right_answer(panel._stage)
            if right is None:  # to be done on the page: the moment after does it
                panel._answer(None)
                assert panel._mark.verdict == "wrong"
                asked(step.then, session).tried().show(session)
                session.param.update(tab=NAME, lesson=f"{name}:{at + 1}")
            panel._answer(right)
            assert panel._is_revealed, (name, step.name, panel._mark)
            await settled(session, panel)
            assert (session.message, session.beside) == ("", step.then.get("tab", ""))
            panel._go("next")
        assert (panel._progress.count(lesson), session.lesson) == (len(lesson.steps), "")
    assert panel._sheet.html.count("· done") == 2


async def test_progress_is_the_browsers_and_nothing_that_it_sends_is_trusted(page: Page) -> None:
    session, panel, sent = page
    good = {"version": 1, "lessons": {"gain": {"01_push": [3, 1, 1, 0], "02_moment": [1, 0, 0, 1]}}}
    for kept in (
        None, 3, "nonsense", "[]", '{"version":2}', "x" * 10**6, "[" * 50_000,
        json.dumps({"version": 1, "lessons": {"gain": {"01_push": [1, 0, 7, 0]}}}),
        json.dumps({"version": 1, "lessons": {"gain": {"01_push": ["1", 0, 1, 0]}}}),
        json.dumps({"version": 1, "lessons": {"gain": [1]}}),
        json.dumps({"version": 1, "lessons": {"<b>": {"<i>": [1, 0, 1, 0]}}}),
    ):  # fmt: skip
        panel._sheet._handle_msg({"kept": kept})
    assert panel._progress.count(GAIN) == 0
    panel._sheet._handle_msg({"kept": json.dumps(good)})
    assert panel._progress.count(GAIN) == 2
    assert f"2 of {len(GAIN.steps)} steps" in panel._sheet.html
    panel._go(f"open {place(panel, 'gain')}")
    await settled(session, panel)
    assert session.lesson == "gain:3"  # the first that is not over
    for nonsense in (None, 7, [], {}, {"answer": {}}, {"go": 1}, "open 99", "open -1", "open", "x" * 5000, b"x"):
        panel._sheet._handle_msg(nonsense)
    assert session.lesson == "gain:3"
    for nonsense in (None, 7, "pdf", [], {"csv": 1}):
        panel._sheet._handle_msg({"results": nonsense, "name": nonsense})
    assert not any("save" in one or "show" in one for one in sent)
    panel._sheet._handle_msg({"results": "csv", "name": " =Ada\n Lovelace\0"})
    rows = list(csv.DictReader(io.StringIO(next(one["text"] for one in reversed(sent) if "save" in one))))
    assert len(rows) == sum(step.question is not None for lesson in panel._lessons for step in lesson.steps)
    push = next(row for row in rows if row["step"] == "01_push")
    assert (push["lesson"], push["answer"], push["tries"], push["hints"]) == (GAIN.title, "right", "3", "1")
    assert [row["answer"] for row in rows if row["lesson"] == GAIN.title][1:3] == ["wrong", "not tried"]
    file = next(one["save"] for one in reversed(sent) if "save" in one)
    assert re.fullmatch(r"armsweep_Ada_Lovelace_gain_\d{4}-\d\d-\d\d\.csv", file)
    assert {row["name"] for row in rows} == {"'=Ada Lovelace"}
    panel._sheet._handle_msg({"results": "print", "name": "<b>Ada</b>"})
    (page,) = (one["show"] for one in sent if "show" in one)
    assert "&lt;b&gt;Ada&lt;/b&gt;" in page
    (table,) = re.findall("<section>.*</section>", page)  # of the one lesson that was begun
    assert f"<h2>{GAIN.title}</h2><p>1 of {len(GAIN.steps)} answered right.</p>" in table
    assert "A push on the last joint</th><td>right</td><td>3</td><td>1</td><td>no</td>" in table
    assert f"Not begun: {panel._lessons[0].title};" in page
    panel._go("list")
    panel._go("forget")
    assert panel._progress.count(GAIN) == 0


async def test_a_link_leads_to_a_step_and_leaves_its_moment(page: Page) -> None:
    session, panel, _ = page
    asked({"preset": "panda", "t": "0.1", "lesson": "covariance:3", "tab": NAME, "play": "0"}, session).show(session)
    panel.draw()
    await settled(session, panel)
    assert "Do the two torques agree?" in panel._sheet.html
    assert session.preset.name == "panda"
    panel._go("again")
    await settled(session, panel)
    assert session.preset.name == "planar_chain"
    session.lesson = "nothing:1"
    panel.draw()
    assert session.lesson == ""
    session.lesson = "gain:99"
    panel.draw()
    assert f"step {len(GAIN.steps)} of {len(GAIN.steps)}" in panel._sheet.html
    await settled(session, panel)


async def test_a_zip_becomes_a_lesson_of_the_page_and_a_bad_one_is_refused(page: Page) -> None:
    session, panel, _ = page

    async def open_zip(data: object, name: str) -> str:
        panel.own.open(data, name)
        await settled(session, panel)
        return str(panel.own.told.object)

    def own(files: dict[str, str]) -> bytes:
        return packed({f"own/{name}": text for name, text in files.items()})

    count = len(panel._lessons)
    assert "A test is open, the last of the list." in await open_zip(own(FILES), "mine.zip")
    assert [lesson.name for lesson in panel._lessons[count:]] == ["own"]
    panel._go(f"open {count}")
    await settled(session, panel)
    assert "How large is" in panel._sheet.html
    panel._go("list")
    bad = FILES["01_step.md"].replace("joint_inertia(1)", "28,45").replace("planar_chain", "puma650")
    told = await open_zip(own({**FILES, "01_step.md": bad}), "bad.zip")
    assert "01_step.md:3: the page cannot show this: there is no preset &#x27;puma650&#x27;." in told
    many = "".join(f"{{{{ none{k} }}}}\n" for k in range(30))
    many = FILES["01_step.md"].replace("Look.", many)
    assert "and 10 more." in await open_zip(own({**FILES, "01_step.md": many}), "bad.zip")
    told = await open_zip(b"nonsense", "<b>.zip")
    assert ("no zip" in told, "<b>" in told) == (True, False)
    assert "A lesson has at most" in await open_zip("text", "x")
    assert len(panel._lessons) == count + 1


def test_a_title_is_no_formula_of_a_spreadsheet() -> None:
    for cell in ("=1+1", "+1", "-1", "@x"):
        assert plain(cell) == f"'{cell}"


async def test_a_class_is_asked_and_the_page_goes_on_when_its_answer_is_revealed(page: Page) -> None:
    session, panel, _ = page
    asking = panel._asking
    panel._go(f"open {place(panel, 'gain')}")
    await settled(session, panel)
    while panel._step.question is None:
        panel._go("next")
        await settled(session, panel)
    assert "Ask the class" not in panel._sheet.html  # there is none
    panel._go("class")
    assert asking.poll is None
    asking.begin(PRESENTATIONS.open("k7m2x9q4tz", lambda: {"jump": 1, "time": 0.0}))
    panel.draw()
    assert "Ask the class" in panel._sheet.html
    panel._go("class")
    assert asking.poll.question.ask == panel._stage.ask  # type: ignore[union-attr]
    for what in ("close", "reveal"):
        assert not panel._is_revealed
        asking._board._handle_msg({"do": what})
    await settled(session, panel)
    assert "aria-label='Solution'" in panel._sheet.html
    assert panel._progress.count(GAIN) == 0  # no answer was given here
    panel._go("class")
    panel._go("next")
    await settled(session, panel)
    for what in ("close", "reveal"):
        asking._board._handle_msg({"do": what})
    assert not panel._is_revealed  # the lecturer is elsewhere by now
    asking.end()
    panel.draw()
    assert "Ask the class" not in panel._sheet.html


async def test_a_world_that_comes_late_brings_no_step_back(page: Page) -> None:
    session, panel, _ = page
    panel._go(f"open {place(panel, 'gain')}")
    assert session.opening.reads_link
    panel._go("list")
    await settled(session, panel)
    assert (session.lesson, session.preset.name) == ("", "puma560")
    assert "All lessons" not in panel._sheet.html


async def test_what_a_lesson_calls_itself_is_words(page: Page) -> None:
    session, panel, _ = page
    head, step = (FILES[name].replace("A test", "<i>A test").replace("A step", "<i>A step") for name in FILES)
    panel.own.open(packed({"lesson.toml": head.replace("Try it", "<i>Try"), "01_step.md": step}), "own.zip")
    await settled(session, panel)
    assert panel._sheet.html.count("&lt;i&gt;") == 2
    pages = [panel._sheet.html]
    panel._go(f"open {len(panel._lessons) - 1}")
    await settled(session, panel)
    assert "&lt;i&gt;A step" in panel._sheet.html
    pages += [panel._sheet.html, str(panel.own.told.object)]
    assert "<i>" not in "".join(pages)


async def test_hints_come_one_at_a_time(page: Page) -> None:
    session, panel, _ = page
    lesson, step = next(
        (k, at) for k, each in enumerate(panel._lessons) for at, one in enumerate(each.steps) if len(one.hints) > 1
    )
    panel._open(panel._lessons[lesson], step)
    await settled(session, panel)
    for count in (1, 2):
        panel._go("hint")
        assert session.whispered.startswith(f"Hint {count} of ")
