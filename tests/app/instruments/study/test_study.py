"""*Study*: a process of its own answers; what it finds is shown, and a state of it opened with the same number."""

import asyncio
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import dynamics as dyn
from app.instruments.study import process
from app.instruments.study.process import FULL, LOST, SEED, Course, Question
from app.instruments.study.question import (
    KINDS,
    LISTED,
    Query,
    kinds_of,
    ranges,
    read,
    ready_of,
    start_of,
    value_at,
    watches_of,
)
from app.instruments.study.study import STOP, StudyInstrument
from app.instruments.study.summary import COLUMNS, LEVELS, ROUNDING, decided, found_of, look_at, opened_html
from app.motion.world import FIXED, STEPS, Numerics
from app.number_text import number_text
from app.service.limits import StudyPlaces
from app.state import Session
from app.state.address import query_of
from tests.app.arrival import idle, restore

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


PROMPT = "from app.instruments.study import process; process.stand_behind = lambda: None; process.main()"


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
    nothing = "row 10000", "row -1", "row x", "against nothing", "other", "row 1e3", "search x", "worst largest", "halt"
    for where in nothing:
        made._go(where)
    made._open(3)
    session.open_preset("planar_chain")  # before the state is there: it brings no machine back
    await idle(session.jobs)
    assert session.preset.name == "planar_chain"
    made.draw()
    made.form._set_count(1_000_000)
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


HELD, PRESETS = "two_arms_and_box", ("puma560", "two_arms_and_box", "free_flyer", "two_arm_flyer")
SLOW = ("agreement", "rho", "identity")


def studied(session: Session, asked: Query, count: int) -> dyn.Study:
    system, state = start_of(session.run)
    how = {"duration": asked.duration or None, "dt": asked.step}
    return dyn.study(system, ranges(asked, system, state), asked.find, count, state=state, **how)


def opened(name: str, study: dyn.Study, asked: Query, row: int) -> tuple[Session, Session]:
    """What the page shows of a row; and what it shows once that is read again from its link."""
    session = Session(name)
    watch = watches_of(session.system, session.solution())[asked.find]
    found, _ = found_of(session.setup, study.moment(row), asked, watch, "Study")
    found.show(session)
    again = Session("planar_chain")
    restore(again, query_of(session))
    assert not again.message
    assert (again.tab, again.beside, again.place) == (session.tab, session.beside, session.place)
    assert not again.playing
    return session, again


def test_every_row_is_in_the_cell_that_says_so() -> None:
    arm = dyn.single_arm(dyn.load("puma560"))
    find = "filter.joint_inertia:" + arm.joint_names[-1]
    study = dyn.study(arm, {"q": (-2.0, 2.0)}, find, 3000)
    look, values = look_at(study, 3000, ()), study.column(find)
    assert list(look.pictures) == sorted(look.pictures, key=lambda name: -look.pictures[name].decides)
    for name, picture in look.pictures.items():
        drawn = study.column(name)
        assert picture.counts.sum() == len(values)
        assert ((picture.rows >= 0) == (picture.counts > 0)).all()
        rows, places = picture.rows[picture.counts > 0], np.argwhere(picture.counts > 0)
        shares = np.stack([look.axis.along(values[rows]) * LEVELS, picture.axis.along(drawn[rows]) * COLUMNS], axis=1)
        assert ((shares >= places - 1e-9) & (shares <= places + 1 + 1e-9)).all()
        for kept, ends in ((picture.largest, look.found.largest), (picture.smallest, look.found.smallest)):
            np.testing.assert_allclose(kept, picture.axis.along(drawn[[row for row, _ in ends]]))


def test_what_decides_is_the_share_of_the_variance() -> None:
    x, y = np.random.default_rng(1).random((2, 200_000))
    column = np.minimum((x * COLUMNS).astype(int), COLUMNS - 1)
    for weight in (0.0, 0.5, 2.0):
        values = weight * x + y
        share = weight**2 / (weight**2 + 1.0)
        assert abs(decided(column, values - values.mean()) - share) < 0.01
    assert decided(column, np.zeros(len(x))) == 0.0


def test_the_page_finds_what_the_study_reports() -> None:
    """For every second ready question of each machine, and for all that varies at once."""
    for number, name in enumerate(PRESETS):
        session = Session(name)
        system, known = session.system, watches_of(session.system, session.solution())
        everything = {kind: KINDS[kind].far if kind != "q" else 0.2 for kind in kinds_of(system) if kind not in LISTED}
        questions = [asked for asked in ready_of(system).values() if not asked.duration]
        questions += [Query(everything, find, 1000) for find in ("tip_acceleration", "smoother.acceleration")]
        questions += [Query({"tau": 10.0}, find, 1000) for find in ("identity", "contact.omega:condition")]
        for asked in [one for one in questions if one.find in known][number % 2 :: 2]:
            count = 64 if set(asked.over) <= {"q", "tau"} and asked.find not in SLOW else 3
            study, watch = studied(session, asked, count), known[asked.find]
            row, value = study.found[asked.find].largest[0] if number < 2 else study.found[asked.find].smallest[0]
            here = value_at(opened(name, study, asked, row)[1].run.solution_at(0.0), asked.find)
            words = opened_html(row, value, here, watch)
            if watch.sound[0] <= value <= watch.sound[1]:
                assert number_text(here) == number_text(value)
                assert ROUNDING not in words
            else:  # of a posture closed once more
                assert here < 100.0 * value + 1e-12
                assert ROUNDING in words


def test_a_row_of_motions_is_opened_with_its_own_step_and_integrator() -> None:
    asked = Query({"dt": KINDS["dt"].far, "method": KINDS["method"].far}, "run:drift", 100, 0.3)
    study = studied(Session(HELD), asked, 1)
    assert study.size == len(STEPS) * len(FIXED)
    for row in (0, 10, 20):
        moment = study.moment(row)
        linked = opened(HELD, study, asked, row)[1]
        own = asked.numerics(moment)
        assert linked.setup.numerics == own == Numerics(moment.drawn["method"], moment.drawn["dt"])
        here = value_at(linked.run.solution_at(0.0), asked.find, asked.duration, own)
        assert here == pytest.approx(moment.found[asked.find], rel=1e-5, abs=1e-12)  # the least are rounding itself


def test_the_page_s_own_run_ends_where_the_study_says() -> None:
    for name, find in ((HELD, "end.position:object.z"), ("puma560", "end.filter.joint_inertia:joint_1")):
        asked = Query({"tau": 3.0, "gravity": 9.81}, find, 100, 0.6, 5e-3)
        study = studied(Session(name), asked, 3)
        row, value = study.found[find].largest[0]
        shown, _ = opened(name, study, asked, row)
        assert (shown.time, shown.setup.numerics.step) == (pytest.approx(0.6), 5e-3)
        assert number_text(value_at(shown.solution(), find)) == number_text(value)


def test_a_ready_question_comes_back_from_its_link() -> None:
    for name in PRESETS:
        session = Session(name)
        kinds, watches = kinds_of(session.system), watches_of(session.system, session.solution())
        for asked in ready_of(session.system).values():
            assert read(asked.text, watches, kinds) == asked
            session.study = asked.text
            again = Session("planar_chain")
            restore(again, query_of(session))
            assert again.study == asked.text
        for text in (
            "", ";;", "q:nan;agreement;1000", "q:1;agreement;999", "q:1;<b>;1000", "q:1e9;agreement;1000",
            "nothing:1;agreement;1000", ";agreement;1000", "q:1,;agreement;1000", "q;agreement;1000",
        ):  # fmt: skip
            assert read(text, watches, kinds) is None, text
