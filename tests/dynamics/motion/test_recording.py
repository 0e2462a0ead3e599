"""A recording gives the state and the solution of any instant."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

import dynamics as dyn
from dynamics.methods.forward_dynamics import filter_solutions
from tests.dynamics.textbook.cases import NAMES, case_named

pytestmark = pytest.mark.compiled_only


@pytest.fixture(scope="module")
def recording() -> dyn.Recording:
    """Of arms that let their object go on the way: the columns stay the same."""
    system, state = dyn.example("two_arms_and_box")
    return dyn.simulate(system, state, duration=0.02, events=[dyn.Release(0.01)])


def test_columns_are_the_motion(recording: dyn.Recording) -> None:
    columns, n = recording.columns(), recording.segments[0].system.n_joints
    assert np.array_equal(columns["time"], recording.times)
    assert all(len(column) == len(recording.times) for column in columns.values())
    names = recording.segments[0].system.joint_names
    acceleration = np.concatenate([segment.acceleration for segment in recording.segments])
    for key, expected in (("q/{}", recording.x), ("qd/{}", recording.v), ("qd/{}/rate", acceleration)):
        assert np.array_equal([columns[key.format(name)] for name in names], expected[:, :n].T), key


def test_moments_solved_together_are_those_solved_alone() -> None:
    for name in NAMES:
        case = case_named(name, 3)
        controller = dyn.ConstantTorque(case.tau)
        run = dyn.simulate(case.system, case.state, controller, duration=4e-3, dt=1e-3, external_forces=case.wrench)
        times = [0.002, 0.0, 0.00137, 0.004, 0.0005, 0.002]
        if run.stopped or name == "indeterminate":  # where nothing moves there is nothing between two samples
            times = run.times.tolist()
        found = run.solutions_at(times)
        assert len(found) == len(times)
        for t, together in zip(times, found, strict=True):
            assert_equal_answers(together, run.solution_at(t))
            direct = dyn.forward_dynamics(case.system, run.state_at(t), case.tau, external_forces=case.wrench)
            assert np.abs(together.packed_acceleration - direct.packed_acceleration).max() <= 1e-9 * max(
                1.0, np.abs(direct.packed_acceleration).max()
            )


def assert_equal_answers(found: dyn.Solution, expected: dyn.Solution) -> None:
    """The same to rounding, which differs where products of matrices are taken in another order."""
    assert found.method == expected.method
    assert np.array_equal(found.state.q, expected.state.q)
    assert (found.kinetic_energy, found.potential_energy) == (expected.kinetic_energy, expected.potential_energy)
    assert list(found.stages) == list(expected.stages)
    pairs = [(getattr(found, each.name), getattr(expected, each.name)) for each in fields(found)]
    for stage, arrays in expected.stages.items():
        assert list(found.stages[stage]) == list(arrays)
        pairs += [(found.stages[stage][key], array) for key, array in arrays.items()]
    for one, other in pairs:
        if isinstance(other, np.ndarray):
            assert one.shape == other.shape
            assert not one.flags.writeable
            assert np.abs(one - other).max(initial=0.0) <= 1e-11 * np.abs(other).max(initial=1e-3)


def test_moments_before_and_after_an_event_are_solved_together(recording: dyn.Recording) -> None:
    times = [0.002, 0.018, 0.0093, 0.01]
    found = recording.solutions_at(times)
    assert ["contact" in each.stages for each in found] == [True, False, True, False]
    for t, one in zip(times, found, strict=True):
        assert_equal_answers(one, recording.solution_at(t))
    assert recording.solutions_at([]) == ()
    with pytest.raises(dyn.StateError, match="outside this recording"):
        recording.solutions_at([0.001, 0.5])


def test_states_with_different_indeterminate_forces_are_solved_together() -> None:
    """One arm stretched and one folded on the same line: how hard they press along it shows in no motion."""
    turned = np.diag([-1.0, -1.0, 1.0, 1.0])  # about z: the far arm points back
    turned[1, 3] = -4.5
    arm = dyn.planar_chain(3, length=1.0)
    system = dyn.multi_arm([arm, arm], [np.eye(4), turned], dyn.TaskObject(2.0, np.eye(3)), gravity=(0.0, 0.0, 0.0))
    bent = np.radians([60.0, -120.0, 60.0])  # tip to base, as long as half the way
    straight = np.array([0.0, 0.0, 0.0, np.pi, -np.pi, 0.0])

    def closed(q: np.ndarray) -> dyn.State:
        tips = dyn.tip_poses(system, system.state(q=q))[:, :3, 3]
        pose = np.eye(4)
        pose[:3, 3] = tips.mean(axis=0)
        return system.state(q=q, object_pose=pose)

    states = [closed(q) for q in (np.tile(bent, 2), straight, np.tile(bent, 2))]
    held = dyn.grasp(system, states[0], ["rigid", "rigid"])
    tau = np.arange(6.0)
    together = filter_solutions(held, states, [tau] * 3, np.zeros((held.n_links + 1, 6)))
    lost = [each.indeterminate.shape[-1] for each in together if each.indeterminate is not None]
    assert lost == [lost[0], lost[0] + 1, lost[0]]
    for state, one in zip(states, together, strict=True):
        assert_equal_answers(one, dyn.forward_dynamics(held, state, tau))
    batch = dyn.forward_dynamics_batch(
        held, np.array([each.q for each in states]), None, tau, "stages",
        object_pose=np.array([each.object_pose for each in states]),
    )  # fmt: skip
    directions = batch.stages["contact"]["indeterminate_directions"]
    assert directions.shape == (3, 12, lost[1])
    assert np.abs(directions[[0, 2], :, -1]).max() == 0.0
    assert np.abs(directions[1, :, -1]).max() > 0.1
