"""Arms that hold an object in the peers' models: rigid contacts in Pinocchio, soft welds in MuJoCo."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import dynamics as dyn
from benchmarks.peers import bare_urdf, mujoco, pin, plain_mujoco

Array = NDArray[np.float64]


def pinocchio_group(system: dyn.System, robot_names: Sequence[str]) -> pin.Model:
    """Arms on their bases, then the object as a free body."""
    world = ElementTree.Element("robot", name="group")
    ElementTree.SubElement(world, "link", name="world")
    for number, (name, base) in enumerate(zip(robot_names, system.base_poses, strict=True), 1):
        arm = ElementTree.fromstring(bare_urdf(name))
        for element in arm.iter():
            for key in {"link": ("name", "link"), "joint": ("name",), "parent": ("link",), "child": ("link",)}.get(
                element.tag, ()
            ):
                if key in element.attrib:
                    element.set(key, f"{number}/{element.get(key)}")
        world.extend(arm.findall("link") + arm.findall("joint"))
        bolt = ElementTree.SubElement(world, "joint", name=f"bolt {number}", type="fixed")
        ElementTree.SubElement(bolt, "parent", link="world")
        ElementTree.SubElement(bolt, "child", link=f"{number}/{system.robots[number - 1].root.name}")
        rpy = Rotation.from_matrix(base[:3, :3]).as_euler("xyz")
        ElementTree.SubElement(bolt, "origin", xyz=_numbers(base[:3, 3]), rpy=_numbers(rpy))
    model = pin.buildModelFromXML(ElementTree.tostring(world, encoding="unicode"))
    task_object = system.task_object
    joint = model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), "object")
    model.appendBodyToJoint(
        joint, pin.Inertia(task_object.mass, np.zeros(3), np.asarray(task_object.inertia)), pin.SE3.Identity()
    )
    model.gravity.linear = np.asarray(system.gravity)
    return model


def _numbers(values: Array) -> str:
    return " ".join(repr(float(value)) for value in values)


def pinocchio_grips(model: pin.Model, system: dyn.System) -> tuple[object, object]:
    """Rigid contacts where ``system`` has them, and their workspace."""
    models, datas = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    held = model.getJointId("object")
    for contact in system.contacts:
        arm = system.robots[contact.arm]
        joint = model.getJointId(f"{contact.arm + 1}/{arm.joints[0].name}")
        models.append(
            pin.RigidConstraintModel(
                pin.ContactType.CONTACT_6D, model, joint, pin.SE3(contact.tip_pose), held,
                pin.SE3(contact.object_pose), pin.LOCAL,
            )
        )  # fmt: skip
        datas.append(models[len(models) - 1].createData())
    return models, datas


def mujoco_group(system: dyn.System, robot_names: Sequence[str], object_pose: Array, dt: float) -> mujoco.MjModel:
    """The same group with welds, which in MuJoCo are springs: not the same mechanics."""
    world = mujoco.MjSpec()
    for number, (name, base) in enumerate(zip(robot_names, system.base_poses, strict=True), 1):
        frame = world.worldbody.add_frame(pos=base[:3, 3], quat=_quaternion(base))
        arm = mujoco.MjSpec.from_string(bare_urdf(name))
        world.attach(arm, prefix=f"{number}/", frame=frame)
    payload = world.worldbody.add_body(name="object", pos=object_pose[:3, 3], quat=_quaternion(object_pose))
    payload.add_freejoint()
    inertia = np.asarray(system.task_object.inertia)
    payload.mass, payload.explicitinertial = system.task_object.mass, True
    payload.ipos = np.zeros(3)
    payload.fullinertia = inertia[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    for contact in system.contacts:
        weld = world.add_equality(type=mujoco.mjtEq.mjEQ_WELD, objtype=mujoco.mjtObj.mjOBJ_BODY)
        weld.name1 = f"{contact.arm + 1}/{system.robots[contact.arm].links[0].name}"
        weld.name2 = "object"
        relative = contact.tip_pose @ np.linalg.inv(contact.object_pose)  # link <- object
        weld.data[:] = 0.0
        weld.data[3:6], weld.data[6:10], weld.data[10] = relative[:3, 3], _quaternion(relative), 1.0
    return plain_mujoco(world.compile(), system.gravity, dt)


def _quaternion(pose: Array) -> Array:
    quaternion = np.zeros(4)
    mujoco.mju_mat2Quat(quaternion, np.ascontiguousarray(pose[:3, :3]).ravel())
    return quaternion
