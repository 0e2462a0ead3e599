"""The formulations, the machines that each serves, and its results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from dynamics.checks import brief, choices, is_among
from dynamics.errors import ModelError
from dynamics.system.system import System
from dynamics.textbook.stages import Part

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
