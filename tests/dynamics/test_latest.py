"""What is kept for the latest system and state: never another's answer, and no system is kept alive."""

from __future__ import annotations

import gc
from weakref import ref

import numpy as np

import dynamics as dyn
from dynamics.latest import kept_for_the_latest
from dynamics.posture.reach import reach
from dynamics.record import Record
from dynamics.system.plain_kinematics import plain_kinematics


def test_the_same_moment_is_computed_once_and_any_other_anew() -> None:
    system, state = dyn.example("two_arms_and_box")
    others = (
        (system, system.state(state.q, 2.0 * state.qd, object_pose=state.object_pose)),
        (dyn.with_parts(system, gravity=(0.0, 0.0, 0.0)), state),
        (system, system.state(state.q.copy(), state.qd.copy(), object_pose=state.object_pose)),
    )
    for function in (plain_kinematics, reach):
        found = function(system, state)
        assert function(system, state) is found
        assert isinstance(found, Record)
        for other in others:
            again = function(*other)
            assert again is not found
            assert function(*other) is again
        assert function(system, state) is not found  # another was asked for meanwhile


def test_the_answer_is_that_of_each_of_two_states_asked_for_in_turn() -> None:
    rng = np.random.default_rng(5)
    system, _ = dyn.example("planar_chain")
    states = [system.state(rng.normal(size=system.n_joints), rng.normal(size=system.n_joints)) for _ in range(2)]
    alone = [plain_kinematics.__wrapped__(system, state).pose for state in states]  # type: ignore[attr-defined]
    for _ in range(3):
        for state, expected in zip(states, alone, strict=True):
            np.testing.assert_array_equal(plain_kinematics(system, state).pose, expected)


def test_a_caller_may_write_in_poses_of_the_public_functions() -> None:
    system, state = dyn.example("planar_chain")
    expected = dyn.link_poses(system, state).copy(), dyn.tip_poses(system, state).copy()
    dyn.link_poses(system, state)[:] = 0.0
    dyn.tip_poses(system, state)[:] = 0.0
    np.testing.assert_array_equal(dyn.link_poses(system, state), expected[0])
    np.testing.assert_array_equal(dyn.tip_poses(system, state), expected[1])


def test_neither_system_nor_state_is_kept_alive() -> None:
    class Found(Record):
        pass

    class Part:
        pass

    @kept_for_the_latest
    def answer(system: Part, state: Part) -> Found:
        del system, state
        return Found()

    system, state = Part(), Part()
    first = answer(system, state)
    assert answer(system, state) is first
    gone = ref(system), ref(state)
    del system, state
    gc.collect()
    assert [each() for each in gone] == [None, None]
    assert answer(Part(), Part()) is not first
