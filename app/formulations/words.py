"""The half-steps of the formulations in words."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import dynamics as dyn
from app.equations.words import METHODS
from dynamics.reading import FormulationStep, readable_formulations


class Step(NamedTuple):
    """A half-step: its title, and its description."""

    title: str
    words: str


CARRIED = Step(
    "Carried inward", "The links inboard stand still: the force alone is passed on, and each joint feels its share."
)
MOTION = "the base stands still, and each joint adds its own."
STEPS: Mapping[str, Step] = MappingProxyType(
    {
        "newton_euler.motions.outward": Step(
            "Motions, outward", f"How the link turns, and how its joint and its mass centre accelerate: {MOTION}"),
        "newton_euler.forces.balance": Step(
            "Force and moment, inward", "The force that the link's own mass needs, and that needed outboard, must come "
            "through its joint."),
        "newton_euler.forces.torque": Step(
            "Torque", "The motor gives what lies along the joint's axis; the bearing carries the rest."),
        "newton_euler_modified.motions.outward": Step(
            "Motions, outward",
            "The link's rotation gives its matrix A; A times a lever arm is the acceleration added at its end."),
        "newton_euler_modified.forces.balance": Step(
            "Force and moment, inward", "Rotation adds A times the first moment to the force, and to the moment a part "
            "that is read off A K."),
        "newton_euler_modified.forces.torque": Step(
            "Torque", "The motor gives what lies along the joint's axis; the bearing carries the rest."),
        "lagrange.transforms.transform": Step("Transforms", "From the link's axes to the base's: one more product."),
        "lagrange.transforms.own": Step("Its own derivative", "Q turns about, or slides along, the link's own joint."),
        "lagrange.transforms.chained": Step(
            "First derivatives", "Joint j moves all that hangs on it: T as far as j, Q, and the rest of the way."),
        "lagrange.kinetic_terms.second": Step(
            "Second derivatives", "Two joints at once: their order does not matter, so each pair is computed once."),
        "lagrange.kinetic_terms.rate": Step(
            "How derivatives change", "All joints on the way turn at their rates, and the derivative with them."),
        "lagrange.kinetic_terms.kinetic": Step(
            "Kinetic terms", "Accelerations of all the link's points, weighted by its pseudo-inertia."),
        "lagrange.torques.torque": Step(
            "Torques", "One number per joint: the resistance of all that it moves, and its weight, as traces."),
        "strobing.column_by_column.unit": Step("One joint accelerates", "Joint j accelerates by 1, all others do not."),
        "strobing.column_by_column.outward": Step(
            "Accelerations, outward", "All that joint j carries moves with it as one rigid body."),
        "strobing.column_by_column.moved": Step("Forces, inward", "What the moving links need, summed inward."),
        "strobing.column_by_column.diagonal": Step("Diagonal", "Joint j feels its own acceleration, and its rotor."),
        "strobing.column_by_column.still": CARRIED,
        "composite_bodies.composite_bodies.body": Step(
            "Composite bodies, inward", "The link and all outboard of it as one rigid body: no joint is free."),
        "composite_bodies.mass_matrix.own": Step(
            "Diagonal", "The joint gives its composite body unit acceleration: that needs this force and this torque."),
        "composite_bodies.mass_matrix.carried": CARRIED,
        "bias.bias_torque.outward": Step(
            "Bias, outward", "Accelerations due to velocities, while no joint accelerates."),
        "bias.bias_torque.inward": Step(
            "Bias, inward", "The forces that these need, with weight and pushes; their torque, with friction, is V."),
        "bias.motion": Step("Equation of motion", "One dense solve: the motors' torques beyond V accelerate."),
        "appel.coefficients.outward": Step(
            "Coefficients, outward", "Each link's acceleration: Ω and β multiply the joints' accelerations, Φ and Θ "
            "are due to velocities."),
        "appel.gibbs_function.share": Step(
            "Share of a link", "What it adds to W, V and D, and the forces of weight and pushes along the joints."),
        "appel.equations_of_motion": Step(
            "Appel's equations", "The derivative of S with respect to each acceleration is the force of motors, "
            "weight and pushes, less losses: one dense solve, and S itself at the motion."),
        "constrained.jacobians.base": Step("Floating base", "Six rates of its own."),
        "constrained.jacobians.outward": Step(
            "Jacobians, outward", "How the link moves for each rate; its own joint adds one column."),
        "constrained.resistance.share": Step(
            "Share of a link", "Its inertia, seen along all rates at once; the sum is the mass matrix."),
        "constrained.free_acceleration": Step(
            "Without contacts", "All shares summed, and one dense solve: the accelerations of arms that hold nothing."),
        "constrained.contacts.contact": Step(
            "Contact", "How the tip moves with the rates, and how it would leave the object."),
        "constrained.multipliers": Step(
            "Multipliers", "One force for each direction that a contact transmits, so that nothing parts; then arms "
            "and object accelerate under it."),
        "inverse_dynamics.accelerations.outward": Step("Accelerations, outward", f"Wanted accelerations: {MOTION}"),
        "inverse_dynamics.torques.inward": Step(
            "Forces, inward", "The force that the link needs to accelerate so, and that needed outboard."),
        "inverse_dynamics.torques.output": Step(
            "Torque", "The part of the force that the motor feels, with rotor and friction."),
        "group_inverse.torques": Step(
            "Share the load", "The smallest joint accelerations and contact forces that give the object what is "
            "wanted, and the torques for both."),
    }
)  # fmt: skip


def key_of(step: FormulationStep) -> str:
    """Text, sweep and half-step, the key in ``STEPS``."""
    return ".".join(part for part in (step.text, step.sweep, step.block) if part)


FEW = {"lagrange": 12, "strobing": 16, "composite_bodies": 24}
"""Most joints for methods whose number of steps grows faster: some 550 steps at most."""
LONG = "shorter arms, as it has too many steps to walk"


def walkable(system: dyn.System) -> tuple[str, ...]:
    """The formulations that apply to this machine with a reasonable number of steps."""
    return tuple(name for name in readable_formulations(system) if system.n_joints <= FEW.get(name, system.n_joints))


def absent(system: dyn.System) -> str:
    """Which formulations do not apply to this machine, and why, in a sentence; empty if all do."""
    readable, missing = readable_formulations(system), dict[str, list[str]]()
    for name, method in METHODS.items():
        if name not in walkable(system):
            missing.setdefault(LONG if name in readable else method.needs, []).append(method.title)
    reasons = [f"{', '.join(names)}: for {needs}" for needs, names in missing.items()]
    return f"Not for this machine: {'; '.join(reasons)}." if reasons else ""
