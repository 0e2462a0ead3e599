"""The textbook evaluated for one state: a complete solution, and its lines."""

from __future__ import annotations

import copyreg
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from dynamics.checks import Array, brief
from dynamics.errors import ModelError, StateError
from dynamics.public import public_as_computed
from dynamics.reading.breaks import textbook_breaks
from dynamics.reading.evaluation import Evaluation, evaluate
from dynamics.reading.grammar import written
from dynamics.reading.lines import all_lines
from dynamics.reading.reading import Reading
from dynamics.system.couplings import coupled_torque
from dynamics.system.joint_vectors import JointValues, joint_vector
from dynamics.system.loops import ties_of
from dynamics.system.plain_kinematics import Forces, Kinematics, external_wrench, plain_kinematics
from dynamics.system.registry import REGISTRY
from dynamics.system.solution import Solution
from dynamics.system.state import State
from dynamics.system.system import System
from dynamics.textbook.stages import BOTH, DUAL, given, motion_parts, parts_of
from dynamics.textbook.symbols import SYMBOLS

METHOD = "textbook"


@public_as_computed
def read_textbook(
    system: System,
    state: State,
    tau: JointValues | None = None,
    external_forces: Forces = None,
    breaks: Iterable[str] = (),
    typed: Mapping[str, str] | None = None,
) -> Reading:
    """Evaluates the method from its one readable text, line by line: R87 VIII, R88 8-9, JR 2-3 in plain NumPy.

    Args:
        system: of any kind; released or held, coupled contacts included.
        state: need not be closed: a broken text lets contacts come apart.
        tau: (joints,) motor torques in N m or forces in N, tip to base, arm after arm; default zero.
        external_forces: ``{link name or "object": [moment; force]}`` in inertial axes, at the link's joint or the
            object's mass centre.
        breaks: keys of breaks in the text (from ``textbook_lines``), any number; those of another formulation have no
            effect. A broken text returns what it computes: where it divides by zero the numbers are not
            finite.
        typed: right sides that the user has typed in place of the text's own, by the keys of their lines. A small
            interpreter evaluates them, without executing them; they have no ``lines``.

    Returns:
        the solution, with every stage, and the lines of each place.

    Raises:
        StateError: for wrong shapes, or numbers that are not finite.
        ModelError: for a break or a line that the text does not have, two breaks that contradict each other, or a
            typed line that cannot be evaluated: then it is a ``LineError`` that says where.

    Cost: linear in the links, some 0.1 ms each, and cubic in the contact directions.
    """
    keys = textbook_breaks(breaks)
    torque = joint_vector(system, tau, "tau")
    system.pack(state)  # refuses the state of another system
    moved, wrench = plain_kinematics(system, state), external_wrench(system, external_forces)
    own = typed_lines(typed)
    total = _coupled(system, state, moved, torque, wrench, keys, own)
    found = evaluate(parts_of(system), given(system, state, moved, total, wrench), keys, own)
    solution = _solution(system, state, total, moved, found)
    if system.couplings.are_some:
        solution = replace(solution, coupling_torque=total - torque)
    reading = Reading(solution, keys, found, wrench, own)
    if not keys and not own and not np.isfinite(reading.solution.packed_acceleration).all():
        raise StateError("the accelerations are not finite: velocities, torques or forces are too large.")
    return reading


def typed_lines(typed: object) -> dict[str, str]:
    """Typed right sides by the keys of their lines; a line that the text does not have, or no line, is refused."""
    if typed is None:
        return {}
    if not isinstance(typed, Mapping) or not all(isinstance(each, str) for pair in typed.items() for each in pair):
        raise ModelError(f"typed is {brief(typed)}; expected typed right sides by the keys of their lines.")
    lines = {line.key: line for line in all_lines()}
    for key, text in typed.items():
        if key not in lines:
            raise ModelError(f"the text has no line {brief(key)}; dynamics.reading.textbook_lines lists them.")
        written(text, lines[key].letter)
    return dict(typed)


def _asked(reading: Reading) -> tuple[Any, ...]:
    """A pickle stores the arguments only: the letters include functions."""
    own = reading.solution
    return read_textbook, (own.system, own.state, own.tau, reading.wrench, reading.breaks, dict(reading.typed))


copyreg.pickle(Reading, _asked)


def textbook_acceleration(
    system: System,
    state: State,
    tau: Array,
    wrench: Array,
    breaks: frozenset[str] = frozenset(),
    typed: Mapping[str, str] | None = None,
) -> Array:
    """The accelerations alone, packed like a velocity: only the required sweeps are run.

    A free flyer's come from its smoother, or from both filters together if a line of theirs has been typed. ``tau`` are
    the motors' (joints,), ``wrench`` is external, (links + 1, 6), ``typed`` as from ``typed_lines``.
    """
    moved = plain_kinematics(system, state)
    own = {key.partition(".")[0] for key in typed or ()}
    by_both = not system.is_held and bool(own & {DUAL.function, BOTH.function})
    parts = motion_parts(system, by_both)
    tau = _coupled(system, state, moved, tau, wrench, breaks, typed)
    found = evaluate(parts, given(system, state, moved, tau, wrench), breaks, typed)
    alpha, theta_dd = (
        found.letters[name] for name in (("alpha_k", "theta_dd_k") if by_both else ("alpha", "theta_dd"))
    )
    packed = [theta_dd.ravel(), alpha[system.n_joints : system.n_links].ravel()]
    if system.task_object is not None:
        packed.append(found.letters["alpha_C" if system.is_held else "alpha_b"].ravel())
    return np.concatenate(packed)


