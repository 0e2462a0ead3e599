"""How a class has answered: rows of bars, who stands where, or a bundle of curves, all in words; then what is right."""

from __future__ import annotations

import html
import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.asking.asked import KNOTS, Answer, Asked, Chosen, Drawn, Ordered, Tried, Typed
from app.equations.flat import flat
from app.number_text import number_text
from app.views.drawn import in_short

Array = NDArray[np.float64]
MOST_VALUES = 8
"""Different numbers that have a bar each; of more, intervals have."""
MOST_INTERVALS = 10
FAR = 3.0
"""Quartiles' distances beyond the quartiles from which a number is told apart."""
MOST_NAMED = 5
"""Of those."""
MOST_CURVES = 60
"""That are drawn; the median and the quartiles are of all."""


def tally(asked: Asked, answers: Sequence[Answer]) -> dict[str, Any]:
    """The distribution of answers: ``total``, ``rows`` of ``label`` and ``count``, ``notes``, and all in ``words``."""
    match asked:
        case Chosen(options=options) | Tried(options=options):
            counts = np.bincount(np.array(answers, dtype=int), minlength=len(options))
            found = _rows(options, counts)
        case Typed():
            found = _numbers(np.sort(_counted(asked, answers)), html.escape(asked.unit))
        case Ordered(options=options):
            found = _orders(options, answers)  # type: ignore[arg-type]
        case Drawn():
            found = _curves(asked, np.array(answers, dtype=float).reshape(-1, KNOTS))
    return {"total": len(answers), **found, "words": _in_words(len(answers), found)}


def _counted(asked: Typed, answers: Sequence[Answer]) -> Array:
    """Numbers as they count: without their signs where a size is asked for."""
    values = np.array(answers, dtype=float)
    return np.abs(values) if asked.in_size else values


def revealed(asked: Asked, answers: Sequence[Answer], told: dict[str, Any]) -> dict[str, Any]:
    """What is right: ``rows``, an ``order`` or a ``curve``, and in ``words``."""
    total = len(answers)
    match asked:
        case Chosen(options=options, right=right):
            chose = _share(sum(answer in right for answer in answers), total, "chose it")
            name = " or ".join(flat(options[k]) for k in sorted(right))
            return {"rows": sorted(right), "words": f"Right is: {name}.{chose}"}
        case Tried():
            done = sum(answer in asked.right for answer in answers)
            return {"rows": [], "words": _share(done, total, "have done it").strip() or "Nobody has tried it."}
        case Ordered(options=options, right=right):
            row = "; ".join(f"{place}. {flat(options[k])}" for place, k in enumerate(right, 1))
            have = _share(sum(answer == right for answer in answers), total, "have all of it in order")
            return {"rows": [], "order": list(right), "words": f"Right is: {row}.{have}"}
        case Typed(right=float(value)):
            near = np.abs(_counted(asked, answers) - value) <= asked.tolerance
            shown = f"{number_text(value)} {asked.unit}".strip()
            rows = [k for k, row in enumerate(told["rows"]) if _has(row, value, asked.tolerance)]
            within = f"said so, to within {in_short(asked.tolerance, 4)} {asked.unit}".strip()
            return {"rows": rows, "words": f"Right is: {shown}.{_share(int(near.sum()), total, within)}"}
        case Drawn(right=values):
            return {"rows": [], "curve": _percent(asked, np.array(values)), "words": "The dashed line is right."}
        case _:
            return {"rows": [], "words": ""}


def _rows(labels: Sequence[str], counts: Sequence[int] | NDArray[np.int64]) -> dict[str, Any]:
    return {"rows": [{"label": label, "count": int(n)} for label, n in zip(labels, counts, strict=True)], "notes": []}


def _orders(options: Sequence[str], answers: Sequence[tuple[int, ...]]) -> dict[str, Any]:
    """How often each stands at which place, in the order of their mean places; and the commonest order."""
    count = len(options)
    places = np.zeros((count, count), dtype=int)
    for answer in answers:
        places[list(answer), range(count)] += 1
    sums = places @ np.arange(count)
    order = sorted(range(count), key=lambda k: int(sums[k]))
    notes = []
    if answers:
        common, times = Counter(answers).most_common(1)[0]
        notes = [f"The commonest order, of {times} of {len(answers)}: {' · '.join(options[k] for k in common)}."]
    return {"rows": [], "notes": notes, "order": order, "places": places.tolist()}


