"""Which object, world and form of the gain *Contact* looks at: what a session keeps of it, and a link says."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.instruments.contact_html import FORMS, MOBILITY
from app.instruments.contact_sweep import MOST
from app.number_text import read_number


@dataclass(frozen=True)
class Tried:
    """As it is, until something is chosen.

    Attributes:
        decade: by how many the object is heavier.
        gravity: whether what has weight has it.
        form: of the gain.
        dual: whether the object is the prior and the arms measure, (9.2), or the other way round, (9.1).
    """

    decade: float = 0.0
    gravity: bool = True
    form: str = MOBILITY
    dual: bool = False

    @classmethod
    def read(cls, text: str) -> Tried:
        """What ``text`` says; of nothing, as it is."""
        if not text:
            return cls()
        decade, gravity, form, dual = [*text.split(":"), "0"][:4]
        kind = form if form in FORMS else MOBILITY
        return cls(bounded(read_number(decade)), gravity == "1", kind, dual == "1")

    @property
    def text(self) -> str:
        """For a link; empty where nothing is chosen."""
        return "" if self == Tried() else f"{self.decade + 0.0!r}:{self.gravity:d}:{self.form}" + ":1" * self.dual


def bounded(decade: object) -> float:
    """A browser may say anything."""
    if not isinstance(decade, int | float) or not np.isfinite(decade):
        return 0.0
    return min(max(float(decade), -MOST), MOST)


def object_html(weight: str, gravity: bool, is_other: bool) -> str:
    """Which object is looked at."""
    what = " <b>instead of the one that is carried</b>" if is_other else ""
    return f"<p class='where'>An object of <b>{weight} kg</b>{'' if gravity else ', no gravity'}{what}.</p>"
