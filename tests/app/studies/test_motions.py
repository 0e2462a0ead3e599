"""Whole motions in *Study*: asked within bounds, told of, and opened on the page with their own step and integrator."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Coroutine
from dataclasses import replace
from functools import cache
from typing import Any, cast

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba.core.event import install_listener

import dynamics as dyn
from app.motion.errors import ERRORS
from app.motion.numerics import FIXED, STEPS, Numerics
from app.number_text import number_text
from app.state import Session
from app.state.address import query_of, restore
from app.studies.asked import COUNTS, COUNTS_OF_MOTIONS, KINDS, LISTED, Asked, kinds_of, ranges, read, start_of
from app.studies.form import QuestionForm
from app.studies.look import Look, look_at
from app.studies.moment import found_of
from app.studies.motion import MOST, MOST_STEPS, Motion, evaluations, steps_of
from app.studies.plots import StudyPlots
from app.studies.process import Compiler, Question, answer, seconds_of
from app.studies.ready import ready_of
from app.studies.study import COMPILING
from app.studies.watched import is_of_motion, value_at, watches_of
from app.studies.words import found_html
from tests.app.studies.test_study import instrument, plain, until

pytestmark = pytest.mark.compiled_only
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


@pytest.mark.parametrize("name", [HELD, FREE])
def test_the_page_s_own_run_ends_where_the_study_says(name: str) -> None:
    """The end of a drawn motion, simulated again by the page's run, stretch by stretch."""
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


@pytest.mark.parametrize("name", [HELD, FREE, "free_flyer"])
def test_a_link_says_motions_within_their_bounds_and_nothing_else(name: str) -> None:
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


def test_what_takes_too_long_is_refused_in_words() -> None:
    system, state = start_of(Session(HELD).run)
    long = Motion(MOST, Numerics(step=1e-4))
    with pytest.raises(ERRORS, match=r"10 s in steps of 0\.1 ms are 100,000 steps"):
        ranges(Asked({"tau": 1.0}, "run:drift", 100, long), system, state)
    steps = ranges(Asked({"dt": 10.0}, "run:drift", 100, long), system, state)["dt"]
    assert steps == [step for step in STEPS if MOST / step <= MOST_STEPS]
    assert 1 < len(steps) < len(STEPS)
    with pytest.raises(ERRORS, match=r"in steps of 0\.2 ms"):
        ranges(Asked({"dt": 0.2}, "run:drift", 100, long), system, state)
    many = dyn.single_arm(dyn.planar_chain(60))
    assert min(steps_of(many, Motion(0.1), 1e-2)) > STEPS[0]


def test_time_is_estimated_by_the_work_of_every_step_and_integrator(monkeypatch: pytest.MonkeyPatch) -> None:
    question = question_of(Session(HELD), Asked(EVERY, "run:drift", 100, BRIEF))
    probe, work = question.probe()
    assert probe.size == 1
    assert probe.motion == BRIEF
    assert work == pytest.approx(sum(n / (4e3 * h) for h in STEPS for _, n in FIXED.values()))
    assert evaluations([1e-3], ["heun"]) == 2e3
    drawn = question_of(Session(HELD), Asked({"tau": 1.0} | EVERY, "run:drift", 100, BRIEF))
    assert (drawn.count, drawn.size) == (100, 2100)
    few = replace(drawn, count=4)
    told_of = found_html(looked_at(few), watches_of(asking().system, asking().solution())["run:drift"], "dt")
    assert all(f"data-go='against {name}'" in told_of for name in LISTED)  # however little they decide
    assert {name.partition(":")[0] for name in drawn.probe()[0].over} == {"tau"}
    told: list[tuple[str, Any]] = []
    answer(replace(question, estimate=True), lambda *word: told.append(word))
    assert [kind for kind, _ in told] == ["estimate"]
    assert 0.0 < told[0][1] < math.inf
    monkeypatch.setattr("app.studies.process.MOST_DRAWN", 4000)
    with pytest.raises(dyn.ModelError, match="100 states"):
        seconds_of(drawn)


