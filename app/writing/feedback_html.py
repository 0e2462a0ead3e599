"""What is said of a line that somebody has typed: its shape, its value beside the true one, its mistake, what fails."""

from __future__ import annotations

import html

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.equations.formula import formula, unit_html
from app.equations.numbered import value_html
from app.equations.sheet import Figures
from app.equations.words import STAGE_TITLES
from app.sampling.quantities import mechanics_of
from app.state.broken_run import two_digits
from app.state.outcome import first_of, laws_failing
from app.state.walk import called
from app.state.writing import WrittenOutcome
from app.views.identity_rows import link_of, where_of
from app.views.outcome_html import laws_html

AGREES = 1e-12
"""Largest difference of all stages at which a text that somebody has written is the published one."""
MOST_SHARE = 1000
"""Of the published value, beyond which a percentage says nothing: the value cancels but for rounding, or what is typed
has divided by nearly nothing."""
BEGIN = (
    "<p>Type the right side: it runs as you type. A letter without an index is this link's own: <code>P</code> is "
    "<code>P[k]</code>. Ctrl+Space, or a tap into the empty field, lists what is in scope.</p>"
)


def feedback_html(tried: dyn.Attempt, stage: str, reading: dyn.Reading, figures: Figures, whole: bool) -> str:
    """The verdict first, then why, then numbers.

    Args:
        stage: that runs the line first.
        reading: of the published text at the moment.
        figures: of that reading.
        whole: whether it is said what is right, or only what is wrong.
    """
    mistakes = mistakes_html(tried, whole)
    match tried.verdict:
        case "empty":
            return BEGIN
        case "refused" | "misfit":
            why = f"<p>{html.escape(_sentence(tried.words))}</p>{_marked(tried)}"
            head = "It cannot be worked out." if tried.verdict == "refused" else "Its shape does not fit."
            return f"<p>{_bad(head)}</p>{why}{mistakes}"
        case "right":
            return (
                f"<p>{_good('Right.')} It comes to the same as the published line wherever that runs, here and at "
                "moments of other machines, to 1e-12.</p>"
            )
    if tried.verdict == "elsewhere":
        head = "Right here, not in general."
        told = f"At this moment it agrees; {html.escape(off_elsewhere(tried))}: what differs does not show here."
        return f"<p>{_bad(head)} {told}</p>{mistakes}"
    told = html.escape(tried.words) or f"{off_by(tried)}."
    return f"<p>{_bad('Not yet.')} {told}</p>{mistakes}{values_html(tried, stage, reading, figures)}"


def off_by(tried: dyn.Attempt) -> str:
    """How far what was typed is from the published value where they differ most."""
    assert tried.value is not None
    assert tried.expected is not None
    if tried.value.shape != tried.expected.shape:  # of directions, of which there may be more or fewer
        return "It spans other directions than the published value"
    largest = float(np.abs(tried.expected).max(initial=0.0))
    if largest == 0.0:
        return "The published value is zero there"
    share = float(np.abs(tried.value - tried.expected).max()) / largest
    if share > MOST_SHARE:
        return f"It is off by more than {MOST_SHARE} times the largest number"
    return f"It is off by {percent(share)} of the largest number"


def off_elsewhere(tried: dyn.Attempt) -> str:
    """How far what was typed is from the published value on other machines, or why that is no number."""
    if tried.words:
        return f"on other machines it does not. {tried.words.removesuffix('.')}"
    off = "" if tried.beyond is None else f", by {percent(tried.beyond)}"
    return f"where other machines move it is off{off}"


def percent(share: float | None) -> str:
    """A relative difference as one says it."""
    if share is None:
        return "no number"
    return f"{two_digits(100.0 * share)} %" if share >= 1e-4 else f"{share:.1e}"


def _good(words: str) -> str:
    return f"<b class='good'>✓ {words}</b>"


def _bad(words: str) -> str:
    return f"<b class='bad'>✗ {words}</b>"


def _sentence(words: str) -> str:
    """What the mechanics says, as a sentence, but for a letter that it begins with."""
    first = words.partition(" ")[0]
    return words[:1].upper() + words[1:] if len(first) > 2 and first.isalpha() and first.islower() else words


def _marked(tried: dyn.Attempt) -> str:
    """What was typed, with what is meant framed."""
    if not tried.end > tried.start or len(tried.text) > 240:
        return ""
    before, part, after = (
        html.escape(each)
        for each in (tried.text[: tried.start], tried.text[tried.start : tried.end], tried.text[tried.end :])
    )
    return f"<p class='typed'><code>{before}<mark>{part}</mark>{after}</code></p>"


def said_of(tried: dyn.Attempt, whole: bool) -> list[str]:
    """What is said of each mistake; without what is right it may be the same of two."""
    return list(dict.fromkeys(each.words if whole else each.hint for each in tried.mistakes))


def mistakes_html(tried: dyn.Attempt, whole: bool) -> str:
    """Each by its name, and one rule that helps."""
    rows = "".join(f"<li><b>{html.escape(each)}</b></li>" for each in said_of(tried, whole))
    why = dict.fromkeys(each.why for each in tried.mistakes)
    rules = "".join(f"<p class='note'>{html.escape(each)}</p>" for each in why if each)
    return f"<ul class='mistakes'>{rows}</ul>{rules}" if rows else ""


