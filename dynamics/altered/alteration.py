"""What can be broken on purpose: a term of a line of the filter and smoother, dropped or with its sign turned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

from dynamics.altered.altered_line import Line
from dynamics.altered.altered_lines import LINES
from dynamics.checks import brief
from dynamics.errors import ModelError

Key = tuple[str, str, str]
"""Stage, quantity that the line computes, name of the term."""


@dataclass(frozen=True)
class Alteration:
    """Factors on named terms: 1 is as published, 0 drops a term, -1 turns its sign.

    A term that is a power (``Term.power``) has its exponent multiplied instead: 0 leaves it out, -1 inverts it.

    Attributes:
        factors: (stage, quantity, term) -> factor; terms that are not named stay as published.

    Raises:
        ModelError: for a term that no line has.
    """

    factors: Mapping[Key, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        known = {(line.stage, line.quantity, term.name) for line in LINES for term in line.terms}
        for key in self.factors:
            if key not in known:
                raise ModelError(f"there is no term {brief(key)} to alter; dynamics.algorithm_lines lists them.")

    @cached_property
    def _of_line(self) -> Mapping[tuple[str, str], tuple[float, ...]]:
        return MappingProxyType(
            {
                (line.stage, line.quantity): tuple(
                    float(self.factors.get((line.stage, line.quantity, term.name), 1.0)) for term in line.terms
                )
                for line in LINES
            }
        )

    def line(self, stage: str, quantity: str) -> tuple[float, ...]:
        """The factors of one line's terms, in the line's own order.

        Args:
            stage: of the line.
            quantity: that it computes.

        Returns:
            One number a term, 1 as published.

        Raises:
            ModelError: if no line of that stage computes it.

        Cost: none.
        """
        return self._of_line[stage, quantity]


AS_PUBLISHED = Alteration()


def line_of(stage: str, quantity: str) -> Line:
    """The line that computes a quantity.

    Raises:
        ModelError: if none does.
    """
    for line in LINES:
        if (line.stage, line.quantity) == (stage, quantity):
            return line
    raise ModelError(f"no line of stage {brief(stage)} computes {brief(quantity)}.")
