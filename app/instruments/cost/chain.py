"""Parallel forms: a picture with a lane per processor and a bar per task, and the growth of the depth."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from app.equations.formula import LETTERS
from app.instruments.cost.timing import LENGTHS
from dynamics import papers

MOST_DRAWN, MOST_ARMS = 8, 4  # Most links and arms in a readable picture
WIDTH, LANE, LEFT, FOOT = 360.0, 19.0, 88.0, 18.0
LETTER = 5.4  # Approximate width of a letter on a bar
LOWERED = str.maketrans("i0123456789+-", "ᵢ₀₁₂₃₄₅₆₇₈₉₊₋")


@dataclass(frozen=True)
class Form:
    """A parallel form: its key in ``critical_path``, its name, its description, and a remark on its numbers."""

    key: str
    name: str
    description: str
    note: str = ""


FORMS = (
    Form(
        "newton_euler_modified",
        "Newton–Euler",
        "Turney et al., Table 5: each term of the modified form has a processor, which starts as soon as its inputs "
        "are there. The rotations of all links are made at once, rates and accelerations go out to the tip, forces "
        "come back.",
    ),
    Form(
        "spoked_wheel",
        "Spoked wheel",
        "Rodriguez (1988), Fig. 9.2: each arm has a processor; arms wait for one another only at the hub, where the "
        "object's contact forces are found.",
        "Each arm with an inertia of its own at the tip costs the hub the same, (9.1); short or outstretched arms "
        "have none, and their forces are solved for together, at a cost that grows with the cube of their number: the "
        "line jumps.",
    ),
    Form(
        "two_filter",
        "Two filters",
        "Jain and Rodriguez, Algorithm 6: both filters run at once, from tip and base; then every link is solved by "
        "itself.",
        "Frames go out from link to link before either filter starts, so the pair takes longer than one filter and "
        "smoother do on one processor.",
    ),
    Form(
        "own_coordinates",
        "Own coordinates",
        "Jain and Rodriguez, Algorithm 7: every link knows its own pose and velocity, and no frames are passed on.",
        "The joints drift open, as nothing but the accelerations holds them together. Both filters still go through "
        "all links, so however many there are, the pair is not twice as fast as filter and smoother.",
    ),
)
Depth = tuple[int, int, int]  # Links, steps along the longest chain, all steps


@functools.lru_cache(maxsize=256)
def critical_path(form: Form, n_links: int, n_arms: int) -> Any:
    """Counted once per process; the number of arms matters only to the wheel."""
    return papers.critical_path(form.key, n_links, n_arms if form.key == "spoked_wheel" else 1)


def count_chain(form: Form, n_links: int, n_arms: int) -> Iterator[tuple[Any, tuple[Depth, ...]]]:
    """The longest chain, and its depth for increasing numbers of links."""
    depths: tuple[Depth, ...] = ()
    found = critical_path(form, n_links, n_arms)
    yield found, depths
    for n in LENGTHS:
        path = critical_path(form, n, n_arms)
        depths = (*depths, (n, path.path.steps, path.sequential.steps))
        yield found, depths


def picture(found: Any) -> dict[str, Any]:
    """The lanes, bars and lines of an SVG: lanes from top to bottom, steps from left to right."""
    lanes = list(dict.fromkeys(task.processor for task in found.tasks))
    if found.method == "spoked_wheel":
        lanes.sort(key=lambda lane: lane.startswith("hub"))
    last = max(task.ends for task in found.tasks)
    scale = (WIDTH - LEFT - 4.0) / last
    lines: dict[bool, str] = {False: "", True: ""}
    bars = []
    for task in found.tasks:
        left, lane = LEFT + scale * task.starts, lanes.index(task.processor)
        for one in (found.tasks[need] for need in task.needs):
            lines[one.is_critical and task.is_critical and one.ends == task.starts] += (
                f"M{LEFT + scale * one.ends:.1f} {LANE * (lanes.index(one.processor) + 0.5):.1f}"
                f"L{left:.1f} {LANE * (lane + 0.5):.1f}"
            )
        if width := scale * (task.ends - task.starts):
            words = () if task.term == task.processor else (task.term, task.term.partition(" ")[0])
            within = next((each for each in words if len(each) * LETTER < width - 3.0), "")
            bars.append((left, LANE * lane, width, task, within))
    return {
        "lanes": [lane_text(name) for name in lanes], "bars": bars, "lines": lines, "last": last,
        "width": WIDTH, "lane": LANE, "left": LEFT, "height": LANE * len(lanes) + FOOT,
    }  # fmt: skip


def lane_text(name: str) -> str:
    """A lane's name as plain text, as SVG has no subscripts."""
    text = re.sub(r" \([\d.]+\)$", "", name)
    for spelled, letter in LETTERS.items():
        text = text.replace(spelled, letter)
    return re.sub(r"_(i(?:[+-]1)?)|(?<=[a-z])(i[+-]1)", lambda found: (found[1] or found[2]).translate(LOWERED), text)