def _numbers(values: Array, unit: str) -> dict[str, Any]:
    """Of sorted numbers: a row for each, or for each interval, with the ends for those far away."""
    distinct, counts = np.unique(values, return_counts=True)
    digits = _digits(distinct)
    if len(distinct) <= MOST_VALUES:
        found = _rows([f"{number_text(value, digits=digits)} {unit}".strip() for value in distinct], counts)
        for row, value in zip(found["rows"], distinct, strict=True):
            row.update(least=float(value), most=float(value))
        return found
    least, most = _fences(values)
    near = values[(values >= least) & (values <= most)]
    edges = _edges(float(near[0]), float(near[-1]))
    inside = np.clip(np.searchsorted(edges, near, side="right") - 1, 0, len(edges) - 2)
    texts = [number_text(edge, beside=float(np.abs(edges).max()), digits=digits) for edge in edges]
    labels = [f"{one} to {other} {unit}".strip() for one, other in pairwise(texts)]
    found = _rows(labels, np.bincount(inside, minlength=len(labels)))
    for row, (one, other) in zip(found["rows"], pairwise(edges), strict=True):
        row.update(least=float(one), most=float(other))
    below, above = values[values < least], values[values > most]
    if len(below):
        found["rows"].insert(0, {"label": f"below {texts[0]} {unit}".strip(), "count": len(below)})
    if len(above):
        found["rows"].append({"label": f"above {texts[-1]} {unit}".strip(), "count": len(above)})
    if len(below) or len(above):
        far = [*below, *above]
        named = ", ".join(number_text(value, digits=3) for value in far[:MOST_NAMED])
        more = f" and {len(far) - MOST_NAMED} more" if len(far) > MOST_NAMED else ""
        found["notes"].append(f"Far from the others: {named}{more}.")
    return found


def _digits(distinct: Array) -> int:
    """As many as tell the numbers apart, within reason."""
    for digits in range(3, 10):
        if len({number_text(value, digits=digits) for value in distinct}) == len(distinct):
            return digits
    return 10


def _fences(values: Array) -> tuple[float, float]:
    """From where to where a number is near the others."""
    low, median, high = np.quantile(values, [0.25, 0.5, 0.75])
    spread = high - low or np.ptp(np.quantile(values, [0.1, 0.9])) or abs(median) or 1.0
    return float(low - FAR * spread), float(high + FAR * spread)


def _edges(least: float, most: float) -> Array:
    """Of intervals whose width is 1, 2 or 5 times a power of ten."""
    span = most - least or abs(most) or 1.0
    power = 10.0 ** math.floor(math.log10(span / MOST_INTERVALS))
    widths = (power * k for k in (1.0, 2.0, 5.0, 10.0, 20.0))
    width = next(each for each in widths if math.floor(most / each) - math.floor(least / each) < MOST_INTERVALS)
    return width * np.arange(math.floor(least / width), math.floor(most / width) + 2, dtype=float)


def _has(row: dict[str, Any], value: float, tolerance: float) -> bool:
    if "least" not in row:
        return False
    if row["least"] == row["most"]:
        return bool(abs(row["least"] - value) <= tolerance)
    return bool(row["least"] <= value < row["most"])


def _curves(asked: Drawn, curves: Array) -> dict[str, Any]:
    found: dict[str, Any] = {"rows": [], "notes": [], "curves": [], "band": []}
    count = len(curves)
    if not count:
        return found
    shown = np.unique(np.linspace(0, count - 1, min(count, MOST_CURVES)).round().astype(int))
    found["curves"] = [_percent(asked, curves[k]) for k in shown]
    quartiles = np.quantile(curves, [0.25, 0.5, 0.75], axis=0)
    found["band"] = [_percent(asked, each) for each in quartiles]
    if len(shown) < count:
        found["notes"].append(f"{len(shown)} of them are drawn.")
    low, middle, high = (in_short(float(each[-1])) for each in quartiles)
    unit = html.escape(asked.unit)
    start = in_short(float(quartiles[1, 0]))
    found["notes"].append(
        f"The middle one goes from {start} to {middle} {unit}; half of them end between {low} and {high} {unit}."
    )
    return found


def _percent(asked: Drawn, values: Array) -> list[int]:
    """Of the axis, which is fine enough for a picture and short on its way."""
    share = (np.clip(values, asked.least, asked.most) - asked.least) / (asked.most - asked.least)
    return [int(each) for each in np.round(1000.0 * share)]


def _share(count: int, total: int, did: str) -> str:
    """A sentence, if there is somebody to speak of."""
    return f" {count or 'None'} of {total} {did}." if total else ""


def _in_words(total: int, found: dict[str, Any]) -> str:
    if not total:
        return "Nobody has answered."
    rows = "; ".join(f"{flat(row['label'])}: {row['count']}" for row in found["rows"])
    told = " ".join([*([f"{rows}."] if rows else []), *map(flat, found["notes"])])
    return f"{total} answer{'' if total == 1 else 's'}. {told}"
