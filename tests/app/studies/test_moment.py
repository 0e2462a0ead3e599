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
from app.studies.watched import is_of_motion, value_at, watches_of
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


@pytest.mark.slow
@pytest.mark.parametrize("name", PRESETS)
def test_the_page_finds_what_the_study_reports(name: str) -> None:
    """Of every ready question, and of all that varies at once."""
    session = Session(name)
    system = session.system
    everything = {kind: KINDS[kind].far if kind != "q" else 0.2 for kind in kinds_of(system) if kind not in LISTED}
    base = f"filter.joint_inertia:{system.joint_names[-1]}"
    questions = [one.asked for one in ready_of(system) if one.asked.motion is None]
    questions += [Asked(everything, find, 1000) for find in (base, "smoother.acceleration")]
    known = watches_of(system, session.solution())
    rounded = [find for find in ("residual", "contact.omega:condition") if find in known]
    questions += [Asked({"tau": 10.0}, find, 1000) for find in rounded]
    for asked in questions:
        session, study = asked_of(name, asked, 64 if set(asked.over) <= {"q", "tau"} and asked.find not in SLOW else 3)
        found = study.found[asked.find]
        for row, value in (found.largest[0], found.smallest[0]):
            here = value_at(opened(session, study, asked.find, row), asked.find)
            watch = watches_of(session.system, session.solution())[asked.find]
            told = opened_html(row, value, here, watch)
            if watch.sound[0] <= value <= watch.sound[1]:
                assert number_text(here) == number_text(value), asked
                assert ROUNDING not in told
            else:  # of a posture closed once more
                assert here < 100.0 * value + 1e-12
                assert ROUNDING in told
            session = Session(name)


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


@pytest.mark.parametrize("name", PRESETS)
def test_a_link_says_a_question_and_nothing_else(name: str) -> None:
    session = Session(name)
    kinds, watches = kinds_of(session.system), watches_of(session.system, session.solution())
    for ready in ready_of(session.system):
        asked = ready.asked
        assert read(asked.text, watches, kinds) == asked
        session.study = asked.text
        again = Session("planar_chain")
        restore(again, query_of(session))
        assert again.study == asked.text
    for text in ("", ";;", "q:nan;agreement;1000", "q:1;agreement;999", "q:1;<b>;1000", "q:1e9;agreement;1000",
                 "nothing:1;agreement;1000", ";agreement;1000", "q:1,;agreement;1000", "q;agreement;1000"):  # fmt: skip
        assert read(text, watches, kinds) is None


def test_a_link_leaves_out_what_no_link_says() -> None:
    """A joint of somebody's own file may be called anything: the page still writes links that it takes."""
    session = Session("planar_chain")
    session.study = "tau:1;filter.joint_inertia:a&b;1000"
    assert "study" not in query_of(session)
    restore(Session("puma560"), query_of(session))


def test_links_without_mass_have_none_to_vary() -> None:
    bodies = "".join(f"<link name='l{k}'/>" for k in range(2))
    tensor = "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/>"
    heavy = f"<link name='l2'><inertial><mass value='1'/>{tensor}</inertial></link>"
    joints = "".join(
        f"<joint name='j{k}' type='revolute'><parent link='l{k}'/><child link='l{k + 1}'/><axis xyz='{k} 0 1'/>"
        "<limit lower='-1' upper='1' effort='1' velocity='1'/></joint>"
        for k in range(2)
    )
    system = dyn.single_arm(dyn.load_urdf_text(f"<robot name='r'>{bodies}{heavy}{joints}</robot>"))
    assert "mass" not in kinds_of(system)
    assert all("mass" not in ready.asked.over for ready in ready_of(system))


@pytest.mark.slow
def test_every_number_that_is_offered_can_be_watched() -> None:
    for name in PRESETS:
        session = Session(name)
        system, state = start_of(session.run)
        for find in watches_of(system, session.solution()):
            duration = 0.01 if is_of_motion(find) else None
            found = dyn.study(system, {"tau": (-1.0, 1.0)}, find, 2, state=state, duration=duration).found[find]
            assert np.isfinite(found.mean)


def test_what_cannot_vary_here_is_not_offered() -> None:
    assert "object_mass" not in kinds_of(Session("puma560").system)
    held, holding = dyn.example("two_arms_and_box")
    assert "q" in kinds_of(held)
    soft = dyn.grasp(dyn.release(held), holding, ["point", "soft_finger"])
    assert "q" not in kinds_of(soft)  # where the object turns in a hand, a posture alone does not say how it lies
    system, state = start_of(Session("puma560").run)
    with pytest.raises(ERRORS, match="nothing varies"):
        ranges(Asked({}, "agreement", COUNTS[0]), system, state)
