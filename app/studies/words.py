"""A study in words: what varies and is watched, the estimate, what was found, and the states at its ends as buttons."""

from __future__ import annotations

import html
from collections.abc import Mapping

from app.number_text import number_text
from app.studies.question import END, LISTED, Asked, Watch
from app.studies.summary import Look

OF: dict[str, str] = {
    "q": "position of", "tau": "torque at", "mass": "mass of", "gravity": "gravity, m/s²",
    "object_mass": "the object's mass, kg", "dt": "the step, s", "method": "the integrator",
    "mass_matrix": "M's",
}  # fmt: skip
ENDS, MOST_NAMED = 5, 6
ALIKE = 1e-12
"""Of their size, up to which numbers differ by rounding alone."""
ROUNDING = "Both are rounding, whose digits hang on how a posture was reached."


def variable_words(name: str) -> str:
    """What varies, or is watched beside, by its name in a study."""
    kind, _, part = name.partition(":")
    return f"{OF[kind]} {part}" if part else OF[kind]


def with_unit(value: float, watch: Watch) -> str:
    """A number as the page and the study both write it, as HTML."""
    return html.escape(f"{number_text(value)} {watch.unit}".rstrip())


def seconds_words(seconds: float) -> str:
    """So long, in words."""
    if seconds < 1.5:
        return "about a second"
    if seconds < 90.0:
        return f"about {seconds:.0f} s"
    return f"about {seconds / 60.0:.0f} minutes"


def action(where: str, text: str, label: str = "") -> str:
    """Words that are clicked; ``text`` and ``label`` as HTML."""
    named = f" aria-label='{label}'" if label else ""
    return f"<span class='action' role='button' tabindex='0' data-go='{where}'{named}>{text}</span>"


def found_html(look: Look, asked: Asked, watch: Watch, against: str, searches: Mapping[str, str]) -> str:
    """How what is watched is spread, what decides it, the states at the ends, and what a search found beyond each."""
    found, study = look.found, look.study
    heading = f"<h4>{html.escape(watch.words)}</h4>"
    if study.refused:
        refusal = f"{study.refused:,} of {study.size:,} have no state or no number; the first: {study.refusal}"
        heading += f"<p class='note'>{html.escape(refusal)}</p>"
    opens = "the machine, its posture and torques, and the walk where it is computed"
    if asked.duration:
        end = "the end" if asked.find.startswith(END) else "the start"
        opens = f"the machine at {end} of its motion, with that motion's torques, step and integrator"
    if found.maximum - found.minimum <= ALIKE * max(abs(found.maximum), abs(found.minimum)):
        same = _row_button(*found.largest[0], watch)
        return (
            f"{heading}<p>The same in all {found.count:,} {asked.rows}: {same}</p><p class='note'>A click opens a "
            f"state: {opens}.</p>"
        )
    rows = {"mean": found.mean, "deviation": found.deviation, "5 % quantile": found.quantile(0.05)}
    rows |= {"median": found.quantile(0.5), "95 % quantile": found.quantile(0.95)}
    cells = "".join(
        f"<tr><th scope='row'>{words}</th><td>{with_unit(value, watch)}</td></tr>" for words, value in rows.items()
    )
    ends = "".join(
        f"<p><b>{end.capitalize()}</b> {' '.join(_row_button(row, value, watch) for row, value in pairs[:ENDS])} "
        f"<span class='beyond'>{searches.get(end, '')}</span></p>"
        for end, pairs in (("largest", found.largest), ("smallest", found.smallest))
    )
    return (
        f"{heading}<table class='pairs'><tbody>{cells}</tbody></table>{ends}{_decided_html(look, against)}"
        f"<p class='note'>Each of these, and a click in the picture, opens a state: {opens}.</p>"
    )


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
    text = with_unit(value, watch)
    return action(f"row {row}", text, f"Open state {row}: {text}")


def opened_html(row: int | None, reported: float, here: float | str | None, watch: Watch) -> str:
    """A state that is open, a row or one that was searched for: what the study reports, and what the page finds."""
    found = "…" if here is None else html.escape(here) if isinstance(here, str) else with_unit(here, watch)
    low, high = watch.sound
    is_rounding = isinstance(here, float) and not any(low <= value <= high for value in (reported, here))
    which = "What was found by search" if row is None else f"State {row:,}"
    return (
        f"<p class='where' role='status'>{which} is open. The study reports "
        f"<b class='reported'>{with_unit(reported, watch)}</b>; computed here: <b class='here'>{found}</b>."
        f"{f' {ROUNDING}' if is_rounding else ''}</p>"
    )
