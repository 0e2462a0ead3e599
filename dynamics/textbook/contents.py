"""The formulations: the machines that each serves, its inputs beyond those of the textbook, and its results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from dynamics.checks import Array, brief, choices, is_among
from dynamics.errors import ModelError
from dynamics.system.plain_kinematics import Kinematics, bias_accelerations, bias_forces, tilde, turn_about
from dynamics.system.state import State
from dynamics.system.system import System
from dynamics.textbook.stages import WORLD, Part, given, numbers

Arrival = Literal["torque", "joint_acceleration"]
BOLTED = "arms that are bolted down and hold nothing"
HOLDING = "arms that hold an object, of which no joint follows another and no loop is closed"
ANY = "every machine"


@dataclass(frozen=True, eq=False)
class Formulation:
    """One text, or several in sequence."""

    parts: tuple[Part, ...]  # its sweeps, in order
    arrives: Arrival  # torques for given accelerations, or accelerations for given torques
    letter: str  # of the result
    serves: str  # which machines, in words
    closing: tuple[Part, ...] = ()  # further sweeps if an object is held

    def suits(self, system: System) -> bool:
        """Whether it serves a machine."""
        if self.serves == BOLTED:
            return not system.is_held and not system.is_floating
        return self.serves == ANY or (system.is_held and not system.couplings.are_some)

    def parts_for(self, system: System) -> tuple[Part, ...]:
        """The sweeps for a machine."""
        return self.parts + (self.closing if system.is_held else ())


def _parts(text: str, *functions: str) -> tuple[Part, ...]:
    return tuple(Part(text, text, function) for function in functions)


def _by_mass_matrix(text: str, *functions: str) -> Formulation:
    first, last = (Part(text, "bias", function) for function in ("bias_torque", "motion"))
    return Formulation((*_parts(text, *functions), first, last), "joint_acceleration", "theta_dd", BOLTED)


FORMULATIONS: Mapping[str, Formulation] = MappingProxyType(
    {
        "newton_euler": Formulation(_parts("newton_euler", "motions", "forces"), "torque", "tau", BOLTED),
        "newton_euler_modified": Formulation(
            _parts("newton_euler_modified", "motions", "forces"), "torque", "tau", BOLTED),
        "lagrange": Formulation(_parts("lagrange", "transforms", "kinetic_terms", "torques"), "torque", "tau", BOLTED),
        "strobing": _by_mass_matrix("strobing", "column_by_column"),
        "composite_bodies": _by_mass_matrix("composite_bodies", "composite_bodies", "mass_matrix"),
        "appel": Formulation(
            _parts("appel", "coefficients", "gibbs_function", "equations_of_motion"),
            "joint_acceleration", "theta_dd", BOLTED),
        "constrained": Formulation(
            _parts("constrained", "jacobians", "resistance", "free_acceleration"),
            "joint_acceleration", "v_FREE", ANY, _parts("constrained", "contacts", "multipliers")),
        "inverse_dynamics": Formulation(_parts("inverse_dynamics", "accelerations", "torques"), "torque", "T", BOLTED),
        "group_inverse": Formulation(
            _parts("constrained", "jacobians", "resistance", "contacts") + _parts("group_inverse", "torques"),
            "torque", "P_v", HOLDING),
    }
)  # fmt: skip


def formulation_for(system: System, name: str) -> Formulation:
    """The formulation with a name.

    Raises:
        ModelError: for an unknown formulation, or one that does not serve this machine.
    """
    if not is_among(name, FORMULATIONS):
        raise ModelError(f"there is no formulation {brief(name)}; choose among {choices(FORMULATIONS)}.")
    if not FORMULATIONS[name].suits(system):
        raise ModelError(f"{name} serves {FORMULATIONS[name].serves}; this machine is not one of these.")
    return FORMULATIONS[name]


def formulations_of(system: System) -> tuple[str, ...]:
    """The names of those that serve a machine."""
    return tuple(name for name, each in FORMULATIONS.items() if each.suits(system))


def given_to(
    name: str, system: System, state: State, moved: Kinematics, tau: Array, qdd: Array, wrench: Array, payload: Array
) -> dict[str, Any]:
    """Every letter that a formulation does not compute itself.

    Args:
        name: the formulation's name.
        tau: (joints,), motor torques.
        qdd: (joints,), the given or desired accelerations.
        wrench: (links + 1, 6), external [moment; force] on each link at O_k; the last row is the object's.
        payload: (6,), the desired acceleration of the object.
    """
    letters = given(system, state, moved, tau, wrench) | _of_the_tree(system)
    n = system.n_joints
    places = np.eye(n + 6 * system.n_bases)
    letters |= {
        "theta_d": numbers(state.qd),
        "theta_dd": numbers(qdd),
        "alpha_C": payload[:, None],
        "a": bias_accelerations(system, state, moved)[..., None],
        "b": bias_forces(system, moved, wrench)[..., None],
        "e": places[:n, None],
        "e_b": dict(enumerate(places[n:].reshape(-1, 6, len(places)), n)),
    }
    if name in ("newton_euler", "newton_euler_modified", "appel"):
        letters |= _of_vectors(system, moved, wrench)
    if name == "appel":
        letters["p"] = np.concatenate([letters["p"], np.zeros((1, 3, 1))])  # the last row is the world's
    if name == "lagrange":
        letters |= _of_transforms(system, state, moved, wrench)
    return letters


def _of_the_tree(system: System) -> dict[str, Any]:
    """Paths through the arms: for each joint those inward and those that it carries; pairs on a link's path."""
    ways = [[k for k in system.path_inward(k) if k < system.n_joints] for k in range(system.n_joints)]
    carried = [[k for k in reversed(range(system.n_joints)) if j in ways[k]] for j in range(system.n_joints)]
    return {
        "way": ways.__getitem__,
        "carried": carried.__getitem__,
        "inward": lambda j: list(zip(ways[j], ways[j][1:], strict=False)),
        "pairs": lambda k: [(s, j) for at, s in enumerate(ways[k]) for j in ways[k][at:]],
    }


