"""How long a method takes when its independent parts run in parallel: the longest chain of work, counted.

The same code as in ``counting`` runs on counting numbers. What runs in parallel, and on which processor, is each
paper's own proposal: one processor per term in TML Table 5, per arm in R88 Fig. 9.2, per link and direction in JR.
A speed-up is relative to the best method on one processor, which for two filters is the filter and smoother.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from dynamics.checks import brief, choices, is_among, whole_number
from dynamics.errors import ModelError
from dynamics.papers.counting import (
    MOST_LINKS,
    RUNS,
    Row,
    run_sweeps,
    sample_flyer,
    sample_robot,
    sample_values,
    table_rows,
    terms_of,
)
from dynamics.papers.operation_tables import STEPS_AT_ONCE, TABLES
from dynamics.papers.twins import Cost, Tally, Twins, total
from dynamics.public import public
from dynamics.record import Record
from dynamics.recursion.contact_stage import contact_forces, contact_operator, contact_root
from dynamics.robot.task_object import TaskObject
from dynamics.system.assembly import multi_arm
from dynamics.system.grasp import grasp

SMOOTH, COVARIANCE, CORRECT = "2 and 5 smooth", "2 co-state covariance", "4 correct the filter"
HUB = "3 contact forces (hub)"
SPOKE_STAGES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "frames and velocities": ("kinematics", "contact_geometry"),
        "1 filter": ("inward_filter",),
        SMOOTH: ("outward_smoother",),
        COVARIANCE: ("costate_covariance", "tip_accelerations", "tip_covariances", "tip_inertias", "contact_root"),
        HUB: ("object_motion", "grip_forces", "contact_operator", "contact_forces", "is_delicate"),
        CORRECT: ("correct_filter",),
    }
)
MOST_ARMS = 30


@dataclass(frozen=True)
class PathTask(Record):
    """A task that one processor runs without interruption.

    Attributes:
        term: the paper's name for it.
        processor: the processor that runs it.
        starts, ends: steps from the beginning.
        needs: indices in ``CriticalPath.tasks`` of the tasks that it waits for.
        is_critical: whether it is part of the longest chain.
    """

    term: str
    processor: str
    starts: int
    ends: int
    needs: tuple[int, ...]
    is_critical: bool


@dataclass(frozen=True)
class CriticalPath(Record):
    """The longest chain of work.

    Attributes:
        path: operations along the chain.
        sequential: operations of the whole method on one processor.
        serial: operations of the best method that does the same on one processor.
        stages: its parts in order, if they are counted separately.
        processors: the processors that work in parallel, in words.
        published: (multiplications, additions) of the paper, or None.
        rows: its parts as in the paper's table, with the paper's counts; only for ``newton_euler_modified``.
        tasks: the tasks of all processors, each after those that it needs.
    """

    method: str
    n_links: int
    n_arms: int
    path: Cost
    sequential: Cost
    serial: Cost
    stages: Mapping[str, Cost]
    processors: str
    tasks: tuple[PathTask, ...]
    published: tuple[int, int] | None = None
    rows: tuple[Row, ...] = ()

    @property
    def speedup(self) -> float:
        """Steps of the best method on one processor over steps along the path; below one the path is slower."""
        return self.serial.steps / self.path.steps


@public
def critical_path(method: str, n_links: int, n_arms: int = 1) -> CriticalPath:
    """The longest chain of work of a method.

    ``newton_euler_modified``: each term of TML Table 4 is the task of one processor, which starts as soon as its
    inputs are available: 27n + 29 multiplications and 24n + 25 additions for n > 1. TML Table 5 has 27n + 42 and
    27n + 41; the rows show where they differ, and why.
    ``spoked_wheel``: R88 Fig. 9.2, one processor for each of ``n_arms`` arms of ``n_links`` links and one for the
    object at the hub; only the third stage grows with the number of arms.
    ``two_filter``: JR Algorithm 6 on a base and ``n_links`` links: both filters in parallel, then each link by itself.
    ``own_coordinates``: JR Algorithm 7, where every link also knows its own pose and velocity, and need not wait.

    Args:
        method: one of these names.
        n_links: links of each arm.
        n_arms: number of arms; one except for ``spoked_wheel``.

    Returns:
        Operations along the longest chain, task by task, and the paper's counts.

    Raises:
        ModelError: for an unknown method, fewer than one link or arm, or more than can be counted within seconds.

    Cost: that of running the method once on counting numbers.
    """
    methods = ("newton_euler_modified", "spoked_wheel", "two_filter", "own_coordinates")
    if not is_among(method, methods):
        raise ModelError(f"the critical path of {brief(method)} is not counted; expected one of {choices(methods)}.")
    n_links = whole_number(n_links, "n_links", "a whole number, one or more", 1, ModelError, MOST_LINKS)
    n_arms = whole_number(n_arms, "n_arms", "a whole number, one or more", 1, ModelError, MOST_ARMS)
    if method == "spoked_wheel":
        return _spoked_wheel(n_links, n_arms)
    if n_arms != 1:
        raise ModelError(f"{brief(method)} is counted for one arm, got {brief(n_arms)}; several are a spoked_wheel.")
    return _newton_euler(n_links) if method == "newton_euler_modified" else _two_filter(method, n_links)


def term_by_term(method: str, n_links: int) -> tuple[Twins, Cost]:
    """The tasks if each term of a method's table has its own processor, and the longest chain of them."""
    twins = Twins(terms_of(method), tasks=True)
    torque = RUNS[method](n_links, twins)
    return twins, max((number.path for number in torque), key=lambda path: path.steps)


