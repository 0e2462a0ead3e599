"""The same machines in Pinocchio: arms on their bases or floating, with the task object, solved by dense algebra."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import dynamics as dyn
from tests.dynamics.systems import DrawnRobot, numbers

Array = NDArray[np.float64]
WORLD_AXES = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED


def mass_matrix(model: pin.Model, x: Array) -> Array:
    """Both halves."""
    upper = pin.crba(model, model.createData(), x)
    return np.triu(upper) + np.triu(upper, 1).T


def coordinates(
    model: pin.Model, names: Iterable[str], q: Iterable[float], *others: Sequence[float]
) -> tuple[Array, list[int], list[Array]]:
    """A model's configuration, these joints' places among its velocities, and vectors with others' values there."""
    joints, x = [model.joints[model.getJointId(name)] for name in names], pin.neutral(model)
    for joint, value in zip(joints, q, strict=True):
        x[joint.idx_q : joint.idx_q + joint.nq] = (np.cos(value), np.sin(value)) if joint.nq == 2 else value
    places, vectors = [joint.idx_v for joint in joints], [np.zeros(model.nv) for _ in others]
    for vector, values in zip(vectors, others, strict=True):
        vector[places] = values
    return x, places, vectors


@dataclass(frozen=True)
class Grip:
    """A contact: ``selection`` (l, 6) of [angular; linear] in the contact frame, ``tip`` and ``held`` its poses."""

    arm: int
    selection: Array
    tip_pose: Array
    object_pose: Array


@dataclass(frozen=True)
class Answer:
    generalized: Array  # Pinocchio's own acceleration vector
    joint_acceleration: dict[str, float]
    base_acceleration: Array | None
    object_acceleration: Array | None
    contact_force: Array | None  # (grips, 6), on the object, at the contact, inertial axes, [moment; force]
    force_rank_deficiency: int = 0