def _of_vectors(system: System, moved: Kinematics, wrench: Array) -> dict[str, Any]:
    """Axes, inertias and external forces as 3-vectors and 3x3 matrices."""
    turns = np.array([joint.kind == "revolute" for joint in system.joint_models], dtype=bool)[:, None]
    rotation = moved.pose[:, :3, :3]
    inertia = np.array([link.inertia for link in system.link_models]).reshape(-1, 3, 3)
    inertia = rotation @ inertia @ rotation.transpose(0, 2, 1)
    mass, p = np.array([link.mass for link in system.link_models])[:, None], moved.mass_lever
    spread = 0.5 * np.trace(inertia, axis1=1, axis2=2)[:, None, None] * np.eye(3) - inertia
    return {
        "h": np.where(turns, moved.axis, 0.0)[..., None],
        "d": np.where(turns, 0.0, moved.axis)[..., None],
        "I_c": inertia,
        "K": spread + mass[..., None] * p[:, :, None] * p[:, None, :],
        "mp": (mass * p)[..., None],
        "n_ext": wrench[:-1, :3, None],
        "f_ext": wrench[:-1, 3:, None],
    }


def _of_transforms(system: System, state: State, moved: Kinematics, wrench: Array) -> dict[str, Any]:
    """4x4 matrices: each joint's transform and its derivative, pseudo-inertias, weights and external forces."""
    n = system.n_joints
    T_k, Q, J, w, E = np.zeros((5, n, 4, 4))
    for k, (joint, link) in enumerate(zip(system.joint_models, system.link_models, strict=True)):
        bolted = int(system.inboard[k]) == WORLD
        step = np.eye(4)
        if joint.kind == "revolute":
            step[:3, :3], Q[k, :3, :3] = turn_about(joint.axis, state.q[k]), tilde(joint.axis)
        else:
            step[:3, 3], Q[k, :3, 3] = state.q[k] * joint.axis, joint.axis
        T_k[k] = (system.base_poses[system.arm_of_link[k]] if bolted else np.eye(4)) @ joint.origin @ step
        center, inertia = link.center_of_mass, link.inertia
        J[k, :3, :3] = 0.5 * np.trace(inertia) * np.eye(3) - inertia + link.mass * np.outer(center, center)
        J[k, :3, 3] = J[k, 3, :3] = link.mass * center
        J[k, 3, 3] = link.mass
        w[k, :3] = np.outer(system.gravity, J[k, 3])
        E[k, :3, :3], E[k, :3, 3] = 0.5 * tilde(wrench[k, :3]) @ moved.pose[k, :3, :3], wrench[k, 3:]
    return {"T_k": T_k, "Q": Q, "J": J, "w": w, "E": E, "base": np.eye(4)}
