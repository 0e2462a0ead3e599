"""Compare: a moment is copied, computed by other code, and compared as ``dyn.compare`` does."""

import io
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import dynamics as dyn
from app.instruments.compare.compare import LARGEST, TOO_LARGE, Compare, ComparisonSubject, ours_at, own_name
from app.instruments.compare.moment import Question, example_npz, moment_text, ours
from app.instruments.study.process import Course
from app.service.limits import StudyPlaces
from app.state import Session
from app.state.walk import halves
from dynamics.comparison import ComparedStage
from dynamics.system import Contact
from dynamics.system.assembly import with_contacts
from tests.app.arrival import arrival, paused

pytestmark = pytest.mark.compiled_only
MINUTE = 300.0
HELD = ("two_arms_and_box", "jazidie_2")
"""Rigidly by both arms; rigidly by one, and by a point with friction."""
PRESETS = ("puma560", "free_flyer", "two_arm_flyer", "planar_chain", *HELD)


def instrument(name: str, time: float = 0.3) -> tuple[Session, Compare, list[str]]:
    session, opened = paused(name, time), list[str]()
    made = Compare(session, lambda: opened.append("walk"))
    made.paint("light")
    made.course = Course(session.jobs, StudyPlaces(1, MINUTE))
    made.draw()
    return session, made, opened


