"""What stands beside the rows of the map of the computation, over the ends of its chains, and on its object."""

from __future__ import annotations

from dataclasses import dataclass

from app.equations.words import STAGE_TITLES, way

BRIEF = {
    "filter": "inward",
    "smoother": "outward",
    "contact": "object",
    "filter_correction": "correction",
    "smoother_final": "final",
    "dual_filter": "dual",
}
"""Stage -> the one word that tells it from the others."""


@dataclass(frozen=True)
class Caption:
    """Words on the map; ``short`` where there is no room for ``text``, ``title`` for who points at them."""

    stage: str
    text: str
    short: str
    column: float
    row: float
    kind: str
    title: str = ""


WHY_ABOVE = "; it stands above the first, so that both filters meet at their sums"


def of_stage(stage: str, number: int, row: float, why: str = "") -> Caption:
    """Beside a sweep's row; ``number``: the how manieth stage it is; ``why`` it does not stand there."""
    title = f"{number}: {STAGE_TITLES[stage].lower()}, {way(stage)}{why}"
    return Caption(stage, f"{number} {BRIEF[stage]}", str(number), 0.0, row, "stage", title)


def of_sum(row: float) -> Caption:
    """Beside the row in which both filters are combined."""
    return Caption("", "P + S", "+", 0.0, row, "stage", "P + S: both filters combined")


def of_meeting(stage: str, column: float, lane: float, row: float) -> Caption:
    """Below a body at which branches meet: what a sweep does there."""
    text, title = {
        "filter": ("gather", "gather: what each branch carries in is added up here"),
        "dual_filter": ("scatter", "scatter: each branch gets what is inboard and what the other branches carry in"),
    }[stage]
    return Caption("", text, text, column, row + lane, "branch", title)


def of_object(number: int, row: float) -> Caption:
    """On the object; ``number``: that of the contact stage, 0 where nothing holds it."""
    if not number:
        return Caption("contact", "object", "object", 0.0, row, "object", "the object, which nothing holds")
    text, title = f"{number} {BRIEF['contact']}", f"{number}: {STAGE_TITLES['contact'].lower()}, at the object"
    return Caption("contact", text, str(number), 0.0, row, "object", title)


def of_ends(row: float, tip: float, base: float, n_tips: int, arm: str = "") -> list[Caption]:
    """Over the ends of an arm, which one cannot tell from its numbers alone.

    Args:
        tip, base: columns.
        arm: its name, where there are several.
    """
    ends = [(tip, f"{arm} {'tip' if n_tips == 1 else 'tips'}".strip())] + [(base, "base")] * (base != tip)
    return [Caption("", text, text, column, row, "arm") for column, text in ends]