def values_html(tried: dyn.Attempt, stage: str, reading: dyn.Reading, figures: Figures) -> str:
    """What it comes to beside what it should, where they differ most; rounding is 0 as it is in the walk."""
    if tried.value is None or tried.expected is None:
        return ""
    system, parts = reading.system, _added_up(tried, stage, reading, figures)
    where = f"At {html.escape(called(system, tried.link))}" if tried.link >= 0 else "Here"
    if tried.contact >= 0 and len(system.contacts) > 1:
        where += f", contact {tried.contact + 1}"
    pair = "".join(
        f"<div class='term'><div class='symbol'>{title}</div>"
        f"<div class='value'>{value_html(value, figures, parts)}</div></div>"
        for title, value in (("yours", tried.value), ("published", tried.expected))
    )
    return f"<p class='where'>{where}, where they differ most:</p><div class='numbers compared'>{pair}</div>"


def _added_up(tried: dyn.Attempt, stage: str, reading: dyn.Reading, figures: Figures) -> NDArray[np.float64] | None:
    """What the published line has added up there, beside which both values may be rounding."""
    assert tried.value is not None
    assert tried.expected is not None
    assert figures.loads is not None
    if tried.value.shape != tried.expected.shape:  # directions, which are not added up
        return None
    link = tried.link if tried.link >= 0 else reading.system.contacts[max(tried.contact, 0)].link
    there = (each for half in (0, 1) for each in reading.lines(stage, link, half))
    line = next(each for each in there if each.key == tried.key and tried.contact in (each.contact, -1))
    return figures.loads.parts(line)


def spoken(tried: dyn.Attempt, whole: bool) -> str:
    """The same in one sentence, for who hears the page."""
    words = {
        "empty": "", "refused": f"Not worked out. {tried.words}", "misfit": f"Does not fit. {tried.words}",
        "wrong": f"Not yet. {tried.words or off_by(tried) if tried.verdict == 'wrong' else ''}",
        "elsewhere": "Right here, not in general.", "right": "Right.",
    }[tried.verdict]  # fmt: skip
    return " ".join([words, *said_of(tried, whole)]).strip()


def outcome_html(found: WrittenOutcome, whole: bool, done: bool, right: bool) -> str:
    """Which identities hold or fail with what is typed in place, and where.

    Args:
        whole: whether every line of the sweep is blank.
        done: whether each of them has been written.
        right: whether what is typed now is.
    """
    if found.failure:
        return f"<p class='note'>It does not run as a whole: {html.escape(found.failure)}</p>"
    if found.reading is None:
        return ""
    system, failing = found.reading.system, [check for check in found.checks if not check.holds]
    lines = f"your {len(found.lines)} lines" if len(found.lines) > 1 else "your line"
    if not failing:
        agrees, end = found.difference <= AGREES, ""
        if not (right and agrees):
            end = " None of them sees what is wrong."
        elif done and whole:
            to_what = f"to {found.difference:.0e}" if found.difference else "exactly"
            end = f" <b class='good'>✓ This sweep is yours</b>: all stages agree {to_what}."
        elif done:
            end = " Each line of the sweep is written: <i>All … lines blank</i> runs yours together."
        return f"<p>With {lines} in place all {len(found.checks)} identities hold at this moment.{end}</p>"
    first = first_of(found.checks, system)
    assert first is not None
    where = f" at <b>{html.escape(where_of(first, system))}</b>" if link_of(first) >= 0 else ""
    stage = STAGE_TITLES[first.stage].lower()
    return (
        f"<p>With {lines} in place {len(failing)} of {len(found.checks)} identities fail. This first shows{where}, in "
        f"the {stage}: “{html.escape(first.identity.title)}”.</p><p>{laws_html(laws_failing(found.checks), system)}</p>"
    )


def hints_of(exercise: dyn.Exercise) -> tuple[str, ...]:
    """What helps with a line, from what it is for to how it looks; each as HTML."""
    quantity = exercise.quantity
    name, estimate = mechanics_of(quantity, holds=False), quantity.estimation_name
    letters = ", ".join(f"<code>{html.escape(each)}</code>" for each in letters_in(exercise))
    return (
        f"To mechanics {formula(exercise.latex_left)} is {html.escape(name)}, to an estimator {html.escape(estimate)}; "
        f"its unit: {unit_html(quantity.unit)}. Which letters have to be multiplied to come to that?",
        f"The published line uses {letters}, and nothing else.",
        f"As an equation, {html.escape(exercise.equation)}: {formula(exercise.latex)}",
    )


def letters_in(exercise: dyn.Exercise) -> list[str]:
    """The letters of the published line, in the order of the sweep."""
    return [each.name for each in exercise.letters if _uses(exercise.right, each.name.partition("(")[0])]


def _uses(source: str, name: str) -> bool:
    words = "".join(one if one.isalnum() or one == "_" else " " for one in source).split()
    return name in words


def hints_html(exercise: dyn.Exercise, count: int) -> str:
    """Those that have been asked for."""
    rows = "".join(f"<li>{each}</li>" for each in hints_of(exercise)[:count])
    return f"<ol class='hints' aria-label='Hints'>{rows}</ol>" if rows else ""
