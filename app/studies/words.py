"""A study in words: what varies and is watched, the estimate, what was found, and the states at its ends as buttons."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping
from types import MappingProxyType

from app.number_text import number_text
from app.studies.asked import LISTED
from app.studies.look import Look
from app.studies.watched import END, Watch

OF: dict[str, str] = {
    "q": "position of", "tau": "torque at", "mass": "mass of", "gravity": "gravity, m/s²",
    "object_mass": "the object's mass, kg", "dt": "the step, s", "method": "the integrator",
    "mass_matrix": "M's",
}  # fmt: skip
ENDS, MOST_NAMED = 5, 6
ALIKE = 1e-12
"""Of their size, up to which numbers differ by rounding alone."""
ROUNDING = "Both are rounding, whose digits hang on how a posture was reached."
NOTHING: Mapping[str, str] = MappingProxyType({})
BYTES = 8
"""Of a number in memory."""


def variable_words(name: str) -> str:
    """What varies, or is watched beside, by its name in a study."""
    kind, _, part = name.partition(":")
    return f"{OF[kind]} {part}" if part else OF[kind]


def with_unit(value: float, watch: Watch) -> str:
    """A number as the page and the study both write it."""
    return f"{number_text(value)} {watch.unit}".rstrip()


def seconds_words(seconds: float) -> str:
    """So long, in words."""
    if seconds < 1.5:
        return "about a second"
    if seconds < 90.0:
        return f"about {seconds:.0f} s"
    return f"about {seconds / 60.0:.0f} minutes"


def size_words(count: int) -> str:
    """What so many numbers take in memory."""
    size = BYTES * count
    return f"{size / 1e6:.0f} MB" if size >= 1e6 else f"{math.ceil(size / 1e3)} kB"


def estimate_words(seconds: float, count: int, rows: str, most: float) -> str:
    """What a study of so many ``rows`` will take."""
    late = f" That is longer than the {most:g} s of a study here: it ends with what it has." if seconds > most else ""
    return f"{count:,} {rows}: {seconds_words(seconds)}, {size_words(count)}.{late}"


def action(where: str, text: str, label: str = "") -> str:
    """Words that are clicked; ``text`` and ``label`` as HTML."""
    named = f" aria-label='{label}'" if label else ""
    return f"<span class='action' role='button' tabindex='0' data-go='{where}'{named}>{text}</span>"


def found_html(look: Look, watch: Watch, against: str, beyond: Mapping[str, str] = NOTHING) -> str:
    """How what is watched is spread, what decides it, the states at the ends, and what goes ``beyond`` either."""
    found, study = look.found, look.study
    refused = (
        f"<p class='note'>{study.refused:,} of {study.size:,} have no state or no number; the first: "
        f"{html.escape(study.refusal)}</p>"
        if study.refused
        else ""
    )
    heading = f"<h4>{html.escape(watch.words)}</h4>{refused}"
    opens = f"opens a state: {_opens(look)}.</p>"
    if found.maximum - found.minimum <= ALIKE * max(abs(found.maximum), abs(found.minimum)):
        same = _row_button(*found.largest[0], watch)
        return f"{heading}<p>The same in all {found.count:,} {look.rows_are}: {same}</p><p class='note'>A click {opens}"
    rows = [
        ("mean", found.mean),
        ("deviation", found.deviation),
        ("5 % quantile", found.quantile(0.05)),
        ("median", found.quantile(0.5)),
        ("95 % quantile", found.quantile(0.95)),
    ]
    cells = "".join(f"<tr><th scope='row'>{words}</th><td>{_number(value, watch)}</td></tr>" for words, value in rows)
    ends = "".join(
        f"<p><b>{end.capitalize()}</b> {' '.join(_row_button(row, value, watch) for row, value in pairs[:ENDS])} "
        f"<span class='beyond'>{beyond.get(end, '')}</span></p>"
        for end, pairs in (("largest", found.largest), ("smallest", found.smallest))
    )
    return (
        f"{heading}<table class='pairs'><tbody>{cells}</tbody></table>{ends}{_decided_html(look, against)}"
        f"<p class='note'>Each of these, and a click in the picture, {opens}"
    )


def _opens(look: Look) -> str:
    """What a click opens."""
    if look.study.problem.course is None:
        return "the machine, its posture and torques, and the walk where it is computed"
    end = "the end" if look.found.name.startswith(END) else "the start"
    return f"the machine at {end} of its motion, with that motion's torques, step and integrator"


def _decided_html(look: Look, against: str) -> str:
    if len(look.pictures) == 1:
        return ""
    names = [name for at, name in enumerate(look.pictures) if at < MOST_NAMED or name in LISTED]
    buttons = " ".join(
        f"<span class='action' role='button' tabindex='0' aria-pressed='{'true' if name == against else 'false'}' "
        f"data-go='against {html.escape(name, quote=True)}'>{html.escape(variable_words(name))}: "
        f"{100.0 * look.pictures[name].decides:.0f} %</span>"
        for name in names
    )
    return f"<p><b>What decides, each alone</b> {buttons}</p>"


def _row_button(row: int, value: float, watch: Watch) -> str:
    text = html.escape(with_unit(value, watch))
    return action(f"row {row}", text, f"Open state {row}: {text}")


def _number(value: float, watch: Watch) -> str:
    return html.escape(with_unit(value, watch))


def opened_html(row: int | None, reported: float, here: float | str | None, watch: Watch) -> str:
    """A state that is open, a row or one that was searched for: what the study reports, and what the page finds."""
    told = html.escape(with_unit(reported, watch))
    if here is None:
        found = "…"
    else:
        found = html.escape(here if isinstance(here, str) else with_unit(here, watch))
    low, high = watch.sound
    is_rounding = isinstance(here, float) and not any(low <= value <= high for value in (reported, here))
    alike = f" {ROUNDING}" if is_rounding else ""
    which = "What was found by search" if row is None else f"State {row:,}"
    return (
        f"<p class='where' role='status'>{which} is open. The study reports <b class='reported'>{told}</b>; "
        f"computed here: <b class='here'>{found}</b>.{alike}</p>"
    )
