"""A line to be written: the task and the answer, on the page and in print."""

from __future__ import annotations

import html

from app.equations.formula import formula
from app.sampling.quantities import mechanics_of
from dynamics.exercise import Exercise


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
