"""What was answered at a step before, and whether it was right: said to whoever comes back to it."""

from __future__ import annotations

import re

from app.lessons.lesson import Choice, Curve, Number, Order, Pointed
from app.lessons.marking import shown_unit
from app.lessons.progress import Answer, Done
from app.lessons.prose import NO_BREAK, escaped
from app.lessons.staged import Staged
from app.number_text import read_with_unit


def earlier_html(stage: Staged, done: Done) -> str:
    """A sentence; empty where nothing was answered, or nothing is asked."""
    if stage.step.question is None or not (done.tries or done.right):
        return ""
    given = given_html(stage, done.answer)
    answered = f"You have answered this before{f', with {given}' if given else ''}:"
    if done.right:
        return f"{answered} right{'' if done.tries < 2 else f', after {done.tries} tries'}."
    return f"{answered} not right{'; then the solution was shown' if done.shown else ' yet'}."


def given_html(stage: Staged, answer: Answer) -> str:
    """An answer as the student knows it; empty for one that is not known, or is none of this question any more."""
    match stage.step.question, answer:
        case Choice(), int(k) if k < len(stage.choices):
            return f"“{stage.choices[k]}”"
        case Pointed(), int(k) if k < len(stage.link_names):
            return f"link {k + 1} ({escaped(stage.link_names[k])})"
        case Number() as question, str(text):
            found = read_with_unit(text)
            unit = shown_unit(question) if found is not None and not found[1] else ""
            return escaped(f"{text.strip()}{NO_BREAK if unit else ''}{unit}")
        case Order(), tuple(places) if sorted(places) == list(range(len(stage.choices))):
            return "the order " + "; ".join(f"“{stage.choices[k]}”" for k in places)
        case Curve(), _:
            return "a drawing"
        case _:
            return ""


def heard(shown: str) -> str:
    """The same without its marks, to be read out."""
    return re.sub(r"<[^>]*>", "", shown)
