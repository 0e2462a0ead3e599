"""How long a method takes when its independent parts run at once: the longest chain of work, counted.

The same code as in ``counting`` runs on numbers that count. What may run at once, and on whose processor, is each
paper's own proposal: one processor a term in TML Table 5, one an arm in R88 Fig. 9.2, one a link and direction in JR.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from dynamics.checks import brief, choices, is_among, whole_number
from dynamics.counting.counting import MOST_LINKS, RUNS, Row, table_rows, terms_of
from dynamics.counting.number import Cost, Tally, counting
from dynamics.counting.operation_tables import STEPS_AT_ONCE, TABLES
from dynamics.counting.samples import GRAVITY, counting_work, sample_motion, sample_robot, sample_values
from dynamics.counting.twins import Task, Twins
from dynamics.errors import ModelError
from dynamics.public import public
from dynamics.record import Record
from dynamics.recursion.filter_smoother import accelerations
from dynamics.robot.task_object import TaskObject
from dynamics.system.assembly import multi_arm
from dynamics.system.grasp import grasp
from dynamics.system.system import System
from dynamics.witness.newton_euler_modified import newton_euler_modified

SPOKE_STAGES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "frames and velocities": ("kinematics", "contact_geometry"),
        "1 filter": ("inward_filter",),
        "2 and 5 smooth": ("outward_smoother",),
        "2 co-state covariance": ("costate_covariance", "tip_accelerations", "tip_covariances", "contact_root"),
        "3 contact forces (hub)": ("object_motion", "contact_operator", "contact_forces", "is_delicate"),
        "4 correct the filter": ("correct_filter",),
    }
)
MOST_ARMS = 30
HUB = "3 contact forces (hub)"


@dataclass(frozen=True)
class PathTask(Record):
    """What one processor does in one go.

    Attributes:
        term: the paper's name for it.
        starts, ends: steps from the beginning.
        needs: places in ``CriticalPath.tasks`` of those that it waits for.
        is_critical: whether the longest chain leads through it.
    """

    term: str
    starts: int
    ends: int
    needs: tuple[int, ...]
    is_critical: bool


@dataclass(frozen=True)
class CriticalPath(Record):
    """The longest chain of work.

    Attributes:
        path: operations along it.
        sequential: operations of the whole, on one processor.
        stages: its parts in turn, where they are counted by themselves.
        processors: who works at once.
        published: (multiplications, additions) of the paper, or None.
        rows: its parts as the paper's table has them, beside the paper's own: of ``newton_euler_modified``.
        tasks: one by one, in the order of the code, where each is a processor's own: of ``newton_euler_modified``.
    """

    method: str
    n_links: int
    n_arms: int
    path: Cost
    sequential: Cost
    stages: Mapping[str, Cost]
    processors: str
    published: tuple[int, int] | None = None
    tasks: tuple[PathTask, ...] = ()
    rows: tuple[Row, ...] = ()

    @property
    def speedup(self) -> float:
        """Steps on one processor over steps along the path."""
        return self.sequential.steps / self.path.steps


@public
def critical_path(method: str, n_links: int, n_arms: int = 1) -> CriticalPath:
    """The longest chain of work of a method.

    ``newton_euler_modified``: each term of TML Table 4 is the task of one processor, which starts as soon as what
    it needs is there: 27n + 29 multiplications and 24n + 25 additions for n > 1. TML Table 5 has 27n + 42 and
    27n + 41; its rows say where they differ, and why.
    ``spoked_wheel``: R88 Fig. 9.2, one processor for each of ``n_arms`` arms of ``n_links`` links and one for the
    object at the hub; only the third stage grows with the number of arms.
    ``two_filter``: JR Algorithm 6 on a base and ``n_links`` links: both filters at once, then every link by itself.

    Args:
        method: one of these names.
        n_links: of each arm.
        n_arms: one but for ``spoked_wheel``.

    Returns:
        Operations along the longest chain, task by task, beside the paper's own.

    Raises:
        ModelError: for an unknown method, or fewer than one link or arm, or more than are counted in seconds.

    Cost: that of running the method once on counting numbers.
    """
    methods = ("newton_euler_modified", "spoked_wheel", "two_filter")
    if not is_among(method, methods):
        raise ModelError(f"the critical path of {brief(method)} is not counted; expected one of {choices(methods)}.")
    n_links = whole_number(n_links, "n_links", "a whole number, one or more", 1, ModelError, MOST_LINKS)
    n_arms = whole_number(n_arms, "n_arms", "a whole number, one or more", 1, ModelError, MOST_ARMS)
    if method == "spoked_wheel":
        return _spoked_wheel(n_links, n_arms)
    if n_arms != 1:
        told = f"{brief(method)} is counted for one arm, got {brief(n_arms)}"
        raise ModelError(f"{told}; several arms are a spoked_wheel.")
    return _newton_euler(n_links) if method == "newton_euler_modified" else _two_filter(n_links)


def _newton_euler(n: int) -> CriticalPath:
    tally = Tally()
    twins = Twins(tally, terms_of("newton_euler_modified"), tasks=True)
    links, *values = sample_motion(n)
    torque = twins.of(newton_euler_modified)(*counting((links, *values, (0.0, 0.0, -GRAVITY)), tally))
    path = max((number.path for number in torque), key=lambda p: p.steps)
    processors, published = "one for each term of TML Table 4", (27 * n + 42, 27 * n + 41)
    critical = _critical(twins.finished, twins.last(path))
    chain = [twins.finished[place] for place in critical]

    def along(*functions: str) -> Cost:
        """Of the longest chain, what these functions do."""
        own = [task.ends.minus(task.starts) for task in chain if task.term in functions]
        return Cost(*(sum(column) for column in zip(Cost(), *own, strict=True)))

    rows = table_rows(STEPS_AT_ONCE, n, along)
    tasks = _path_tasks(twins.finished, critical)
    return CriticalPath("newton_euler_modified", n, 1, path, tally.cost(), {}, processors, published, tasks, rows)


def _critical(finished: Sequence[Task], last: int) -> set[int]:
    """The last task, what it has waited for longest, and so on back."""
    critical = {last}
    while finished[last].needs:
        last = max(finished[last].needs, key=lambda place: finished[place].ends.steps)
        critical.add(last)
    return critical


def _path_tasks(finished: Sequence[Task], critical: Container[int]) -> tuple[PathTask, ...]:
    """All of them, by their terms in the paper."""
    terms = {function: row.term for row in TABLES["newton_euler_modified"].rows for function in row.functions}
    return tuple(
        PathTask(terms[task.term], task.starts.steps, task.ends.steps, task.needs, place in critical)
        for place, task in enumerate(finished)
    )


def _spoked_wheel(n: int, n_arms: int) -> CriticalPath:
    alone, together = _held_tally(n, 1), _held_tally(n, n_arms)
    stages = {name: (together if name == HUB else alone).cost(*functions) for name, functions in SPOKE_STAGES.items()}
    return _by_stages("spoked_wheel", n, n_arms, stages, together, "one for each arm, one for the object")


def _held_tally(n: int, n_arms: int) -> Tally:
    tally = Tally()
    terms = {function for functions in SPOKE_STAGES.values() for function in functions}
    tables, x, v, tau, work = counting_work(_holding_arms(n, n_arms), tally)
    Twins(tally, terms).of(accelerations)(tables, x, v, tau, work, counting(np.zeros(len(v)), tally))
    return tally


def _holding_arms(n: int, n_arms: int) -> System:
    thing = TaskObject(2.0, np.diag([0.1, 0.2, 0.25]))
    system = multi_arm([sample_robot(n)] * n_arms, task_object=thing)
    state = system.state(q=sample_values(system.n_joints, 0.1))
    return grasp(system, state, ["rigid"] * n_arms)


def _two_filter(n: int) -> CriticalPath:
    tally = Tally()
    RUNS["two_filter"](n, tally, Twins(tally, terms_of("two_filter")))
    links = n + 1
    combined = tally.cost("combined_acceleration")
    filters = max((tally.cost("inward_filter"), tally.cost("dual_filter")), key=lambda cost: cost.steps)
    one_link = Cost(*(-(-count // links) for count in combined))
    stages = {"frames and velocities": tally.cost("kinematics"), "the longer filter": filters, "one link": one_link}
    return _by_stages("two_filter", n, 1, stages, tally, "one for each filter, then one for each link")


def _by_stages(
    method: str, n: int, n_arms: int, stages: Mapping[str, Cost], whole: Tally, processors: str
) -> CriticalPath:
    """The path that leads through one stage after the other."""
    path = Cost(*(sum(column) for column in zip(*stages.values(), strict=True)))
    return CriticalPath(method, n, n_arms, path, whole.cost(), stages, processors)
