"""The half-steps of a reading as text; as LaTeX that compiles: each line's equation, its numbers, and its result."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dynamics.checks import Array, brief
from dynamics.errors import StateError
from dynamics.public import public_as_computed
from dynamics.reading.reading import FactorValue, LineReading, Reading, TermValue
from dynamics.reading.typeset import link_number
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


DIGITS = 6
WIDEST = 6
"""Columns that fit beside each other on a page; a wider matrix is printed smaller."""
DAGGER = r"^{\dagger"
HEAD = r"""\documentclass{article}
\usepackage[utf8]{inputenc}
\usepackage{amsmath,graphicx}
\usepackage[margin=2cm]{geometry}
\setcounter{MaxMatrixCols}{512}
\begin{document}"""
SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
    **{each: f"\\{each}" for each in "#$%&_"},
}  # fmt: skip


def latex_of(lines: Sequence[LineReading], about: Sequence[str]) -> str:
    """A complete document; ``about`` are introductory sentences."""
    parts = [HEAD, *(f"{text_latex(words)}\n" for words in about)]
    for line in lines:
        quantity = line.quantity
        parts.append(
            f"\\subsection*{{{text_latex(line.equation)}: {text_latex(quantity.mechanics_name)}}}\n"
            f"{text_latex(quantity.estimation_name)}; {text_latex(quantity.unit)}; {text_latex(quantity.frame)}."
        )
        parts += [f"\\[ {equation} \\]" for equation in _equations(line)]
    return "\n".join([*parts, r"\end{document}"]) + "\n"


def _equations(line: LineReading) -> Iterator[str]:
    yield line.latex
    written = "".join((r"-" if term.sign < 0 else "+" if at else "") + term.latex for at, term in enumerate(line.terms))
    yield f"{line.left}={written or '0'}"
    known = set[str]()
    for factor in _factors(line.terms):
        if factor.latex not in known:
            known.add(factor.latex)
            yield f"{factor.latex}={_powered(factor)}"
    yield f"{line.left}={matrix_latex(line.value)}"


def _powered(factor: FactorValue) -> str:
    """Its numbers, with the mark of the inverse if the line takes it."""
    written = matrix_latex(factor.value)
    if not factor.inverse:
        return written
    power = r"^{\dagger}" if DAGGER in factor.latex else "^{-1}"
    return (f"({written})" if factor.value.size == 1 else written) + power


def _factors(terms: Sequence[TermValue]) -> Iterator[FactorValue]:
    """The letters, those in brackets included; numbers need no further explanation."""
    for term in terms:
        for factor in term.factors:
            if factor.letter:
                yield factor
            for inner in factor.inner:
                yield from _factors(inner)


def matrix_latex(value: Array) -> str:
    """A matrix with its numbers; a 1x1 matrix as a number."""
    if not value.size:
        return r"\text{none}"
    if value.size == 1:
        return number_latex(float(value[0, 0]))
    rows = " \\\\\n".join(" & ".join(map(number_latex, row)) for row in value.tolist())
    matrix = f"\\begin{{bmatrix}}\n{rows}\n\\end{{bmatrix}}"
    return matrix if value.shape[1] <= WIDEST else f"\\resizebox{{0.85\\linewidth}}{{!}}{{${matrix}$}}"


def number_latex(value: float) -> str:
    """A number to six digits."""
    mantissa, _, exponent = f"{value:.{DIGITS}g}".partition("e")
    mantissa = {"nan": r"\mathrm{nan}", "inf": r"\infty", "-inf": r"-\infty"}.get(mantissa, mantissa)
    return mantissa + (f" \\cdot 10^{{{int(exponent)}}}" if exponent else "")


def text_latex(words: str) -> str:
    """Text escaped for LaTeX: commands in a robot's names have no effect, and unusual characters are replaced."""
    words = re.sub(r"[^\x20-\x7e]", "?", words)
    written = "".join(SPECIAL.get(letter, letter) for letter in words)
    return re.sub(r"\\textasciicircum\{\}(\d)", r"\\textsuperscript{\1}", written)
