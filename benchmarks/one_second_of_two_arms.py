"""One second of two 7-joint arms that hold a box, by the classical Runge-Kutta method at 1 ms."""

from __future__ import annotations

import numpy as np

import dynamics as dyn
from benchmarks.contest import Contender, Result, compete
from benchmarks.held_peers import mujoco_group, pinocchio_grips, pinocchio_group
from benchmarks.held_systems import ROBOT, arms_and_box
from benchmarks.peers import base_to_tip, mujoco, pin
from benchmarks.runge_kutta import simulate_pinocchio

DT, STEPS = 1e-3, 1000
PINOCCHIO = "pinocchio constraintDynamics"


def contest(rounds: int) -> Result:
    system, state = arms_and_box(2)
    tau = 0.7 * holding_torque(system, state)
    controller = dyn.ConstantTorque(tau)

    def ours() -> dyn.Recording:
        return dyn.simulate(system, state, controller=controller, duration=DT * STEPS, dt=DT)

    n = system.n_joints

    def our_answer() -> np.ndarray:
        recording = ours()
        return np.concatenate([base_to_tip(system, recording.x[-1, :n]), recording.x[-1, n : n + 3]])

    contenders = [Contender("armsweep simulate", ours, our_answer, "closure projected every step, every step recorded")]
    if pin is not None:
        model = pinocchio_group(system, [ROBOT, ROBOT])
        data = model.createData()
        grips, spaces = pinocchio_grips(model, system)
        pin.initConstraintDynamics(model, data, grips, spaces)
        settings = pin.ProximalSettings(1e-14, 0.0, 10)
        start = np.concatenate([base_to_tip(system, state.q), pin.SE3ToXYZQUAT(pin.SE3(state.object_pose))])
        torque = np.concatenate([base_to_tip(system, tau), np.zeros(6)])

        def acceleration(q: np.ndarray, v: np.ndarray) -> np.ndarray:
            return pin.constraintDynamics(model, data, q, v, torque, grips, spaces, settings)

        def by_pinocchio() -> np.ndarray:
            q, _ = simulate_pinocchio(model, acceleration, start, np.zeros(model.nv), DT, STEPS)
            return q[: n + 3]

        note = "RK4 loop in Python, closure drifts; its wheel carries no AVX"
        contenders.append(Contender(PINOCCHIO, by_pinocchio, by_pinocchio, note))
    if mujoco is not None:
        mj_model = mujoco_group(system, [ROBOT, ROBOT], state.object_pose, DT)
        mj_data = mujoco.MjData(mj_model)

        def by_mujoco() -> np.ndarray:
            mujoco.mj_resetData(mj_model, mj_data)
            mj_data.qpos[:n] = base_to_tip(system, state.q)
            mj_data.qfrc_applied[:n] = base_to_tip(system, tau)
            mujoco.mj_step(mj_model, mj_data, nstep=STEPS)
            return mj_data.qpos[: n + 3].copy()

        note = "OTHER WORK, not compared: its welds are soft"
        contenders.append(Contender("mujoco RK4, weld", by_mujoco, by_mujoco, note, exact=False))
    return compete(
        f"one second of two arms ({ROBOT}) and a box, RK4 at 1 ms",
        contenders,
        tolerance=1e-6,
        rounds=rounds,
        limits={PINOCCHIO: 0.10},
    )


def holding_torque(system: dyn.System, state: dyn.State) -> np.ndarray:
    """Torques that would hold the free arms still."""
    free = dyn.release(system)
    still = free.state(q=state.q, object_pose=state.object_pose)
    bias = dyn.forward_dynamics(free, still, np.zeros(free.n_joints))
    columns = [
        dyn.forward_dynamics(free, still, row).joint_acceleration - bias.joint_acceleration
        for row in np.eye(free.n_joints)
    ]
    return np.linalg.solve(np.array(columns).T, -bias.joint_acceleration)
