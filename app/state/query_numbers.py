"""Numbers as an address gives them: read within bounds, or refused in words."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Mapping

from app.number_text import read_index, read_number
from app.state.machine_loader import RefusedError


def bounded_float(text: str, name: str, least: float, most: float) -> float:
    value = read_number(text)
    if value is None or not least <= value <= most:
        raise RefusedError(f"{name} is {reprlib.repr(text)}; expected a number from {least:g} to {most:g}.")
    return value


def bounded_index(text: str, name: str, most: int) -> int:
    index = read_index(text)
    if index is None or index > most:
        raise RefusedError(f"{name} is {reprlib.repr(text)}; expected a whole number up to {most}.")
    return index


def bounded_number(query: Mapping[str, str], name: str, least: float, most: float, default: float = math.nan) -> float:
    return bounded_float(query[name], name, least, most) if name in query else default
