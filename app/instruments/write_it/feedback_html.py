"""Feedback on a typed line: its shape, its value beside the published one, its mistake, and failing identities."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from app.equations.equation_html import value_html
from app.equations.formula import formula, unit_html
from app.equations.sheet import Figures
from app.equations.words import STAGE_TITLES
from app.motion.quantities import mechanics_of
from app.state.outcome import first_of, laws_failing, two_digits
from app.state.walk import called
from app.state.writing import SWEEPS, Writing, WrittenOutcome
from app.views.check_tables import link_of, where_of
from app.views.components import templates
from app.views.outcome_html import laws_html
from dynamics.reading import Attempt, Exercise, Reading

AGREES = 1e-12
"""Largest difference over all stages at which a text with typed lines counts as the published one."""
MOST_SHARE = 1000
"""Multiple of the published value beyond which a percentage is useless: the value cancels up to rounding, or the typed
line has divided by nearly nothing."""
MOST_HINTS = 3


def written(template: str, **values: Any) -> str:
    """Renders an HTML template of this package."""
    return templates(Path(__file__).parent).get_template(f"{template}.html").render(values)


def ladder_html(writing: Writing) -> str:
    """Every sweep of the machine, the first one to write first, with its progress, and the current task."""
    sweeps = []
    for sweep, title in SWEEPS.items():
        if own := [each for each in writing.exercises if each.sweep == sweep]:
            sweeps.append((sweep, title, sum(each.key in writing.right for each in own), len(own)))
    exercise = writing.exercise
    ladder = written("ladder", sweeps=sweeps, exercise=exercise, whole=writing.whole, lines=len(writing.own))
    return ladder + asked_html(exercise, writing.has_rotors)


def text_html(writing: Writing) -> str:
    """The lines of a sweep: published, blank, or as the user has written them."""
    return written(
        "text", exercise=writing.exercise, title=SWEEPS[writing.exercise.sweep], own=writing.own, right=writing.right,
        whole=writing.whole, done=writing.done, bare=bare,
    )  # fmt: skip


def feedback_html(tried: Attempt, stage: str, reading: Reading, figures: Figures, whole: bool) -> str:
    """The verdict first, then the reason, then numbers; ``whole``: it says what is right, not only what is wrong.

    ``stage`` is the first one that runs the line; ``reading`` and ``figures`` are of the published text at the moment.
    """
    match tried.verdict:
        case "refused" | "misfit":
            reason = _sentence(tried.words)
        case "elsewhere":
            reason = off_elsewhere(tried)
        case _:
            reason = tried.words or f"{off_by(tried)}."
    values: tuple[tuple[str, Markup], ...] = ()
    where = ""
    if tried.verdict == "wrong" and tried.value is not None and tried.expected is not None:
        system, parts = reading.system, _added_up(tried, stage, reading, figures)
        where = f"At {called(system, tried.link)}" if tried.link >= 0 else "Here"
        if tried.contact >= 0 and len(system.contacts) > 1:
            where += f", contact {tried.contact + 1}"
        pair = (("yours", tried.value), ("published", tried.expected))
        values = tuple((title, Markup(value_html(value, figures, parts))) for title, value in pair)
    rules = [why for why in dict.fromkeys(each.why for each in tried.mistakes) if why]
    said = said_of(tried, whole)
    return written("feedback", tried=tried, reason=reason, said=said, rules=rules, values=values, where=where)


def off_by(tried: Attempt) -> str:
    """The largest difference of a typed line from the published value."""
    if tried.value is None or tried.expected is None:
        return ""
    if tried.value.shape != tried.expected.shape:  # of directions, whose number may differ
        return "It spans different directions from the published value"
    largest = float(np.abs(tried.expected).max(initial=0.0))
    if largest == 0.0:
        return "The published value is zero there"
    share = float(np.abs(tried.value - tried.expected).max()) / largest
    if share > MOST_SHARE:
        return f"It is off by more than {MOST_SHARE} times the largest number"
    return f"It is off by {percent(share)} of the largest number"


def off_elsewhere(tried: Attempt) -> str:
    """The difference of a typed line from the published value on other machines, or why it is not a number."""
    if tried.words:
        return f"on other machines it does not. {tried.words.removesuffix('.')}"
    off = "" if tried.beyond is None else f", by {percent(tried.beyond)}"
    return f"in the motions of other machines it is off{off}"


def percent(share: float) -> str:
    """A relative difference in words."""
    return f"{two_digits(100.0 * share)} %" if share >= 1e-4 else f"{share:.1e}"


def _sentence(words: str) -> str:
    """A reason as a sentence, capitalized unless it begins with a symbol."""
    first = words.partition(" ")[0]
    return words[:1].upper() + words[1:] if len(first) > 2 and first.isalpha() and first.islower() else words


def said_of(tried: Attempt, whole: bool) -> list[str]:
    """The words for each mistake; without what is right, two mistakes may have the same words."""
    return list(dict.fromkeys(each.words if whole else each.hint for each in tried.mistakes))


def _added_up(tried: Attempt, stage: str, reading: Reading, figures: Figures) -> NDArray[np.float64] | None:
    """The terms that the published line adds; relative to them both values may be rounding errors."""
    assert tried.value is not None and tried.expected is not None and figures.loads is not None
    if tried.value.shape != tried.expected.shape:  # directions, which are not sums
        return None
    link = tried.link if tried.link >= 0 else reading.system.contacts[max(tried.contact, 0)].link
    there = (each for half in (0, 1) for each in reading.lines(stage, link, half))
    line = next(each for each in there if each.key == tried.key and tried.contact in (each.contact, -1))
    return figures.loads.parts(line)


def spoken(tried: Attempt, whole: bool) -> str:
    """The feedback as one sentence, for a screen reader."""
    words = {
        "empty": "", "refused": f"Not worked out. {tried.words}", "misfit": f"Does not fit. {tried.words}",
        "wrong": f"Not yet. {tried.words or off_by(tried)}", "elsewhere": "Right here, not in general.",
        "right": "Right.",
    }[tried.verdict]  # fmt: skip
    return " ".join([words, *said_of(tried, whole)]).strip()


def outcome_html(found: WrittenOutcome, whole: bool, done: bool, right: bool) -> str:
    """Which identities hold or fail with the typed lines in place, and where.

    ``whole``: every line of the sweep is blank; ``done``: each of them has been written; ``right``: the current one is.
    """
    values: dict[str, Any] = {}
    if found.reading is not None and not found.failure:
        system = found.reading.system
        values = {"lines": f"your {len(found.lines)} lines" if len(found.lines) > 1 else "your line"}
        if (first := first_of(found.checks, system)) is not None:
            values |= {
                "failing": sum(not check.holds for check in found.checks), "title": first.identity.title,
                "where": where_of(first, system) if link_of(first) >= 0 else "",
                "stage": STAGE_TITLES[first.stage].lower(),
                "laws": Markup(laws_html(laws_failing(found.checks), system)),
            }  # fmt: skip
    agrees = found.difference <= AGREES
    return written("outcome", found=found, whole=whole, done=done, right=right, agrees=agrees, **values)


def hints_html(writing: Writing) -> str:
    """The requested hints, from the purpose of the line to its form."""
    exercise = writing.exercise
    words = set(re.findall(r"\w+", exercise.right))
    letters = [each.name for each in exercise.letters if each.name.partition("(")[0] in words]
    return written(
        "hints", exercise=exercise, count=writing.hints, letters=letters,
        is_rotor_zero="I_r" in letters and not writing.has_rotors,
        mechanics=mechanics_name(exercise, writing.has_rotors), unit=Markup(unit_html(exercise.quantity.unit)),
        left=Markup(formula(exercise.left)), equation=Markup(formula(exercise.latex)),
    )  # fmt: skip


def mechanics_name(exercise: Exercise, has_rotors: bool) -> str:
    """What is to be written, as mechanics calls it; of a machine without rotors none is mentioned."""
    name = mechanics_of(exercise.quantity, holds=False)
    return name if has_rotors else name.removesuffix(", its rotor's included")


def asked_html(exercise: Exercise, has_rotors: bool) -> str:
    """What is to be written, in words."""
    name = mechanics_name(exercise, has_rotors)
    return (
        f"<p class='asked'>Write {formula(exercise.left)}, <b>{html.escape(name)}</b>, "
        f"{html.escape(exercise.equation)}: {html.escape(exercise.shape)}.</p>"
    )


def bare(text: str) -> str:
    """The answer without a left side before it."""
    left, sign, right = text.partition("=")
    return (right if sign else left).strip()
