"""One second of a 7-joint arm by the classical Runge-Kutta method at 1 ms."""

from __future__ import annotations

import numpy as np

import dynamics as dyn
from benchmarks.contest import Contender, Result, compete
from benchmarks.peers import WITHOUT, base_to_tip, mujoco, mujoco_arm, pin, pinocchio_arm
from benchmarks.runge_kutta import simulate_pinocchio

ROBOT, DT, STEPS = "iiwa14", 1e-3, 1000
MUJOCO = "mujoco RK4"


def contest(rounds: int) -> Result:
    system = dyn.single_arm(dyn.load(ROBOT).without(*WITHOUT))
    rng = np.random.default_rng(0)
    q, qd = (rng.uniform(-0.5, 0.5, system.n_joints) for _ in range(2))
    state = system.state(q=q, qd=qd)
    start = [base_to_tip(system, vector) for vector in (q, qd)]

    def ours() -> dyn.Recording:
        return dyn.simulate(system, state, duration=DT * STEPS, dt=DT)

    def our_answer() -> np.ndarray:
        recording = ours()
        return np.concatenate([base_to_tip(system, recording.x[-1]), base_to_tip(system, recording.v[-1])])

    contenders = [Contender("armsweep simulate", ours, our_answer, "every step recorded")]
    if mujoco is not None:
        mj_model = mujoco_arm(ROBOT, system.gravity, DT)
        mj_data = mujoco.MjData(mj_model)

        def by_mujoco() -> np.ndarray:
            mujoco.mj_resetData(mj_model, mj_data)
            mj_data.qpos[:], mj_data.qvel[:] = start
            mujoco.mj_step(mj_model, mj_data, nstep=STEPS)
            return np.concatenate([mj_data.qpos, mj_data.qvel])

        contenders.append(Contender(MUJOCO, by_mujoco, by_mujoco, "all steps in one call"))
    if pin is not None:
        model = pinocchio_arm(ROBOT, system.gravity)
        data, rest = model.createData(), np.zeros(model.nv)

        def by_pinocchio() -> np.ndarray:
            motion = simulate_pinocchio(model, lambda q, v: pin.aba(model, data, q, v, rest), *start, DT, STEPS)
            return np.concatenate(motion)

        note = "RK4 loop in Python; its wheel carries no AVX"
        contenders.append(Contender("pinocchio aba", by_pinocchio, by_pinocchio, note))
    return compete(
        f"one second of {ROBOT}, 7 joints, RK4 at 1 ms",
        contenders,
        tolerance=1e-7,
        rounds=rounds,
        limits={MUJOCO: 0.25},
    )
