"""Questions that are ready to be asked of any machine that they fit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from scipy import stats

from dynamics.checks import brief, choices, is_among, whole_number
from dynamics.ensemble.sensitivity import Sensitivity, sensitivity
from dynamics.ensemble.study import Study, study
from dynamics.ensemble.worst_case import WorstCase, worst_case
from dynamics.errors import ModelError
from dynamics.public import public
from dynamics.record import Record
from dynamics.system.state import State
from dynamics.system.system import System

Answer = Study | WorstCase | Sensitivity
NEAR = 0.3
"""rad or m from where it is: so far does the posture of a machine that holds vary."""
SPEED, TORQUE, MASS_ERROR = 1.0, 10.0, 0.05
STEPS = 5e-4, 1.6e-2


@dataclass(frozen=True, eq=False)
class Question(Record):
    """A question that is ready.

    Attributes:
        words: as one would ask it.
        of_grips: whether it is one of machines that hold an object.
        count: states, or draws, unless told otherwise.
        ask: what asks it, of a system, a state, a count and a seed.
    """

    words: str
    of_grips: bool
    count: int
    ask: Callable[[System, State, int, int], Answer]


def _postures(system: System, state: State) -> dict[str, tuple[float, float]]:
    """Every posture of arms that are free, as far as their limits allow; those near by of arms that hold."""
    found = {}
    for name, joint, now in zip(system.joint_names, system.joint_models, state.q.tolist(), strict=True):
        if system.is_held:
            found[f"q:{name}"] = (now - NEAR, now + NEAR)
        else:
            far = np.pi if joint.kind == "revolute" else 1.0
            found[f"q:{name}"] = (max(joint.lower, -far), min(joint.upper, far))
    return found


def _disagreement(system: System, state: State, count: int, seed: int) -> Answer:
    over = _postures(system, state) | {"qd": (-SPEED, SPEED), "tau": (-TORQUE, TORQUE)}
    return study(system, over, ("agreement", "mass_matrix:condition"), count, state=state, seed=seed)


def _base_inertia(system: System, state: State, count: int, seed: int) -> Answer:
    joint = system.joint_names[-1]
    find = f"filter.joint_inertia:{joint}"
    return worst_case(system, _postures(system, state), find, "smallest", count, state=state, seed=seed)


def _squeeze(system: System, state: State, count: int, seed: int) -> Answer:
    return worst_case(system, {"tau": (-TORQUE, TORQUE)}, "squeeze", "largest", count, state=state, seed=seed)


def _gain(system: System, state: State, count: int, seed: int) -> Answer:
    find = "contact.contact_kalman_gain"
    return worst_case(system, _postures(system, state), find, "largest", count, state=state, seed=seed)


def _mass_errors(system: System, state: State, count: int, seed: int) -> Answer:
    over = {"mass": stats.norm(1.0, MASS_ERROR)}
    return sensitivity(system, over, "tip_acceleration", count, state=state, seed=seed)


def _diverging(system: System, state: State, count: int, seed: int) -> Answer:
    assert system.task_object is not None
    masses = system.task_object.mass * np.geomspace(0.1, 1000.0, max(count // 5, 1))
    over = {"object_mass": masses, "object_inertia": [0.3, 0.6, 1.0, 1.7, 3.0]}
    return study(system, over, "rho", 1, state=state, seed=seed)


def _drift(system: System, state: State, count: int, seed: int) -> Answer:
    steps = np.geomspace(*STEPS, count)
    return study(
        system, {"dt": steps}, ("run:drift", "run:unexplained_energy"), 1, state=state, duration=1.0, seed=seed
    )


READY: Mapping[str, Question] = MappingProxyType(
    {
        "disagreement": Question(
            "Where do the methods disagree most, and does the condition number tell?", False, 200, _disagreement),
        "smallest_base_inertia": Question(
            "In which posture is D of the joint at the base smallest?", False, 4000, _base_inertia),
        "largest_squeeze": Question(
            "Which torques within 10 N m, or N, squeeze the object most?", True, 40_000, _squeeze),
        "largest_contact_gain": Question(
            "In which posture near by is the contacts' Kalman gain largest?", True, 4000, _gain),
        "mass_errors": Question(
            "If masses are known to 5 %, which of them moves the tip most?", False, 64, _mass_errors),
        "diverging_objects": Question(
            "For which objects does the staggered step diverge (rho above 1)?", True, 100, _diverging),
        "drift_by_step": Question(
            "How does the drift of the closure grow with the step, in a second of motion?", True, 13, _drift),
    }
)  # fmt: skip


@public
def questions() -> Mapping[str, str]:
    """The questions that ``ask`` knows.

    Returns:
        Name -> the question in words.

    Cost: none.
    """
    return MappingProxyType({name: question.words for name, question in READY.items()})


@public
def ask(
    question: str, system: System, state: State | None = None, count: int | None = None, seed: int = 0
) -> Study | WorstCase | Sensitivity:
    """Ask a ready question.

    Args:
        question: one of ``questions()``.
        system: any; some questions are of machines that hold an object.
        state: where the machine is; by default home and at rest.
        count: states to solve, or draws; by default enough for a first answer.
        seed: of the draws.

    Returns:
        A ``Study``, a ``WorstCase`` or a ``Sensitivity``, as the question is.

    Raises:
        ModelError: for an unknown question, or one that is none of this machine.
        StateError: for a count or a seed that is none, or if arms hold an object and no state says where.
        SingularConfigurationError: if the arms cannot reach what they hold.

    Cost: seconds.
    """
    if not is_among(question, READY):
        raise ModelError(f"question is {brief(question)}; expected one of {choices(READY)}.")
    wanted = READY[question]
    if wanted.of_grips and not system.is_held:
        raise ModelError(f"question: {question} is one of a machine that holds an object; this one holds none.")
    if state is None and not system.is_held:
        state = system.home()
    if state is None:
        raise ModelError("state is None; a machine that holds an object needs the state in which it does.")
    many = wanted.count if count is None else whole_number(count, "count", "how many, 1 or more", least=1)
    return wanted.ask(system, state, many, seed)
