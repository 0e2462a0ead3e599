"""The text without any numbers: its letters, its lines, what can be broken in each, and its equations in pieces."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from dynamics.checks import brief, text
from dynamics.errors import ModelError
from dynamics.formulations.contents import formulations_of
from dynamics.formulations.letters import ALPHABETS, quantity_in, symbols_of
from dynamics.public import public
from dynamics.reading.breaks import Kind, breaks_of
from dynamics.reading.consequences import Prose, prose_of
from dynamics.reading.expression import Factor, Sum, Term
from dynamics.reading.lines import Line, formulation_lines_run, lines_of, lines_run
from dynamics.reading.typeset import (
    Naming,
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
from dynamics.textbook.meanings import GIVEN
from dynamics.textbook.stages import parts_of
from dynamics.textbook.symbols import SYMBOLS


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


@dataclass(frozen=True, eq=False)
class Letter(Record):
    """One letter of the text.

    Attributes:
        name: as the text writes it, ``P_plus`` say; ``LineReading.lettered`` marks it by this name.
        stage: that computes it, or the formulation whose own it is; empty for what the textbook is given.
        quantity_name: as the registry calls it; empty for what the text is given.
        latex: the letter with its marks, without its indices.
        quantity: what it is: both names, unit, shape, frame, equation.
    """

    name: str
    stage: str
    quantity_name: str
    latex: str
    quantity: Quantity


@public
def textbook_letters() -> tuple[Letter, ...]:
    """Every letter of the textbook with what it stands for; a letter that several stages compute is there for each.

    Behind them those of every other formulation, for each equation that computes one.

    Returns:
        in the order in which ``symbols`` lists them.

    Cost: under 1 ms.
    """
    found = []
    for name, symbol in SYMBOLS.items():
        latex = stem_latex(symbol)
        if not symbol.quantity:
            found.append(Letter(name, "", "", latex, GIVEN[name]))
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
    "negate": "Turn the sign of the term",
    "omit": "Leave out the factor",
    "untranspose": "Forget to transpose",
    "multiply": "Multiply where the line divides by",
}


@dataclass(frozen=True, eq=False)
class Breakable(Record):
    """One thing that can be done to a line.

    Attributes:
        key: for ``read_textbook(breaks=...)`` and for an address.
        kind: ``drop``, ``negate``, ``omit``, ``untranspose`` or ``multiply``.
        part: the term or factor by its letters; all kinds that act on one part have the same.
        latex: the part, for any link.
        doing: what is done, in words; the part's symbol follows.
        prose: what comes of it.
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
        quantity_name: what it computes, as the registry calls it.
        quantity: the registry's entry of that.
        equation: paper and number.
        latex: the equation for any link.
        left: its left side.
        source: as it is written, without the equation's number.
        file: where it stands.
        number: of the line there.
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
    breaks: tuple[Breakable, ...]


@public
def textbook_lines(system: System) -> tuple[TextLine, ...]:
    """Every line that the stages of a system run, one after the other, and what can be broken in it.

    The final smoother runs the same lines as the first: what is broken in one is broken in both.

    Args:
        system: it decides which stages there are, and whether sums over neighbors are written as such.

    Returns:
        in the order of the stages and of the text.

    Cost: some 10 ms.
    """
    found = []
    for part in parts_of(system):
        for line in lines_run(system, part):
            found.append(_text_line(part.stage, line, for_any_link(system, line.arguments, part.renamed)))
    return tuple(found)


@public
def formulation_lines(system: System, name: str) -> tuple[TextLine, ...]:
    """Every line of another formulation, and what can be broken in it; its stage is the formulation.

    What two formulations share, the mass matrix's use say, is broken in both.

    Args:
        system: that the formulation serves, see ``readable_formulations``.
        name: of the formulation.

    Returns:
        in the order of its texts.

    Raises:
        ModelError: for a formulation that there is not, or that does not serve this machine.

    Cost: some milliseconds.
    """
    return tuple(
        _formulation_line(name, line, for_formulation(system, line)) for line in formulation_lines_run(system, name)
    )


def _formulation_line(name: str, line: Line, naming: Naming) -> TextLine:
    letter = symbols_of(line.text)[line.letter].quantity
    equation = line.source.partition("  # ")[2]
    quantity = replace(quantity_in(line.text, line.letter), equation=equation)
    return _told(name, line, naming, letter, quantity, equation)


def _text_line(stage: str, line: Line, naming: Naming) -> TextLine:
    name = SYMBOLS[line.letter].quantity
    quantity = quantity_of(stage, name)
    at_base = line.block == "base" and quantity.equation_at_base
    equation = quantity.equation_at_base if at_base else quantity.equation
    return _told(stage, line, naming, name, quantity, equation)


def _told(stage: str, line: Line, naming: Naming, name: str, quantity: Quantity, equation: str) -> TextLine:
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
            Breakable(
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


def _named(total: Sum, naming: Naming) -> Iterator[tuple[int, Naming]]:
    """What the indices are called in each term and factor of a sum, and in what is in its brackets."""
    for term in total.terms:
        yield id(term), naming
        _, within = summed(term, naming)
        for factor in term.factors:
            yield id(factor), within
            for inner in factor.inner:
                yield from _named(inner, within)


def _latex(part: Term | Factor, naming: Naming) -> str:
    return term_latex(part, naming) if isinstance(part, Term) else factor_latex(part, naming)
