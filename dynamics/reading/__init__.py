"""What the textbook's syntax tree provides: lines with the values of a moment, equations, and broken texts.

``lines`` and ``expression`` read the tree, ``typeset`` turns it into equations, ``breaks`` finds what can be broken and
writes the broken texts, ``evaluation`` runs them, ``moment`` evaluates a state. ``formulation`` reads every other
formulation in the same way. ``step_text`` writes a half-step as Python that needs only NumPy, and as LaTeX.

*Write it* leaves lines blank: ``exercises`` lists them, ``attempt`` judges a typed one at every place of the moment and
at some of other machines' moments (``places``), so that no line passes by coincidence, ``edits`` makes common mistakes
in a line, and ``mistakes`` names the one that explains a typed line. Python never executes typed text: ``grammar``
parses it, within limits, and ``interpreter`` evaluates the tree.

It may import: ``textbook``, ``system``, ``robot``, ``spatial``.
Start with ``reading``: lines with the numbers of a place; ``breaks``: what can be broken; ``attempt``: a verdict.
"""

from dynamics.errors import LineError
from dynamics.reading.attempt import Attempt, attempt
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
from dynamics.reading.exercises import Exercise, ScopeLetter, exercises, has_rotors
from dynamics.reading.formulation import FormulationReading, FormulationStep, read_formulation, readable_formulations
from dynamics.reading.mistakes import Mistake
from dynamics.reading.reading import FactorValue, LineReading, Reading, TermValue
from dynamics.reading.step_text import step_latex, step_python

__all__ = [
    "Attempt",
    "Exercise",
    "FactorValue",
    "FormulationReading",
    "FormulationStep",
    "Letter",
    "LineError",
    "LineReading",
    "Mistake",
    "Piece",
    "PossibleBreak",
    "Reading",
    "ScopeLetter",
    "StageDifference",
    "TermValue",
    "TextLine",
    "altered_source",
    "attempt",
    "equation_pieces",
    "exercises",
    "formulation_lines",
    "has_rotors",
    "letter_difference",
    "read_formulation",
    "readable_formulations",
    "stage_difference",
    "step_latex",
    "step_python",
    "textbook_breaks",
    "textbook_letters",
    "textbook_lines",
]
