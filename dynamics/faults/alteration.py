"""Something altered in the text or in the machine, and the form that the text is run in."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from dynamics.checks import Array
from dynamics.reading.lines import lines_of
from dynamics.robot.model import Joint, Link
from dynamics.system.plain_kinematics import PlainKinematics, tilde

ALPHA_PLUS = "outward_smoother.prediction.alpha_plus"
MOTION: Mapping[str, str] = {
    "V": "phi(i, k).T @ V[i] + H[k].T @ rate[k]",
    "a": "crm(V[k]) @ H[k].T @ rate[k]",
    "b": "crf(V[k]) @ M[k] @ V[k] - f[k]",
    "w": "M[k] @ g",
}
"""Velocity, and what it and weight add where accelerations are those of spatial vectors: V x H' beta, V x* M V."""


class Form(NamedTuple):
    """How an algorithm writes accelerations and forces; each of the eight is right.

    Attributes:
        spatial: accelerations are derivatives of spatial vectors; else those of the point itself.
        lifted: gravity is an acceleration of the base; else a weight on every link.
        printed: z leaves P a out, which comes in with P+ a, as R87 prints it and Featherstone has it.
    """

    spatial: bool = False
    lifted: bool = False
    printed: bool = False


def spatial(form: Form) -> bool:
    """Whether an alteration fits that is one of spatial accelerations alone."""
    return form.spatial


def any_form(form: Form) -> bool:
    """It fits in every form."""
    return True


FORMS = tuple(Form(*(not number & bit for bit in (4, 2, 1))) for number in range(8))
"""Featherstone's first: where several explain as much it is meant more often than not."""


@dataclass
class Draft:
    """What of a machine and its moment may be altered."""

    joints: list[Joint]
    links: list[Link]
    q: Array
    tau: Array
    wrench: Array
    gravity: Array


Carry = Callable[[Array, Array, Array], Array]
"""(6, 6): how a motion is carried from the inboard neighbor to link k, in link axes, of E and r; see ``carried``.

The third is the part of r that the joint's slide is.
"""


@dataclass(frozen=True, eq=False)
class Alteration:
    """Something that may be wrong.

    Attributes:
        key: its name.
        words: what is wrong, a clause.
        machine: alters the draft at a link.
        given: alters what the text is given at a link: letters and where everything is.
        lines: right sides by the key of their line, or by the letter of ``MOTION``.
        carry: how motions are carried wrongly,
        uses: and in which lines.
        fits: whether it can be meant in a form.
        links: where; None for everywhere.
        pushes_turn: whether external forces keep to inertial axes where the machine is altered, else to the links'.
    """

    key: str
    words: str
    machine: Callable[[Draft, int], None] | None = None
    given: Callable[[dict[str, Any], PlainKinematics, int], None] | None = None
    lines: Mapping[str, str] = field(default_factory=dict)
    carry: Carry | None = None
    uses: tuple[str, ...] = ()
    fits: Callable[[Form], bool] = lambda form: True
    links: frozenset[int] | None = None
    pushes_turn: bool = False

    def acts(self, k: int) -> bool:
        """Whether it does at a link."""
        return self.links is None or k in self.links

    def rights(self) -> dict[str, str]:
        """Every altered right side."""
        return {key: wrongly_carried(published()[key]) for key in self.uses} | dict(self.lines)


NOTHING = Alteration("", "")


def wrongly_carried(source: str) -> str:
    """A right side with the wrong transformation in it."""
    return source.replace("phi(", "other(")


def carried(E: Array, r: Array) -> Array:
    """[[E, 0], [-E r~, E]]: a motion at the inboard neighbor, in its axes, becomes one at O_k in those of link k."""
    matrix = np.zeros((6, 6))
    matrix[:3, :3] = matrix[3:, 3:] = E
    matrix[3:, :3] = -E @ tilde(r)
    return matrix


def right_side(source: str) -> str:
    """Of a line of the text, without its number."""
    return source.partition("  # ")[0].split("=", 1)[1].strip()


@functools.cache
def published() -> Mapping[str, str]:
    """Every right side by the key of its line: the arm's text, and ``MOTION``."""
    own = {line.key: right_side(line.source) for line in lines_of("arm")}
    return own | dict(MOTION)
