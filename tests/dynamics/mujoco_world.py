"""MuJoCo models drawn at random, and their accelerations by MuJoCo itself in this package's coordinates."""

import mujoco
import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import dynamics as dyn
from tests.dynamics.systems import GRAVITY, DrawnRobot

Array = NDArray[np.float64]
NO_CONTACT = (
    f'<option gravity="{GRAVITY[0]} {GRAVITY[1]} {GRAVITY[2]}"><flag contact="disable" constraint="disable"/></option>'
)


def mujoco_model(drawn: DrawnRobot) -> mujoco.MjModel:
    """MuJoCo welds static bodies together by itself; limits and contacts play no part at these states."""
    compiler = '<mujoco><compiler fusestatic="true" balanceinertia="false" boundmass="0" boundinertia="0"/></mujoco>'
    return mujoco.MjModel.from_xml_string(drawn.urdf().replace("</robot>", f"{compiler}</robot>"))


def numbers(*values: float) -> str:
    return " ".join(repr(float(value)) for value in values)


def draw_model(rng: np.random.Generator, n_bodies: int, floating: bool) -> str:
    """A tree of bodies, each with up to three joints or a ball joint, inertias given, or to be inferred of shapes."""
    parents = [int(rng.integers(max(k - 2, 0), k)) if k else -1 for k in range(n_bodies)]

    def body(k: int) -> str:
        inner = "".join(body(child) for child in range(n_bodies) if parents[child] == k)
        joints = (
            '<freejoint name="free"/>' if floating and k == 0 else _joints(rng, k, must_move=k in (0, n_bodies - 1))
        )
        turn = rng.choice(["quat", "euler", "axisangle", "xyaxes"])
        count = {"quat": 4, "euler": 3, "axisangle": 4, "xyaxes": 6}[turn]
        at = f'pos="{numbers(*rng.normal(size=3) * 0.3)}" {turn}="{numbers(*rng.normal(size=count))}"'
        return f'<body name="b{k}" {at}>{joints}{_mass(rng)}{inner}</body>'

    return (
        f'<mujoco model="drawn"><compiler angle="{rng.choice(["radian", "degree"])}" eulerseq="zyx"/>{NO_CONTACT}'
        f"<worldbody>{body(0)}</worldbody></mujoco>"
    )


def _joints(rng: np.random.Generator, k: int, must_move: bool) -> str:
    kinds = [rng.choice(["hinge", "slide"]) for _ in range(int(rng.integers(int(must_move), 4)))]
    if rng.random() < 0.2:
        kinds = ["ball"]
    return "".join(_joint(rng, f"j{k}{letter}", kind) for letter, kind in zip("abc", kinds, strict=False))


def _joint(rng: np.random.Generator, name: str, kind: str) -> str:
    at = f'name="{name}" type="{kind}" pos="{numbers(*rng.normal(size=3) * 0.1)}"'
    if kind == "ball":
        return f"<joint {at}/>"
    own = f'axis="{numbers(*rng.normal(size=3))}" ref="{numbers(rng.normal())}"'
    return f'<joint {at} {own} armature="{numbers(rng.uniform(0.01, 0.1))}" damping="{numbers(rng.uniform())}"/>'


def _mass(rng: np.random.Generator) -> str:
    if rng.random() < 0.5:
        center, quaternion = numbers(*rng.normal(size=3) * 0.1), numbers(*rng.normal(size=4))
        kinds = {"box": 3, "capsule": 2, "cylinder": 2, "sphere": 1, "ellipsoid": 3}
        return "".join(
            f'<geom type="{kind}" size="{numbers(*rng.uniform(0.05, 0.15, kinds[kind]))}" pos="{center}" '
            f'quat="{quaternion}"/>'
            for kind in rng.choice(list(kinds), 2)
        )
    turn, moments = Rotation.random(rng=rng).as_matrix(), rng.uniform(0.01, 0.02, 3)
    inertia = (turn * moments) @ turn.T
    six = numbers(*(inertia[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))))
    center = numbers(*rng.normal(size=3) * 0.1)
    return f'<inertial pos="{center}" mass="{numbers(rng.uniform(0.5, 2.0))}" fullinertia="{six}"/>'


