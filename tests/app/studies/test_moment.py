"""A state of a study, opened on the page: the same machine, and the same number to every digit that is shown."""

from __future__ import annotations

import numpy as np
import pytest

import dynamics as dyn
from app.motion.errors import ERRORS
from app.number_text import number_text
from app.state import Session
from app.state.address import query_of, restore
from app.studies.asked import COUNTS, KINDS, LISTED, Asked, kinds_of, ranges, read, start_of
from app.studies.moment import found_of, place_of
from app.studies.ready import ready_of
from app.studies.watched import value_at, watches_of
from app.studies.words import ROUNDING, opened_html

PRESETS = ("puma560", "two_arms_and_box", "free_flyer", "two_arm_flyer")
SLOW = ("agreement", "rho", "residual")


def asked_of(name: str, asked: Asked, count: int) -> tuple[Session, dyn.Study]:
    session = Session(name)
    system, state = start_of(session.run)
    return session, dyn.study(system, ranges(asked, system, state), asked.find, count, state=state)


def opened(session: Session, study: dyn.Study, find: str, row: int) -> dyn.Solution:
    """What the page shows of a row, read again from the link that it then has."""
    watch = watches_of(session.system, session.solution())[find]
    found, _ = found_of(session.setup, study.moment(row), find, watch, "Study")
    found.show(session)
    again = Session("planar_chain")
    restore(again, query_of(session))
    assert not again.message
    assert (again.tab, again.beside, again.place) == (session.tab, session.beside, session.place)
    assert not again.playing
    return again.run.solution_at(0.0)


def test_the_page_finds_what_the_study_reports(subtests: pytest.Subtests) -> None:
    """For every second ready question of each machine, and for all that varies at once."""
    for number, name in enumerate(PRESETS):
        session = Session(name)
        system = session.system
        everything = {kind: KINDS[kind].far if kind != "q" else 0.2 for kind in kinds_of(system) if kind not in LISTED}
        base = f"filter.joint_inertia:{system.joint_names[-1]}"
        questions = [one.asked for one in ready_of(system) if one.asked.motion is None]
        questions += [Asked(everything, find, 1000) for find in (base, "smoother.acceleration")]
        known = watches_of(system, session.solution())
        rounded = [find for find in ("residual", "contact.omega:condition") if find in known]
        questions += [Asked({"tau": 10.0}, find, 1000) for find in rounded]
        for asked in questions[number % 2 :: 2]:
            with subtests.test(name=name, asked=asked.text):
                session, study = asked_of(
                    name, asked, 64 if set(asked.over) <= {"q", "tau"} and asked.find not in SLOW else 3
                )
                found = study.found[asked.find]
                row, value = found.largest[0] if number < 2 else found.smallest[0]
                here = value_at(opened(session, study, asked.find, row), asked.find)
                watch = watches_of(session.system, session.solution())[asked.find]
                words = opened_html(row, value, here, watch)
                if watch.sound[0] <= value <= watch.sound[1]:
                    assert number_text(here) == number_text(value)
                    assert ROUNDING not in words
                else:  # of a posture closed once more
                    assert here < 100.0 * value + 1e-12
                    assert ROUNDING in words


def test_torques_are_those_that_motors_give() -> None:
    """What a run would hold back makes no state of a study: the page could not show it."""
    system = Session("talos").system
    weakest = min(range(system.n_joints), key=lambda joint: system.joint_models[joint].effort)
    far = 2.0 * system.joint_models[weakest].effort
    session, study = asked_of("talos", Asked({"tau": far}, "smoother.joint_acceleration", 1000), 16)
    find = "smoother.joint_acceleration"
    row, value = study.found[find].largest[0]
    assert number_text(value_at(opened(session, study, find, row), find)) == number_text(value)
    joint = f"tau:{system.joint_names[weakest]}"
    assert np.abs(study.column(joint)).max() <= 0.5 * far


def test_the_walk_stands_where_what_is_watched_is_largest() -> None:
    session = Session("puma560")
    watches = watches_of(session.system, session.solution())
    solution = session.solution()
    z = np.abs(solution.stages["filter"]["predicted_force"]).max(axis=1)
    find = "filter.predicted_force"
    place = place_of(solution, find, watches[find])
    assert place is not None
    assert (place.stage, place.link, place.half) == ("filter", int(z.argmax()), 0)
    find = f"filter.joint_inertia:{session.system.joint_names[2]}"
    place = place_of(solution, find, watches[find])
    assert place is not None
    assert (place.stage, place.link, place.half) == ("filter", 2, 1)
    assert place_of(solution, "agreement", watches["agreement"]) is None


def test_a_link_says_a_question_and_nothing_else() -> None:
    for name in PRESETS:
        session = Session(name)
        kinds, watches = kinds_of(session.system), watches_of(session.system, session.solution())
        for ready in ready_of(session.system):
            asked = ready.asked
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


def test_a_link_leaves_out_what_no_link_says() -> None:
    """A joint of an uploaded file may have any name: the page still writes links that it can read."""
    session = Session("planar_chain")
    session.study = "tau:1;filter.joint_inertia:a&b;1000"
    assert "study" not in query_of(session)
    restore(Session("puma560"), query_of(session))


def test_what_cannot_vary_here_is_not_offered() -> None:
    assert "object_mass" not in kinds_of(Session("puma560").system)
    held, holding = dyn.example("two_arms_and_box")
    assert "q" in kinds_of(held)
    soft = dyn.grasp(dyn.release(held), holding, ["point", "soft_finger"])
    assert "q" not in kinds_of(soft)  # where the object turns in a hand, a posture alone does not say how it lies
    system, state = start_of(Session("puma560").run)
    with pytest.raises(ERRORS, match="nothing varies"):
        ranges(Asked({}, "agreement", COUNTS[0]), system, state)
