"""Whole motions in *Study*, within bounds, opened with their own step; and a search beyond what was drawn."""

from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.motion.errors import ERRORS
from app.motion.numerics import FIXED, STEPS, Numerics
from app.number_text import number_text
from app.service.studies import StudyPlaces
from app.state import Session
from app.state.address import query_of, restore
from app.studies import beyond
from app.studies.asked import KINDS, Asked, kinds_of, ranges, read, start_of
from app.studies.beyond import Beyond, Search
from app.studies.course import Course
from app.studies.look import look_at
from app.studies.moment import found_of
from app.studies.motion import MOST, MOST_STEPS, Motion
from app.studies.process import Question
from app.studies.ready import ready_of
from app.studies.study import StudyInstrument
from app.studies.watched import is_of_motion, value_at, watches_of
from tests.app.studies.test_study import MINUTE, plain, until

pytestmark = pytest.mark.compiled_only
HELD, FREE = "two_arms_and_box", "puma560"
BRIEF = Motion(0.3)
EVERY = {"dt": KINDS["dt"].far, "method": KINDS["method"].far}


def question_of(session: Session, asked: Asked) -> Question:
    system, state = start_of(session.run)
    return Question(system, state, ranges(asked, system, state), asked.find, asked.states, False, asked.motion)


def test_the_drift_of_the_closure_is_asked_in_every_step_and_opened_in_its_own() -> None:
    """Of one state, by all integrators: a row opened on the page, read again from its link, has the same drift."""
    session = Session(HELD)
    (ready,) = (one for one in ready_of(session.system) if one.asked.find == "run:drift")
    asked = replace(ready.asked, over=EVERY, motion=BRIEF)
    question = question_of(session, asked)
    assert question.size == len(STEPS) * len(FIXED)
    look = look_at(question.asked(question.count), question.size, ())
    assert look.study.size == question.size
    study, watch = look.study, watches_of(session.system, session.solution())[asked.find]
    steps = set()
    for row in (0, 10, 20):
        moment, before = study.moment(row), session.setup
        own = BRIEF.drawn(moment)
        found, _ = found_of(before, moment, asked.find, watch, "Study", own)
        found.show(again := Session(HELD))
        restore(linked := Session("planar_chain"), query_of(again))
        assert not linked.message
        assert linked.setup.numerics == own.numerics == Numerics(*reversed(list(moment.drawn.values())))
        assert linked.time == 0.0
        steps.add(own.numerics.step)
        here = value_at(linked.run.solution_at(0.0), asked.find, own)
        assert here == pytest.approx(moment.found[asked.find], rel=1e-5, abs=1e-12)  # the least are rounding itself
    assert len(steps) == 3


def test_the_page_s_own_run_ends_where_the_study_says() -> None:
    """The end of a drawn motion, simulated again by the page's run, stretch by stretch."""
    for name in [HELD, FREE]:
        session = Session(name)
        watches = watches_of(session.system, session.solution())
        base = f"end.filter.joint_inertia:{session.system.joint_names[-1]}"
        place = "end.position:object.z" if name == HELD else "end.position:tip.z"
        for find in (base, place):
            asked = Asked({"tau": 3.0, "gravity": 9.81}, find, 100, Motion(0.6, Numerics(step=5e-3)))
            study = replace(question_of(session, asked), count=3).asked(3)
            row, value = study.found[find].largest[0]
            moment = study.moment(row)
            found, _ = found_of(session.setup, moment, find, watches[find], "Study", asked.motion)
            found.show(shown := Session(name))
            assert (shown.time, shown.setup.numerics.step) == (pytest.approx(0.6), 5e-3)
            assert number_text(value_at(shown.solution(), find, asked.motion)) == number_text(value)
            if find == base:
                assert (shown.place.stage, shown.place.link) == ("filter", session.system.n_joints - 1)


PARTS = st.builds(
    "{}:{}".format,
    st.sampled_from((*KINDS, "duration", "duration", "step", "step", "", "steps", "q:dt")),
    st.sampled_from(("10", "1", "3", "0.1", "0", "-1", "nan", "inf", "1e400", "١", "1_0", "", "1:1", "0.350000001"))
    | st.floats().map(repr),
) | st.sampled_from(("dt:10", "dt:0.2", "method:3", "tau:1", "gravity:2"))
FINDS = st.sampled_from((*["run:drift"] * 4, "end.squeeze", "agreement", "run:", "end.run:drift", "run:drift;1", "<b>"))
COUNT_WORDS = st.sampled_from((*2 * ["100", "1000"], "1000000", "1e3", "٣", ""))
GOING_ON = st.sampled_from((["duration:1", "step:1"], ["step:0.1", "duration:9.999"], []))


