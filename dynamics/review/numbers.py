"""Numbers of a URDF that are none: written with commas, with units behind them, or not at all."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

import numpy as np

from dynamics.checks import brief
from dynamics.descriptions.urdf_elements import LONGEST, NUMBERS
from dynamics.review.draft import Draft, numbers_of
from dynamics.review.finding import Finding
from dynamics.review.structure import title_of

COMMA = re.compile(r"(?<=[0-9]),(?=[0-9])")
BETWEEN = re.compile(r"\s*[,;]\s*")
WITH_UNIT = re.compile(
    r"([+-]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[Ee][+-]?[0-9]+)?)\s*([A-Za-zµ°'/²^*·%][\w°/²^*·%-]*)?"
)
TURN = math.pi / 180.0
METERS = {"m": 1.0, "dm": 0.1, "cm": 0.01, "mm": 1e-3, "um": 1e-6, "µm": 1e-6, "in": 0.0254, "inch": 0.0254}
RADIANS = {"rad": 1.0, "deg": TURN, "°": TURN, "degree": TURN, "degrees": TURN, "mrad": 1e-3}
KILOGRAMS = {"kg": 1.0, "g": 1e-3, "t": 1e3, "lb": 0.45359237, "lbs": 0.45359237}
INERTIAS = {"kgm2": 1.0, "gm2": 1e-3, "kgcm2": 1e-4, "gcm2": 1e-7, "kgmm2": 1e-6, "gmm2": 1e-9}
FORCES = {"nm": 1.0, "n": 1.0, "kn": 1e3, "knm": 1e3, "mnm": 1e-3, "ncm": 1e-2}
RATES = {f"{unit}/s": by for unit, by in (METERS | RADIANS).items()} | {"rpm": math.pi / 30.0}
UNITS = {
    **dict.fromkeys(("xyz", "size", "radius", "length"), METERS),
    **dict.fromkeys(("lower", "upper"), METERS | RADIANS),
    **dict.fromkeys(("ixx", "ixy", "ixz", "iyy", "iyz", "izz"), INERTIAS),
    "rpy": RADIANS,
    "value": KILOGRAMS,
    "effort": FORCES,
    "velocity": RATES,
}
"""Attribute -> the units that may stand behind its numbers, in SI units; any other is not guessed."""


def numbers(robot: Draft) -> Iterator[Finding]:
    """Every fault of this kind."""
    for each in robot.every():
        for attribute, text in each.attributes.items():
            counts, _ = NUMBERS.get((each.tag, attribute), ((), False))
            if not counts or any(numbers_of(text, count) is not None for count in counts):
                continue
            if each.tag == "limit" and text.strip().lstrip("+-").lower() == "inf":
                continue
            told = brief(text)[1:-1]
            words = f'{attribute}="{told}" is not {counts[-1]} finite number{"s" if counts[-1] > 1 else ""}'
            kind, mended = _meant(text, attribute, counts)
            is_read = kind == "commas between numbers" and each.tag in ("box", "mesh")
            edits = (each.set(attribute, mended),) if mended else ()
            yield Finding(kind, "note" if is_read else "wrong", each.line, title_of(each), words,
                          f'{attribute}="{mended}"' if mended else "", edits)  # fmt: skip


def _meant(text: str, attribute: str, counts: Sequence[int]) -> tuple[str, str]:
    """What kind of fault it is, and the numbers that are meant; nothing where nobody knows."""
    tried = {"commas between numbers": BETWEEN.sub(" ", text).strip(), "decimal comma": COMMA.sub(".", text)}
    for kind, mended in tried.items() if len(text) <= LONGEST else ():
        if mended != text and any(numbers_of(mended, count) is not None for count in counts):
            return kind, mended
    values = _in_units(text, UNITS.get(attribute, {})) if len(text) <= LONGEST else []
    return ("unit", " ".join(map(repr, values))) if len(values) in counts else ("no number", "")


def _in_units(text: str, units: dict[str, float]) -> list[float]:
    """Numbers of a text that is nothing else than those and their units; the last unit may be that of all."""
    found, rest = [(one[1].replace(",", "."), one[2]) for one in WITH_UNIT.finditer(text)], WITH_UNIT.sub("", text)
    if not found or BETWEEN.sub("", rest).strip():
        return []
    last = found[-1][1]
    factors = [_factor(unit or last, units) for _, unit in found]
    values = [float(number) * factor for (number, _), factor in zip(found, factors, strict=True) if factor is not None]
    finite = len(values) == len(found) and all(map(math.isfinite, values))
    return np.round(values, 16).tolist() if finite else []


def _factor(unit: str | None, units: dict[str, float]) -> float | None:
    """Of a unit, however it is written; one of none."""
    plain = re.sub(r"[\^*·.\s-]", "", (unit or "").replace("²", "2"))
    return units.get(plain, units.get(plain.lower())) if plain else 1.0
