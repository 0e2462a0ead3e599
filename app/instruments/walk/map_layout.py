"""The layout of the computation's map: nodes and arrows in columns and rows.

One arm is R87's pair of opposite recursions. Several arms are left and right of the object that their tips
hold, each with its four sweeps, with the object's predictor and corrector between them: R88 Fig. 9.1 and 9.2. A free
flyer has the filter from the tip, the dual filter from the base, and their sums in between: JR 3.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass

import numpy as np

import dynamics as dyn
from app.equations.words import STAGE_TITLES, way
from app.state import walk
from app.state.walk import CORRECTION, PREDICTION, Place

BRIEF = {
    "filter": "inward",
    "smoother": "outward",
    "contact": "object",
    "filter_correction": "correction",
    "smoother_final": "final",
    "dual_filter": "dual",
}
"""Stage -> one word that distinguishes it."""


@dataclass(frozen=True)
class Caption:
    """Words on the map; ``short`` where there is no room for ``text``, ``title`` as a tooltip."""

    stage: str
    text: str
    short: str
    column: float
    row: float
    kind: str
    title: str = ""


WHY_ABOVE = "; it stands above the first, so that both filters meet at their sums"


MEETING = {
    "filter": ("gather", "gather: what each branch carries in is added up here"),
    "dual_filter": ("scatter", "scatter: each branch gets what is inboard and what the other branches carry in"),
}
"""What a sweep does at a body at which branches meet."""
SWEEPS = ("filter", "smoother", "filter_correction", "smoother_final")
BESIDE = 1.7
"""Columns between the object's middle and the tips."""
BRINK = 0.62
"""Columns between the object's middle and its predictor and corrector."""
GAP = 0.5
"""Rows between two bands."""


@dataclass(frozen=True)
class Node:
    """A clickable node; ``first`` to ``last`` are its half-steps in the whole walk."""

    place: Place
    shape: str
    column: float
    row: float
    label: str
    name: str
    family: str
    first: int
    last: int


@dataclass(frozen=True)
class Arrow:
    """An arrow between two points; ``at``: its half-step, or -1 if a value is only passed on."""

    x1: float
    y1: float
    x2: float
    y2: float
    at: int
    family: str


@dataclass(frozen=True)
class Map:
    nodes: tuple[Node, ...]
    arrows: tuple[Arrow, ...]
    captions: tuple[Caption, ...]
    objects: tuple[tuple[float, float], ...]
    """First and last row of each drawing of the object."""

    def as_dict(self) -> dict[str, object]:
        """The data from which the browser draws it."""
        columns = [node.column for node in self.nodes]
        rows = [node.row for node in self.nodes]
        return {
            "nodes": [asdict(node) | {"place": asdict(node.place)} for node in self.nodes],
            "arrows": [asdict(arrow) for arrow in self.arrows],
            "captions": [asdict(caption) for caption in self.captions],
            "objects": [list(span) for span in self.objects],
            "columns": [min(columns), max(columns)],
            "rows": [min(rows), max(rows)],
        }


FAMILY = {
    "filter": "articulated_inertia",
    "smoother": "acceleration",
    "filter_correction": "corrected",
    "smoother_final": "acceleration",
    "dual_filter": "dual_articulated_inertia",
}
"""Stage -> the quantity that gives its sweep's color."""
ROLES = {
    "sum": ("both filters combined", "operational_space_inertia"),
    "predictor": ("predictor", "predicted"),
    "corrector": ("corrector", "corrected"),
}
"""Shape of a node that is no link of a sweep -> its name and color."""


def lanes(system: dyn.System, arm: int) -> dict[int, tuple[int, int]]:
    """(steps from the base, lane) of every link of an arm: a chain has one lane, each further branch its own."""
    own = [int(k) for k in np.flatnonzero(system.arm_of_link == arm)]
    depth: dict[int, int] = {}
    for k in reversed(own):
        inner = int(system.inboard[k])
        depth[k] = depth[inner] + 1 if inner in depth else 0
    lane: dict[int, int] = {}
    branches = 0
    for k in own:
        if k in lane:
            continue
        while k in depth and k not in lane:
            lane[k] = branches
            k = int(system.inboard[k])
        branches += 1
    return {k: (depth[k], lane[k]) for k in own}


