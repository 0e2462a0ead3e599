"""One exact call of arms that hold a box rigidly; shared by the contests of two and of four arms."""

from __future__ import annotations

import numpy as np

import dynamics as dyn
from benchmarks.contest import Contender, Result, compete
from benchmarks.held_peers import mujoco_group, pinocchio_grips, pinocchio_group
from benchmarks.held_systems import ROBOT, arms_and_box
from benchmarks.peers import base_to_tip, mujoco, pin

PINOCCHIO = "pinocchio constraintDynamics"


def held_call(n_arms: int, limit: float, rounds: int) -> Result:
    """A moving state of ``n_arms`` arms; the joint accelerations of all contenders must agree."""
    system, still = arms_and_box(n_arms)
    rng = np.random.default_rng(0)
    pushed = system.state(
        q=still.q, qd=rng.uniform(-0.3, 0.3, system.n_joints), object_pose=still.object_pose,
        object_velocity=rng.uniform(-0.3, 0.3, 6),
    )  # fmt: skip
    x, v = system.pack(dyn.Grasp(0.0, ["rigid"] * n_arms).apply(dyn.release(system), pushed)[1])
    tau, n = rng.uniform(-5.0, 5.0, system.n_joints), system.n_joints
    state, solver = system.unpack(x, v), dyn.solver(system)
    contenders = [
        Contender(
            "armsweep solver", lambda: solver(x, v, tau), lambda: base_to_tip(system, solver(x, v, tau)[:n]),
            "exact, every stage kept",
        )
    ]  # fmt: skip
    theirs = base_to_tip(system, state.q), base_to_tip(system, state.qd)
    if pin is not None:
        model = pinocchio_group(system, [ROBOT] * n_arms)
        data = model.createData()
        grips, spaces = pinocchio_grips(model, system)
        pin.initConstraintDynamics(model, data, grips, spaces)
        settings = pin.ProximalSettings(1e-14, 0.0, 10)
        turn = state.object_pose[:3, :3]
        twist = np.concatenate([turn.T @ state.object_velocity[3:], turn.T @ state.object_velocity[:3]])
        arguments = (
            np.concatenate([theirs[0], pin.SE3ToXYZQUAT(pin.SE3(state.object_pose))]),
            np.concatenate([theirs[1], twist]),
            np.concatenate([base_to_tip(system, tau), np.zeros(6)]),
        )

        def by_pinocchio() -> np.ndarray:
            return pin.constraintDynamics(model, data, *arguments, grips, spaces, settings)

        contenders.append(
            Contender(PINOCCHIO, by_pinocchio, lambda: by_pinocchio()[:n].copy(), "exact; its wheel carries no AVX")
        )
    if mujoco is not None:
        mj_model = mujoco_group(system, [ROBOT] * n_arms, state.object_pose, 1e-3)
        mj_data = mujoco.MjData(mj_model)
        mj_data.qpos[:n], mj_data.qvel[:n], mj_data.qfrc_applied[:n] = *theirs, base_to_tip(system, tau)

        def by_mujoco() -> np.ndarray:
            mujoco.mj_forward(mj_model, mj_data)
            return mj_data.qacc[:n].copy()

        contenders.append(
            Contender(
                "mujoco mj_forward, weld", lambda: mujoco.mj_forward(mj_model, mj_data), by_mujoco,
                "OTHER WORK, not compared: its welds are soft", exact=False,
            )
        )  # fmt: skip
    return compete(
        f"one exact call, {n_arms} arms ({ROBOT}) hold a box",
        contenders,
        tolerance=1e-7,
        rounds=rounds,
        calls=500,
        unit="us",
        limits={PINOCCHIO: limit},
    )
