"""What many pages open is computed once, and is the motion that each would have computed itself."""

from __future__ import annotations

import dataclasses
from types import MappingProxyType

import numpy as np
import pytest

from app.motion import courses
from app.motion.courses import common_run
from app.motion.interventions import Released, Taken
from app.motion.own_file import OwnFile
from app.motion.presets import PRESETS
from app.motion.run import Run
from app.motion.setup import Setup, machine_of_preset


def plain(preset: str) -> Setup:
    return Setup(machine_of_preset(PRESETS[preset]))


def finished(run: Run) -> Run:
    while not run.is_ahead:
        run.accept(run.compute())
    return run


def assert_same(one: Run, other: Run, times: list[float]) -> None:
    assert (one.end, one.failure, one.doubtful, one.events) == (other.end, other.failure, other.doubtful, other.events)
    for time in times:
        ours, alone = one.solution_at(time), other.solution_at(time)
        np.testing.assert_array_equal(ours.joint_acceleration, alone.joint_acceleration)
        np.testing.assert_array_equal(ours.state.q, alone.state.q)
        assert one.lies_at(time) == other.lies_at(time)


@pytest.mark.parametrize("preset", ["stanford", "two_planar_arms", "free_flyer", "planar_chain"])
def test_the_next_one_has_all_of_it_at_once(preset: str) -> None:
    first = finished(common_run(plain(preset)))
    second = common_run(plain(preset))
    assert second.complete
    assert second.compute() is second.compute()
    assert_same(second, finished(plain(preset).run()), [0.0, 0.31, first.end])


@pytest.mark.slow
def test_what_happens_in_it_is_of_it() -> None:
    setup = dataclasses.replace(plain("two_planar_arms"), interventions=(Released(0.3), Taken(0.32)))
    finished(common_run(setup))
    second = common_run(dataclasses.replace(plain("two_planar_arms"), interventions=(Released(0.3), Taken(0.32))))
    assert second.complete
    assert [time for time, _ in second.events][:1] == [pytest.approx(0.3)]
    assert_same(second, finished(setup.run()), [0.2, 0.31, 1.0])


def test_two_that_begin_together_go_each_its_way_until_one_is_whole() -> None:
    one, other = common_run(plain("stanford")), common_run(plain("stanford"))
    other.accept(other.compute())
    assert 0.0 < other.end < other.duration
    finished(one)
    other.accept(other.compute())
    assert other.complete
    assert_same(other, one, [0.1, 5.0])


def test_another_setup_is_another_motion() -> None:
    finished(common_run(plain("planar_chain")))
    setup = dataclasses.replace(plain("planar_chain"), torques=MappingProxyType({"joint_2": 0.25}))
    run = common_run(setup)
    assert run.end == 0.0
    assert_same(finished(run), finished(setup.run()), [0.7])


def test_without_an_end_it_goes_on_from_where_the_whole_one_ends() -> None:
    finished(common_run(plain("iiwa14")))
    run, alone = common_run(plain("iiwa14")), plain("iiwa14").run()
    for each in (run, alone):
        each.endless = True
        each.reach(9.0)
        finished(each)
    assert run.end == pytest.approx(alone.end)
    for time in (3.0, 10.5, 12.9):
        np.testing.assert_allclose(run.solution_at(time).state.q, alone.solution_at(time).state.q, rtol=0, atol=1e-9)
    later = common_run(plain("iiwa14"))
    assert later.end == later.duration == plain("iiwa14").duration


@pytest.mark.slow
def test_what_is_changed_in_it_leaves_it_as_it_was_for_others() -> None:
    setup = plain("two_planar_arms")
    run = finished(common_run(setup))
    branch = finished(run.branch(0.5, [Released(0.5)]))
    assert branch.course is None
    assert not branch.solution_at(0.7).system.is_held
    assert_same(common_run(setup), finished(setup.run()), [0.7])


def test_a_file_of_ones_own_is_nobody_elses() -> None:
    machine = machine_of_preset(PRESETS["planar_chain"])
    own = Setup(dataclasses.replace(machine, file=OwnFile("mine.urdf", "0" * 64)))
    edited = Setup(dataclasses.replace(machine, origin=machine))
    for setup in (own, edited):
        finished(common_run(setup))
        assert common_run(setup).end == 0.0


def test_the_ones_that_nobody_has_opened_for_longest_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(courses, "MOST", 2)
    for preset in ("planar_chain", "stanford", "planar_chain", "iiwa14"):
        finished(common_run(plain(preset)))
    assert [common_run(plain(preset)).complete for preset in ("planar_chain", "iiwa14", "stanford")] == [
        True, True, False,
    ]  # fmt: skip
