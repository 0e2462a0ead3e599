"""One second of two 7-joint arms that hold a box, by the classical Runge-Kutta method at 1 ms."""

from __future__ import annotations

import mujoco
import numpy as np
import pinocchio as pin

import dynamics as dyn
from benchmarks.contest import Contender, Result, compete
from benchmarks.peers import WITHOUT, base_to_tip, mujoco_group, pinocchio_grips, pinocchio_group
from benchmarks.runge_kutta import simulate_pinocchio

ROBOT, DT, STEPS = "iiwa14", 1e-3, 1000


def two_arms_and_box() -> tuple[dyn.System, dyn.State]:
    """Two arms face each other and hold a box between their flanges, rigidly."""
    robot = dyn.load(ROBOT).without(*WITHOUT)
    turned = np.diag([-1.0, -1.0, 1.0, 1.0])
    turned[0, 3] = 1.4
    box = dyn.TaskObject.box((0.4, 0.2, 0.2), mass=3.0)
    system = dyn.multi_arm([robot, robot], base_poses=[np.eye(4), turned], task_object=box)
    posture = dict(robot.home)
    q = system.to_joint_vector({f"{arm}/{name}": value for arm in (1, 2) for name, value in posture.items()})
    tips = dyn.tip_poses(system, system.state(q=q))
    middle = np.eye(4)
    middle[:3, 3] = tips[:, :3, 3].mean(axis=0)
    state = system.state(q=q, object_pose=middle)
    return dyn.grasp(system, state, ["rigid", "rigid"]), state


def contest(rounds: int) -> Result:
    system, state = two_arms_and_box()
    tau = 0.7 * dyn_gravity_torque(system, state)
    controller = dyn.ConstantTorque(tau)

    def ours() -> dyn.Recording:
        return dyn.simulate(system, state, controller=controller, duration=DT * STEPS, dt=DT)

    n = system.n_joints

    def our_answer() -> np.ndarray:
        recording = ours()
        return np.concatenate([base_to_tip(system, recording.x[-1, :n]), recording.x[-1, n : n + 3]])

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

    mj_model = mujoco_group(system, [ROBOT, ROBOT], state.object_pose, DT)
    mj_data = mujoco.MjData(mj_model)

    def by_mujoco() -> np.ndarray:
        mujoco.mj_resetData(mj_model, mj_data)
        mj_data.qpos[:n] = start[:n]
        mj_data.qfrc_applied[:n] = torque[:n]
        mujoco.mj_step(mj_model, mj_data, nstep=STEPS)
        return mj_data.qpos[: n + 3].copy()

    return compete(
        f"one second of two arms ({ROBOT}) and a box, RK4 at 1 ms",
        [
            Contender("armsweep simulate", ours, our_answer, "closure projected at every step, every step recorded"),
            Contender(
                "pinocchio constraintDynamics", by_pinocchio, by_pinocchio,
                "RK4 loop in Python, closure drifts; its wheel carries no AVX",
            ),
            Contender(
                "mujoco RK4, weld", by_mujoco, by_mujoco, "NOT the same mechanics: its welds are soft", exact=False
            ),
        ],
        tolerance=1e-6,
        rounds=rounds,
        limit="armsweep under 60 ms",
    )  # fmt: skip


def dyn_gravity_torque(system: dyn.System, state: dyn.State) -> np.ndarray:
    """Torques that would hold the free arms still."""
    free = dyn.release(system)
    still = free.state(q=state.q, object_pose=state.object_pose)
    bias = dyn.forward_dynamics(free, still, np.zeros(free.n_joints))
    columns = [
        dyn.forward_dynamics(free, still, row).joint_acceleration - bias.joint_acceleration
        for row in np.eye(free.n_joints)
    ]
    return np.linalg.solve(np.array(columns).T, -bias.joint_acceleration)
