"""What *Break it* says: the question before the answer, what is said to a guess, and the outcome."""

from __future__ import annotations

import html
from collections.abc import Sequence

import dynamics as dyn
from app.equations.formula import formula
from app.equations.words import STAGE_TITLES
from app.motion.run import Run
from app.state.breakage import Breakage
from app.state.broken_run import Apart
from app.state.guess import NONE, Question
from app.state.outcome import Outcome
from app.views.identity_rows import link_of


def question_html(question: Question) -> str:
    """What can be chosen, each by a click or by Enter, and the way past it."""
    choices = "".join(
        f"<li>{_button(each.key, f'{html.escape(each.title)} <span class=quiet>{formula(each.latex)}</span>')}</li>"
        for each in (check.identity for check in question.choices)
    )
    return (
        "<div class='guess' role='group' aria-label='A guess before the answer'>"
        "<h4 role='status'>First guess: which of these fails now?</h4>"
        f"<ul>{choices}<li>{_button(NONE, 'None of these, and nothing else')}</li></ul>"
        "<p><span class='action' data-go='tell' tabindex='0' role='button'>Show me without a guess</span></p></div>"
    )


def _button(key: str, text: str) -> str:
    return f"<span class='act' data-go='guess {key}' tabindex='0' role='button'>{text}</span>"


def answer_html(question: Question, guess: str, names: Sequence[str]) -> str:
    """Right or wrong, in words; nothing where nobody has guessed, or has guessed of another text."""
    if not guess or not question.offers(guess):
        return ""
    right = question.is_right(guess)
    mark = "<b class='good'>✓ Right.</b>" if right else "<b class='bad'>✗ Not so.</b>"
    if guess == NONE:
        words = "Nothing fails at this instant." if right else f"{_first(question, names)}"
    else:
        title = next(each.identity.title for each in question.choices if each.identity.key == guess)
        said = _fails(question.failing[guess], names) if right else f"“{html.escape(title)}” still holds."
        words = said if right or question.first is None else f"{said} {_first(question, names)}"
        words = words if right or question.first is not None else f"{said} Nothing fails at this instant."
    return f"<p class='answer' role='status'>{mark} {words}</p>"


def _first(question: Question, names: Sequence[str]) -> str:
    assert question.first is not None
    return f"First of all, {_fails(question.first, names)}"


def _fails(check: dyn.Check, names: Sequence[str]) -> str:
    at = link_of(check)
    where = f", at {html.escape(names[at])}" if at >= 0 else ""
    return f"“{html.escape(check.identity.title)}” fails{where}."


def said(chosen: Breakage, found: Outcome, names: tuple[str, ...]) -> str:
    """A question before, and the outcome after."""
    if not found.reading.breaks:
        return "<p>Nothing is broken: every identity holds. Break something, and guess what will fail.</p>"
    failing = [check for check in found.checks if not check.holds]
    if not failing:
        if found.reading.breaks == found.silent:
            return "<p role='status'><b>Nothing fails at this instant</b>: no number is another than before.</p>"
        return (
            "<p role='status'><b>Nothing fails at this instant.</b> Numbers change, but nothing that moves depends on "
            "them.</p>"
        )
    first = failing[0]
    where = f" at {html.escape(names[link_of(first)])}" if link_of(first) >= 0 else ""
    heard = [one for one in chosen.broken if one.breakable.key not in found.silent]
    expect = heard[0].breakable.prose.expect if len(heard) == 1 else ""
    return (
        f"<p role='status'><b>{len(failing)} of {len(found.checks)} identities fail</b>, first in the "
        f"{STAGE_TITLES[first.stage].lower()}: {html.escape(first.identity.title)}{where}.</p>"
        + (f"<p>{html.escape(expect)}</p>" if expect else "")
    )


def apart_html(shown: Run, start: float, now: float, gap: Apart | None) -> str:
    """How far the broken arm is from the true one, with units, and how far that is known."""
    words = f"Computed to {shown.end:.2f} s. " if not shown.complete else ""
    if shown.failure:
        words += f"It {html.escape(shown.failure)}. "
    if gap is not None and now >= start:
        words += f"<b>At {now:.2f} s {html.escape(gap.words)}.</b>"
    elif not shown.failure:
        words += f"It is followed from {start:.2f} s to {shown.duration:.2f} s."
    return f"<p>The ghost is the arm as the broken text moves it; both get the same torques. {words}</p>"
