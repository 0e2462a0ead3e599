"""What one process, one address and one page may take of the server, as the environment says."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Mapping
from dataclasses import dataclass, fields


@dataclass(frozen=True)
class Limits:
    """Each is set by an environment variable of its name, in capitals, after ``ARMSWEEP_``.

    Attributes:
        sessions: open pages of one process; later visitors wait.
        sessions_per_address: of these, from one address; a class behind one router is one address.
        computing: s of a core in each minute that one page may compute, as soon as others are open beside it.
        uploads: files in each minute from one page.
        studies: processes that compute studies of many states at once.
        studying: s that each of them may take.
    """

    sessions: int = 150
    sessions_per_address: int = 120
    computing: float = 30.0
    uploads: int = 20
    studies: int = 2
    studying: float = 300.0


class SettingError(ValueError):
    """A setting that makes no sense; its words name it."""


def read(environment: Mapping[str, str]) -> Limits:
    """The limits that an environment asks for.

    Raises:
        SettingError: for a value that is no number above zero, and for a name that is none of these.
    """
    found: dict[str, float] = {}
    for field in fields(Limits):
        name = f"ARMSWEEP_{field.name.upper()}"
        if name in environment:
            found[field.name] = _number(name, environment[name], whole=isinstance(field.default, int))
    return Limits(**found)  # type: ignore[arg-type]


def _number(name: str, text: str, *, whole: bool) -> float:
    try:
        value = int(text) if whole else float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        kind = "a whole number" if whole else "a number"
        raise SettingError(f"{name} is {reprlib.repr(text)}; it is to be {kind} above zero, or not set at all.")
    return value


def choice(environment: Mapping[str, str], name: str, offered: tuple[str, ...]) -> str:
    """One of several words, the first of them by default.

    Raises:
        SettingError: for any other word.
    """
    value = environment.get(name, offered[0])
    if value not in offered:
        raise SettingError(f"{name} is {reprlib.repr(value)}; it is to be {' or '.join(offered)}.")
    return value


METRICS, LOG, FRAMES = "ARMSWEEP_METRICS", "ARMSWEEP_LOG", "ARMSWEEP_FRAMES"
OF_METRICS, OF_LOG, OF_FRAMES = ("local", "anyone"), ("text", "json"), ("self", "anyone")