def _coupled(
    system: System,
    state: State,
    moved: Kinematics,
    tau: Array,
    wrench: Array,
    breaks: frozenset[str],
    typed: Mapping[str, str] | None,
) -> Array:
    """The torques that keep all couplings satisfied according to the text, broken or not."""
    if not system.couplings.are_some:
        return tau

    def solve(torque: Array) -> tuple[Array, Array]:
        found = evaluate(motion_parts(system), given(system, state, moved, torque, wrench), breaks, typed).letters
        return found["theta_dd"].ravel(), found["D"].ravel()

    with np.errstate(all="ignore"):
        return coupled_torque(ties_of(system, state), tau, solve)


def _solution(system: System, state: State, tau: Array, moved: Kinematics, found: Evaluation) -> Solution:
    stages = _stages(system, found)
    final = stages["smoother_final" if system.is_held else "smoother"]
    bases, payload = final["acceleration"][system.n_joints :], None
    force = indeterminate = None
    if system.task_object is not None:
        force = np.zeros((system.n_tips, 6))
        payload = found.letters["alpha_b"][:, 0]
    if system.is_held:
        contact, tips = stages["contact"], [held.tip for held in system.contacts]
        force, payload = contact["contact_force"], contact["object_acceleration"]
        indeterminate = contact["indeterminate_directions"].reshape(system.n_tips, 6, -1)[tips]
    kinetic, potential, momentum = _energy_and_momentum(system, state, moved, found.letters["M"])
    return Solution(
        method=METHOD,
        system=system,
        state=state,
        tau=tau,
        joint_acceleration=final["joint_acceleration"],
        base_acceleration=(bases[0] if system.kind == "free_flyer" else bases) if system.is_floating else None,
        object_acceleration=payload,
        contact_force=force,
        indeterminate=indeterminate,
        stages=stages,
        link_pose=moved.pose,
        link_velocity=moved.velocity,
        bias_acceleration=found.letters["a"][..., 0],
        bias_force=found.letters["b"][..., 0],
        tip_pose=moved.tip_pose,
        kinetic_energy=kinetic,
        potential_energy=potential,
        momentum=momentum,
    )


def _stages(system: System, found: Evaluation) -> dict[str, dict[str, Array]]:
    """The stage arrays under the registry's names, in the registry's order."""
    arrays: dict[tuple[str, str], Array] = {}
    for part, letters in found.computed.items():
        for letter in letters:
            key = (part.stage, SYMBOLS[letter].quantity)
            if key in REGISTRY and key not in arrays:
                arrays[key] = _array(system, part.stage, letter, found.scopes[part][letter])
    stages = {stage: {name: arrays[stage, name] for at, name in REGISTRY if (at, name) in arrays and at == stage}
              for stage in dict.fromkeys(part.stage for part in found.scopes)}  # fmt: skip
    if system.is_held:
        del stages["smoother"]["force"]  # the force of the whole motion comes from the last smoother
    else:
        stages.pop("contact", None)
    return stages


def _array(system: System, stage: str, letter: str, value: Array) -> Array:
    """Columns as vectors, 1x1 as numbers; without the world; contact quantities indexed by tip."""
    if stage != "contact":
        value = value[: system.n_links]
    elif letter not in ("Omega", "b_C", "y", "alpha_C"):
        tips, count = [held.tip for held in system.contacts], len(system.contacts)
        if letter == "Lam_0":
            value = value[range(count), range(count)]
        shape = value.shape if value.ndim == 3 else (count, 6, value.shape[1])
        at_tips = np.zeros((system.n_tips, *shape[1:]))
        at_tips[tips] = value.reshape(shape)
        value = (
            at_tips
            if value.ndim == 3 or (shape[2] == 1 and letter != "N")
            else at_tips.reshape(6 * system.n_tips, shape[2])
        )
    if value.shape[-2:] == (1, 1) and letter != "Omega":
        return value[..., 0, 0].copy()
    return value[..., 0].copy() if value.shape[-1] == 1 and letter not in ("Omega", "N") else value.copy()


def _energy_and_momentum(system: System, state: State, moved: Kinematics, inertia: Array) -> tuple[float, float, Array]:
    """J, J, and (6,) about the world's origin: links, rotors and object."""
    rotor = np.array([joint.rotor_inertia for joint in system.joint_models])
    mass = np.array([link.mass for link in system.link_models])
    point, velocity = moved.pose[:, :3, 3], moved.velocity
    own = (inertia @ velocity[..., None])[..., 0]
    kinetic = 0.5 * float(np.sum(own * velocity) + np.sum(rotor * state.qd**2))
    potential = -float(mass @ ((point + moved.mass_lever) @ system.gravity))
    momentum = np.concatenate([np.sum(own[:, :3] + np.cross(point, own[:, 3:]), axis=0), np.sum(own[:, 3:], axis=0)])
    payload = system.task_object
    if payload is not None and state.object_pose is not None and state.object_velocity is not None:
        rotation, place, omega = state.object_pose[:3, :3], state.object_pose[:3, 3], state.object_velocity[:3]
        angular, linear = rotation @ payload.inertia @ rotation.T @ omega, payload.mass * state.object_velocity[3:]
        kinetic += 0.5 * float(omega @ angular + linear @ state.object_velocity[3:])
        potential -= payload.mass * float(system.gravity @ place)
        momentum += np.concatenate([angular + np.cross(place, linear), linear])
    return kinetic, potential, momentum
