"""How many operations a method takes, counted by running the actual code on counting numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np

from dynamics.checks import brief, choices, is_among, whole_number
from dynamics.errors import ModelError
from dynamics.papers.operation_tables import TABLES, PaperRow, PaperTable
from dynamics.papers.planar_chain import PlanarLink, factored, planar_batch, planar_filter, solved
from dynamics.papers.twins import Cost, Twins
from dynamics.public import public
from dynamics.record import Record
from dynamics.recursion.dual_filter import combined_acceleration, dual_filter
from dynamics.recursion.filter_smoother import accelerations
from dynamics.recursion.inward_filter import inward_filter
from dynamics.recursion.kinematics import kinematics
from dynamics.robot.dh_table import from_denavit_hartenberg
from dynamics.robot.model import Robot
from dynamics.spatial.plain_vectors import Number, Vector
from dynamics.system.assembly import free_flyer, single_arm
from dynamics.system.axis_frames import AxisLink, axis_links
from dynamics.system.system import System
from dynamics.system.tables import Work, make_work
from dynamics.witness.lagrange import lagrange, link_weights
from dynamics.witness.newton_euler import NOTHING, newton_euler, newton_euler_modified

MOST_LINKS, LINKS_WITHIN_SECONDS = 1000, {"lagrange": 50, "strobing": 200, "planar_batch": 200}
"""Numbers of links counted within seconds: for most methods, and for those whose work grows faster than linearly."""
GRAVITY = 9.81


@dataclass(frozen=True)
class Row(Record):
    """One term of a count: the code's operations, the paper's, and why they differ."""

    term: str
    counted: Cost
    published: Cost
    reason: str


@dataclass(frozen=True)
class PublishedCount(Record):
    """The paper's count for this many links.

    Attributes:
        source: the paper's table.
        flops: pairs of one multiplication and one addition, if the paper counts them.
        rows: the terms; ``counted`` of all rows add up to the whole count.
    """

    multiplications: float
    additions: float
    divisions: float
    source: str
    flops: float | None
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class OperationCount(Record):
    """The operations of one solution; constants of the links are precomputed.

    Attributes:
        additions: including subtractions; a change of sign is not counted.
        trigonometric: sines, cosines and tanh.
        terms: operations of each function; ``""`` is the rest.
        published: the paper's count and its rows, or None.
    """

    method: str
    n_links: int
    multiplications: int
    additions: int
    divisions: int
    trigonometric: int
    square_roots: int
    terms: Mapping[str, Cost]
    published: PublishedCount | None

    @property
    def flops(self) -> float:
        """Multiply-and-add pairs, as R87 counts: half the multiplications and additions."""
        return (self.multiplications + self.additions) / 2


@public
def count_operations(method: str, n_links: int) -> OperationCount:
    """Run a method on counting numbers.

    Inverse dynamics: ``newton_euler``, ``newton_euler_modified``, ``lagrange``, on a revolute arm in
    Denavit-Hartenberg frames whose mass centres lie on the link's x axis. Forward dynamics: ``filter_smoother``
    and ``strobing`` (of the modified Newton-Euler form) on the same arm, ``two_filter`` on that arm flying free,
    ``planar_filter`` and ``planar_batch`` on R87's chain.

    Args:
        method: one of these names.
        n_links: links of the arm; a free flyer has its base in addition.

    Returns:
        The counted multiplications, additions, divisions and so on of each function, and the paper's counts.

    Raises:
        ModelError: for an unknown method, fewer than one link, or more links than can be counted within seconds.

    Cost: about a microsecond per operation.
    """
    if not is_among(method, RUNS):
        raise ModelError(f"operations of {brief(method)} are not counted; expected one of {choices(RUNS)}.")
    most = LINKS_WITHIN_SECONDS.get(method, MOST_LINKS)
    n_links = whole_number(n_links, "n_links", "a whole number, one or more", 1, ModelError, most)
    twins = Twins(terms_of(method))
    RUNS[method](n_links, twins)
    terms = {name: Cost(*counts) for name, counts in twins.tally.counts.items() if any(counts)}
    published = None
    if table := TABLES.get(method):
        flops = None if table.flops is None else _whole(table.flops(n_links))
        rows = table_rows(table, n_links, twins.tally.cost)
        published = PublishedCount(*_cost(table, n_links)[:3], table.source, flops, rows)
    return OperationCount(method, n_links, *twins.tally.cost(), terms, published)


def terms_of(method: str) -> set[str]:
    """The functions whose work is counted separately."""
    if method in TABLES:
        return {name for row in TABLES[method].rows for name in row.functions}
    if method == "strobing":
        return {"newton_euler_modified", "factored", "solved"}
    return {"kinematics", "inward_filter", "outward_smoother", "dual_filter", "combined_acceleration"}


def table_rows(table: PaperTable, n: int, counted: Callable[..., Cost]) -> tuple[Row, ...]:
    """A paper's rows for this many links, each with the count of its functions."""
    return tuple(Row(row.term, counted(*row.functions), _cost(row, n), row.reason) for row in table.rows)


def _cost(published: PaperRow | PaperTable, n: int) -> Cost:
    counts = (published.multiplications, published.additions, published.divisions)
    return Cost(*(_whole(count(n)) for count in counts))


def _whole(count: float) -> Any:
    """The count as an integer if the paper's polynomial gives one."""
    return round(count) if abs(count - round(count)) < 1e-6 else float(count)


