"""A line to be written: the task and the answer, on the page and in print."""

from __future__ import annotations

import html

from app.equations.formula import formula
from app.sampling.quantities import mechanics_of
from dynamics.exercise import Exercise


def asked_html(exercise: Exercise) -> str:
    """What is to be written, in words."""
    name = mechanics_of(exercise.quantity, holds=False)
    return (
        f"<p class='asked'>Write {formula(exercise.latex_left)}, <b>{html.escape(name)}</b>, "
        f"{html.escape(exercise.equation)}: {html.escape(exercise.shape)}.</p>"
    )


def bare(text: str) -> str:
    """The answer without a left side before it."""
    left, sign, right = text.partition("=")
    return (right if sign else left).strip()