def plain(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", text))


def packed(arrays: Any) -> bytes:
    into = io.BytesIO()
    np.savez(into, **arrays)
    return into.getvalue()


def test_a_copied_moment_says_all_that_other_code_needs() -> None:
    """Ours is computed again from the text alone, which Python runs here, and from the robots."""
    for name in PRESETS:
        session, made, _ = instrument(name)
        shown, said = session.solution(), dict[str, Any]()
        session.playing = True
        exec(made._moment(), said)
        assert not session.playing, "a moment that is copied is held"
        assert said["joints"] == list(shown.system.joint_names)
        keys = ("base_pose", "base_velocity", "object_pose", "object_velocity")
        system = holding(shown.system.robots, said) if name in HELD else shown.system
        state = system.state(q=said["q"], qd=said["qd"], **{key: said[key] for key in keys if key in said})
        again = dyn.forward_dynamics(system, state, said["tau"], external_forces=session.run.wrench_at(session.time))
        np.testing.assert_array_equal(again.packed_acceleration, shown.packed_acceleration, err_msg=name)
        assert system.is_held == (name in HELD)
        np.testing.assert_array_equal(said["gravity"], shown.system.gravity)
        assert ("base_pose" in said) == shown.system.is_floating
        session.jobs.stop()
    system, state = dyn.example("two_arms_and_box")
    wrench = np.vstack([np.zeros((system.n_links, 6)), np.arange(6.0)])
    exec(moment_text(dyn.forward_dynamics(system, state, external_forces=wrench), wrench, 0.0), said)
    np.testing.assert_array_equal(said["object_push"], wrench[-1])


def holding(robots: Sequence[dyn.Robot], said: dict[str, Any]) -> dyn.System:
    """Arms that hold an object as a text says."""
    payload = dyn.TaskObject(said["object_mass"], said["object_inertia"])
    system = dyn.multi_arm(robots, said["bases"], payload, said["gravity"])
    tips = {tip.link: at for at, tip in enumerate(system.tips)}
    names = ("holding", "selections", "contact_on_link", "contact_on_object")
    grips = [
        Contact(tips[k], int(system.arm_of_link[k]), k, "selection", rows, *frames, np.ones(len(rows), bool))
        for k, rows, *frames in zip(*(said[name] for name in names), strict=True)
    ]
    return with_contacts(system, grips)


def test_a_robot_s_name_is_a_comment_and_no_line_of_python() -> None:
    robot = replace(dyn.planar_chain(2), name="x\nraise RuntimeError('run')")
    system = dyn.single_arm(robot)
    said = dict[str, Any]()
    exec(moment_text(dyn.forward_dynamics(system, system.home()), None, 0.0), said)
    assert said["joints"] == list(system.joint_names)


def test_our_own_example_agrees() -> None:
    for name in ["puma560", "free_flyer", *HELD]:
        session, made, _ = instrument(name)
        shown = session.solution()
        text, wrench = example_npz(shown).getvalue(), session.run.wrench_at(session.time)
        told: dict[str, Any] = {}
        Question(shown.system, shown.state, shown.tau, wrench, "mine.npz", text).answer(told.__setitem__)
        found = told["answer"]
        assert found.agrees
        made._asked, made.course.answer = ComparisonSubject(shown, session.setup, session.time, "mine.npz"), found
        made.draw()
        words = plain(made._sheet.html)
        assert "It agrees with ours everywhere" in words
        if np.any(shown.system.gravity):  # else nothing tells how it would be written
            assert "Rodriguez, Jain and Kreutz" in words
        assert all(array in words for array in ours(shown))
        session.jobs.stop()


async def test_a_fault_is_named_and_its_place_opened() -> None:
    session, made, opened = instrument("puma560", 0.5)
    shown = session.solution()
    broken = ["inward_filter.prediction.z~P-a~negate"]
    reading = dyn.read_textbook(shown.system, shown.state, shown.tau, session.run.wrench_at(session.time), broken)
    expected = dyn.compare(shown.system, shown.state, ours(reading.solution), shown.tau)
    made.take(packed(ours(reading.solution)), "mine.NPZ")
    await arrival(session, lambda: not made.course.busy, made.draw, MINUTE)
    found = made.course.answer
    assert not found.agrees
    assert (found.first, found.first_link) == (expected.first, expected.first_link)
    assert [cause.key for cause in found.causes] == [cause.key for cause in expected.causes]
    assert found.difference_in_words[0] in plain(made._sheet.html)
    stage = found.stages[found.first]
    theirs = np.asarray(shown.stages[stage.stage][stage.quantity])[found.first_link]
    np.testing.assert_array_equal(ours_at(found, shown), theirs)
    session.seek(0.1)
    assert led_by(made, f"stage {found.first}", stage) is not None
    assert (opened, session.time) == (["walk"], 0.5)
    assert (session.place.stage, session.place.link) == (stage.stage, found.first_link)
    for nothing in ("stage 99", "stage -1", "stage x", "", "other"):
        made._go(nothing)
    assert opened == ["walk"]
    session.open_preset("planar_chain")
    made.draw()
    assert made._sheet.html == ""
    session.jobs.stop()


def led_by(made: Compare, where: str, row: ComparedStage) -> str | None:
    """Clicks on a row: a quantity that the text computes is among the lines of the step that one comes to."""
    session, quantity = made._session, own_name(row)
    made._go(where)
    here, reading = session.place, session.reading()
    computed = [
        {line.quantity_name for line in reading.lines(here.stage, here.link, half)}
        for half in halves(session.system_here, here.stage, here.link)
    ]
    if here.stage != row.stage or not any(quantity in names for names in computed):
        return None
    assert quantity in {line.quantity_name for line in reading.lines(here.stage, here.link, here.half)}, row
    return quantity


HOSTILE: dict[str, tuple[Callable[[], bytes], str, str]] = {
    "objects": (lambda: packed({"P": np.array([{"a": print}], dtype=object)}), "a.npz", "cannot be read"),
    "an unknown name": (lambda: b"nobody,1", "a.csv", "nobody"),
    "another machine": (lambda: packed({"P": np.zeros((3, 6, 6))}), "a.npz", "P"),
    "another ending": (lambda: b"1", "<img src=x>.exe", "expected a file that ends in .npz"),
}


def test_what_cannot_be_compared_is_refused_in_words_and_a_name_is_no_markup() -> None:
    session, made, _ = instrument("puma560", 0.0)
    shown = session.solution()
    for name, (make, file, said) in HOSTILE.items():
        with pytest.raises(dyn.StateError) as refusal:
            Question(shown.system, shown.state, shown.tau, None, file, make()).answer(lambda *_: None)
        assert said in str(refusal.value), name
    made._asked = ComparisonSubject(shown, session.setup, session.time, "a.npz")
    made.course.words = "<img src=x>"
    made.draw()
    assert "<img" not in made._progress_line.object
    made.take(bytes(LARGEST + 1), "a.npz")
    assert TOO_LARGE in made._progress_line.object
    assert not made.course.busy
    session.jobs.stop()