@settings(max_examples=100)  # each is cheap
@given(st.lists(PARTS, max_size=3), GOING_ON, FINDS, COUNT_WORDS)
def test_a_link_says_no_question_or_one_within_bounds(
    parts: list[str], going_on: list[str], find: str, count: str
) -> None:
    session = asking()
    kinds, watches = kinds_of(session.system), watches_of(session.system, session.solution())
    asked = read(f"{','.join(going_on + parts)};{find};{count}", watches, kinds)
    if asked is None:
        return
    assert is_of_motion(asked.find) == (asked.motion is not None)
    assert all(KINDS[kind].least <= far <= KINDS[kind].most for kind, far in asked.over.items())
    if asked.motion is not None:
        assert 0.0 < asked.motion.duration <= MOST
        assert read(replace(asked, over={"dt": 10.0}).text, watches, kinds) == replace(asked, over={"dt": 10.0})
        try:
            over = ranges(asked, *start_of(session.run))
        except ERRORS:
            return
        steps = over.get("dt", [asked.motion.numerics.step])
        assert asked.motion.duration / min(steps) <= MOST_STEPS + 0.5


@cache
def asking() -> Session:
    return Session(HELD)


D = "filter.joint_inertia:joint_2"


@pytest.mark.full
async def test_a_search_goes_beyond_what_was_drawn_and_opens() -> None:
    session = Session("puma560")
    session.playing = False
    session.study = f"q:2;{D};1000"
    made = StudyInstrument(session)
    made.paint("light")
    places = StudyPlaces(1, MINUTE)
    made.course, made.beyond = Course(session.jobs, places), Beyond(session.jobs, places)
    made.start()
    await until(session, made, lambda: not made.course.busy)
    made._go("search smallest")
    await until(session, made, lambda: "smallest" in made.beyond.found)
    found = made.beyond.found["smallest"]
    assert found.value < made.course.look.found.minimum
    made._go("worst smallest")
    await until(session, made, lambda: made._value is not None)
    assert plain(made._here.html).count(f"{number_text(found.value)} kg m²") == 2
    session.undo()
    made._go("search largest")
    child = made.beyond.course._child
    made._go("search smallest")  # one at a time
    assert made.beyond.course._child is child
    made._go("halt")
    assert child.wait(MINUTE) != 0
    for nothing in ("search x", "worst largest", "halt", "other"):
        made._go(nothing)
    assert not made.beyond.course.busy
    session.jobs.stop()


def test_of_motions_the_worst_step_and_integrator_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session("two_arms_and_box")
    question = question_of(session, Asked({"dt": 10.0, "method": 3.0}, "run:drift", 100, Motion(duration=0.05)))
    monkeypatch.setattr(beyond, "seconds_of", lambda question: 1.0)
    monkeypatch.setattr(beyond, "FEWEST", 40)
    monkeypatch.setattr(beyond, "MOST", 40)
    told: dict[str, Any] = {}
    Search(question, "largest").answer(told.__setitem__)
    found = told["answer"]
    assert (found.value, found.moment.drawn["method"]) == (found.moment.found["run:drift"], "euler")
    assert found.moment.drawn["dt"] == max(question.over["dt"])


def test_a_question_of_motions_comes_back_from_its_link() -> None:
    for name in [HELD, FREE, "free_flyer"]:
        session = Session(name)
        kinds, watches = kinds_of(session.system), watches_of(session.system, session.solution())
        for motion in (Motion(), Motion(0.35, Numerics(step=1e-4)), Motion(MOST, Numerics(step=5e-3))):
            for over in ({"tau": 2.0}, EVERY, {"dt": 0.2}, {"method": 3.0, "gravity": 1.0}):
                asked = Asked(over, "run:unexplained_energy", 100, motion)
                assert read(asked.text, watches, kinds) == asked
                session.study = asked.text
                restore(again := Session("planar_chain"), query_of(session))
                assert again.study == asked.text
