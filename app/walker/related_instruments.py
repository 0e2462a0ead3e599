"""Where else on the page what a step computes can be explored: instruments that show it, and its line to be broken."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import dynamics as dyn
from dynamics.reading import LineReading

CONTACT, TWO_FILTERS, INFLUENCE, ESTIMATION, METHODS = "Contact", "Two filters", "Influence", "Estimation", "Methods"
BREAK_IT = "Break it"
SHOWN: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "filter": (ESTIMATION, TWO_FILTERS, METHODS),
        "smoother": (INFLUENCE, ESTIMATION, TWO_FILTERS, METHODS),
        "contact": (CONTACT, INFLUENCE),
        "filter_correction": (CONTACT, INFLUENCE),
        "smoother_final": (INFLUENCE, METHODS),
        "dual_filter": (TWO_FILTERS,),
    }
)
"""Of each stage, the instruments that show what it computes."""


def shown_in(system: dyn.System, stage: str) -> list[str]:
    """Those that this machine has."""
    absent = {
        CONTACT: system.task_object is None,
        TWO_FILTERS: system.kind != "free_flyer",
    }
    return [name for name in SHOWN[stage] if not absent.get(name, False)]


def elsewhere_html(system: dyn.System, stage: str, lines: Sequence[LineReading]) -> str:
    """A line below a step: ``see`` an instrument, ``break`` a line."""
    names = "".join(_way(f"see {name}", name) for name in shown_in(system, stage))
    line = next((one for one in lines if one.breaks), None)
    broken = "" if line is None else _way(f"break {line.stage}/{line.key}/0", f"{BREAK_IT}: {line.equation}")
    return f"<p class='elsewhere'>Also in {names}{broken}</p>"


def _way(go: str, words: str) -> str:
    return (
        f"<span class='action' data-go='{html.escape(go, quote=True)}' tabindex='0' role='button'>"
        f"{html.escape(words)}</span> "
    )
