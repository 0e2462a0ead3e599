"""*Study*: a process of its own answers, says how far it is, and ends when it should."""

import asyncio
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import dynamics as dyn
from app.number_text import number_text
from app.service.limits import StudyPlaces
from app.state import Session
from app.studies import process
from app.studies.process import FULL, LOST, SEED, Course, Question
from app.studies.question import COUNTS, Query, ranges, start_of
from app.studies.study import STOP, StudyInstrument
from tests.app.arrival import idle

pytestmark = pytest.mark.compiled_only
MINUTE = 60.0


def instrument(name: str, places: StudyPlaces | None = None) -> tuple[Session, StudyInstrument]:
    session = Session(name)
    session.playing = False
    made = StudyInstrument(session)
    made.paint("light")
    if places is not None:
        made.course, made.search = Course(session.jobs, places), Course(session.jobs, places)
    made.draw()
    return session, made


async def until(session: Session, made: StudyInstrument, holds: Callable[[], bool]) -> None:
    for _ in range(int(MINUTE / 0.01)):
        session.jobs.attend()
        made.draw()
        if holds():
            return
        await asyncio.sleep(0.01)
    raise TimeoutError(made._progress_line.object)


def plain(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", text))


PROMPT = "from app.studies import process; process.stand_behind = lambda: None; process.main()"


@pytest.fixture
def promptly(monkeypatch: pytest.MonkeyPatch) -> None:
    """A study's process does not stand behind everything else that a busy machine does."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    monkeypatch.setattr(process, "begun", lambda: subprocess.Popen([sys.executable, "-c", PROMPT], **pipes))


@pytest.mark.usefixtures("promptly")
async def test_it_answers_opens_a_state_and_stops() -> None:
    session, made = instrument("puma560", StudyPlaces(1, MINUTE))
    made.form._set_count(1000)
    made.start()
    assert made._start.label == STOP
    await until(session, made, lambda: not made.course.busy)
    look, asked = made.course.look, made.form.asked
    system, state = start_of(session.run)
    ought = dyn.study(system, ranges(asked, system, state), asked.find, 1000, state=state, seed=SEED)
    assert (look.found.values == ought.found[asked.find].values).all()
    row, value = look.found.smallest[0]
    made._go(f"row {row}")
    await until(session, made, lambda: made._value is not None)
    assert plain(made._here.html).count(f"{number_text(value)} kg m²") == 2
    assert (session.place.stage, session.place.link) == ("filter", system.n_joints - 1)
    session.undo()
    made.draw()
    assert made._here.html == ""
    made._go("search smallest")
    child = made.search._child
    made._go("search largest")  # one at a time
    assert made.search._child is child
    await until(session, made, lambda: "smallest" in made._found)
    assert made._found["smallest"].value < value
    made._go("worst smallest")
    await until(session, made, lambda: made._opened is not None and made._value is not None)
    assert plain(made._here.html).count(f"{number_text(made._found['smallest'].value)} kg m²") == 2
    session.undo()
    for nothing in (
        "row 10000",
        "row -1",
        "row x",
        "against nothing",
        "other",
        "row 1e3",
        "search x",
        "worst largest",
        "halt",
    ):
        made._go(nothing)
    made._open(3)
    session.open_preset("planar_chain")  # before the state is there: it brings no machine back
    await idle(session.jobs)
    assert session.preset.name == "planar_chain"
    made.draw()
    made.form._set_count(COUNTS[-1])
    made.start()
    child = made.course._child
    await until(session, made, lambda: made.course.done > 0)
    assert re.search(r"of 1,000,000 states, about .* left", plain(made._progress_line.object))
    made.start_or_stop()
    assert child.wait(MINUTE) != 0
    session.jobs.stop()


def test_the_form_is_what_the_link_says() -> None:
    session, made = instrument("two_arms_and_box")
    assert session.study == ""
    made.form._vary("gravity", True)
    made.form._set_far("gravity", 3.5)
    made.form._watch("squeeze")
    made.form._set_count(1000)
    assert session.study == "q:0.3,gravity:3.5;squeeze;1000"
    for kind in ("q", "gravity"):
        made.form._vary(kind, False)
    assert (list(made.form.asked.over), session.whispered) == (["gravity"], "Something has to vary.")
    session.study = "tau:2;squeeze;10000"
    assert (dict(made.form.asked.over), made.form.asked.count) == ({"tau": 2.0}, 10_000)
    assert made.form._fields["tau"]._text() == "2"
    session.study = "nonsense"
    assert (session.study, list(made.form.asked.over)) == ("", ["q"])


def question(count: int = 1000) -> Question:
    system, state = start_of(Session("puma560").run)
    return Question(system, state, {"tau": (-1.0, 1.0)}, "joint_acceleration", count)


async def test_a_study_is_bounded_in_number_and_time_and_ends_with_its_session(monkeypatch: pytest.MonkeyPatch) -> None:
    """With processes that never answer."""
    begun: list[subprocess.Popen[bytes]] = []

    def idle() -> subprocess.Popen[bytes]:
        begun.append(subprocess.Popen(["sleep", "60"], stdin=subprocess.PIPE, stdout=subprocess.PIPE))
        return begun[-1]

    monkeypatch.setattr(process, "begun", idle)
    session, places = Session("puma560"), StudyPlaces(1, MINUTE)
    one, other = Course(session.jobs, places), Course(session.jobs, places)
    one.start(question())
    other.start(question())
    assert (one.busy, other.busy, other.words) == (True, False, FULL)
    one.cancel()
    other.start(question())  # the place is free at once
    assert other.busy
    session.jobs.stop()
    assert not other.busy
    other.start(question())
    assert not other.busy
    assert len(begun) == 2
    assert all(child.wait(MINUTE) != 0 for child in begun)
    hasty = Course(Session("puma560").jobs, StudyPlaces(1, 0.2))
    hasty.start(question())
    while hasty.busy:
        await asyncio.sleep(0.01)
        hasty.attend()
    assert hasty.words == "It has taken the 0.2 s that a study may take here."
    dead = Course(Session("puma560").jobs, StudyPlaces(1, MINUTE))
    dead.start(question())
    begun[-1].kill()
    while dead.busy:
        await asyncio.sleep(0.01)
        dead.attend()
    assert dead.words == LOST


def test_what_cannot_be_answered_is_refused() -> None:
    with pytest.raises(dyn.ModelError, match="object_mass"):
        replace(question(), over={"object_mass": (1.0, 2.0)}).answer(lambda kind, what: None)
    with pytest.raises(dyn.ModelError, match="numbers vary"):
        ranges(Query({"q": 1.0, "tau": 1.0}, "agreement", 10**8), *start_of(Session("puma560").run))


def test_of_motions_the_worst_step_and_integrator_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    system, state = start_of(Session("two_arms_and_box").run)
    asked, told = Query({"dt": 10.0, "method": 3.0}, "run:drift", 100, 0.05), dict[str, Any]()
    over = ranges(asked, system, state)
    monkeypatch.setattr(process, "seconds_of", lambda *_: 1e6)
    monkeypatch.setattr(process, "FEWEST", 40)
    Question(system, state, over, asked.find, 1, asked.duration, asked.step, "largest").answer(told.__setitem__)
    found = told["answer"]
    assert (found.value, found.moment.drawn["method"]) == (found.moment.found["run:drift"], "euler")
    assert found.moment.drawn["dt"] == max(over["dt"])
