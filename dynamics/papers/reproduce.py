"""Any table or figure of the five papers, recomputed by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from dynamics.checks import brief, choices, is_among
from dynamics.errors import ModelError
from dynamics.papers import jain_rodriguez, jazidie, rodriguez_1987, rodriguez_1988, turney_mudge_lee
from dynamics.papers.result import Entry, PaperFigure, PaperNumber, PaperResult, Reproduction
from dynamics.public import public

RESULTS: Mapping[str, Entry] = MappingProxyType(
    {
        entry[0].name: entry
        for paper in (rodriguez_1987, rodriguez_1988, jain_rodriguez, turney_mudge_lee, jazidie)
        for entry in paper.RESULTS
    }
)


@public
def paper_results() -> tuple[PaperResult, ...]:
    """Every table and figure of the five papers (R87, R88, TML, JR, JZ), paper after paper.

    Returns:
        Their descriptions; nothing is computed.

    Cost: none.
    """
    return tuple(result for result, _ in RESULTS.values())


@public
def reproduce(name: str) -> Reproduction:
    """Recompute a table or figure.

    Args:
        name: of one of ``paper_results()``.

    Returns:
        Its numbers, printed and ours, with the reason for every difference beyond rounding, and its curves.

    Raises:
        ModelError: for an unknown name.

    Cost: milliseconds; for JZ's examples one or two seconds, once compiled.
    """
    if not is_among(name, RESULTS):
        raise ModelError(f"there is no result {brief(name)}; choose among {choices(RESULTS)}.")
    result, compute = RESULTS[name]
    found = tuple(compute())
    figure = next((part for part in found if isinstance(part, PaperFigure)), None)
    return Reproduction(result, tuple(part for part in found if isinstance(part, PaperNumber)), figure)
