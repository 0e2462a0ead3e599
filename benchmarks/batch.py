"""Thousands of states of one arm at once, on one thread."""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np
import pinocchio as pin
from mujoco import rollout

import dynamics as dyn
from benchmarks.contest import Claim, Contender, Result, compete
from benchmarks.peers import WITHOUT, mujoco_arm, pinocchio_arm

ROBOT = "iiwa14"
STATES = 4096
AVX = "its wheel carries no AVX"
STAGES, PARALLEL = "armsweep batch, stages", "pinocchio abaInParallel(1)"
MOST, MOST_WITH_STAGES = 1.0 / 12.0, 1.0 / 2.5
"""Largest cost of accelerations alone, and of every stage, as a share of Pinocchio's time."""


def contest(rounds: int) -> Result:
    """Pinocchio and MuJoCo get arguments in their own layout; ours takes (states, joints), as users call it."""
    system = dyn.single_arm(dyn.load(ROBOT).without(*WITHOUT))
    n = system.n_joints
    rng = np.random.default_rng(0)
    q, qd, tau = (rng.uniform(-2.0, 2.0, (STATES, n)) for _ in range(3))
    base_to_tip = slice(None, None, -1)  # a chain's joints in the order of its file

    model = pinocchio_arm(ROBOT, system.gravity)
    data = model.createData()
    rows = [np.ascontiguousarray(vector[:, base_to_tip]) for vector in (q, qd, tau)]
    columns = [np.asfortranarray(vector.T) for vector in rows]
    pool = pin.ModelPool(model, 1)
    parallel = np.zeros((n, STATES), order="F")
    looped = np.zeros((STATES, n))

    def pinocchio_loop() -> np.ndarray:
        for i in range(STATES):
            looped[i] = pin.aba(model, data, rows[0][i], rows[1][i], rows[2][i])
        return looped

    def pinocchio_parallel() -> np.ndarray:
        pin.abaInParallel(1, pool, *columns, parallel)
        return parallel.T

    # One short Euler step: the velocity change gives the acceleration.
    step = 1e-6
    mj_model = mujoco_arm(ROBOT, system.gravity, step)
    mj_model.opt.integrator = mujoco.mjtIntegrator.mjINT_EULER
    models, mj_data = [mj_model] * STATES, mujoco.MjData(mj_model)
    start = np.zeros((STATES, mujoco.mj_stateSize(mj_model, mujoco.mjtState.mjSTATE_FULLPHYSICS)))
    start[:, 1 : 1 + n], start[:, 1 + n : 1 + 2 * n] = rows[0], rows[1]
    control = rows[2][:, None, :].copy()
    after = np.zeros((STATES, 1, start.shape[1]))
    runner = rollout.Rollout(nthread=0)

    def mujoco_rollout() -> np.ndarray:
        runner.rollout(
            models, [mj_data], start, control, nstep=1, state=after, skip_checks=True,
            control_spec=mujoco.mjtState.mjSTATE_QFRC_APPLIED, chunk_size=STATES,
        )  # fmt: skip
        return (after[:, 0, 1 + n : 1 + 2 * n] - rows[1]) / step

    def ours(keep: str) -> np.ndarray:
        return dyn.forward_dynamics_batch(system, q, qd, tau, keep).joint_acceleration[:, base_to_tip]

    result = compete(
        f"{STATES} states of {ROBOT}, 7 joints, one thread",
        [
            Contender("armsweep batch", lambda: ours("accelerations"), lambda: ours("accelerations"), "accelerations"),
            Contender(STAGES, lambda: ours("stages"), lambda: ours("stages"), "every stage kept"),
            Contender(PARALLEL, pinocchio_parallel, lambda: pinocchio_parallel().copy(), AVX),
            Contender("pinocchio aba in a loop", pinocchio_loop, lambda: pinocchio_loop().copy(), AVX),
            Contender(
                "mujoco rollout", mujoco_rollout, mujoco_rollout, "its whole pipeline; difference quotient", exact=False
            ),
        ],
        tolerance=1e-9,
        rounds=rounds,
        calls=5,
        unit="ms",
        limits={PARALLEL: MOST},
    )  # fmt: skip
    seconds = {line.contender: line.median_seconds for line in result.lines}
    stages = Claim(f"{STAGES}, share of {PARALLEL}", seconds[STAGES] / seconds[PARALLEL], MOST_WITH_STAGES)
    return replace(result, claims=(*result.claims, stages))
