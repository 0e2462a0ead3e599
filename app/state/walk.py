"""The order in which the computation visits stages, arms and links, and how a cursor steps along it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeVar

import numpy as np
import param

import dynamics as dyn
from dynamics.reading import Reading

if TYPE_CHECKING:
    from app.state.session import Session

PREDICTION, CORRECTION = 0, 1  # The two halves of a step: across the link, and at its joint
INWARD = ("filter", "filter_correction")
Direction = Literal["inward", "outward", "across"]
T = TypeVar("T")


@dataclass(frozen=True)
class Place:
    """A place in the computation: the cursor without its time."""

    stage: str
    arm: int
    link: int
    half: int


def stages(system: dyn.System) -> tuple[str, ...]:
    """The stages of a system's solution in the order of the computation: the keys of ``Solution.stages``."""
    held = ("contact", "filter_correction", "smoother_final") if system.is_held else ()
    dual = ("dual_filter",) if system.kind == "free_flyer" else ()
    return ("filter", "smoother", *held, *dual)


def direction(stage: str) -> Direction:
    """Which way a stage runs: inward from tip to base, outward from base to tip, or across the object."""
    if stage == "contact":
        return "across"
    return "inward" if stage in INWARD else "outward"


def links(system: dyn.System, stage: str, arm: int) -> tuple[int, ...]:
    """The links of an arm in the order in which a stage visits them.

    Inward every body comes before its inboard neighbor, outward after it; the contact stage visits the links that
    hold the object, and an arm may have none of these.
    """
    if stage == "contact":
        return tuple(sorted({contact.link for contact in system.contacts if contact.arm == arm}))
    own = tuple(int(k) for k in np.flatnonzero(system.arm_of_link == arm))
    return own if direction(stage) == "inward" else own[::-1]


def number(system: dyn.System, link: int) -> int:
    """The papers' number of a link: 1 is its arm's tip."""
    return int(np.count_nonzero(system.arm_of_link[: link + 1] == system.arm_of_link[link]))


def called(system: dyn.System, link: int) -> str:
    """The page's only name for a link: its own, with its arm's where there are several."""
    return _of_arm(system, link, system.link_names[link].rpartition("/")[2])


def counted(system: dyn.System, link: int) -> str:
    """The same with the papers' number of the link, counted from the tip, where their order is followed."""
    return _of_arm(system, link, f"link {number(system, link)}, {system.link_names[link]}")


def joint_called(system: dyn.System, joint: int) -> str:
    return _of_arm(system, joint, system.joint_names[joint].rpartition("/")[2])


def _of_arm(system: dyn.System, link: int, name: str) -> str:
    arm = f"arm {int(system.arm_of_link[link]) + 1}, " if system.n_arms > 1 else ""
    return f"{arm}{name}"


def branches_of(system: dyn.System, link: int) -> int:
    """The number of links attached to a link: more than one means that branches meet."""
    return int(np.count_nonzero(np.asarray(system.inboard) == link))


def visits(system: dyn.System, stage: str) -> tuple[tuple[int, int], ...]:
    """(arm, link) in a stage's own order, arm after arm; arms do not wait for each other within a stage."""
    return tuple((arm, link) for arm in range(system.n_arms) for link in links(system, stage, arm))


def halves(system: dyn.System, stage: str, link: int) -> tuple[int, ...]:
    """The half-steps of a stage at a link. A base that floats has no joint: a sweep ends or begins there."""
    if link < system.n_joints or stage == "contact":
        return (PREDICTION, CORRECTION)
    return (CORRECTION,) if stage in ("smoother", "smoother_final") else (PREDICTION,)


def half_of(reading: Reading, stage: str, link: int, name: str) -> int:
    """The half-step of a stage that computes a quantity at a link; the last one if none of its lines does."""
    there = halves(reading.system, stage, link)
    computed = {half: {line.quantity_name for line in reading.lines(stage, link, half)} for half in there}
    return next((half for half in there if name in computed[half]), there[-1])


def places(system: dyn.System, stage: str) -> tuple[Place, ...]:
    return tuple(
        Place(stage, arm, link, half) for arm, link in visits(system, stage) for half in halves(system, stage, link)
    )


def whole_walk(system: dyn.System) -> tuple[Place, ...]:
    """Every half-step of the computation, in order."""
    return tuple(place for stage in stages(system) for place in places(system, stage))


def step_of(system: dyn.System, place: Place | Cursor) -> tuple[int, int]:
    """The number of the half-step in the computation, from 1 on, and the number of all of them."""
    order = whole_walk(system)
    return order.index(nearest(system, place)) + 1, len(order)


def is_last(system: dyn.System, place: Place) -> bool:
    return place == places(system, stages(system)[-1])[-1]


