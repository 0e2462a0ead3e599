"""Robots read from MuJoCo's own models move as MuJoCo moves them, whatever their joints, frames and inertias."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import dynamics as dyn
from tests.dynamics.mujoco_world import GRAVITY, NO_CONTACT, MujocoTwin, draw_model

TOLERANCE = 1e-9
WRITTEN = {
    "a pendulum of geoms in degrees": """<compiler angle="degree"/><worldbody><geom type="plane" size="1 1 1"/>
      <body name="rod" pos="0 0 1" euler="0 30 0"><joint name="pivot" axis="0 1 0" range="-90 90" damping="0.1"/>
        <geom type="capsule" fromto="0 0 0 0.1 0 0.5" size="0.03" density="700"/></body></worldbody>""",
    "three hinges in a body": """<worldbody><body name="upper" pos="0 0 1"><joint name="x" axis="1 0 0"/>
      <joint name="y" axis="0 1 0" pos="0 0 0.1"/><joint name="z" axis="0 0 1" armature="0.05"/>
      <geom type="box" size="0.1 0.2 0.05" pos="0.3 0 0"/><body name="lower" pos="0.6 0 0">
      <joint name="elbow" axis="0 1 1" ref="0.4"/><geom size="0.1" pos="0.2 0 0"/></body></body></worldbody>""",
    "a gantry": """<worldbody><body name="cart"><joint name="along" type="slide" axis="1 0 0" ref="0.2"/>
      <joint name="across" type="slide" axis="0 1 0" pos="1 2 3"/><joint name="turn" pos="0.1 0 0"/>
      <geom type="box" size="0.2 0.1 0.1"/><body name="welded" pos="0 0 -0.2"><geom size="0.1"/>
      <body name="hook" pos="0 0 -0.3"><joint name="swing" type="ball" pos="0 0 0.2"/>
      <geom type="ellipsoid" size="0.1 0.2 0.3"/></body></body></body></worldbody>""",
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


@pytest.fixture(autouse=True)
def _writes_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MuJoCo writes its warnings into a file of the folder that it is used in."""
    monkeypatch.chdir(tmp_path)


def at_random(text: str, rng: np.random.Generator) -> tuple[dyn.System, dyn.State, MujocoTwin]:
    """The robot of a model in a state, here and in MuJoCo."""
    robot = dyn.load_mjcf_text(text)
    floats = "freejoint" in text
    assert floats == (robot.root.mass > 0.0)
    system = dyn.free_flyer(robot, GRAVITY) if floats else dyn.single_arm(robot, GRAVITY)
    base = {}
    if floats:
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = Rotation.random(rng=rng).as_matrix(), rng.normal(size=3)
        base = {"base_pose": pose, "base_velocity": rng.normal(size=6)}
    state = system.state(q=rng.uniform(-1, 1, system.n_joints), qd=rng.normal(size=system.n_joints), **base)
    return system, state, MujocoTwin(text, system, state)


@pytest.mark.parametrize("seed", range(20))
def test_drawn_models(seed: int) -> None:
    rng = np.random.default_rng([seed, 15])
    system, state, twin = at_random(draw_model(rng, int(rng.integers(2, 8)), floating=seed % 3 == 0), rng)
    found = dyn.forward_dynamics(system, state)
    assert twin.relative_difference(found) < TOLERANCE
    assert twin.inverse_residual(found) < TOLERANCE


@pytest.mark.slow
@pytest.mark.parametrize("name", WRITTEN)
def test_written_models(name: str) -> None:
    text = f"<mujoco>{WRITTEN[name]}{NO_CONTACT}</mujoco>"
    for seed in range(3):
        system, state, twin = at_random(text, np.random.default_rng(seed))
        found = dyn.forward_dynamics(system, state)
        assert twin.relative_difference(found) < TOLERANCE
        assert twin.inverse_residual(found) < TOLERANCE
