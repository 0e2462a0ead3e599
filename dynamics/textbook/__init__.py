"""The method as the papers write it: the one text of it that is read, shown, broken and evaluated at a moment.

Start with ``arm``, the inward filter and the outward smoother; ``contact`` goes on with several arms and an object,
``free_flyer`` with the second filter. The rest of the room serves the text: ``posture`` and ``blackboard`` give it
what it starts from, ``stages`` says which parts a system needs, ``evaluation`` runs them, ``lines`` and
``expression`` read its syntax tree, ``symbols`` and ``typeset`` turn it into equations, ``breaks`` into broken texts,
``reading`` into lines with the numbers of a place, and ``moment`` answers for a state.

It imports the model alone (``checks``, ``errors``, ``numbers``, ``robot``, ``system``) and no compiled recursion.
"""

from dynamics.textbook.breaks import Break, altered_source, breaks_of
from dynamics.textbook.contents import Breakable, TextLine, textbook_lines
from dynamics.textbook.difference import StageDifference, stage_difference
from dynamics.textbook.lines import TEXTS, Line
from dynamics.textbook.moment import read_textbook, textbook_acceleration
from dynamics.textbook.pieces import Piece, equation_pieces
from dynamics.textbook.reading import FactorValue, LineReading, Reading, TermValue

__all__ = [
    "TEXTS",
    "Break",
    "Breakable",
    "FactorValue",
    "Line",
    "LineReading",
    "Piece",
    "Reading",
    "StageDifference",
    "TermValue",
    "TextLine",
    "altered_source",
    "breaks_of",
    "equation_pieces",
    "read_textbook",
    "stage_difference",
    "textbook_acceleration",
    "textbook_lines",
]