def sample_robot(n_links: int) -> Robot:
    """A revolute arm without special angles; mass centres on the x axes, principal axes along the link axes."""
    steps = np.arange(n_links)
    rows = np.column_stack(
        [0.3 + 0.01 * np.sin(steps), 1.1 + np.cos(steps), 0.1 * np.cos(2.0 * steps), 0.2 * np.sin(3.0 * steps)]
    )
    centers = np.column_stack([0.1 + 0.02 * np.cos(steps), np.zeros(n_links), np.zeros(n_links)])
    inertias = np.tile([0.02, 0.05, 0.06], (n_links, 1))
    return from_denavit_hartenberg(rows, 1.0 + 0.1 * steps, centers, inertias, convention="modified", name="sample")


def sample_values(n: int, phase: float) -> list[float]:
    return [float(x) for x in 0.7 * np.sin(phase + 1.3 * np.arange(n))]


def sample_motion(n: int) -> tuple[tuple[AxisLink, ...], list[float], list[float], list[float]]:
    """The arm's links, and displacements, rates and accelerations of its joints."""
    q, qd, qdd = (sample_values(n, phase) for phase in (0.1, 0.2, 0.3))
    return axis_links(single_arm(sample_robot(n))), q, qd, qdd


def sample_flyer(n: int) -> System:
    """The arm on a free base."""
    robot = sample_robot(n)
    return free_flyer(replace(robot, root=replace(robot.root, mass=5.0, inertia=np.diag([0.2, 0.3, 0.4]))))


def counting_work(system: System, twins: Twins) -> tuple[Any, Any, Any, Any, Work]:
    """(tables, x, v, tau, work) of a system of identical arms in some posture, for twins of kernels."""
    q = sample_values(system.n_joints // system.n_arms, 0.1) * system.n_arms
    x, v = system.pack(system.state(q=q, qd=sample_values(system.n_joints, 0.2)))
    tau, work = np.array(sample_values(system.n_joints, 0.3)), make_work(system.tables)
    return twins.count(system.tables, x, v, tau, work)  # type: ignore[no-any-return]


def run_sweeps(system: System, twins: Twins) -> tuple[Any, Any, Any, Work]:
    """Filter and smoother, and the contacts' stages; returns the accelerations, the tables, v and the work."""
    tables, x, v, tau, work = counting_work(system, twins)
    (acceleration,) = twins.count(np.zeros(len(v)))
    twins.of(accelerations)(tables, x, v, tau, work, acceleration)
    return acceleration, tables, v, work


def _newton_euler(formulation: Callable[..., Any], n: int, twins: Twins) -> Any:
    links, *values = sample_motion(n)
    return twins.of(formulation)(*twins.count(links, *values, (0.0, 0.0, -GRAVITY)))


def _lagrange(n: int, twins: Twins) -> Any:
    links, *values = sample_motion(n)
    return twins.of(lagrange)(*twins.count(links, link_weights(links, GRAVITY), *values))


def strobed_accelerations(
    links: Sequence[AxisLink], q: Sequence[Number], qd: Sequence[Number], tau: Sequence[Number], gravity: Vector
) -> list[Number]:
    """theta'' = M^-1 [tau - C - G] of a chain, TML (2.11) solved for the accelerations, as in Sections 3 and 7.

    ``witness.strobing`` does the same for any formulation and any arm, with NumPy. Zero acceleration gives C + G. One
    joint accelerating at a time, without rates and gravity, gives a column of M; by symmetry only its outboard part is
    needed: n (n + 1) / 2 links in all, as the paper counts them.
    """
    n = len(links)
    bias = newton_euler_modified(links, q, qd, [0.0] * n, gravity)
    matrix: list[list[Number]] = [[0.0] * n for _ in range(n)]
    for j in range(n):
        outboard = [*links[:j], links[j]._replace(inboard=-1)]
        unit = [0.0] * j + [1.0]
        matrix[j][: j + 1] = newton_euler_modified(outboard, q[: j + 1], [0.0] * (j + 1), unit, NOTHING)
    return solved(factored(matrix), [tau[k] - bias[k] for k in range(n)])


def _planar(method: Callable[..., Any], n: int, twins: Twins) -> Any:
    links = [PlanarLink(0.3, 1.0 + 0.1 * k, 0.15, 0.04) for k in range(n)]
    return twins.of(method)(*twins.count(links, sample_values(n, 0.1), sample_values(n, 0.4)))


def _two_filter(n: int, twins: Twins) -> None:
    """A base and n links; ``two_filter`` solves all links at once, here each link is solved by its own factors."""
    tables, x, v, tau, work = counting_work(sample_flyer(n), twins)
    twins.of(kinematics)(tables.tree, tables.model, tables.gravity, work.wrench, x, v, work.links)
    twins.of(inward_filter)(tables.tree, tables.model, v, tau, work.links)
    twins.of(dual_filter)(tables.tree, tables.model, work.links)
    for k in range(n + 1):
        twins.of(combined_acceleration)(work.links, k, k < n)


RUNS: Mapping[str, Callable[[int, Twins], Any]] = MappingProxyType(
    {
        "newton_euler": partial(_newton_euler, newton_euler),
        "newton_euler_modified": partial(_newton_euler, newton_euler_modified),
        "lagrange": _lagrange,
        "strobing": partial(_newton_euler, strobed_accelerations),
        "filter_smoother": lambda n, twins: run_sweeps(single_arm(sample_robot(n)), twins)[0],
        "two_filter": _two_filter,
        "planar_filter": partial(_planar, planar_filter),
        "planar_batch": partial(_planar, planar_batch),
    }
)
