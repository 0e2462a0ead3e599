"""Whole motions in *Study*: asked within bounds, and opened on the page with their own step and integrator."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.motion.errors import ERRORS
from app.motion.numerics import FIXED, STEPS, Numerics
from app.number_text import number_text
from app.state import Session
from app.state.address import query_of, restore
from app.studies.asked import KINDS, Asked, kinds_of, ranges, read, start_of
from app.studies.look import Look, look_at
from app.studies.moment import found_of
from app.studies.motion import MOST, MOST_STEPS, Motion
from app.studies.process import Question
from app.studies.ready import ready_of
from app.studies.watched import is_of_motion, value_at, watches_of
from tests.app.studies.test_study import instrument, plain, until

pytestmark = pytest.mark.compiled_only
HELD, FREE = "two_arms_and_box", "puma560"
HELD, FREE = "two_arms_and_box", "puma560"
BRIEF = Motion(0.3)
EVERY = {"dt": KINDS["dt"].far, "method": KINDS["method"].far}


def question_of(session: Session, asked: Asked) -> Question:
    system, state = start_of(session.run)
    return Question(system, state, ranges(asked, system, state), asked.find, asked.states, False, asked.motion)


def looked_at(question: Question) -> Look:
    return look_at(question.asked(question.count), question.size, ())


def test_the_drift_of_the_closure_is_asked_in_every_step_and_opened_in_its_own() -> None:
    """Of one state, by all integrators: a row opened on the page, read again from its link, has the same drift."""
    session = Session(HELD)
    (ready,) = (one for one in ready_of(session.system) if one.asked.find == "run:drift")
    asked = replace(ready.asked, over=EVERY, motion=BRIEF)
    question = question_of(session, asked)
    assert question.size == len(STEPS) * len(FIXED)
    look = looked_at(question)
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
        assert moment.found is not None
        here = value_at(linked.run.solution_at(0.0), asked.find, own)
        assert here == pytest.approx(moment.found[asked.find], rel=1e-5, abs=1e-12)  # the least are rounding itself
    assert len(steps) == 3


def test_the_page_s_own_run_ends_where_the_study_says(subtests: pytest.Subtests) -> None:
    """The end of a drawn motion, simulated again by the page's run, stretch by stretch."""
    for name in [HELD, FREE]:
        with subtests.test(name=name):
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
                assert shown.time == pytest.approx(0.6)
                assert shown.setup.numerics.step == 5e-3
                assert number_text(value_at(shown.solution(), find, asked.motion)) == number_text(value)
                if find == base:
                    assert (shown.place.stage, shown.place.link) == ("filter", session.system.n_joints - 1)


def test_a_link_says_motions_within_their_bounds_and_nothing_else(subtests: pytest.Subtests) -> None:
    for name in [HELD, FREE, "free_flyer"]:
        with subtests.test(name=name):
            session = Session(name)
            kinds, watches = kinds_of(session.system), watches_of(session.system, session.solution())
            energy = "run:unexplained_energy"
            for motion in (Motion(), Motion(0.35, Numerics(step=1e-4)), Motion(MOST, Numerics(step=5e-3))):
                for over in ({"tau": 2.0}, EVERY, {"dt": 0.2}, {"method": 3.0, "gravity": 1.0}):
                    asked = Asked(over, energy, 100, motion)
                    assert read(asked.text, watches, kinds) == asked
                    session.study = asked.text
                    restore(again := Session("planar_chain"), query_of(session))
                    assert again.study == asked.text
            for text in (
                f"tau:1;{energy};100", f"tau:1,duration:1;{energy};100", f"tau:1,step:1;{energy};100",
                f"tau:1,duration:11,step:1;{energy};100", f"tau:1,duration:0,step:1;{energy};100",
                f"tau:1,duration:nan,step:1;{energy};100", f"tau:1,duration:1,step:3;{energy};100",
                f"tau:1,duration:1,step:1e-9;{energy};100", f"tau:1,duration:1,step:-1;{energy};100",
                f"tau:1,duration:1,step:1;{energy};1000000", f"tau:1,duration:1,step:1;{energy};1",
                f"duration:1,step:1;{energy};100", f"dt:0,duration:1,step:1;{energy};100",
                f"dt:1e3,duration:1,step:1;{energy};100", f"method:2,duration:1,step:1;{energy};100",
                "tau:1,duration:1,step:1;agreement;100", "dt:10;agreement;1000", "tau:1,method:3;agreement;1000",
                "tau:1,duration:1,step:1;run:beauty;100", "tau:1,duration:1,step:1;end.end.residual;100",
            ):  # fmt: skip
                assert read(text, watches, kinds) is None, text


def test_the_instrument_answers_of_motions_and_opens_one(
    run_async: Callable[[Coroutine[Any, Any, None]], None],
) -> None:
    session, made = instrument(FREE)
    session.study = "dt:10,method:3,duration:0.2,step:1;run:unexplained_energy;100"

    async def live() -> None:
        made.start()
        await until(session, made, lambda: not made.course.busy)
        assert plain(made._told.object).strip().startswith("21 motions.")
        assert made.course.look is not None
        made._go("against method")
        row, value = made.course.look.found.largest[0]
        made._go(f"row {row}")
        await until(session, made, lambda: made._value is not None)
        assert session.setup.numerics == Numerics("euler", 1e-2)
        assert plain(made._here.html).count(f"{number_text(value)} J") == 2
        assert made._plots._here.data["x"] == [float(list(FIXED).index("euler"))]
        session.study = "tau:1,duration:10,step:0.1;run:unexplained_energy;100"
        made.start()
        assert not made.course.busy
        assert "100,000 steps" in made._told.object

    run_async(live())
    session.jobs.stop()


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
