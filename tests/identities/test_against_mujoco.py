"""Mass matrix, bias and accelerations against MuJoCo, which reads the very same URDF; and models of MuJoCo's own."""

import contextlib
from collections.abc import Iterator

import mujoco
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import dynamics as dyn
from tests.dynamics.every import every
from tests.dynamics.mujoco_world import GRAVITY, NO_CONTACT, MujocoTwin, draw_model, mujoco_model
from tests.dynamics.systems import draw_robot

TOLERANCE = 1e-9
WRITTEN = {
    "a floating walker with classes": """<default><joint armature="0.01" damping="0.2"/><default class="thin">
      <geom type="capsule" size="0.02" density="3000"/><joint axis="0 1 0"/></default></default><worldbody><light/>
      <geom type="plane" size="5 5 1"/><body name="trunk" pos="0 0 1" childclass="thin"><freejoint/>
      <geom class="main" type="box" size="0.2 0.1 0.05"/><body name="hip" pos="0.1 0 0"><joint name="hip"/>
      <geom fromto="0 0 0 0 0 -0.4"/><body name="knee" pos="0 0 -0.4"><joint name="knee" axis="1 0 1"/>
      <geom fromto="0 0 0 0 0 -0.4"/></body></body><frame pos="-0.1 0 0" euler="0 0.3 0"><body name="tail">
      <joint name="tail"/><geom fromto="0 0 0 -0.3 0 0"/></body></frame></body></worldbody>""",
    "full inertias, and a total mass": """<compiler settotalmass="7"/><worldbody><body name="a" quat="1 1 0 0">
      <joint name="one" axis="0 0 1"/><inertial pos="0.1 0 0" mass="2" fullinertia="0.2 0.3 0.4 0.01 -0.02 0.03"/>
      <body name="b" pos="0 0.5 0" xyaxes="0 1 0 0 0 1"><joint name="two" axis="1 1 1" pos="0 0 0.1"/>
      <inertial pos="0 0 0.2" quat="1 0 1 0" mass="1" diaginertia="0.1 0.2 0.25"/></body></body></worldbody>""",
}


@pytest.fixture(autouse=True, scope="module")
def _writes_elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """MuJoCo writes its warnings into a file of the folder that it is used in."""
    with contextlib.chdir(tmp_path_factory.mktemp("mujoco")):
        yield


@given(st.integers(0, 2**32 - 1), st.integers(1, 15), st.sampled_from([0.0, 0.3]))
def test_mass_matrix_and_bias(seed: int, n_joints: int, branching: float) -> None:
    rng = np.random.default_rng(seed)
    drawn = draw_robot(rng, n_joints, branching=branching, mass_decades=2.0)
    model = mujoco_model(drawn)
    data, system = mujoco.MjData(model), dyn.single_arm(drawn.load())
    names = [mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_JOINT, j) for j in range(model.njnt)]
    assert set(names) == set(system.joint_names)
    data.qpos[:], data.qvel[:] = q, qd = rng.uniform(-2, 2, len(names)), rng.normal(size=len(names))
    mujoco.mj_forward(model, data)
    matrix = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, matrix)
    order = [names.index(name) for name in system.joint_names]
    state, expected = system.state(q=q[order], qd=qd[order]), matrix[np.ix_(order, order)]
    assert np.max(np.abs(dyn.mass_matrix(system, state) - expected)) < 1e-10 * np.abs(expected).max()
    bias = dyn.inverse_dynamics(system, state, np.zeros(system.n_joints))
    assert np.max(np.abs(bias - data.qfrc_bias[order])) < 1e-9 * np.abs(data.qfrc_bias).max()
    gap = dyn.forward_dynamics(system, state).joint_acceleration - data.qacc_smooth[order]
    assert np.max(np.abs(gap)) < 1e-8 * np.abs(data.qacc_smooth).max()


def moves_as_in_mujoco(text: str, rng: np.random.Generator) -> None:
    """The robot of a model in a random state, here and in MuJoCo, whatever its joints, frames and inertias."""
    robot, base = dyn.load_mjcf_text(text), {}
    floats = "freejoint" in text
    assert floats == (robot.root.mass > 0.0)
    system = dyn.free_flyer(robot, GRAVITY) if floats else dyn.single_arm(robot, GRAVITY)
    if floats:
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = Rotation.random(rng=rng).as_matrix(), rng.normal(size=3)
        base = {"base_pose": pose, "base_velocity": rng.normal(size=6)}
    state = system.state(q=rng.uniform(-1, 1, system.n_joints), qd=rng.normal(size=system.n_joints), **base)
    twin, found = MujocoTwin(text, system, state), dyn.forward_dynamics(system, state)
    assert twin.relative_difference(found) < TOLERANCE
    assert twin.inverse_residual(found) < TOLERANCE


@settings(max_examples=max(2, settings().max_examples // 3))  # each starts a process
@given(st.integers(0, 2**32 - 1), st.integers(2, 7), st.booleans())
def test_drawn_models(seed: int, bodies: int, floating: bool) -> None:
    rng = np.random.default_rng(seed)
    moves_as_in_mujoco(draw_model(rng, bodies, floating=floating), rng)


@every(WRITTEN)
def test_written_models(name: str) -> None:
    moves_as_in_mujoco(f"<mujoco>{WRITTEN[name]}{NO_CONTACT}</mujoco>", np.random.default_rng(len(name)))
