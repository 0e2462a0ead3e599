"""A half-step as LaTeX that compiles: each line's equation, what stands in it in numbers, and what it comes to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dynamics.checks import Array
from dynamics.reading.reading import LineReading
from dynamics.reading.values import FactorValue, TermValue

DIGITS = 6
WIDEST = 6
"""Columns that go beside each other on a page; a wider matrix is made smaller."""
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
    """A document of its own.

    Args:
        about: what it is of, a sentence each.
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
    """Its numbers, with the mark of the inverse that the line takes."""
    written = matrix_latex(factor.value)
    if not factor.inverse:
        return written
    power = r"^{\dagger}" if DAGGER in factor.latex else "^{-1}"
    return (f"({written})" if factor.value.size == 1 else written) + power


def _factors(terms: Sequence[TermValue]) -> Iterator[FactorValue]:
    """The letters, those in brackets, too; of a number there is no more to say than that."""
    for term in terms:
        for factor in term.factors:
            if factor.letter:
                yield factor
            for inner in factor.inner:
                yield from _factors(inner)


def matrix_latex(value: Array) -> str:
    """A matrix with its numbers; one by one, the number."""
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
    """Words as LaTeX prints them: it obeys nothing in a robot's names, and knows few letters beside the usual ones."""
    words = re.sub(r"[^\x20-\x7e]", "?", words)
    written = "".join(SPECIAL.get(letter, letter) for letter in words)
    return re.sub(r"\\textasciicircum\{\}(\d)", r"\\textsuperscript{\1}", written)
