"""The tasks of a parallel form as bars in lanes, from the counts: who works when, and who waits for whom."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import dynamics as dyn

MOST_DRAWN, MOST_ARMS = 8, 4
"""Links and arms of a picture that can still be read."""
LENGTHS = (1, 2, 4, 8, 16, 32)
HUB = "3 contact forces (hub)"


@dataclass(frozen=True)
class Bar:
    """One task: its lane, from which step to which, and whether the longest chain leads through it."""

    lane: int
    start: float
    end: float
    name: str
    critical: bool


@dataclass(frozen=True)
class Graph:
    """A picture, and what is said of it.

    Attributes:
        needs: (from, to), places in ``bars``.
        steps: along the longest chain; ``sequential``: all of them.
        path, published: multiplications and additions along it, counted and by the paper.
    """

    lanes: tuple[str, ...]
    bars: tuple[Bar, ...]
    needs: tuple[tuple[int, int], ...]
    steps: int
    sequential: int
    path: tuple[int, int]
    published: tuple[int, int] | None
    processors: str


@dataclass(frozen=True)
class Form:
    """A parallel form: its key in ``dyn.critical_path``, its name, what it is, and what is odd about its numbers."""

    key: str
    name: str
    told: str
    note: str = ""


FORMS = (
    Form(
        "newton_euler_modified",
        "Newton–Euler",
        "TML Table 5: each term of the modified form has a processor, which starts as soon as what it needs is there. "
        "The rotations of all links are made at once, rates and accelerations go out to the tip, forces come back.",
    ),
    Form(
        "spoked_wheel",
        "Spoked wheel",
        "R88 Fig. 9.2: each arm has a processor, and they wait for one another at the hub alone, where the object's "
        "contact forces are found.",
        "How long the hub takes depends on the arms: where they hold so that nothing can move, the least forces take "
        "more than twice the steps, and the line jumps.",
    ),
    Form(
        "two_filter",
        "Two filters",
        "JR Algorithm 6: both filters run at once, from tip and base; then every link is solved by itself.",
    ),
)


def critical_path(form: Form, n_links: int, n_arms: int) -> Any:
    """As counted; arms matter to the wheel alone."""
    return dyn.critical_path(form.key, n_links, n_arms if form.key == "spoked_wheel" else 1)


@functools.lru_cache(maxsize=64)
def graph(form: Form, n_links: int, n_arms: int) -> Graph:
    """The picture of a form; few enough links and arms are the caller's care."""
    found = critical_path(form, n_links, n_arms)
    drawn = {"newton_euler_modified": _of_terms, "spoked_wheel": _of_arms, "two_filter": _of_filters}[form.key]
    lanes, bars, needs = drawn(found)
    path = (found.path.multiplications, found.path.additions)
    published = found.published if n_links > 1 else None  # the paper's is of two links and more
    return Graph(lanes, bars, needs, found.path.steps, found.sequential.steps, path, published, found.processors)


Drawn = tuple[tuple[str, ...], tuple[Bar, ...], tuple[tuple[int, int], ...]]


def _of_terms(found: Any) -> Drawn:
    lanes = tuple(dict.fromkeys(task.term for task in found.tasks))
    bars = tuple(
        Bar(lanes.index(task.term), task.starts, task.ends, task.term, task.is_critical) for task in found.tasks
    )
    return lanes, bars, tuple((need, k) for k, task in enumerate(found.tasks) for need in task.needs)


def _of_arms(found: Any) -> Drawn:
    """An arm's smoothing, stages 2 and 5, is the same sweep twice."""
    arms, stages = found.n_arms, found.stages
    smoothing = stages["2 and 5 smooth"].steps / 2
    spoke = (
        ("frames and velocities", stages["frames and velocities"].steps),
        ("1 filter", stages["1 filter"].steps),
        ("2 smooth", smoothing),
        ("2 co-state covariance", stages["2 co-state covariance"].steps),
    )
    after = (("4 correct the filter", stages["4 correct the filter"].steps), ("5 smooth", smoothing))
    bars: list[Bar] = []
    needs: list[tuple[int, int]] = []
    at = sum(steps for _, steps in spoke)
    hub = Bar(arms, at, at + stages[HUB].steps, HUB, True)
    bars.append(hub)
    for arm in range(arms):
        _in_turn(bars, needs, arm, spoke, 0.0, arm == 0)
        needs.append((len(bars) - 1, 0))
        needs.append((0, len(bars)))
        _in_turn(bars, needs, arm, after, hub.end, arm == 0)
    lanes = (*(f"arm {arm + 1}" for arm in range(arms)), "hub: the object")
    return lanes, tuple(bars), tuple(needs)


def _in_turn(
    bars: list[Bar],
    needs: list[tuple[int, int]],
    lane: int,
    stages: tuple[tuple[str, float], ...],
    at: float,
    critical: bool,
) -> None:
    """One stage after the other, in one lane."""
    for k, (name, steps) in enumerate(stages):
        if k:
            needs.append((len(bars) - 1, len(bars)))
        bars.append(Bar(lane, at, at + steps, name, critical))
        at += steps


def _of_filters(found: Any) -> Drawn:
    terms = dyn.count_operations("two_filter", found.n_links).terms
    moved = found.stages["frames and velocities"].steps
    filters = {
        "filter from tip": terms["inward_filter"].steps,
        "filter from base": terms["dual_filter"].steps,
    }
    both = moved + max(filters.values())
    links = [f"link {k}" for k in range(1, found.n_links + 1)] + ["base"]
    one = found.stages["one link"].steps
    bars = [Bar(0, 0.0, moved, "frames and velocities", True)]
    bars += [
        Bar(k, moved, moved + steps, name, moved + steps == both) for k, (name, steps) in enumerate(filters.items(), 1)
    ]
    bars += [Bar(3 + k, both, both + one, name, k == 0) for k, name in enumerate(links)]
    needs = [(0, 1), (0, 2), *((f, 3 + k) for f in (1, 2) for k in range(len(links)))]
    return ("frames", *filters, *links), tuple(bars), tuple(needs)


@functools.lru_cache(maxsize=256)
def depth(form: Form, n_links: int, n_arms: int) -> tuple[int, int, int]:
    """(links, steps along the longest chain, all steps)."""
    found = critical_path(form, n_links, n_arms)
    return n_links, found.path.steps, found.sequential.steps
