"""Bad input in a batch: the error names the argument and the state."""

from __future__ import annotations

import numpy as np
import pytest

import dynamics as dyn
from tests.dynamics.every import every
from tests.dynamics.refusals import refused
from tests.dynamics.systems import GRAVITY, draw_robot

NAN = float("nan")


def spoiled(shape: tuple[int, ...], index: tuple[int, ...], value: float) -> np.ndarray:
    array = np.zeros(shape)
    array[index] = value
    return array


@every(
    [
        ({"q": spoiled((20, 6), (17, 3), NAN)}, ["state 17", "q", "[3]", "nan", "finite"]),
        ({"qd": spoiled((20, 6), (9, 0), -np.inf)}, ["state 9", "qd", "[0]", "inf"]),
        ({"q": np.zeros((3, 6)), "tau": spoiled((6,), (5,), NAN)}, ["tau", "[5]", "nan"]),
        ({"q": np.zeros((4, 7))}, ["q", "(6,)", "(batch, 6)", "(4, 7)"]),
        ({"q": np.zeros((2, 2, 6))}, ["q", "(2, 2, 6)"]),
        ({"q": 1.0}, ["q", "(6,)", "()"]),
        ({"q": [["a"] * 6]}, ["q", "numbers"]),
        ({"q": np.zeros((4, 6)), "tau": np.zeros((5, 6))}, ["q has 4", "tau has 5"]),
        ({"base_pose": np.eye(4)}, ["base_pose", "floating base"]),
        ({"object_velocity": np.zeros(6)}, ["object_velocity", "task object"]),
        ({"external_forces": {"nothing": np.zeros(6)}}, ["nothing", "expected one of"]),
        ({"external_forces": np.zeros((2, 3))}, ["external_forces", "(2, 3)"]),
        ({"q": np.full(6, 0.1), "qd": np.full((9, 6), 1e200)}, ["state 0", "not finite"]),
    ]
)
def test_argument(arguments: dict[str, object], words: list[str]) -> None:
    arm = dyn.single_arm(dyn.load("puma560"))
    for keep in ("accelerations", "stages"):
        # Uncompiled, numpy remarks on overflow.
        with pytest.raises(dyn.StateError) as caught, np.errstate(all="ignore"):
            dyn.forward_dynamics_batch(arm, keep=keep, **arguments)
        assert all(word in str(caught.value) for word in words), str(caught.value)
    with pytest.raises(dyn.ModelError, match="everything"):
        dyn.forward_dynamics_batch(arm, keep="everything")


def test_a_state_that_cannot_be_is_named_by_its_number() -> None:
    flyer = dyn.free_flyer(dyn.load("free_flyer"))
    poses = np.tile(np.eye(4), (12, 1, 1))
    poses[11, 0, 0] = 1.1
    with pytest.raises(dyn.StateError, match=r"state 11 of the batch: base_pose"):
        dyn.forward_dynamics_batch(flyer, base_pose=poses)
    poses[11] = np.diag([1.0, 1.0, -1.0, 1.0])
    with pytest.raises(dyn.StateError, match="right-handed"):
        dyn.forward_dynamics_batch(flyer, base_pose=poses)
    poses[11, 2, 2] = NAN
    with pytest.raises(dyn.StateError, match=r"state 11 of the batch: base_pose: entry \[2, 2\] is nan"):
        dyn.forward_dynamics_batch(flyer, base_pose=poses)
    system, state = dyn.example("two_arms_and_box")
    q = np.tile(state.q, (13, 1))
    q[12, 2] += 1e-3
    with pytest.raises(dyn.StateError, match="state 12 of the batch") as caught:
        dyn.forward_dynamics_batch(system, q, object_pose=state.object_pose)
    assert "arm 1" in str(caught.value)


@every((gravity, speed) for gravity in ((0.0, 0.0, 0.0), GRAVITY) for speed in (0.0, 1e-3, 30.0))
def test_a_batch_is_closed_where_its_states_are(gravity: tuple[float, float, float], speed: float) -> None:
    """A gap in velocity is measured by how fast the machine falls or moves, whichever is more."""
    example, state = dyn.example("two_arms_and_box")
    system = dyn.multi_arm(example.robots, example.base_poses, example.task_object, gravity)
    system = dyn.grasp(system, state, ["rigid", "rigid"])
    qd = speed * np.random.default_rng(3).normal(size=system.n_joints)
    closed = dyn.project(system, system.state(state.q, qd, object_pose=state.object_pose))
    answered = []
    for gap in 10.0 ** np.arange(-13.0, 1.0):
        apart = closed.qd + np.eye(system.n_joints)[2] * gap
        arguments = {"object_pose": closed.object_pose, "object_velocity": closed.object_velocity}
        found = []
        for ask in (
            lambda s, q, qd, more: dyn.forward_dynamics_batch(s, q, qd, **more),
            lambda s, q, qd, more: dyn.forward_dynamics(s, s.state(q, qd, **more)),
        ):
            found.append(not refused(ask, system, closed.q, apart, arguments))
        assert found[0] == found[1], f"off by {gap:.3g} rad/s, the batch answers: {found[0]}, one state: {found[1]}"
        answered.append(found[0])
    assert answered[0]
    assert not answered[-1]


POINT_MASS = """<robot name="r"><link name="base"/><link name="arm"/>
<link name="tip"><inertial><origin xyz="0 0 1"/><mass value="2"/>
<inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial></link>
<joint name="pan" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/></joint>
<joint name="tilt" type="continuous"><parent link="arm"/><child link="tip"/><axis xyz="0 1 0"/></joint></robot>"""


def test_joint_that_moves_no_inertia() -> None:
    """Straight up, the point mass lies on the axis of the joint that pans."""
    system = dyn.single_arm(dyn.load_urdf_text(POINT_MASS, name="r"))
    q = np.full((20, 2), 0.3)
    q[13, 0] = 0.0
    with pytest.raises(dyn.ModelError, match=r"state 13 of the batch: joint 'pan' moves no inertia"):
        dyn.forward_dynamics_batch(system, q)
    q[13, 0] = 0.1
    assert np.isfinite(dyn.forward_dynamics_batch(system, q).joint_acceleration).all()


def test_arguments_are_left_alone() -> None:
    rng = np.random.default_rng(1)
    system = dyn.free_flyer(draw_robot(rng, 4).load(), gravity=GRAVITY)
    q = rng.normal(size=(3, 4))
    q[0, 0] = 3e5
    before = q.copy()
    found = dyn.forward_dynamics_batch(system, q, keep="stages")
    assert np.array_equal(q, before)
    q[:] = 0.0  # what is laid out later still belongs to the call
    expected = dyn.forward_dynamics(system, system.state(q=before[1]))
    dual = found.stages["dual_filter"]["joint_acceleration"][1]
    assert np.allclose(dual, expected.joint_acceleration, rtol=1e-9, atol=1e-9)
