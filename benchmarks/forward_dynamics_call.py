"""One forward-dynamics call of one chain, by all installed engines."""

from __future__ import annotations

import numpy as np

import dynamics as dyn
from benchmarks.contest import Contender
from benchmarks.drake_peer import drake, drake_acceleration
from benchmarks.peers import base_to_tip, mujoco, mujoco_model, pin, pinocchio_model

OURS, PINOCCHIO, MUJOCO, DRAKE = "armsweep solver", "pinocchio aba", "mujoco mj_forward", "drake derivatives"
MOST_FOR_PINOCCHIO = 200
"""Joints: pinocchio.Data always allocates cubic tables, 2 GB for 300 joints and 21 GB for 700."""


def contenders(system: dyn.System, urdf: str, reach: float = 1.0) -> list[Contender]:
    """Ours first, then the peers that are installed, all at the same random state and torques."""
    rng = np.random.default_rng(0)
    q, qd, tau = (rng.uniform(-reach, reach, system.n_joints) for _ in range(3))
    solver = dyn.solver(system)
    x, v = system.pack(system.state(q=q, qd=qd))
    theirs = [base_to_tip(system, vector) for vector in (q, qd, tau)]
    found = [
        Contender(
            OURS, lambda: solver(x, v, tau), lambda: base_to_tip(system, solver(x, v, tau)),
            "every stage of every link kept",
        )
    ]  # fmt: skip
    if pin is not None and system.n_joints <= MOST_FOR_PINOCCHIO:
        model = pinocchio_model(urdf, system.gravity)
        data = model.createData()
        found.append(
            Contender(
                PINOCCHIO, lambda: pin.aba(model, data, *theirs), lambda: pin.aba(model, data, *theirs).copy(),
                "accelerations; its wheel carries no AVX",
            )
        )  # fmt: skip
    if mujoco is not None:
        mj_model = mujoco_model(urdf, system.gravity, 1e-3)
        mj_data = mujoco.MjData(mj_model)
        mj_data.qpos[:], mj_data.qvel[:], mj_data.qfrc_applied[:] = theirs

        def mujoco_answer() -> np.ndarray:
            mujoco.mj_forward(mj_model, mj_data)
            return mj_data.qacc.copy()

        found.append(
            Contender(MUJOCO, lambda: mujoco.mj_forward(mj_model, mj_data), mujoco_answer, "its whole pipeline")
        )
    if drake is not None:
        acceleration = drake_acceleration(urdf, system.robots[0].root.name, system.gravity, *theirs)
        found.append(
            Contender(DRAKE, acceleration, acceleration, "with its context's bookkeeping and a copy of the result")
        )
    return found
