"""A line's equation in pieces that can be pointed at: its terms, their factors, and what is in brackets."""

from __future__ import annotations

from dataclasses import dataclass

from dynamics.checks import brief, text
from dynamics.errors import ModelError
from dynamics.formulations.contents import formulations_of
from dynamics.formulations.letters import symbols_of
from dynamics.public import public
from dynamics.reading.breaks import breaks_of
from dynamics.reading.expression import Factor, Sum, Term
from dynamics.reading.lines import Line, formulation_lines_run, lines_run
from dynamics.reading.typeset import Naming, factor_latex, summed
from dynamics.record import Record
from dynamics.system.system import System
from dynamics.textbook.stages import parts_of


@dataclass(frozen=True, eq=False)
class Piece(Record):
    """A term of a sum, or a factor of a product.

    Attributes:
        latex: what stands there; of a term the sign of summation before it, of a bracket what closes it.
        sign: of a term, 1 or -1; 0 of a factor.
        breaks: keys of what can be done to it, and not to what is in it.
        factors: of a term.
        sums: in a bracket one sum, in a stacked vector the upper and the lower one; of a letter none.
    """

    latex: str
    sign: int
    breaks: tuple[str, ...]
    factors: tuple[Piece, ...] = ()
    sums: tuple[tuple[Piece, ...], ...] = ()


@public
def equation_pieces(system: System, stage: str, key: str) -> tuple[Piece, ...]:
    """The terms on the right side of a line, as the text has it.

    Args:
        system: it decides which stages there are, and whether sums over neighbors are written as such.
        stage: that runs the line, or another formulation that does.
        key: of the line, as ``textbook_lines`` or ``formulation_lines`` names it.

    Returns:
        one piece a term, in the order of the text.

    Raises:
        ModelError: if the stage runs no such line.

    Cost: some milliseconds.
    """
    stage, key = text(stage, "stage", ModelError), text(key, "key", ModelError)
    if stage in formulations_of(system):
        for line in formulation_lines_run(system, stage):
            if line.key == key:
                return _Pieces(line).of_sum(line.right, Naming(system, symbols=symbols_of(line.text)))
    for part in parts_of(system):
        for line in lines_run(system, part):
            if (part.stage, line.key) == (stage, key):
                return _Pieces(line).of_sum(line.right, Naming(system, renamed=part.renamed))
    asked = f"stage {brief(stage)} of this system runs no line {brief(key)}"
    raise ModelError(f"{asked}; dynamics.reading.textbook_lines and formulation_lines list them.")


class _Pieces:
    def __init__(self, line: Line) -> None:
        self._breaks: dict[int, tuple[str, ...]] = {}
        for each in breaks_of(line):
            self._breaks[id(each.acts_on)] = (*self._breaks.get(id(each.acts_on), ()), each.key)

    def of_sum(self, total: Sum, naming: Naming) -> tuple[Piece, ...]:
        return tuple(self._of_term(term, naming) for term in total.terms)

    def _of_term(self, term: Term, naming: Naming) -> Piece:
        before, naming = summed(term, naming)
        factors = tuple(self._of_factor(factor, naming, len(term.factors) > 1) for factor in term.factors)
        return Piece(before, term.sign, self._breaks.get(id(term), ()), factors)

    def _of_factor(self, factor: Factor, naming: Naming, has_company: bool) -> Piece:
        keys = self._breaks.get(id(factor), ())
        if not factor.inner or factor.function in ("tilde", "null"):
            return Piece(factor_latex(factor, naming, has_company), 0, keys)
        marks = "".join(mark for mark in (factor.inverse, "T" if factor.transposed else "") if mark)
        sums = tuple(self.of_sum(inner, naming) for inner in factor.inner)
        return Piece(f"^{{{marks}}}" if marks else "", 0, keys, sums=sums)
