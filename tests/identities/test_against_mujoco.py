"""Mass matrix and bias against MuJoCo, which reads the very same URDF."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import dynamics as dyn
from tests.dynamics.systems import DrawnRobot, draw_robot


def mujoco_model(drawn: DrawnRobot) -> mujoco.MjModel:
    """MuJoCo welds static bodies together by itself; limits and contacts play no part at these states."""
    compiler = '<mujoco><compiler fusestatic="true" balanceinertia="false" boundmass="0" boundinertia="0"/></mujoco>'
    return mujoco.MjModel.from_xml_string(drawn.urdf().replace("</robot>", f"{compiler}</robot>"))


@pytest.mark.parametrize("seed", range(6))
def test_mass_matrix_and_bias(seed: int) -> None:
    rng = np.random.default_rng([seed, 4])
    drawn = draw_robot(rng, int(rng.integers(1, 16)), branching=0.3 * (seed % 2), mass_decades=2.0)
    model = mujoco_model(drawn)
    data = mujoco.MjData(model)
    system = dyn.single_arm(drawn.load())
    names = [mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_JOINT, j) for j in range(model.njnt)]
    assert set(names) == set(system.joint_names)
    q, qd = rng.uniform(-2, 2, len(names)), rng.normal(size=len(names))
    data.qpos[:], data.qvel[:] = q, qd
    mujoco.mj_forward(model, data)
    matrix = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, matrix)
    order = [names.index(name) for name in system.joint_names]
    state = system.state(q=q[order], qd=qd[order])
    expected = matrix[np.ix_(order, order)]
    found = dyn.mass_matrix(system, state)
    assert np.max(np.abs(found - expected)) < 1e-10 * np.abs(expected).max()
    bias = dyn.inverse_dynamics(system, state, np.zeros(system.n_joints))
    assert np.max(np.abs(bias - data.qfrc_bias[order])) < 1e-9 * np.abs(data.qfrc_bias).max()
    acceleration = dyn.forward_dynamics(system, state).joint_acceleration
    scale = np.abs(data.qacc_smooth).max()
    assert np.max(np.abs(acceleration - data.qacc_smooth[order])) < 1e-8 * scale