class Drawing:
    """Places nodes and arrows, arm by arm."""

    def __init__(self, system: dyn.System) -> None:
        self.system = system
        self.index = {place: at for at, place in enumerate(walk.whole_walk(system))}
        self.nodes: list[Node] = []
        self.arrows: list[Arrow] = []
        self.captions: list[Caption] = []
        self.objects: list[tuple[float, float]] = []

    def half_steps(self, stage: str, arm: int, link: int, halves: Iterable[int] = ()) -> list[int]:
        halves = tuple(halves) or walk.halves(self.system, stage, link)
        return [self.index[Place(stage, arm, link, half)] for half in halves]

    def node(self, place: Place, column: float, row: float, label: str, shape: str, halves: Iterable[int] = ()) -> None:
        at = self.half_steps(place.stage, place.arm, place.link, halves)
        system = self.system
        arm = f"arm {place.arm + 1}, " if system.n_arms > 1 else ""
        what, family = ROLES[shape] if shape in ROLES else ("", FAMILY[place.stage])
        title = STAGE_TITLES[place.stage].lower() + (f", {what}" if what else "")
        name = f"{title}, {arm}link {label}, {system.link_names[place.link]}"
        self.nodes.append(Node(place, shape, column, row, label, name, family, at[0], at[-1]))

    def sweep(self, stage: str, arm: int, row: float, origin: float, side: int) -> None:
        """One sweep over one arm, with the tip at ``origin`` and the base in the direction ``side``."""
        system, places = self.system, lanes(self.system, arm)
        deepest = max(depth for depth, _ in places.values())

        def where(k: int) -> tuple[float, float]:
            depth, lane = places[k]
            return origin + side * (deepest - depth), row + lane

        for number, k in enumerate(places, start=1):
            x, y = where(k)
            first = walk.halves(system, stage, k)[0]
            shape = "base" if k >= system.n_joints else "link"
            self.node(Place(stage, arm, k, first), x, y, str(number), shape)
            inner = int(system.inboard[k])
            there = where(inner) if inner >= 0 else (x + side, y)
            inward = walk.direction(stage) == "inward"
            if inner >= 0:
                receiver = inner if inward else k
                at = self.index[Place(stage, arm, receiver, PREDICTION)]
                ends = ((x, y), there) if inward else (there, (x, y))
                self.arrows.append(Arrow(*ends[0], *ends[1], at, FAMILY[stage]))
            elif k < system.n_joints and not inward:
                at = self.index[Place(stage, arm, k, PREDICTION)]
                self.arrows.append(Arrow(x + 0.8 * side, y, x, y, at, FAMILY[stage]))
            if k < system.n_joints:
                at = self.index[Place(stage, arm, k, CORRECTION)]
                up = (x, y - 0.5), (x, y)
                ends = up if inward else up[::-1]
                self.arrows.append(Arrow(*ends[0], *ends[1], at, FAMILY[stage]))

    def caption(self, stage: str, number: int, row: float, why: str = "") -> None:
        """Beside a sweep's row; ``number``: ordinal of the stage; ``why`` the row is out of order."""
        title = f"{number}: {STAGE_TITLES[stage].lower()}, {way(stage)}{why}"
        self.captions.append(Caption(stage, f"{number} {BRIEF[stage]}", str(number), 0.0, row, "stage", title))

    def ends(self, arm: int, row: float, tip: float, side: int, name: str = "") -> None:
        """Labels the ends of an arm above its first row: the numbers alone do not identify them."""
        places = lanes(self.system, arm).values()
        base, n_tips = tip + side * max(depth for depth, _ in places), len({lane for _, lane in places})
        ends = [(tip, f"{name} {'tip' if n_tips == 1 else 'tips'}".strip())] + [(base, "base")] * (base != tip)
        self.captions += [Caption("", text, text, column, row, "arm") for column, text in ends]


def _meetings(drawing: Drawing, rows: dict[str, float]) -> None:
    """Labels the bodies at which branches meet with the action of each sweep; the space below them is free."""
    places = lanes(drawing.system, 0)
    deepest = max(depth for depth, _ in places.values())
    taken = {(deepest - depth, lane) for depth, lane in places.values()}
    for k, (depth, lane) in places.items():
        spot = (deepest - depth, lane + 1)
        if walk.branches_of(drawing.system, k) > 1 and spot not in taken:
            for stage, row in rows.items():
                text, title = MEETING[stage]
                drawing.captions.append(Caption("", text, text, spot[0], row + spot[1], "branch", title))


def map_of(system: dyn.System) -> Map:
    """The map of a system's computation."""
    drawing = Drawing(system)
    if system.kind == "free_flyer":
        _free_flyer(drawing)
    elif system.n_arms == 1 and not system.is_held:
        _one_arm(drawing)
    else:
        _around_the_object(drawing)
    return Map(tuple(drawing.nodes), tuple(drawing.arrows), tuple(drawing.captions), tuple(drawing.objects))


def _height(system: dyn.System, arm: int) -> int:
    return 1 + max(lane for _, lane in lanes(system, arm).values())


def _one_arm(drawing: Drawing) -> None:
    high = _height(drawing.system, 0)
    for at, stage in enumerate(("filter", "smoother")):
        drawing.sweep(stage, 0, at * (high + 0.15), 0.0, 1)
        drawing.caption(stage, at + 1, at * (high + 0.15))
    _meetings(drawing, {"filter": 0.0})
    drawing.ends(0, 0.0, 0.0, 1)


