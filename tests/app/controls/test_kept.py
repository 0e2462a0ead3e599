"""Kept runs: their names, their list, how many there is room for, and how far two of them are apart."""

import asyncio
import csv
import dataclasses
import io
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

import dynamics as dyn
from app.clock import Worker
from app.controls.kept_runs import KeptRuns
from app.controls.run_comparison import STRANGERS, difference, instants_of
from app.motion.interventions import ObjectRelease
from app.motion.run import Run
from app.state import Session, kept_run
from app.state.kept_run import KeptRun, size_of, why_not_kept
from tests.app.arrival import computed, plain


def test_their_recordings_take_no_more_than_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    setup = plain("two_arms_and_box")
    run = setup.run()
    begun = size_of(run)
    computed(run, 2.0)
    arrays = [getattr(part, name) for leg in run.legs for part in leg.recording.segments
              for name in ("times", "x", "v", "acceleration", "tau", "drift", "wrench")]  # fmt: skip
    held = sum(array.nbytes for array in arrays)
    assert size_of(run) == pytest.approx(held * run.duration / run.end, rel=0.01)  # as much as all of it will take
    assert size_of(run) <= begun <= 3 * size_of(run)  # before anything is known, no less than later
    kept = (KeptRun(run, "", "A", setup=setup),)
    monkeypatch.setattr(kept_run, "MOST_BYTES", round(1.5 * size_of(run)))
    assert "room" in why_not_kept(kept, setup.run())
    assert not why_not_kept(kept, run)  # the same one takes nothing more
    assert not why_not_kept((), setup.run())  # one is always kept


def run_of(preset: str, until: float, **fields: object) -> Run:
    return computed(dataclasses.replace(plain(preset), **fields).run(), until)


def states(run: Run, instants: np.ndarray) -> list[dyn.State]:
    return [run.solution_at(time).state for time in instants]


def test_two_runs_are_apart_as_far_as_their_states() -> None:
    one = run_of("puma560", 1.0)
    second = one.actuation.system.joint_names[1]
    other = run_of("puma560", 0.5, torques=MappingProxyType({second: 7.0}))
    found = difference(one, other)
    assert found.seconds == pytest.approx(0.5)  # no longer than both are known
    instants = instants_of(0.5)
    pairs = list(zip(states(one, instants), states(other, instants), strict=True))
    angles = np.array([np.abs(a.q - b.q).max() for a, b in pairs])
    assert angles.max() > 1e-3
    tip, joints = found.parts["tip"], found.parts["joints"]
    assert (list(found.parts), tip.unit, joints.unit) == (["tip", "joints"], "m", "rad")
    assert joints.largest == pytest.approx(angles.max(), rel=1e-9)
    assert joints.rms == pytest.approx(np.sqrt(np.mean(angles**2)), rel=1e-9)
    assert joints.at == pytest.approx(instants[angles.argmax()])
    system = one.actuation.system
    tips = [[dyn.forward_kinematics(system, each).tip_pose[0, :3, 3] for each in pair] for pair in pairs]
    assert tip.largest == pytest.approx(max(np.linalg.norm(a - b) for a, b in tips), rel=1e-9)
    assert difference(other, one).parts == found.parts


def test_a_run_is_not_apart_from_itself_and_a_released_box_is() -> None:
    one = run_of("two_arms_and_box", 0.5)
    same = difference(one, one).parts
    assert {what: far.largest for what, far in same.items()} == {"tips": 0.0, "joints": 0.0, "object": 0.0}
    let_go = difference(one, run_of("two_arms_and_box", 0.5, interventions=(ObjectRelease(0.25),))).parts["object"]
    assert let_go.at == pytest.approx(0.5)
    assert let_go.largest == pytest.approx(0.5 * 9.81 * 0.25**2, rel=0.5)


def test_of_other_machines_only_what_they_share_is_compared() -> None:
    boxes = difference(run_of("two_arms_and_box", 0.25), run_of("four_arms_and_box", 0.25))
    assert (list(boxes.parts), boxes.words) == (["object"], "")
    strangers = difference(run_of("puma560", 0.25), run_of("panda", 0.25))
    assert (strangers.words, strangers.parts) == (STRANGERS, {})
    assert difference(run_of("puma560", 0.0), run_of("puma560", 0.25)).words


MARKUP = "<img src=x onerror=alert(1)>"


def rows(view: KeptRuns) -> list[dict[str, Any]]:
    view.draw()
    found: list[dict[str, Any]] = view._list.rows
    return found


async def test_the_list_follows_and_acts() -> None:
    session = Session("planar_chain")
    view = KeptRuns(session)
    assert view._list.rows == []
    view._list._handle_msg({"do": "keep"})
    view._list._handle_msg({"do": "keep"})  # once more: it is kept already
    (row,) = view._list.rows
    assert (row["letter"], row["present"], row["far"]) == ("A", True, [])
    view._list._handle_msg({"do": "name", "letter": "A", "value": MARKUP})
    assert session.kept[0].title == view._list.rows[0]["name"] == MARKUP  # text, wherever it is shown
    session.set_mass(2.0 * session.mass)
    assert not view._list.rows[0]["present"]
    view._list._handle_msg({"do": "shown", "letter": "A", "value": False})
    assert not session.ghosts
    view._list._handle_msg({"do": "open", "letter": "A"})
    assert session.run is session.kept[0].run
    view._list._handle_msg({"do": "drop", "letter": "A"})
    assert view._list.rows == []
    session.jobs.stop()


async def test_each_shown_run_is_compared_beside_the_page() -> None:
    session = Session("planar_chain")
    session.keep()
    session.set_mass(2.0 * session.mass)
    session.keep()
    session.set_mass(2.0 * session.mass)
    session.change_kept("B", shown=False)
    view, worker = KeptRuns(session), Worker(session)
    copied: list[str] = []
    view._list.copy = copied.append  # type: ignore[method-assign]
    while not all(run.complete for run in (session.run, *(each.run for each in session.kept))):
        worker.attend()
        await asyncio.sleep(0.0)
        session.jobs.attend()
    expected = difference(session.run, session.kept[0].run)
    while view._comparing.known(session.kept[0].run) != expected:
        rows(view)
        await asyncio.sleep(0.0)
        session.jobs.attend()
    first, second = rows(view)
    assert [each["of"] for each in first["far"]] == ["tip", "joints"]
    assert expected.parts["tip"].largest > 0.01
    assert second["far"] == []
    view._list._handle_msg({"do": "copy"})
    head, *lines = csv.reader(io.StringIO(copied[0]))
    assert head[4:6] == ["largest", "RMS"]
    assert [(line[0], line[2], float(line[4])) for line in lines] == [
        ("A", what, far.largest) for what, far in expected.parts.items()
    ]
    session.jobs.stop()
