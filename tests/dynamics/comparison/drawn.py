"""Random machines that move, and the arrays of an independent algorithm, of Pinocchio and of MuJoCo."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import mujoco
import numpy as np
import pinocchio as pin

import dynamics as dyn
from tests.dynamics.comparison.plain_aba import Machine
from tests.dynamics.mujoco_world import mujoco_model
from tests.dynamics.systems import GRAVITY, DrawnRobot, draw_robot

Arrays = Mapping[str, np.ndarray]


@dataclass(frozen=True)
class DrawnMachine:
    robot: DrawnRobot
    system: dyn.System
    state: dyn.State
    tau: np.ndarray
    wrench: np.ndarray


def drawn(
    seed: int, joints: tuple[int, int] = (3, 9), branching: float = 0.0, *, rough: bool = False, pushed: bool = False
) -> DrawnMachine:
    """``rough``: with rotors and damping; joints that turn and that slide; somewhere a link carries two."""
    rng = np.random.default_rng([seed, 15])
    while True:
        robot = draw_robot(rng, int(rng.integers(*joints)), branching=branching, mass_decades=1.0)
        loaded = robot.load()
        kinds = {joint.kind for joint in loaded.joints}
        branches = any(loaded.inboard.count(i) > 1 for i in range(len(loaded.links)))
        if not rough or (len(kinds) == 2 and branches):
            break
    if rough:
        own = (replace(j, damping=rng.uniform(0.1, 1), rotor_inertia=rng.uniform(0.01, 0.1)) for j in loaded.joints)
        loaded = replace(loaded, joints=tuple(own))
    system = dyn.single_arm(loaded, gravity=GRAVITY)
    n = system.n_joints
    state = system.state(q=rng.uniform(-2, 2, n), qd=rng.normal(size=n))
    wrench = np.zeros((n + 1, 6))
    if pushed:
        wrench[:n] = rng.normal(size=(n, 6))
    return DrawnMachine(robot, system, state, rng.normal(size=n) * 3, wrench)


def machine_of(system: dyn.System) -> Machine:
    order = list(reversed(range(system.n_joints)))
    joints, links = [system.joint_models[k] for k in order], [system.link_models[k] for k in order]
    inboard = [int(system.inboard[k]) for k in order]
    return Machine(
        parent=[order.index(i) if i >= 0 else -1 for i in inboard],
        sliding=[joint.kind == "prismatic" for joint in joints],
        turn=[joint.origin[:3, :3] for joint in joints], place=[joint.origin[:3, 3] for joint in joints],
        axis=[joint.axis for joint in joints], mass=[link.mass for link in links],
        center=[link.center_of_mass for link in links], tensor=[link.inertia for link in links],
        rotor=[joint.rotor_inertia for joint in joints], damping=[joint.damping for joint in joints],
        gravity=np.array(system.gravity),
    )  # fmt: skip


def moment_of(it: DrawnMachine) -> tuple[np.ndarray, ...]:
    """q, q', torques and pushes in link axes, from base to tip."""
    turn = dyn.forward_kinematics(it.system, it.state).pose[:, :3, :3]
    push = (it.wrench[:-1].reshape(-1, 2, 3) @ turn).reshape(-1, 6)
    return it.state.q[::-1], it.state.qd[::-1], it.tau[::-1], push[::-1]


def pinocchio_arrays(it: DrawnMachine, convention: str) -> Arrays:
    """What Pinocchio's articulated bodies leave in its data; the mass matrix and its inverse."""
    model = pin.buildModelFromXML(it.robot.urdf())
    model.gravity.linear = np.array(GRAVITY)
    x, v, torque = pin.neutral(model), np.zeros(model.nv), np.zeros(model.nv)
    for k, name in enumerate(it.system.joint_names):
        joint, q = model.joints[model.getJointId(name)], it.state.q[k]
        x[joint.idx_q : joint.idx_q + joint.nq] = (np.cos(q), np.sin(q)) if joint.nq == 2 else q
        v[joint.idx_v], torque[joint.idx_v] = it.state.qd[k], it.tau[k]
    data = model.createData()
    pin.aba(model, data, x, v, torque, getattr(pin.Convention, convention))
    spatial, inertia = ("a_gf", "Yaba") if convention == "LOCAL" else ("oa_gf", "oYaba")
    joints = [data.joints[number] for number in range(1, model.njoints)]
    return {
        "ddq": data.ddq.copy(),
        inertia: np.array(getattr(data, inertia).tolist()),  # the world's entry is among them
        spatial: np.array([each.vector for each in getattr(data, spatial)]),
        "U": np.array([joint.U.reshape(6) for joint in joints]),
        "UDinv": np.array([joint.UDinv.reshape(6) for joint in joints]),
        "Dinv": np.array([joint.Dinv.item() for joint in joints]),
        "M": pin.crba(model, model.createData(), x).copy(),
        "Minv": pin.computeMinverse(model, model.createData(), x).copy(),
    }


def mujoco_arrays(it: DrawnMachine) -> Arrays:
    """What MuJoCo's forward dynamics leaves in its data, as it stands there."""
    model = mujoco_model(it.robot)
    model.opt.gravity[:] = GRAVITY
    data = mujoco.MjData(model)
    for k, name in enumerate(it.system.joint_names):
        number = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, name)
        data.qpos[model.jnt_qposadr[number]] = it.state.q[k]
        at = model.jnt_dofadr[number]
        data.qvel[at], data.qfrc_applied[at] = it.state.qd[k], it.tau[k]
    mujoco.mj_forward(model, data)
    mujoco.mj_rnePostConstraint(model, data)
    named = {name: getattr(data, name).copy() for name in ("cdof", "cvel", "cacc", "qacc", "qfrc_bias")}
    mass = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, mass)
    return named | {"qM": mass}
