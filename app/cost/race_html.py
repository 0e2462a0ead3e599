"""How a race went: the medians of the machine that is here as bars, and how each grows."""

from __future__ import annotations

import html
from collections.abc import Sequence

import numpy as np

from app.measures.timing import LENGTHS, Race
from app.number_text import number_text
from app.views.method_names import method_name


def seconds_text(seconds: float) -> str:
    """A time of a call, to three digits."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{number_text(seconds / size, digits=3)} {unit}"
    return f"{number_text(seconds / 1e-6, digits=3)} µs"


def race_html(race: Race, moment: str, colors: Sequence[str]) -> str:
    """Bars as long as what each solves in a second, beside the quickest one's."""
    medians = {method: float(np.median(own)) for method, own in race.here.items() if own}
    if len(medians) < len(race.methods):
        return ""
    best = min(medians.values())
    rows = "".join(
        f"<tr><th scope='row'>{html.escape(method_name(method))}</th><td>{seconds_text(medians[method])}</td></tr>"
        f"<tr class='lane'><td colspan='2'><div style='width: {100.0 * best / medians[method]:.3g}%; "
        f"background: {color}'></div></td></tr>"
        for method, color in zip(race.methods, colors, strict=True)
    )
    quick, slow = min(medians, key=medians.__getitem__), max(medians, key=medians.__getitem__)
    ratio = number_text(medians[slow] / medians[quick], digits=3)
    among = ", the slowest" if len(medians) > 2 else ""
    spread = "; ".join(
        f"{html.escape(method_name(method))} {seconds_text(low)} to {seconds_text(high)}"
        for method, own in race.here.items()
        for low, high in [np.percentile(own, (25, 75))]
    )
    calls = len(race.here[race.methods[0]])
    told = (
        f"<p><b>{html.escape(method_name(quick)).capitalize()}: {ratio} solutions to one</b> of "
        f"{html.escape(method_name(slow))}{among}, at {moment}.</p>"
    )
    return (
        f"{told}<table class='counts lanes'><caption>Bars: how many each solves in the same time. Beside them one "
        f"call, median of {calls:,} each in turn</caption>"
        f"<tbody>{rows}</tbody></table><p class='note'>Half of the calls: {spread}. Measured on the server's machine, "
        "beside whatever else it does. The sweeps of the filters are compiled, everything else is NumPy and Python: "
        "what a call takes here is not what the method must.</p>"
    )


def chains_html(race: Race) -> str:
    """How each grows from chain to chain."""
    lines = []
    for method in race.methods:
        own = race.chains[method]
        if len(own) < 2:
            continue
        (few, before), (many, after) = own[-2:]
        tired = "" if many == LENGTHS[-1] or not race.done else ", too slow for a longer chain"
        lines.append(
            f"<li>{html.escape(method_name(method))}: {seconds_text(after)} at N = {many}, "
            f"{number_text(after / before, digits=2, padded=True)} times that at N = {few}{tired}</li>"
        )
    if not lines:
        return ""
    which = "in flight" if race.course.system.kind == "free_flyer" else "bolted down, holding nothing"
    return f"<h4>Chains of N links, {which}</h4><ul class='plain'>{''.join(lines)}</ul>"