def nearest(system: dyn.System, cursor: Place | Cursor) -> Place:
    """The nearest valid place to a cursor that may point at something this system does not have.

    A missing stage becomes the filter, a link that the stage does not visit becomes the arm's first, an arm that
    it does not visit the first that it does, and a half-step that a link does not have its only one.
    """
    stage = cursor.stage if cursor.stage in stages(system) else "filter"
    visited = visits(system, stage)
    here = (cursor.arm, cursor.link)
    if here not in visited:
        arm = int(system.arm_of_link[cursor.link]) if cursor.link < system.n_links else cursor.arm
        by_link = next((visit for visit in visited if visit[1] == cursor.link), None)
        here = by_link or next((visit for visit in visited if visit[0] == arm), visited[0])
    there = halves(system, stage, here[1])
    return Place(stage, *here, cursor.half if cursor.half in there else there[0])


def at_link(system: dyn.System, place: Place, link: int, half: int = PREDICTION) -> Place:
    """The same stage at another link."""
    return nearest(system, Place(place.stage, int(system.arm_of_link[link]), link, half))


def walk_half(system: dyn.System, cursor: Place | Cursor, count: int) -> Place:
    """Moves ``count`` half-steps in the order of the computation, through all stages, stopping at either end."""
    walk = whole_walk(system)
    return _moved(walk, walk.index(nearest(system, cursor)), count)


def walk_link(system: dyn.System, cursor: Place | Cursor, count: int) -> Place:
    """Moves ``count`` links in the stage's own direction, stopping at the end of the stage."""
    place = nearest(system, cursor)
    visited = visits(system, place.stage)
    arm, link = _moved(visited, visited.index((place.arm, place.link)), count)
    if (arm, link) == (place.arm, place.link):
        return place
    return Place(place.stage, arm, link, halves(system, place.stage, link)[0])


def walk_stage(system: dyn.System, cursor: Place | Cursor, count: int) -> Place:
    """Moves ``count`` stages, staying at the same link if the stage visits it."""
    place = nearest(system, cursor)
    order = stages(system)
    stage = _moved(order, order.index(place.stage), count)
    return place if stage == place.stage else nearest(system, replace(place, stage=stage, half=PREDICTION))


def walk_arm(system: dyn.System, cursor: Place | Cursor, count: int) -> Place:
    """The link at the same step of the stage, ``count`` arms further."""
    place = nearest(system, cursor)
    order = sorted({arm for arm, _ in visits(system, place.stage)})
    arm = _moved(order, order.index(place.arm), count)
    if arm == place.arm:
        return place
    step = links(system, place.stage, place.arm).index(place.link)
    there = links(system, place.stage, arm)
    link = there[min(step, len(there) - 1)]
    return nearest(system, Place(place.stage, arm, link, place.half))


Step = Callable[[dyn.System, "Place | Cursor", int], Place]


def _moved(order: Sequence[T], at: int, count: int) -> T:
    return order[min(max(at + count, 0), len(order) - 1)]


class Cursor(param.Parameterized):
    """Four coordinates: playing moves the time, walking an algorithm moves stage, arm and link."""

    time = param.Number(default=0.0, bounds=(0.0, None), doc="Instant of the recording, s.")
    stage = param.String(default="filter", doc="Stage of the algorithm, a key of ``Solution.stages``.")
    arm = param.Integer(default=0, bounds=(0, None), doc="Index of the arm; 0 is arm 1.")
    link = param.Integer(default=0, bounds=(0, None), doc="Index of the link; 0 is the first arm's tip link.")
    half = param.Integer(
        default=0, bounds=(0, 1), doc="Half of a step at a link: 0 predicts across the link, 1 corrects at its joint."
    )


PACES = {"Slow": 3.0, "Normal": 1.2, "Fast": 0.3}  # Seconds per half-step


class AutoWalk(param.Parameterized):
    """The clock calls ``draw``: when a half-step is due it advances the cursor, and it stops at the end of the walk.

    Walking needs a moment that stands still: it pauses the motion, and ends when the motion is played again.
    """

    active = param.Boolean(default=False, doc="Whether the cursor walks by itself.")
    pace: param.Selector = param.Selector(default="Normal", objects=list(PACES), doc="How fast.")

    def __init__(self, session: Session, now: Callable[[], float] = time.monotonic, **params: object) -> None:
        super().__init__(**params)
        self._session = session
        self._now = now
        self._since = 0.0

    def toggle(self) -> None:
        """Starts walking from the cursor, or stops; at the end of the computation it restarts from the beginning."""
        if self.active:
            self.active = False
            return
        self._session.playing = False
        if self._session.at_end_of_walk:
            self._session.walk_to_start()
        self._since = self._now()
        self.active = True

    def draw(self) -> None:
        """Takes the half-step that is due; a late frame does not make up for those it missed."""
        if self.active and self._session.playing:
            self.active = False
        if not self.active or self._now() - self._since < PACES[self.pace]:
            return
        self._since = self._now()
        self._session.walk_half(1)
        if self._session.at_end_of_walk:
            self.active = False

    def stop(self) -> None:
        """Stops without notifying anyone: the session is over and the page's buttons are gone."""
        with param.parameterized.discard_events(self):
            self.active = False
