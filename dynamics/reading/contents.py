"""The text without numbers: its letters, its lines, what can be broken in each, and its equations in pieces."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from dynamics.checks import brief, text
from dynamics.errors import ModelError
from dynamics.public import public
from dynamics.reading.breaks import Kind, breaks_of
from dynamics.reading.consequences import Prose, prose_of
from dynamics.reading.expression import Factor, Sum, Term
from dynamics.reading.lines import Line, formulation_lines_run, lines_of, lines_run
from dynamics.reading.typeset import (
    IndexNames,
    factor_latex,
    for_any_link,
    for_formulation,
    stem_latex,
    sum_latex,
    summed,
    symbol_latex,
    term_latex,
)
from dynamics.record import Record
from dynamics.system.registry import PASSED_ON, REGISTRY, Quantity, quantity_of
from dynamics.system.system import System
from dynamics.textbook.contents import formulations_of
from dynamics.textbook.letters import ALPHABETS, quantity_in, symbols_of
from dynamics.textbook.stages import parts_of
from dynamics.textbook.symbols import GIVEN, SYMBOLS


@dataclass(frozen=True, eq=False)
class Piece(Record):
    """A term of a sum, or a factor of a product.

    Attributes:
        latex: its LaTeX; for a term the summation sign before it, for a bracket the closing part.
        sign: of a term, 1 or -1; 0 for a factor.
        breaks: keys of the breaks of the piece itself, not of its inner parts.
        factors: of a term.
        sums: of a bracket one sum, of a stacked vector the upper and the lower one; of a letter none.
    """

    latex: str
    sign: int
    breaks: tuple[str, ...]
    factors: tuple[Piece, ...] = ()
    sums: tuple[tuple[Piece, ...], ...] = ()


@public
def equation_pieces(system: System, stage: str, key: str) -> tuple[Piece, ...]:
    """The terms on the right-hand side of a line, as in the text.

    Args:
        system: determines which stages there are, and whether sums over neighbors are written as such.
        stage: the stage that runs the line, or another formulation.
        key: of the line, as in ``textbook_lines`` or ``formulation_lines``.

    Returns:
        one piece per term, in the order of the text.

    Raises:
        ModelError: if the stage runs no such line.

    Cost: some milliseconds.
    """
    stage, key = text(stage, "stage", ModelError), text(key, "key", ModelError)
    if stage in formulations_of(system):
        for line in formulation_lines_run(system, stage):
            if line.key == key:
                return _Pieces(line).of_sum(line.right, IndexNames(system, symbols=symbols_of(line.text)))
    for part in parts_of(system):
        for line in lines_run(system, part):
            if (part.stage, line.key) == (stage, key):
                return _Pieces(line).of_sum(line.right, IndexNames(system, renamed=part.renamed))
    asked = f"stage {brief(stage)} of this system runs no line {brief(key)}"
    raise ModelError(f"{asked}; dynamics.reading.textbook_lines and formulation_lines list them.")


class _Pieces:
    def __init__(self, line: Line) -> None:
        self._breaks: dict[int, tuple[str, ...]] = {}
        for each in breaks_of(line):
            self._breaks[id(each.acts_on)] = (*self._breaks.get(id(each.acts_on), ()), each.key)

    def of_sum(self, total: Sum, naming: IndexNames) -> tuple[Piece, ...]:
        return tuple(self._of_term(term, naming) for term in total.terms)

    def _of_term(self, term: Term, naming: IndexNames) -> Piece:
        before, naming = summed(term, naming)
        factors = tuple(self._of_factor(factor, naming, len(term.factors) > 1) for factor in term.factors)
        return Piece(before, term.sign, self._breaks.get(id(term), ()), factors)

    def _of_factor(self, factor: Factor, naming: IndexNames, has_company: bool) -> Piece:
        keys = self._breaks.get(id(factor), ())
        if not factor.inner or factor.function in ("tilde", "null"):
            return Piece(factor_latex(factor, naming, has_company), 0, keys)
        marks = "".join(mark for mark in (factor.inverse, "T" if factor.transposed else "") if mark)
        sums = tuple(self.of_sum(inner, naming) for inner in factor.inner)
        return Piece(f"^{{{marks}}}" if marks else "", 0, keys, sums=sums)


@dataclass(frozen=True, eq=False)
class Letter(Record):
    """One letter of the text.

    Attributes:
        name: as the text writes it, e.g. ``P_plus``; ``LineReading.lettered`` marks it by this name.
        stage: that computes it, or the formulation that it belongs to; empty for a given of the textbook.
        quantity_name: its name in the registry; empty for a given of the text.
        latex: the letter with its marks, without its indices.
        quantity: its meaning: both names, unit, shape, frame, equation.
    """

    name: str
    stage: str
    quantity_name: str
    latex: str
    quantity: Quantity


@public
def textbook_letters() -> tuple[Letter, ...]:
    """Every letter of the textbook and its meaning; a letter that several stages compute occurs once for each.

    They are followed by those of every other formulation, for each equation that computes one.

    Returns:
        in the order of ``symbols``.

    Cost: under 1 ms.
    """
    found = []
    for name, symbol in SYMBOLS.items():
        latex = stem_latex(symbol)
        if not symbol.quantity:
            found.append(Letter(name, "", "", latex, GIVEN[name].quantity))
            continue
        found += [
            Letter(name, stage, quantity_name, latex, quantity)
            for registry in (REGISTRY, PASSED_ON)
            for (stage, quantity_name), quantity in registry.items()
            if quantity_name == symbol.quantity
        ]
    return (*found, *(letter for text in ALPHABETS for letter in _of_formulation(text)))


def _of_formulation(text: str) -> Iterator[Letter]:
    symbols, numbers = symbols_of(text), dict[str, list[str]]()
    for line in lines_of(text):
        numbers.setdefault(line.letter, []).append(line.source.partition("  # ")[2])
    for name in dict.fromkeys((*ALPHABETS[text], *numbers)):
        for equation in dict.fromkeys(numbers.get(name, [""])):
            quantity = replace(quantity_in(text, name), equation=equation)
            yield Letter(name, text, symbols[name].quantity, stem_latex(symbols[name]), quantity)


DOING: dict[Kind, str] = {
    "drop": "Drop the term",
    "negate": "Reverse the sign of the term",
    "omit": "Leave out the factor",
    "untranspose": "Forget to transpose",
    "multiply": "Multiply where the line divides by",
}


@dataclass(frozen=True, eq=False)
class PossibleBreak(Record):
    """One possible change of a line.

    Attributes:
        key: for ``read_textbook(breaks=...)`` and for an address.
        kind: ``drop``, ``negate``, ``omit``, ``untranspose`` or ``multiply``.
        part: the term or factor by its letters; the same for all kinds that act on one part.
        latex: the part, for any link.
        doing: the change in words; the part's symbol follows.
        prose: its consequences.
    """

    key: str
    kind: Kind
    part: str
    latex: str
    doing: str
    prose: Prose


@dataclass(frozen=True, eq=False)
class TextLine(Record):
    """One line of the text in a stage.

    Attributes:
        key: of the line, the same in every stage that runs it.
        stage: that runs it.
        quantity_name: the computed quantity's name in the registry.
        quantity: its registry entry.
        equation: paper and number.
        latex: the equation for any link.
        left: its left-hand side.
        source: as written, without the equation's number.
        file: its file.
        number: of the line in the file.
        breaks: everything that can be broken in it.
    """

    key: str
    stage: str
    quantity_name: str
    quantity: Quantity
    equation: str
    latex: str
    left: str
    source: str
    file: str
    number: int
    breaks: tuple[PossibleBreak, ...]


@public
def textbook_lines(system: System) -> tuple[TextLine, ...]:
    """Every line that the stages of a system run, in order, and what can be broken in it.

    The final smoother runs the same lines as the first: a break in one is a break in both.

    Args:
        system: determines which stages there are, and whether sums over neighbors are written as such.

    Returns:
        in the order of the stages and of the text.

    Cost: some 10 ms.
    """
    found = []
    for part in parts_of(system):
        for line in lines_run(system, part):
            name, naming = SYMBOLS[line.letter].quantity, for_any_link(system, line.arguments, part.renamed)
            quantity = quantity_of(part.stage, name)
            at_base = line.block == "base" and quantity.equation_at_base
            equation = quantity.equation_at_base if at_base else quantity.equation
            found.append(_text_line(part.stage, line, naming, name, quantity, equation))
    return tuple(found)


@public
def formulation_lines(system: System, name: str) -> tuple[TextLine, ...]:
    """Every line of another formulation, and what can be broken in it; its stage is the formulation.

    A part that several formulations share, e.g. the use of the mass matrix, is broken in all of them.

    Args:
        system: a system that the formulation serves, see ``readable_formulations``.
        name: of the formulation.

    Returns:
        in the order of its texts.

    Raises:
        ModelError: for an unknown formulation, or one that does not serve this machine.

    Cost: some milliseconds.
    """
    found = []
    for line in formulation_lines_run(system, name):
        letter, equation = symbols_of(line.text)[line.letter].quantity, line.source.partition("  # ")[2]
        quantity = replace(quantity_in(line.text, line.letter), equation=equation)
        found.append(_text_line(name, line, for_formulation(system, line), letter, quantity, equation))
    return tuple(found)


def _text_line(stage: str, line: Line, naming: IndexNames, name: str, quantity: Quantity, equation: str) -> TextLine:
    left = symbol_latex(line.letter, [index.id for index in line.indices if isinstance(index, ast.Name)], naming)
    named = dict(_named(line.right, naming))
    return TextLine(
        key=line.key,
        stage=stage,
        quantity_name=name,
        quantity=quantity,
        equation=equation,
        latex=f"{left}={sum_latex(line.right, naming)}",
        left=left,
        source=line.source.partition("  # ")[0],
        file=f"{line.text}.py",
        number=line.number,
        breaks=tuple(
            PossibleBreak(
                each.key,
                each.kind,
                each.part,
                _latex(each.acts_on, named[id(each.acts_on)]),
                DOING[each.kind],
                prose_of(each, quantity),
            )
            for each in breaks_of(line)
        ),
    )


def _named(total: Sum, naming: IndexNames) -> Iterator[tuple[int, IndexNames]]:
    """The names of the indices in each term and factor of a sum, and inside its brackets."""
    for term in total.terms:
        yield id(term), naming
        _, within = summed(term, naming)
        for factor in term.factors:
            yield id(factor), within
            for inner in factor.inner:
                yield from _named(inner, within)


def _latex(part: Term | Factor, naming: IndexNames) -> str:
    return term_latex(part, naming) if isinstance(part, Term) else factor_latex(part, naming)
