"""How bad it can be at most, where mathematics says so: what is affine in the torques, and D between two inertias."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from dynamics.checks import Array
from dynamics.record import Record
from dynamics.robot.model import Link
from dynamics.rows.problem import Problem
from dynamics.rows.ranges import Law, ends
from dynamics.rows.watched import ANSWERS, Watch
from dynamics.system.system import System

MOST_NUMBERS = 4_000_000
"""In the corners of a range of torques; of more no corner is tried."""
JOINT_INERTIA, SQUEEZE = "filter.joint_inertia", "squeeze"
CORNER = "what is affine in the torques, and a norm of it, is worst at a corner of their ranges; all were tried"


@dataclass(frozen=True, eq=False)
class Bound(Record):
    """No state of the ranges is worse.

    Attributes:
        value: in the unit of what is watched.
        why: in words.
        drawn: (variables,), a state that reaches it, or None where none is known.
    """

    value: float
    why: str
    drawn: Array | None = None


def bound_of(problem: Problem, toward: str) -> Bound | None:
    """Of what a problem watches, one thing, toward ``largest`` or ``smallest``; None where nothing is known of it."""
    watch, kinds = problem.watches[0], {one.kind for one in problem.variables}
    if watch.is_of_motion or any(isinstance(one.range, Law) for one in problem.variables):
        return None
    if watch.source == JOINT_INERTIA and watch.part != "norm" and kinds <= {"q", "qd", "tau", "gravity"}:
        if toward == "largest" and "q" in kinds and _slides_with_others(problem.start.system):
            return None
        joints = [watch.part] if isinstance(watch.part, int) else range(problem.start.system.n_joints)
        one_of = _least_inertia if toward == "smallest" else _most_inertia
        found = [one_of(problem, joint) for joint in joints]
        return (min if watch.part == "smallest" else max)(found, key=lambda bound: bound.value)
    if kinds == {"tau"} and isinstance(watch.source, str):
        return _of_torques(problem, watch, toward)
    return None


def _of_torques(problem: Problem, watch: Watch, toward: str) -> Bound | None:
    """In one posture accelerations, forces and all stages are affine in the torques.

    An affine number has its ends at corners of the ranges; a norm is convex, and has its largest there. Squeeze is half
    of a sum of norms less another norm. Cost: a state for each torque, and the corners as one product of matrices.
    """
    source = str(watch.source)
    if source != SQUEEZE and source not in ANSWERS and "." not in source:
        return None
    sums = watch.part in ("norm", "")
    if not (toward == "largest" if sums else watch.part == toward or isinstance(watch.part, int)):
        return None
    low, high = np.array([ends(one.range) for one in problem.variables]).T
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    states, refused = next(problem.pieces(0, middle + np.vstack([np.zeros_like(half), np.diag(half)])))
    if states is None or refused:
        return None
    solution = states.solved("." in source)
    array = solution.contact_force[..., 3:] if source == SQUEEZE else watch.array(solution)  # type: ignore[index]
    parts = array.reshape(len(array), -1, 3 if source == SQUEEZE else max(array[0].size, 1))
    rest, moved = parts[0], parts[1:] - parts[0]
    if not sums:
        return _at_a_corner(watch, toward, rest[0], moved[:, 0], middle, half)
    scale = 0.5 if source == SQUEEZE else 1.0
    if 2 ** len(half) * rest.size > MOST_NUMBERS:
        most = np.linalg.norm(np.abs(rest) + np.abs(moved).sum(axis=0), axis=-1).sum()
        return Bound(scale * float(most), "each torque at the worse of its ends, in each direction by itself")
    corners = np.array(list(product((-1.0, 1.0), repeat=len(half))))
    sizes = np.linalg.norm(rest + np.tensordot(corners, moved, axes=1), axis=-1).sum(axis=-1)
    worst = int(sizes.argmax())
    if source == SQUEEZE:
        return Bound(0.5 * float(sizes[worst]), "half of what the contact forces' sizes add up to, at the worst corner")
    return Bound(float(sizes[worst]), CORNER, middle + half * corners[worst])


def _at_a_corner(watch: Watch, toward: str, rest: Array, moved: Array, middle: Array, half: Array) -> Bound:
    """Of one entry, or of all entries' worst."""
    sign = 1.0 if toward == "largest" else -1.0
    entries = [watch.part] if isinstance(watch.part, int) else range(len(rest))
    values = {entry: rest[entry] + sign * np.abs(moved[:, entry]).sum() for entry in entries}
    worst = max(values, key=lambda entry: sign * values[entry])
    return Bound(float(values[worst]), CORNER, middle + sign * half * np.sign(moved[:, worst]))


def _about(axis: Array, body: Link) -> float:
    """kg m^2, about an axis through the origin of the body's frame."""
    lever = np.cross(axis, body.center_of_mass)
    return float(axis @ body.inertia @ axis + body.mass * (lever @ lever))


def _least_inertia(problem: Problem, joint: int) -> Bound:
    """P is the link's own inertia, and what the joints beyond let through of others': never less than nothing."""
    system = problem.start.system
    own, body = system.joint_models[joint], system.link_models[joint]
    least = body.mass if own.kind == "prismatic" else _about(own.axis, body)
    return Bound(least + own.rotor_inertia, "D is no less than the link's own inertia about its axis, and the rotor's")


def _slides_with_others(system: System) -> bool:
    """Whether a sliding joint may go beyond its range: postures are brought to where the grips allow them."""
    return system.is_held and any(joint.kind == "prismatic" for joint in system.joint_models)


def _most_inertia(problem: Problem, joint: int) -> Bound:
    """D is what of the composite inertia the joints beyond do not take: all of it at most, stretched out."""
    system, start = problem.start.system, problem.start.packed[0]
    own = system.joint_models[joint]
    slides = {one.index: max(map(abs, ends(one.range))) for one in problem.variables if one.kind == "q"}
    reach, most = {joint: 0.0}, own.rotor_inertia
    for k in range(joint, -1, -1):  # an inboard link comes after those that hang on it
        inboard = int(system.inboard[k])
        if k != joint:
            if inboard not in reach:
                continue
            model = system.joint_models[k]
            travel = slides.get(k, abs(float(start[k]))) if model.kind == "prismatic" else 0.0
            reach[k] = reach[inboard] + float(np.linalg.norm(model.origin[:3, 3])) + travel
        body = system.link_models[k]
        if own.kind == "prismatic":
            most += body.mass
        elif k == joint:
            most += _about(own.axis, body)
        else:
            far = reach[k] + float(np.linalg.norm(body.center_of_mass))
            most += float(np.linalg.eigvalsh(body.inertia)[-1]) + body.mass * far**2
    return Bound(most, "D is no more than the inertia about its axis of all that hangs on it, each link stretched out")
