"""*Study*: a process of its own answers, tells how far it is, and ends when it should."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

import dynamics as dyn
from app.number_text import number_text
from app.service.studies import StudyPlaces
from app.state import Session
from app.studies import course, process
from app.studies.asked import COUNTS, KINDS, ranges, start_of
from app.studies.behind import LAST, LOADING, stand_behind
from app.studies.course import FULL, LOST, Course
from app.studies.look import Look
from app.studies.plots import plain as plain_title
from app.studies.process import MOST_DRAWN, SEED, Question, answer
from app.studies.study import START, STOP, StudyInstrument

pytestmark = pytest.mark.compiled_only
Run = Callable[[Coroutine[Any, Any, None]], None]
MINUTE = 60.0


def instrument(name: str, places: StudyPlaces | None = None) -> tuple[Session, StudyInstrument]:
    session = Session(name)
    session.playing = False
    made = StudyInstrument(session)
    made.paint("light")
    if places is not None:
        made.course = Course(session.jobs, places)
    made.draw()
    return session, made


async def until(session: Session, made: StudyInstrument, holds: Callable[[], bool]) -> None:
    for _ in range(int(MINUTE / 0.01)):
        session.jobs.attend()
        made.draw()
        if holds():
            return
        await asyncio.sleep(0.01)
    raise TimeoutError(made._told.object)


def plain(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", text))


@pytest.mark.slow
def test_it_estimates_answers_opens_a_state_and_stops(run_async: Run) -> None:
    session, made = instrument("puma560", StudyPlaces(1, MINUTE))

    async def live() -> None:
        made.form._set_count(10_000)
        made.start(estimate=True)
        assert made._buttons[START].label == STOP
        await until(session, made, lambda: not made.course.busy)
        assert re.search(r"10,000 states: about .* 80 kB\.", plain(made._told.object))
        assert made.course.look is None
        made.start()
        await until(session, made, lambda: not made.course.busy)
        look, asked = made.course.look, made.form.asked
        assert look is not None
        system, state = start_of(session.run)
        ought = dyn.study(system, ranges(asked, system, state), asked.find, 10_000, state=state, seed=SEED)
        for name in ("count", "mean", "variance", "largest", "smallest", "buckets"):
            assert getattr(look.found, name) == getattr(ought.found[asked.find], name), name
        assert look.study.fingerprint == ought.fingerprint
        assert len(look.steps) > 1
        assert "10,000 states." in plain(made._told.object)
        row, value = look.found.smallest[0]
        made._go(f"row {row}")
        await until(session, made, lambda: made._value is not None)
        told = plain(made._here.html)
        assert told.count(f"{number_text(value)} kg m²") == 2, told
        assert session.beside == "Study"
        assert (session.place.stage, session.place.link) == ("filter", system.n_joints - 1)
        assert session.can_undo
        session.undo()
        made.draw()
        assert made._here.html == ""
        for nothing in ("row 10000", "row -1", "row x", "against nothing", "other", "row 1e3"):
            made._go(nothing)
        made.form._set_count(COUNTS[-1])
        made.start()
        child = made.course._child
        assert child is not None
        await until(session, made, lambda: made.course.done > 0)
        assert re.search(r"of 1,000,000 states, about .* left", plain(made._told.object))
        made.start_or_stop()
        assert child.wait(MINUTE) != 0
        assert plain(made._told.object).strip().startswith("Stopped.")

    run_async(live())
    session.jobs.stop()


def test_another_machine_forgets_and_is_asked_other_things() -> None:
    session, made = instrument("puma560")
    assert not made.form._rows["object_mass"].visible
    session.open_preset("two_arms_and_box")
    made.draw()
    assert made.form._rows["object_mass"].visible
    assert any("squeeze" in words for words in made.form._menu.options)
    assert made.form.asked.find in made.form.watches


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
    assert list(made.form.asked.over) == ["gravity"]
    assert session.whispered == "Something has to vary."
    session.study = "tau:2;squeeze;10000"
    assert (dict(made.form.asked.over), made.form.asked.count) == ({"tau": 2.0}, 10_000)
    assert made.form._fields["tau"]._text() == "2"
    session.study = "nonsense"
    assert session.study == ""
    assert list(made.form.asked.over) == ["q"]


def question(count: int = 1000) -> Question:
    system, state = start_of(Session("puma560").run)
    return Question(system, state, {"tau": (-1.0, 1.0)}, "joint_acceleration", count, False)


@pytest.mark.slow
def test_a_study_is_bounded_in_number_and_time_and_ends_with_its_session(
    run_async: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With processes that never answer."""
    begun: list[subprocess.Popen[bytes]] = []

    def idle(_: int | None) -> subprocess.Popen[bytes]:
        begun.append(subprocess.Popen(["sleep", "60"], stdin=subprocess.PIPE, stdout=subprocess.PIPE))
        return begun[-1]

    monkeypatch.setattr(course, "_begun", idle)

    async def live() -> None:
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

    run_async(live())


def test_what_is_refused_says_why() -> None:
    asked = question()
    wrong = Question(asked.system, asked.state, {"object_mass": (1.0, 2.0)}, asked.find, 10, False)
    with pytest.raises(dyn.ModelError, match="object_mass"):
        answer(wrong, lambda kind, what: None)