class MujocoTwin:
    """The same model in MuJoCo, in a state of the system that was read from it."""

    def __init__(self, text: str, system: dyn.System, state: dyn.State) -> None:
        self.model = mujoco.MjModel.from_xml_string(text)
        self.data = mujoco.MjData(self.model)
        self._system, self._state = system, state
        self._q = dict(zip(system.joint_names, state.q, strict=True))
        self._qd = dict(zip(system.joint_names, state.qd, strict=True))
        for j in range(self.model.njnt):
            self._set(j)

    def _names(self, j: int) -> list[str]:
        name = self.model.jnt(j).name
        return [f"{name}_{letter}" for letter in "xyz"] if self.model.jnt_type[j] == 1 else [name]

    def _set(self, j: int) -> None:
        at, dof = self.model.jnt_qposadr[j], self.model.jnt_dofadr[j]
        if self.model.jnt_type[j] == 0:
            pose, velocity = self._state.base_pose, self._state.base_velocity
            self.data.qpos[at : at + 3] = pose[:3, 3]
            self.data.qpos[at + 3 : at + 7] = Rotation.from_matrix(pose[:3, :3]).as_quat(scalar_first=True)
            self.data.qvel[dof : dof + 6] = [*velocity[3:], *(pose[:3, :3].T @ velocity[:3])]
            return
        q, qd = ([values[name] for name in self._names(j)] for values in (self._q, self._qd))
        if len(q) == 3:
            self.data.qpos[at : at + 4] = Rotation.from_euler("XYZ", q).as_quat(scalar_first=True)
            self.data.qvel[dof : dof + 3] = _rates_of_ball(np.array(q)) @ qd
        else:
            self.data.qpos[at], self.data.qvel[dof] = q[0], qd[0]

    def expected(self, found: dyn.Solution) -> Array:
        """``qacc`` as it follows from accelerations of this package."""
        qdd = dict(zip(self._system.joint_names, found.joint_acceleration, strict=True))
        expected = np.zeros(self.model.nv)
        for j in range(self.model.njnt):
            dof = self.model.jnt_dofadr[j]
            if self.model.jnt_type[j] == 0:
                turn = self._state.base_pose[:3, :3]
                expected[dof : dof + 6] = [*found.base_acceleration[3:], *(turn.T @ found.base_acceleration[:3])]
                continue
            names = self._names(j)
            own = np.array([qdd[name] for name in names])
            if len(names) == 3:
                q, qd = (np.array([values[name] for name in names]) for values in (self._q, self._qd))
                own = _rates_of_ball(q) @ own + _change_of_rates(q, qd) @ qd
            expected[dof : dof + len(names)] = own
        return expected

    def tied_difference(self, found: dyn.Solution) -> float:
        """Of accelerations, where MuJoCo's equalities hold exactly: M a = f + J' lambda, J a = -J_dot v."""
        model, data = self.model, self.data
        off = (mujoco.mjtDisableBit.mjDSBL_SPRING, mujoco.mjtDisableBit.mjDSBL_ACTUATION)
        model.opt.disableflags |= sum(map(int, off))
        model.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
        model.opt.density, model.opt.viscosity, model.body_gravcomp[:] = 0.0, 0.0, 0.0
        model.dof_damping[model.jnt_type[model.dof_jntid] == 0] = 0.0
        model.eq_solref[:] = -1e-300  # neither spring nor damper draws anything back
        mujoco.mj_forward(model, data)
        rows, mass_matrix = data.efc_J.reshape(-1, model.nv)[: data.nefc], np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(model, data, mass_matrix)
        rows[np.abs(rows) < 1e-12] = 0.0
        answers = np.linalg.solve(mass_matrix, rows.T)
        lengths = np.sqrt((rows * answers.T).sum(axis=1))
        lengths[lengths == 0.0] = 1.0  # turns of a weld that holds none, and what is welded as it is
        rows, answers, wanted = rows / lengths[:, None], answers / lengths, data.efc_aref[: data.nefc] / lengths
        multipliers = np.linalg.lstsq(rows @ answers, wanted - rows @ data.qacc_smooth, rcond=1e-12)[0]
        expected = data.qacc_smooth + answers @ multipliers
        return float(np.abs(self.expected(found) - expected).max() / np.abs(data.qacc_smooth).max())


def _turns(q: Array) -> tuple[Array, Array]:
    return Rotation.from_euler("Y", q[1]).as_matrix(), Rotation.from_euler("Z", q[2]).as_matrix()


def _rates_of_ball(q: Array) -> Array:
    """(3, 3): angular velocity in the body's own axes by the rates of hinges about x, y and z."""
    y, z = _turns(q)
    return np.stack([(y @ z)[0], z[1], [0.0, 0.0, 1.0]], axis=1)


def _change_of_rates(q: Array, qd: Array) -> Array:
    y, z = _turns(q)
    by_y = np.array([[-np.sin(q[1]), 0, np.cos(q[1])], [0, 0, 0], [-np.cos(q[1]), 0, -np.sin(q[1])]]) * qd[1]
    by_z = np.array([[-np.sin(q[2]), -np.cos(q[2]), 0], [np.cos(q[2]), -np.sin(q[2]), 0], [0, 0, 0]]) * qd[2]
    return np.stack([(by_y @ z + y @ by_z)[0], by_z[1], np.zeros(3)], axis=1)
