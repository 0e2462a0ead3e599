"""The panels of a dock as one line of text, for a link: sets that are not as they open, each with all its panels.

``Motion;motion/energy:all~full;-;Filter;filter/innovation:value~all``: a set's name, then its panels; of a panel its
quantities with a component each, whom it follows unless that is the cursor, and what is switched on; ``-`` is an empty
one. Whoever reads it trusts nothing of it: what this machine does not have is left out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import dynamics as dyn
from app.number_text import read_index
from app.sampling.quantities import Plotted
from app.views.plots.panels import ALL, CURSOR, MOST_PANELS, MOST_TRACES, Panel

EMPTY = "-"
SWITCHES = {"log": "logarithmic", "bars": "bars", "full": "full", "difference": "difference"}
Sets = Mapping[str, Sequence[Panel]]


def written(sets: Sets, own: Sets) -> str:
    """The sets that differ from what each opens with; nothing where none does."""
    parts = []
    for name, panels in sets.items():
        if list(panels) != list(own[name]):
            parts += [name, *map(_written, panels)]
    return ";".join(parts)


def _written(panel: Panel) -> str:
    words = [":".join(trace) for trace in panel.traces]
    words += [panel.follow] if panel.follow != CURSOR else []
    words += [word for word, field in SWITCHES.items() if getattr(panel, field)]
    return "~".join(words) or EMPTY


def read(
    text: str, prepared: Mapping[str, Collection[Panel]], catalogue: Mapping[str, Plotted], system: dyn.System
) -> dict[str, list[Panel]]:
    """The sets that the text says.

    Args:
        prepared: panels of each set; one that shows the same is called the same.
    """
    found: dict[str, list[Panel]] = {}
    name = ""
    for part in text.split(";"):
        if part in prepared:
            name, found[part] = part, []
        elif name and len(found[name]) < MOST_PANELS:
            panel = _read(part, catalogue, system)
            titles = {each.traces: each.title for each in prepared[name]}
            found[name].append(replace(panel, title=titles.get(panel.traces, "")))
    return found


def _read(text: str, catalogue: Mapping[str, Plotted], system: dyn.System) -> Panel:
    traces: list[tuple[str, str]] = []
    switched: set[str] = set()
    follow = CURSOR
    for word in text.split("~"):
        key, colon, component = word.partition(":")
        if colon:
            known = key in catalogue and any(each.key == component for each in catalogue[key].components)
            if known and len(traces) < MOST_TRACES and key not in dict(traces):
                traces.append((key, component))
        elif word == ALL or read_index(word) is not None:
            follow = word
        elif word in SWITCHES:
            switched.add(SWITCHES[word])
    if not traces:
        return Panel()
    rows = min(rows_of(catalogue[key], system) for key, _ in traces)
    if follow not in (CURSOR, ALL) and int(follow) >= rows:
        follow = CURSOR
    on = {field: field in switched for field in ("bars", "logarithmic", "full", "difference")}
    return Panel(tuple(traces), follow, on["bars"], on["logarithmic"], on["full"], on["difference"])


def rows_of(plotted: Plotted, system: dyn.System) -> int:
    """How many links or arms a panel can follow for good; a whole has one row, and no row is chosen of it."""
    return system.n_joints if plotted.at_joints and plotted.rows == "links" else plotted.count(system)