def _free_flyer(drawing: Drawing) -> None:
    system = drawing.system
    high = _height(system, 0)
    rows = {"smoother": 0.0, "filter": high + 0.1, "sum": 2.0 * high + 0.1, "dual_filter": 3.0 * high + 0.1}
    for stage in ("filter", "smoother", "dual_filter"):
        drawing.sweep(stage, 0, rows[stage], 0.0, 1)
        why = WHY_ABOVE if stage == "smoother" else ""
        drawing.caption(stage, walk.stages(system).index(stage) + 1, rows[stage], why)
    drawing.captions.append(Caption("", "P + S", "+", 0.0, rows["sum"], "stage", "P + S: both filters combined"))
    drawing.ends(0, 0.0, 0.0, 1)
    _meetings(drawing, {stage: rows[stage] for stage in ("filter", "dual_filter")})
    places = lanes(system, 0)
    deepest = max(depth for depth, _ in places.values())
    # The correction arrow of a dual node leads to the sum instead of out of the picture.
    drawing.arrows = [a for a in drawing.arrows if not (a.family == FAMILY["dual_filter"] and a.x1 == a.x2)]
    for number, (k, (depth, lane)) in enumerate(places.items(), start=1):
        x, row = float(deepest - depth), rows["sum"] + lane
        half = walk.halves(system, "dual_filter", k)[-1]
        drawing.node(Place("dual_filter", 0, k, half), x, row, str(number), "sum", [half])
        at = drawing.index[Place("dual_filter", 0, k, half)]
        drawing.arrows.append(Arrow(x, rows["filter"] + lane, x, row, at, FAMILY["filter"]))
        drawing.arrows.append(Arrow(x, rows["dual_filter"] + lane, x, row, at, FAMILY["dual_filter"]))


def _around_the_object(drawing: Drawing) -> None:
    """Arms in pairs, with their tips towards the object."""
    system = drawing.system
    held = [stage for stage in SWEEPS if stage in walk.stages(system)]
    order = walk.stages(system)
    top = 0.0
    for first in range(0, system.n_arms, 2):
        pair = range(first, min(first + 2, system.n_arms))
        high = max(_height(system, arm) for arm in pair)
        rows = {stage: top + at * (high + 0.1) for at, stage in enumerate(held)}
        for arm in pair:
            side = -1 if arm == first else 1
            for stage in held:
                drawing.sweep(stage, arm, rows[stage], side * BESIDE, side)
            _contacts(drawing, arm, side, rows)
            drawing.ends(arm, top, side * BESIDE, side, f"arm {arm + 1}")
        for stage in held:
            drawing.caption(stage, order.index(stage) + 1, rows[stage])
        bottom = top + len(held) * (high + 0.1) - 0.1 - (high - 1)
        if system.task_object is not None:
            drawing.objects.append((top, bottom - 1.0))
            number = order.index("contact") + 1 if system.is_held else 0
            drawing.captions.append(_caption_of_object(number, top))
        top = bottom + high - 1 + GAP


def _caption_of_object(number: int, row: float) -> Caption:
    """On the object; ``number``: ordinal of the contact stage, 0 if nothing holds the object."""
    if not number:
        return Caption("contact", "object", "object", 0.0, row, "object", "the object, which nothing holds")
    text, title = f"{number} {BRIEF['contact']}", f"{number}: {STAGE_TITLES['contact'].lower()}, at the object"
    return Caption("contact", text, str(number), 0.0, row, "object", title)


def _contacts(drawing: Drawing, arm: int, side: int, rows: dict[str, float]) -> None:
    """Predictor and corrector of an arm's contacts, and the arrows between tips and object."""
    system, places = drawing.system, lanes(drawing.system, arm)
    deepest = max(depth for depth, _ in places.values())
    numbers = {k: at + 1 for at, k in enumerate(places)}
    for k in walk.links(system, "contact", arm):
        depth, lane = places[k]
        tip = side * (BESIDE + deepest - depth)
        x, y1, y2 = side * BRINK, rows["smoother"] + lane, rows["filter_correction"] + lane
        for half, shape, y in ((PREDICTION, "predictor", y1), (CORRECTION, "corrector", y2)):
            drawing.node(Place("contact", arm, k, half), x, y, str(numbers[k]), shape, [half])
        predicted, corrected = drawing.half_steps("contact", arm, k)
        carried = drawing.index[Place("filter_correction", arm, k, PREDICTION)]
        drawing.arrows.append(Arrow(tip, y1, x, y1, predicted, "predicted"))
        drawing.arrows.append(Arrow(x, y1, x, y2, corrected, "corrected"))
        drawing.arrows.append(Arrow(x, y2, tip, y2, carried, FAMILY["filter_correction"]))