class PinocchioWorld:
    """Joint names are ``"<arm>/<joint>"``, counting arms from 1."""

    def __init__(
        self, arms: Sequence[DrawnRobot], base_poses: Sequence[Array] | None = None, *, floating: bool = False,
        task_object: dyn.TaskObject | None = None, gravity: Sequence[float] = (0.0, 0.0, 0.0),
    ) -> None:  # fmt: skip
        self.arms, self.floating = tuple(arms), floating
        body = "\n".join(arm.elements(f"{number}/") for number, arm in enumerate(arms, 1))
        if floating:
            self.model = pin.buildModelFromXML(f'<robot name="w">{body}</robot>', pin.JointModelFreeFlyer())
        else:
            poses = [np.eye(4)] * len(arms) if base_poses is None else base_poses
            roots = "".join(_bolt(number, pose) for number, pose in enumerate(poses, 1))
            self.model = pin.buildModelFromXML(f'<robot name="w"><link name="world"/>{body}{roots}</robot>')
        self.task_object = task_object
        if task_object is not None:
            joint = self.model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), "object")
            inertia = pin.Inertia(task_object.mass, np.zeros(3), np.asarray(task_object.inertia))
            self.model.appendBodyToJoint(joint, inertia, pin.SE3.Identity())
        self.model.gravity.linear = np.asarray(gravity, dtype=float)
        self.data = self.model.createData()

    def configuration(
        self, q: Mapping[str, float], base_pose: Array | None = None, object_pose: Array | None = None
    ) -> Array:
        x, _, _ = coordinates(self.model, q, q.values())
        for name, pose in (("root_joint", base_pose), ("object", object_pose)):
            if pose is not None:
                joint = self._joint(name)
                x[joint.idx_q : joint.idx_q + 7] = pin.SE3ToXYZQUAT(pin.SE3(pose))
        return x

    def velocity(
        self, qd: Mapping[str, float], base_pose: Array | None = None, base_velocity: Array | None = None,
        object_pose: Array | None = None, object_velocity: Array | None = None,
    ) -> Array:  # fmt: skip
        _, _, (v,) = coordinates(self.model, qd, qd.values(), [*qd.values()])
        for name, pose, twist in (("root_joint", base_pose, base_velocity), ("object", object_pose, object_velocity)):
            if pose is not None and twist is not None:
                start = self._joint(name).idx_v
                v[start : start + 3] = pose[:3, :3].T @ twist[3:]
                v[start + 3 : start + 6] = pose[:3, :3].T @ twist[:3]
        return v

    def torque(self, tau: Mapping[str, float]) -> Array:
        return self.velocity(tau)

    def answer(self, x: Array, v: Array, a: Array, force: Array | None = None, deficiency: int = 0) -> Answer:
        """Pinocchio's accelerations in the conventions of this project."""
        names = [name for name in self.model.names if name not in ("universe", "root_joint", "object")]
        joints = {name: float(a[self._joint(name).idx_v]) for name in names}
        free = {"root_joint": None, "object": None}
        for name in free:
            if self.model.existJointName(name):
                joint = self._joint(name)
                own = v[joint.idx_v : joint.idx_v + 6]
                material = np.array(a)
                material[joint.idx_v : joint.idx_v + 3] += np.cross(own[3:], own[:3])
                free[name] = self.twist(x, material, name)
        return Answer(a, joints, free["root_joint"], free["object"], force, deficiency)

    def free_motion(self, x: Array, v: Array, tau: Array) -> Answer:
        """Articulated-body algorithm: no contact."""
        return self.answer(x, v, pin.aba(self.model, self.data, x, v, tau).copy())

    def tip_pose(self, x: Array, arm: int, link: str) -> Array:
        pin.framesForwardKinematics(self.model, self.data, x)
        return self.data.oMf[self._frame(arm, link)].homogeneous

    def constraint(self, x: Array, v: Array, grips: Sequence[Grip]) -> tuple[Array, Array]:
        """J and gamma of J a = gamma: no relative acceleration along the transmitted directions."""
        model, data = self.model, self.data
        pin.computeJointJacobians(model, data, x)
        pin.forwardKinematics(model, data, x, v, np.zeros(model.nv))
        pin.updateFramePlacements(model, data)
        rows, right = [], []
        for grip in grips:
            tip = model.frames[self._frame(grip.arm + 1, self.arms[grip.arm].leaf)]
            frames = [
                (tip.parentJoint, tip.placement * pin.SE3(grip.tip_pose)),
                (model.getJointId("object"), pin.SE3(grip.object_pose)),
            ]
            turn = (data.oMi[frames[1][0]] * frames[1][1]).rotation  # the contact frame rides on the object
            selection = grip.selection @ np.kron(np.eye(2), turn.T)
            jacobians, biases = [], []
            for joint, placement in frames:
                j = pin.getFrameJacobian(model, data, joint, placement, WORLD_AXES)
                bias = pin.getFrameClassicalAcceleration(model, data, joint, placement, WORLD_AXES)
                jacobians.append(np.vstack([j[3:], j[:3]]))
                biases.append(np.concatenate([bias.angular, bias.linear]))
            rows.append(selection @ (jacobians[0] - jacobians[1]))
            right.append(selection @ (biases[1] - biases[0]))
        return np.vstack(rows), np.concatenate(right)

    def held_motion(self, x: Array, v: Array, tau: Array, grips: Sequence[Grip]) -> Answer:
        """The dense saddle-point system; the least forces, each by what it moves alone, where not determined."""
        j, gamma = self.constraint(x, v, grips)
        mass = mass_matrix(self.model, x)
        drive = tau - pin.nonLinearEffects(self.model, self.data, x, v)
        weight = np.linalg.inv(np.linalg.cholesky(mass))
        whitened = j @ weight.T
        lengths = np.linalg.norm(whitened, axis=1)
        left, s, right = np.linalg.svd(whitened / lengths[:, None], full_matrices=False)
        rank = int(np.sum(s > 1e-9 * s[0]))
        left, s, right = left[:, :rank], s[:rank], right[:rank]
        force_on_arms = left @ ((left.T @ ((gamma - whitened @ (weight @ drive)) / lengths)) / s**2) / lengths
        a = weight.T @ (weight @ (drive + j.T @ force_on_arms))
        return self.answer(x, v, a, self._on_object(x, grips, -force_on_arms), len(gamma) - rank)

    def _on_object(self, x: Array, grips: Sequence[Grip], f: Array) -> Array:
        joint = self._joint("object")
        held = pin.XYZQUATToSE3(x[joint.idx_q : joint.idx_q + 7]).rotation
        forces, start = [], 0
        for grip in grips:
            stop = start + len(grip.selection)
            forces.append(np.kron(np.eye(2), held @ grip.object_pose[:3, :3]) @ grip.selection.T @ f[start:stop])
            start = stop
        return np.array(forces)

    def column(self, name: str) -> int:
        return int(self._joint(name).idx_v)

    def twist(self, x: Array, v: Array, name: str) -> Array:
        """[angular; linear] in inertial axes of a free body ("root_joint" or "object")."""
        joint = self._joint(name)
        rotation = pin.XYZQUATToSE3(x[joint.idx_q : joint.idx_q + 7]).rotation
        return np.concatenate([rotation @ v[joint.idx_v + 3 : joint.idx_v + 6], rotation @ v[joint.idx_v :][:3]])

    def _joint(self, name: str) -> pin.JointModel:
        return self.model.joints[self.model.getJointId(name)]

    def _frame(self, arm: int, link: str) -> int:
        return int(self.model.getFrameId(f"{arm}/{link}", pin.FrameType.BODY))


def _bolt(number: int, pose: Array) -> str:
    rpy = numbers(Rotation.from_matrix(pose[:3, :3]).as_euler("xyz"))
    return (
        f'<joint name="bolt{number}" type="fixed"><parent link="world"/><child link="{number}/l0"/>'
        f'<origin xyz="{numbers(pose[:3, 3])}" rpy="{rpy}"/></joint>'
    )
