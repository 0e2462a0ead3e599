"""A question as a caller asks it: every name and number checked before anything is solved."""

from __future__ import annotations

from dynamics.checks import brief, choices, is_among, whole_number
from dynamics.errors import ModelError, StateError
from dynamics.rows.draws import MOST, SAMPLES, Draws
from dynamics.rows.motions import course_of
from dynamics.rows.problem import Problem
from dynamics.rows.ranges import Listed
from dynamics.rows.states import Start
from dynamics.rows.variables import variables_of
from dynamics.rows.watched import watches_of
from dynamics.system.state import State
from dynamics.system.system import System


def problem_of(
    system: System,
    over: object,
    find: object,
    count: object,
    state: State | None,
    sample: object,
    seed: object,
    duration: object = None,
    dt: object = 1e-3,
    is_grid: bool = True,
) -> Problem:
    """What a caller asks, checked; where lists make no grid, each of their values is as likely as the other.

    Raises:
        ModelError: for an unknown name in ``over``, ``find`` or ``sample``, or a range that is none.
        StateError: for numbers that are none, or if arms hold an object and no state says where.
        SingularConfigurationError: if the arms cannot reach what they hold.
    """
    if not is_among(sample, SAMPLES):
        raise ModelError(f"sample is {brief(sample)}; expected one of {choices(SAMPLES)}.")
    if state is None and system.is_held:
        raise StateError("state is None; a machine that holds an object needs the state in which it does.")
    start = Start(system, system.home() if state is None else state)
    closed = start.system.unpack(*start.packed)
    course = course_of(duration, dt)
    variables = variables_of(system, over, course is not None)
    watches = watches_of(system, closed, find, course is not None)
    draws = Draws(
        str(sample),
        whole_number(count, "count", "how many draws, 1 or more", least=1, most=MOST),
        sum(not isinstance(one.range, Listed) for one in variables),
        whole_number(seed, "seed", "a whole number, zero or more", least=0, most=2**63),
    )
    problem = Problem(start, variables, watches, draws, course)
    if not set(problem.names).isdisjoint(("row", "refused")) or len(set(problem.names)) < len(problem.names):
        raise ModelError(f"find: {choices(one.name for one in watches)}: give functions names of their own.")
    if is_grid and problem.size > MOST:
        raise ModelError(f"over: its lists and {draws.count} draws make {problem.size} rows, more than {MOST}.")
    problem.draws.points(0, 1)
    return problem
