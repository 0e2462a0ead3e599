"""The half-steps of a reading, exported as text."""

from __future__ import annotations

from dynamics.checks import brief
from dynamics.errors import StateError
from dynamics.public import public_as_computed
from dynamics.reading.reading import Reading
from dynamics.reading.typeset import link_number
from dynamics.step_text.latex import latex_of
from dynamics.step_text.python import python_of


@public_as_computed
def step_python(reading: Reading, stage: str, link: int, half: int, of: str = "") -> str:
    """The lines of a half-step as a program that needs only NumPy: their inputs, the lines, and their results.

    Args:
        reading: the text, evaluated.
        stage: as in ``Solution.stages``.
        link: its index from 0; in the contact stage one that holds.
        half: 0 across the link, 1 at its joint; a floating base has one half-step in each stage, either.
        of: an introduction, e.g. the machine and the moment.

    Returns:
        its text; when run, it computes each line's letter again and prints the difference from the value here. Empty
        if there are no lines.

    Raises:
        ModelError: for a stage that no system has.
        StateError: for a link that the system does not have, another half, or an introduction that is not text.

    Cost: some milliseconds.
    """
    calls = reading.calls(stage, link, half)
    about = _about(reading, stage, link, of)
    return python_of(calls, reading.evaluation.scopes, about) if calls else ""


@public_as_computed
def step_latex(reading: Reading, stage: str, link: int, half: int, of: str = "") -> str:
    """The lines of a half-step as a LaTeX document: each equation, its numbers to six digits, and its result.

    Args:
        reading: the text, evaluated.
        stage: as in ``Solution.stages``.
        link: its index from 0; in the contact stage one that holds.
        half: 0 across the link, 1 at its joint; a floating base has one half-step in each stage, either.
        of: an introduction, e.g. the machine and the moment.

    Returns:
        its text; empty if there are no lines.

    Raises:
        ModelError: for a stage that no system has.
        StateError: for a link that the system does not have, another half, or an introduction that is not text.

    Cost: as ``Reading.lines``.
    """
    lines = reading.lines(stage, link, half)
    about = _about(reading, stage, link, of)
    return latex_of(lines, about) if lines else ""


def _about(reading: Reading, stage: str, link: int, of: str) -> list[str]:
    if not isinstance(of, str):
        raise StateError(f"of is {brief(of)}; expected text.")
    system = reading.system
    arm = f"arm {int(system.arm_of_link[link]) + 1}, " if system.n_arms > 1 else ""
    place = f"{arm}link {link_number(system, link)}, counted from the tip: {system.link_names[link]}"
    broken = ["The text is broken here, and these are its numbers."] if reading.breaks else []
    return [*([of] if of else []), f"{stage.replace('_', ' ').capitalize()}, {place}.", *broken]