def test_what_is_too_much_to_be_looked_at_is_refused() -> None:
    asked = question(MOST_DRAWN)
    told: list[str] = []
    with pytest.raises(dyn.ModelError, match="numbers vary"):
        answer(asked, lambda kind, _: told.append(kind))
    assert told == []


@pytest.mark.slow
def test_a_state_that_is_being_opened_brings_no_machine_back(run_async: Run) -> None:
    async def live() -> None:
        session, made = instrument("planar_chain")
        made.start()
        while made.course.look is None or made.course.busy:
            await asyncio.sleep(0.05)
            session.jobs.attend()
        made._open(3)
        session.open_preset("puma560")
        while session.jobs.running:
            await asyncio.wait(session.jobs.running)
            session.jobs.attend()
        assert session.preset.name == "puma560"
        session.jobs.stop()

    run_async(live())


def test_no_name_is_a_formula() -> None:
    for words in ("D of a $$x$$", r"D of \(x\)", r"D of \[x\]"):
        assert not any(sign in plain_title(words) for sign in ("$$", r"\(", r"\["))
    assert plain_title("D of joint_1") == "D of joint_1"


def test_looks_come_while_it_is_under_way_as_often_as_a_page_should_draw_them(monkeypatch: pytest.MonkeyPatch) -> None:
    def looks(every: float) -> list[Look]:
        told: list[tuple[str, Any]] = []
        monkeypatch.setattr(process, "LOOKED_EVERY", every)
        answer(question(40_000), lambda *word: told.append(word))
        assert told[0][0] == "estimate"
        assert {kind for kind, _ in told} == {"estimate", "progress", "look"}
        return [what for kind, what in told if kind == "look"]

    each, few = looks(0.0), looks(MINUTE)
    assert len(each) > 3
    assert [look.study.size for look in few] == [each[0].study.size, 40_000]
    assert few[-1].steps == each[-1].steps  # how it settles loses nothing
    assert [len(look.steps) for look in each] == list(range(1, len(each) + 1))


def test_each_kind_of_question_is_bounded() -> None:
    for kind in KINDS.values():
        assert kind.least <= kind.far <= kind.most


def _share_of_session(pid: int) -> int | None:
    """The rank of a process's session; none where the system shares nothing among sessions (an empty file, or none)."""
    share = Path(f"/proc/{pid}/autogroup")
    words = share.read_text().split() if share.exists() else []
    return int(words[-1]) if words else None


def test_it_stands_behind_a_browser_of_the_same_machine_before_it_loads_anything() -> None:
    """The last rank counts within a session only, where Linux shares processors among sessions."""
    for rank in (LAST, LOADING, None):
        child = course._begun(rank)
        try:
            assert (os.getsid(child.pid) == child.pid) is (rank is not None)
            assert os.getpriority(os.PRIO_PROCESS, child.pid) == (rank or os.getpriority(os.PRIO_PROCESS, 0))
            if (share := _share_of_session(child.pid)) is not None:
                assert share in (rank, None) or rank is None
            policy = getattr(os, "SCHED_IDLE", None)
            assert policy is None or (os.sched_getscheduler(child.pid) == policy) is (rank == LAST)
        finally:
            course._end(child)


@pytest.mark.slow
@pytest.mark.parametrize("goes_on", [True, False])
def test_one_that_gets_nowhere_behind_all_others_is_begun_again(
    goes_on: bool, run_async: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a machine that is never idle; or it is cancelled while the other one begins."""
    begun: list[tuple[int | None, subprocess.Popen[bytes]]] = []
    begin = course._begun

    async def live() -> None:
        made = Course(Session("puma560").jobs, StudyPlaces(1, MINUTE))

        def counted(rank: int | None) -> subprocess.Popen[bytes]:
            begun.append((rank, begin(rank)))
            if rank == LOADING and not goes_on:
                made.cancel()
            return begun[-1][1]

        monkeypatch.setattr(course, "LOADED_WITHIN", 0.0)
        monkeypatch.setattr(course, "_begun", counted)
        made.start(question())
        for _ in range(int(MINUTE / 0.01)):
            made.attend()
            if len(begun) == 2 and not made.busy and all(child.returncode is not None for _, child in begun):
                break
            await asyncio.sleep(0.01)
        assert [rank for rank, _ in begun] == [LAST, LOADING]
        assert all(child.returncode is not None for _, child in begun)
        assert (made.look is not None and made.look.study.size == 1000) is goes_on
        assert made.words == ""

    run_async(live())


def test_at_work_it_stands_all_the_way_behind() -> None:
    idle = subprocess.Popen(["sleep", "60"], start_new_session=True)
    try:
        stand_behind(LOADING, idle.pid)
        time.sleep(0.2)  # Linux takes another share of a session's every tenth of a second
        stand_behind(LAST, idle.pid)
        assert os.getpriority(os.PRIO_PROCESS, idle.pid) == LAST
        assert _share_of_session(idle.pid) in (LAST, None)
        policy = getattr(os, "SCHED_IDLE", None)
        assert policy is None or os.sched_getscheduler(idle.pid) == policy
    finally:
        idle.kill()
        idle.wait()
