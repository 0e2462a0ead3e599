"""The question: what is the smallest machine at which two algorithms still part?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dynamics.beside.compare import Compared, limit_of, moment_of
from dynamics.beside.handed_in import OF_JOINTS
from dynamics.beside.quantities import QUANTITIES
from dynamics.checks import Array, whole_number
from dynamics.errors import StateError
from dynamics.minimal.case import case_of
from dynamics.minimal.judged import Algorithm, Judge, must_be_asked
from dynamics.minimal.reproduction import MinimalReproduction
from dynamics.minimal.shrinking import shrunk
from dynamics.public import public
from dynamics.system.plain_kinematics import Forces
from dynamics.system.state import State
from dynamics.system.system import System

MOST_CALLS = 5000


@public
def minimal_reproduction(
    system: System,
    state: State,
    theirs: Algorithm,
    tau: ArrayLike | None = None,
    external_forces: Forces = None,
    tolerance: float = 1e-9,
    most_calls: int = MOST_CALLS,
) -> MinimalReproduction:
    """The smallest machine and the roundest numbers at which an algorithm and ours part as they do here.

    Links are cut off, half of them at once and then one by one; grips, objects, arms and floating roots let go; then
    every number is replaced by a simpler one: speeds, torques, gravity and angles by 0 or 1, axes by x, y or z, lengths
    and masses by 1, or by what has fewer digits. A step is kept where the two still part first at the same quantity,
    and ``compare`` finds the same to blame. It ends when no single step is left. It is the same every time.

    Args:
        system: the machine at which the two part.
        state: of this system.
        theirs: a function of a system, its state and tau, and of external forces (links + 1, 6) where they are given
            here, that returns arrays by name, as ``compare`` takes them. It is asked about many machines, smaller than
            this one; where it raises, that machine is left alone.
        tau: (joints,), N m or N, tip to base; default zero.
        external_forces: as ``forward_dynamics`` takes them.
        tolerance: a relative difference below it is rounding.
        most_calls: how often ``theirs`` may be called.

    Returns:
        What is left, with both numbers; it saves itself as a program.

    Raises:
        StateError: where the two agree, or for arrays instead of a function: they cannot be had of another machine.
        ModelError: for a joint that moves no inertia.

    Cost: some ten milliseconds a call, and a comparison for each step that is kept; a minute or two for ten links.
    """
    must_be_asked(theirs)
    calls = whole_number(most_calls, "most_calls", "a whole number above 0", 1)
    moment = moment_of(system, state, tau, external_forces)
    judge = Judge(theirs, moment, external_forces is not None, limit_of(tolerance))
    if judge.first.compared.comparison.agrees:
        raise StateError(
            "theirs agrees with ours here, so there is nothing to reproduce; give a moment where it parts."
        )
    is_smallest = shrunk(case_of(moment), judge, lambda: calls - judge.calls)
    (own_system, own_state, own_tau, wrench), arrays, _ = judge.kept
    last = judge.whole()
    return MinimalReproduction(
        system=own_system,
        state=own_state,
        tau=own_tau,
        external_forces=wrench,
        theirs={name: np.asarray(array, float) for name, array in arrays.items()},
        ours=_ours(last, arrays),
        comparison=last.comparison,
        links=system.n_links,
        calls=judge.calls,
        failed=judge.failed,
        is_smallest=is_smallest,
        name=str(getattr(theirs, "__name__", "")),
    )


def _ours(found: Compared, arrays: Mapping[str, Any]) -> Mapping[str, Array]:
    """Ours as theirs is written and numbered."""
    ours: dict[str, Array] = {}
    for name, match in found.found.matches.items():
        convention, kind = found.found.own[name], QUANTITIES[match.candidate.quantity].kind
        array = found.matcher.ours(match.candidate, convention)
        joints = list(convention.numbering.joints)
        if kind == "rates":
            n = found.matcher.system.n_joints
            ours[name] = np.concatenate([array[k, :1] if k < n else array[k] for k in convention.numbering.links])
        elif kind in ("contact", "object"):
            ours[name] = array.reshape(np.shape(arrays[name]))
        elif kind == "matrix":
            ours[name] = array[np.ix_(joints, joints)]
        else:
            ours[name] = array[joints if kind in OF_JOINTS else list(convention.numbering.links)]
    return ours
