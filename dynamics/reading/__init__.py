"""What the textbook's syntax tree provides: lines with the values of a moment, equations, and broken texts.

``lines`` and ``expression`` read the tree, ``typeset`` turns it into equations, ``breaks`` finds what can be broken and
writes the broken texts, ``evaluation`` runs them, ``moment`` evaluates a state. ``formulation`` reads every other
formulation in the same way.

It may import: ``typed``, ``formulations``, ``textbook``, ``system``, ``numbers``.
Start with ``reading``: lines with the numbers of a place; ``breaks``: what can be broken.
"""

from dynamics.reading.breaks import altered_source, textbook_breaks
from dynamics.reading.contents import (
    Letter,
    Piece,
    PossibleBreak,
    TextLine,
    equation_pieces,
    formulation_lines,
    textbook_letters,
    textbook_lines,
)
from dynamics.reading.difference import StageDifference, letter_difference, stage_difference
from dynamics.reading.formulation import FormulationReading, FormulationStep, read_formulation, readable_formulations
from dynamics.reading.reading import FactorValue, LineReading, Reading, TermValue

__all__ = [
    "FactorValue",
    "FormulationReading",
    "FormulationStep",
    "Letter",
    "LineReading",
    "Piece",
    "PossibleBreak",
    "Reading",
    "StageDifference",
    "TermValue",
    "TextLine",
    "altered_source",
    "equation_pieces",
    "formulation_lines",
    "letter_difference",
    "read_formulation",
    "readable_formulations",
    "stage_difference",
    "textbook_breaks",
    "textbook_letters",
    "textbook_lines",
]
