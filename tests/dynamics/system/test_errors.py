"""Bad input: a named error that says what is wrong, and nothing half-changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import dynamics as dyn
from tests.dynamics.every import every

NAN = float("nan")


ARM = dyn.single_arm(dyn.load("puma560"))
FLYER = dyn.free_flyer(dyn.load("free_flyer"))
HELD = dyn.example("two_arms_and_box")


def test_errors_are_value_errors() -> None:
    for error in (dyn.ModelError, dyn.StateError, dyn.SingularConfigurationError):
        assert issubclass(error, ValueError)


@every(
    [
        ({"q": np.full(6, NAN)}, ["q", "nan", "finite"]),
        ({"qd": [0, 0, 0, np.inf, 0, 0]}, ["qd", "3", "inf"]),
        ({"q": np.zeros(7)}, ["q", "(6,)", "(7,)"]),
        ({"q": np.zeros((2, 3))}, ["q", "(6,)", "(2, 3)"]),
        ({"q": ["a"] * 6}, ["q", "numbers"]),
        ({"base_pose": np.eye(4)}, ["base_pose"]),
        ({"object_pose": np.eye(4)}, ["object_pose"]),
    ],
)
def test_state_of_an_arm(arguments: dict[str, object], words: list[str]) -> None:
    with pytest.raises(dyn.StateError) as caught:
        ARM.state(**arguments)
    assert all(word in str(caught.value) for word in words), str(caught.value)


@every(
    [
        (np.zeros((4, 4)), "(0, 0, 0, 1)"),
        (np.diag([1.0, 1.0, -1.0, 1.0]), "right-handed"),
        (np.diag([2.0, 1.0, 1.0, 1.0]), "rotation"),
        (np.full((4, 4), NAN), "finite"),
        (np.eye(3), "(4, 4)"),
    ],
)
def test_pose_of_a_base(pose: np.ndarray, word: str) -> None:
    with pytest.raises(dyn.StateError, match="base_pose") as caught:
        FLYER.state(base_pose=pose)
    assert word in str(caught.value)


def test_zero_quaternion() -> None:
    x, v = FLYER.pack(FLYER.state())
    x[-4:] = 0.0
    with pytest.raises(dyn.StateError, match="quaternion has length"):
        FLYER.unpack(x, v)


def test_pack_and_unpack_are_inverse() -> None:
    system, state = HELD
    x, v = system.pack(state)
    again = system.unpack(x, v)
    assert np.allclose(again.q, state.q, rtol=0, atol=1e-15)
    assert np.allclose(again.object_pose, state.object_pose, rtol=0, atol=1e-14)
    assert np.allclose(again.object_velocity, state.object_velocity, rtol=0, atol=1e-15)


def test_torque() -> None:
    state = ARM.state()
    for tau, word in ((np.zeros(5), "(6,)"), (np.full(6, NAN), "finite")):
        with pytest.raises(dyn.StateError, match="tau") as caught:
            dyn.forward_dynamics(ARM, state, tau)
        assert word in str(caught.value)


def test_state_of_another_system() -> None:
    with pytest.raises(dyn.StateError):
        dyn.forward_dynamics(ARM, FLYER.state(), np.zeros(ARM.n_joints))


def test_unknown_names() -> None:
    attempts: list[tuple[Callable[[], object], str]] = [
        (lambda: dyn.load("puma_560"), "puma560"),
        (lambda: dyn.load("no/such/file.urdf"), "file.urdf"),
        (lambda: dyn.load("puma560", tip="nose"), "nose"),
        (lambda: dyn.example("nothing"), "two_arms_and_box"),
        (lambda: dyn.forward_dynamics(ARM, ARM.state(), np.zeros(6), method="magic"), "magic"),
        (lambda: ARM.to_joint_vector({"knee": 1.0}), "knee"),
        (lambda: ARM.robots[0].without("gravity"), "gravity"),
        (lambda: dyn.grasp(dyn.release(HELD[0]), HELD[1], ["rigid", "glue"]), "glue"),
        (lambda: dyn.simulate(ARM, ARM.state(), duration=0.01, method="euler9"), "euler9"),
    ]
    for attempt, word in attempts:
        with pytest.raises(ValueError, match=word) as caught:
            attempt()
        assert isinstance(caught.value, dyn.ModelError | dyn.StateError)


def test_grasp_and_release() -> None:
    system, state = HELD
    free = dyn.release(system)
    attempts: list[Callable[[], object]] = [
        lambda: dyn.grasp(ARM, ARM.state(), ["rigid"]),
        lambda: dyn.grasp(free, state, ["rigid"]),
        lambda: dyn.grasp(free, state, "rigid"),
        lambda: dyn.grasp(free, state, 3),
        lambda: dyn.grasp(free, state, iter(["rigid", "rigid"])),
        lambda: dyn.grasp(free, state, [None, None]),
        lambda: dyn.grasp(free, state, [np.zeros((2, 6)), "rigid"]),
        lambda: dyn.grasp(free, state, [np.full((1, 6), NAN), "rigid"]),
        lambda: dyn.release(free),
    ]
    for attempt in attempts:
        with pytest.raises(dyn.ModelError):
            attempt()
    for other in (ARM.state(), dyn.example("two_planar_arms")[1], dyn.example("free_flyer")[1]):
        with pytest.raises(dyn.StateError):
            dyn.grasp(free, other, ["rigid", "rigid"])
    assert system.is_held
    assert not free.is_held


@every(
    [
        (0.0, np.eye(3), "mass"),
        (NAN, np.eye(3), "mass"),
        (1.0, np.diag([1.0, 1.0, -1.0]), "positive"),
        (1.0, np.diag([1.0, 1.0, 3.0]), "triangle"),
        (1.0, np.triu(np.ones((3, 3))), "symmetric"),
        (1.0, np.eye(2), "(3, 3)"),
    ],
)
def test_task_object(mass: float, inertia: np.ndarray, word: str) -> None:
    with pytest.raises(dyn.ModelError) as caught:
        dyn.TaskObject(mass=mass, inertia=inertia)
    assert word in str(caught.value)


def test_systems() -> None:
    robot = dyn.load("puma560")
    attempts: list[tuple[Callable[[], object], str]] = [
        (lambda: dyn.multi_arm([]), "at least one"),
        (lambda: dyn.multi_arm([robot, robot], base_poses=[np.eye(4)]), "base_poses"),
        (lambda: dyn.single_arm(robot, gravity=(0, 0)), "gravity"),
        (lambda: dyn.single_arm(robot, base_pose=np.zeros((4, 4))), "base_poses"),
        (lambda: dyn.single_arm("puma560"), "load"),
    ]
    for attempt, word in attempts:
        with pytest.raises(dyn.ModelError, match=word):
            attempt()


def test_off_the_closure() -> None:
    system, state = HELD
    q = state.q.copy()
    q[0] += 1e-3
    off = system.state(q=q, qd=state.qd, object_pose=state.object_pose, object_velocity=state.object_velocity)
    with pytest.raises(dyn.StateError, match="arm 1") as caught:
        dyn.forward_dynamics(system, off, np.zeros(system.n_joints))
    assert "project" in str(caught.value)
    back = dyn.project(system, off)
    dyn.forward_dynamics(system, back, np.zeros(system.n_joints))
    again = dyn.project(system, back)
    assert np.allclose(again.q, back.q, rtol=0, atol=1e-12)


def test_off_the_closure_in_velocity() -> None:
    system, state = HELD
    qd = state.qd.copy()
    qd[-1] += 1e-2
    off = system.state(q=state.q, qd=qd, object_pose=state.object_pose, object_velocity=state.object_velocity)
    with pytest.raises(dyn.StateError, match="arm 2"):
        dyn.forward_dynamics(system, off, np.zeros(system.n_joints))
    dyn.forward_dynamics(system, dyn.project(system, off), np.zeros(system.n_joints))


def test_out_of_reach() -> None:
    system, state = HELD
    pose = state.object_pose.copy()
    pose[0, 3] += 50.0
    far = system.state(q=state.q, qd=state.qd, object_pose=pose)
    with pytest.raises(dyn.SingularConfigurationError, match="arms cannot close"):
        dyn.project(system, far)


@every(
    [
        {"duration": -1.0},
        {"duration": NAN},
        {"duration": 0.1, "dt": 0.0},
        {"duration": 0.1, "dt": NAN},
        {"duration": 0.1, "record_every": 0},
        {"duration": 0.1, "controller": dyn.ConstantTorque(np.zeros(3))},
    ],
)
def test_simulation(arguments: dict[str, object]) -> None:
    with pytest.raises((dyn.StateError, dyn.ModelError)):
        dyn.simulate(ARM, ARM.state(), **arguments)


def test_nothing_can_be_written() -> None:
    state = ARM.state()
    solution = dyn.forward_dynamics(ARM, state, np.zeros(6))
    for array in (state.q, ARM.gravity, ARM.base_poses, solution.stages["filter"]["kalman_gain"]):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0.0


@every([
    ("free_flyer", {"base_velocity": None}), ("free_flyer", {"base_pose": None}),
    ("two_arms_and_box", {"object_velocity": None}), ("two_arms_and_box", {"object_pose": None}),
    ("iiwa14", {"base_velocity": np.zeros(6)}), ("iiwa14", {"object_velocity": np.full(6, np.nan)}),
    ("iiwa14", {"q": np.ma.masked_array(np.zeros(7), mask=True)}),
])  # fmt: skip
def test_half_a_state_is_none(name: str, lost: dict[str, object]) -> None:
    """Put together by hand: packed, it would be shorter than what kernels read of it."""
    system, state = dyn.example(name)
    half = replace(state, **lost)
    for asked in (dyn.forward_dynamics, dyn.project, dyn.operational_space_inertia, dyn.simulate, dyn.System.pack):
        with pytest.raises(dyn.StateError):
            asked(system, half)
