"""The same robots in the peers' own models. Each peer is optional: one that is not installed is None here."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module, resources
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn

Array = NDArray[np.float64]
WITHOUT = ("friction", "damping", "limits", "rotor_inertia")


def optional(name: str) -> Any:
    """The module, or None if it is not installed."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] != name.split(".")[0]:
            raise
        return None


pin: ModuleType | Any = optional("pinocchio")
mujoco: ModuleType | Any = optional("mujoco")


def bare_urdf(robot_name: str) -> str:
    """The robot's URDF without its shapes, set up so that MuJoCo's compiler keeps the numbers as they are."""
    path = Path(str(resources.files("assets"))) / "robots" / robot_name / "robot.urdf"
    root = ElementTree.fromstring(path.read_text())
    for link in root.findall("link"):
        for tag in ("visual", "collision"):
            for shape in link.findall(tag):
                link.remove(shape)
    options = {"fusestatic": "true", "balanceinertia": "false", "boundmass": "0", "boundinertia": "0"}
    ElementTree.SubElement(ElementTree.SubElement(root, "mujoco"), "compiler", options)
    return ElementTree.tostring(root, encoding="unicode")


def chain_urdf(n_joints: int) -> str:
    """A chain of equal links whose joints turn about x, y and z in turn; its root link may float."""
    inertia = '<inertia ixx="0.02" iyy="0.03" izz="0.025" ixy="0.001" ixz="-0.002" iyz="0.0015"/>'
    inertial = f'<inertial><origin xyz="0.01 -0.02 0.1"/><mass value="1.5"/>{inertia}</inertial>'
    text = ['<mujoco><compiler balanceinertia="false" boundmass="0" boundinertia="0" fusestatic="true"/></mujoco>']
    text.append(f'<link name="link_0">{inertial}</link>')
    for k in range(1, n_joints + 1):
        axis = ("1 0 0", "0 1 0", "0 0 1")[k % 3]
        limit = '<limit lower="-1e6" upper="1e6" effort="1e9" velocity="1e9"/>'
        ends = f'<parent link="link_{k - 1}"/><child link="link_{k}"/><origin xyz="0.02 0.01 0.2"/><axis xyz="{axis}"/>'
        text.append(f'<link name="link_{k}">{inertial}</link>')
        text.append(f'<joint name="joint_{k}" type="revolute">{limit}{ends}</joint>')
    return f'<robot name="chain">{"".join(text)}</robot>'


def pinocchio_arm(robot_name: str, gravity: Sequence[float]) -> pin.Model:
    return pinocchio_model(bare_urdf(robot_name), gravity)


def pinocchio_model(urdf: str, gravity: Sequence[float], *, floating: bool = False) -> pin.Model:
    model = pin.buildModelFromXML(urdf, pin.JointModelFreeFlyer()) if floating else pin.buildModelFromXML(urdf)
    model.gravity.linear = np.asarray(gravity, dtype=float)
    return model


def mujoco_arm(robot_name: str, gravity: Sequence[float], dt: float) -> mujoco.MjModel:
    return mujoco_model(bare_urdf(robot_name), gravity, dt)


def mujoco_model(urdf: str, gravity: Sequence[float], dt: float) -> mujoco.MjModel:
    return plain_mujoco(mujoco.MjModel.from_xml_string(urdf), gravity, dt)


def plain_mujoco(model: mujoco.MjModel, gravity: Sequence[float], dt: float) -> mujoco.MjModel:
    model.dof_damping[:] = 0.0
    model.dof_frictionloss[:] = 0.0
    model.opt.gravity[:] = gravity
    model.opt.timestep = dt
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_LIMIT
    return model


def base_to_tip(system: dyn.System, vector: Array) -> Array:
    """A chain's joint vector in the order of its file, arm after arm, as peers use it."""
    parts, start = [], 0
    for robot in system.robots:
        stop = start + len(robot.joints)
        parts.append(vector[start:stop][::-1])
        start = stop
    return np.concatenate(parts)