def _newton_euler(n: int) -> CriticalPath:
    twins, path = term_by_term("newton_euler_modified", n)
    critical, last = set[int](), [twins.last(path)]
    while last:  # of the tasks that one needs it waits longest for the last
        critical.add(last[0])
        needs = twins.finished[last[0]].needs
        last = [max(needs, key=lambda place: twins.finished[place].ends.steps)] if needs else []
    chain = [twins.finished[place] for place in critical]

    def along(*functions: str) -> Cost:
        """The work of these functions on the longest chain."""
        return total(task.ends.minus(task.starts) for task in chain if task.term in functions)

    terms = {function: row.term for row in TABLES["newton_euler_modified"].rows for function in row.functions}
    tasks = tuple(
        PathTask(terms[task.term], terms[task.term], task.starts.steps, task.ends.steps, task.needs, place in critical)
        for place, task in enumerate(twins.finished)
    )
    whole, published = twins.tally.cost(), (27 * n + 42, 27 * n + 41)
    rows, processors = table_rows(STEPS_AT_ONCE, n, along), "one for each term of TML Table 4"
    return CriticalPath("newton_euler_modified", n, 1, path, whole, whole, {}, processors, tasks, published, rows)


def _in_turn(
    tasks: list[PathTask], processor: str, stages: Iterable[tuple[str, int]], needs: tuple[int, ...], is_critical: bool
) -> int:
    """One processor's stages in sequence; returns the index of the last one."""
    for term, steps in stages:
        starts = max((tasks[place].ends for place in needs), default=0)
        tasks.append(PathTask(term, processor, starts, starts + steps, needs, is_critical))
        needs = (len(tasks) - 1,)
    return len(tasks) - 1


def _spoked_wheel(n: int, n_arms: int) -> CriticalPath:
    alone, together = _held_tally(n, 1), _held_tally(n, n_arms)
    stages = {name: (together if name == HUB else alone).cost(*functions) for name, functions in SPOKE_STAGES.items()}
    steps = {name: cost.steps for name, cost in stages.items()}
    smoothing = steps[SMOOTH] // 2  # the same sweep twice
    before = (*list(steps.items())[:2], ("2 smooth", smoothing), (COVARIANCE, steps[COVARIANCE]))
    after = ((CORRECT, steps[CORRECT]), ("5 smooth", steps[SMOOTH] - smoothing))
    tasks: list[PathTask] = []
    spokes = tuple(_in_turn(tasks, f"arm {arm + 1}", before, (), arm == 0) for arm in range(n_arms))
    hub = _in_turn(tasks, "hub: the object", ((HUB, steps[HUB]),), spokes, True)
    for arm in range(n_arms):
        _in_turn(tasks, f"arm {arm + 1}", after, (hub,), arm == 0)
    path, whole, processors = total(stages.values()), together.cost(), "one for each arm, one for the object"
    return CriticalPath("spoked_wheel", n, n_arms, path, whole, whole, stages, processors, tuple(tasks))


def hub_operations(n_links: int, n_arms: int) -> tuple[Cost, Cost]:
    """The contact stage of ``n_arms`` arms by (9.1), with the factors of the arms' inertias, and by Omega."""
    by_gain, by_omega = ("tip_inertias", "grip_forces"), ("contact_root", "contact_operator", "contact_forces")
    tally = _held_tally(n_links, n_arms, True)
    return tally.cost(*by_gain), tally.cost(*by_omega)


def _held_tally(n: int, n_arms: int, omega_too: bool = False) -> Tally:
    twins = Twins({function for functions in SPOKE_STAGES.values() for function in functions})
    system = multi_arm([sample_robot(n)] * n_arms, task_object=TaskObject(100.0, np.diag([20.0, 20.0, 20.0])))
    held = grasp(system, system.state(q=sample_values(n, 0.1) * n_arms), ["rigid"] * n_arms)
    _, tables, v, work = run_sweeps(held, twins)
    if omega_too:
        twins.of(contact_root)(tables, work)
        twins.of(contact_operator)(tables, work)
        twins.of(contact_forces)(tables, v, work)
    return twins.tally


def _two_filter(method: str, n: int) -> CriticalPath:
    twins, conventional = Twins(terms_of("two_filter")), Twins()
    RUNS["two_filter"](n, twins)
    run_sweeps(sample_flyer(n), conventional)  # JR Algorithm 3: the best on one processor
    cost, links, own = twins.tally.cost, n + 1, method == "own_coordinates"
    moved, inward, dual = map(cost, ("kinematics", "inward_filter", "dual_filter"))
    if own:
        moved = Cost(*(-(-count // links) for count in moved))
    longer = max(inward, dual, key=lambda cost: cost.steps)
    one_link = Cost(*(-(-count // links) for count in cost("combined_acceleration")))
    tasks: list[PathTask] = []
    names = (*(f"link {k}" for k in range(1, links)), "base")
    start = tuple(
        _in_turn(tasks, name, (("frames and velocities", moved.steps),), (), k == 0)
        for k, name in enumerate(names if own else ("frames",))
    )
    filters = tuple(
        _in_turn(tasks, name, ((name, each.steps),), start, each is longer)
        for name, each in (("filter from tip", inward), ("filter from base", dual))
    )
    for k, name in enumerate(names):
        _in_turn(tasks, name, ((name, one_link.steps),), filters, k == 0)
    stages = {"frames and velocities": moved, "the longer filter": longer, "one link": one_link}
    processors = "one for each filter" + (", one for each link" if own else ", then one for each link")
    path, serial = total(stages.values()), conventional.tally.cost()
    return CriticalPath(method, n, 1, path, cost(), serial, stages, processors, tuple(tasks))
