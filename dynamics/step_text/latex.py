"""A half-step as LaTeX that compiles: each line's equation, its numbers, and its result."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dynamics.checks import Array
from dynamics.reading.reading import LineReading
from dynamics.reading.values import FactorValue, TermValue

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
    """A complete document.

    Args:
        about: introductory sentences.
    """
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
