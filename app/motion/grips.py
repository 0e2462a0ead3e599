"""How a tip can hold the object: in one of three ways that have a name, or by any of six directions that pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from dynamics.system import Contact

GRIPS: Mapping[str, str] = MappingProxyType({"rigid": "rigid", "point": "point contact", "soft_finger": "soft finger"})
"""The ways that have a name, and the word for each."""
DIRECTIONS = ("Mx", "My", "Mz", "Fx", "Fy", "Fz")
"""Moments and forces in a contact's own axes, z along the object's outward normal."""
_PASSES: Mapping[str, str] = MappingProxyType({"rigid": "111111", "point": "000111", "soft_finger": "001111"})
LISTED = 64
"""From here on a number says which of ``DIRECTIONS`` pass."""
_SELECTED = "selection"
"""The kind of a contact whose directions are listed one by one."""


def passing(contact: Contact) -> str:
    """A digit for each of ``DIRECTIONS``: 1 where it passes, 0 where it is left free."""
    return "".join(str(int(any(column))) for column in (contact.selection != 0.0).T.tolist())


def way_of(passes: Sequence[bool]) -> str:
    """The way to hold by which these of ``DIRECTIONS`` pass: its name, or their digits.

    Raises:
        ModelError: where none does.
    """
    digits = "".join(str(int(one)) for one in passes)
    if "1" not in digits:
        raise dyn.ModelError("a contact has to pass some force or moment; to let the object go, press Release.")
    return next((name for name, known in _PASSES.items() if known == digits), digits)


def words_of(way: str) -> str:
    """What a way to hold is called."""
    if way in GRIPS:
        return GRIPS[way]
    return f"a contact that passes {', '.join(name for name, on in zip(DIRECTIONS, way, strict=True) if on == '1')}"


def contact_by(way: str) -> str | NDArray[np.float64]:
    """What ``dynamics.grasp`` takes for it."""
    return way if way in GRIPS else np.eye(6)[[on == "1" for on in way]]


def as_held(contact: Contact) -> str | NDArray[np.float64]:
    """What ``dynamics.grasp`` takes to hold so again."""
    return contact.selection if contact.kind == _SELECTED else contact.kind


def code_of(way: str) -> int:
    """A number below 256 for it."""
    return list(GRIPS).index(way) if way in GRIPS else LISTED + int(way, 2)


def way_by(code: int) -> str:
    """The way to hold of ``code_of``.

    Raises:
        IndexError: for a number that says none.
    """
    if code < LISTED:
        return list(GRIPS)[code]
    if not LISTED < code < 2 * LISTED:
        raise IndexError(code)
    return way_of([digit == "1" for digit in f"{code - LISTED:06b}"])
