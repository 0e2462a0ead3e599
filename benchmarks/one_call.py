"""One forward-dynamics call, every stage of every link kept on our side."""

from __future__ import annotations

import mujoco
import numpy as np
import pinocchio as pin

import dynamics as dyn
from benchmarks.contest import Contender, Result, compete
from benchmarks.peers import WITHOUT, base_to_tip, mujoco_arm, pinocchio_arm

ROBOT = "iiwa14"


def contest(rounds: int) -> Result:
    system = dyn.single_arm(dyn.load(ROBOT).without(*WITHOUT))
    rng = np.random.default_rng(0)
    q, qd, tau = (rng.uniform(-1.0, 1.0, system.n_joints) for _ in range(3))
    state = system.state(q=q, qd=qd)
    solver = dyn.solver(system)
    x, v = system.pack(state)

    model = pinocchio_arm(ROBOT, system.gravity)
    data = model.createData()
    arguments = [base_to_tip(system, vector) for vector in (q, qd, tau)]

    mj_model = mujoco_arm(ROBOT, system.gravity, 1e-3)
    mj_data = mujoco.MjData(mj_model)
    mj_data.qpos[:], mj_data.qvel[:], mj_data.qfrc_applied[:] = arguments

    def mujoco_answer() -> np.ndarray:
        mujoco.mj_forward(mj_model, mj_data)
        return mj_data.qacc.copy()

    return compete(
        f"one forward-dynamics call, {ROBOT}, 7 joints",
        [
            Contender(
                "armsweep solver", lambda: solver(x, v, tau), lambda: base_to_tip(system, solver(x, v, tau)),
                "every stage of every link kept",
            ),
            Contender(
                "pinocchio aba", lambda: pin.aba(model, data, *arguments),
                lambda: pin.aba(model, data, *arguments).copy(), "accelerations; its wheel carries no AVX",
            ),
            Contender(
                "mujoco mj_forward", lambda: mujoco.mj_forward(mj_model, mj_data), mujoco_answer, "its whole pipeline"
            ),
        ],
        tolerance=1e-9,
        rounds=rounds,
        calls=2000,
        unit="us",
    )  # fmt: skip