def test_a_step_is_seen_in_powers_of_ten_and_an_integrator_by_its_name() -> None:
    look = looked_at(question_of(Session(HELD), Asked(EVERY, "run:drift", 100, BRIEF)))
    assert look.pictures["dt"].is_log
    assert look.pictures["method"].words == tuple(FIXED)
    assert look.pictures["method"].number("heun") == 1.0
    heard = list[int]()
    plots = StudyPlots(heard.append)
    plots.show(look, "method", "x", "y")
    assert list(plots._rows.xaxis[0].major_label_overrides.values()) == list(FIXED)
    values = look.study.column("run:drift") if look.study.values is not None else None
    assert values is None
    worst, value = look.found.largest[0]
    plots._tapped(look.pictures["method"].number(look.study.moment(worst).drawn["method"]), math.log10(value))
    assert heard == [worst]
    plots.show(look, "dt", "x", "y")
    assert not set(plots._rows.xaxis[0].major_label_overrides.values()) & set(FIXED)
    assert np.nanmax(plots._cells.data["image"][0]) == 1.0
    html = found_html(look, watches_of(Session(HELD).system, Session(HELD).solution())["run:drift"], "dt")
    assert "at the start of its motion" in html


def test_the_form_asks_of_motions_and_hears_nothing_else() -> None:
    session = Session(HELD)
    session.playing = False
    form = QuestionForm(session)
    assert not form._rows["dt"].visible
    form._vary("dt", True)
    form._set_far("dt", 5.0)
    form._set_duration(2.0)
    form._set_step(1e-4)
    assert session.study == ""
    form._watch("squeeze")
    form._move(True)
    assert (form.asked.find, form.asked.count) == ("end.squeeze", COUNTS_OF_MOTIONS[0])
    assert form._rows["dt"].visible
    assert all(is_of_motion(name) for name in form._watched.options.values())
    form._watch("run:drift")
    form._set_duration(0.123)
    form._set_step(2e-3)
    assert session.study == "q:0.3,duration:0.12,step:2;run:drift;100"
    for nothing in (None, 3e-3, "2 ms", [], math.nan, 0.0):
        form._set_step(nothing)  # type: ignore[arg-type]
        form._set_count(nothing)  # type: ignore[arg-type]
        form._watch(nothing)  # type: ignore[arg-type]
    form._set_count(COUNTS[-1])
    form._watch("agreement")
    assert session.study == "q:0.3,duration:0.12,step:2;run:drift;100"
    form._vary("dt", True)
    form._vary("q", False)
    assert (form._step.visible, form._count.visible) == (False, False)
    assert form.asked.states == 1
    form._move(False)
    assert session.study == f"q:0.3;{form._first.find};1000"
    assert form._count.visible
    words = next(one.words for one in ready_of(session.system) if one.asked.find == "run:drift")
    form._choose(words)
    assert form._menu.value == words
    assert session.study == "dt:10,duration:1,step:1;run:drift;100"
    session.study = "dt:10,duration:1e9,step:1;run:drift;100"
    form.follow()
    assert session.study == ""


@pytest.mark.slow
def test_the_instrument_tells_of_motions_and_opens_one(run_async: Callable[[Coroutine[Any, Any, None]], None]) -> None:
    session, made = instrument(FREE)
    session.study = "dt:10,method:3,duration:0.2,step:1;run:unexplained_energy;100"

    async def live() -> None:
        made.start(estimate=True)
        await until(session, made, lambda: not made.course.busy)
        assert re.search(r"21 motions: about .* kB\.", plain(made._told.object))
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


def test_compiling_is_said_while_it_lasts() -> None:
    told: list[str] = []
    with install_listener("numba:compile", Compiler(lambda kind, _: told.append(kind))):
        dyn.forward_dynamics_batch(dyn.single_arm(dyn.planar_chain(2)), np.zeros((3, 2)))  # it is kept
        assert told == []
        for call in (lambda x: x + 1, lambda x: x + 2):
            numba.njit(call)(1)
    assert told == ["compiling"]
    session, made = instrument(FREE)
    course = made.course
    course._child = cast(Any, object())  # at work
    made._asked, made._size = made.form.asked, 21
    made.draw()
    assert "Getting ready" in made._told.object
    for word, says in ((("compiling", None), COMPILING), (("estimate", 3.0), "0 of")):
        course._told.append(word)
        course.attend()
        made.draw()
        assert says in made._told.object
    course._child = None
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


@settings(max_examples=300, deadline=None)
@given(st.lists(PARTS, max_size=3), GOING_ON, FINDS, COUNT_WORDS)
def test_whatever_a_link_says_is_no_question_or_one_within_bounds(
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
