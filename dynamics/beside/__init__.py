"""Somebody's own numbers beside ours: in which convention they are, where the two part, and what that comes of.

``quantities`` knows what may be handed in, ``handed_in`` and ``read_file`` read it, ``rerun`` runs the text in the form
that somebody else may use, ``views`` writes that in any frame, ``matching`` and ``convention`` find theirs among these,
``causes`` finds what gives theirs.

It may import: ``faults``, ``reading``, ``textbook``, ``system``, ``robot``, ``numbers``.
Start with ``compare``: the question; ``comparison``: the answer.
"""

from dynamics.beside.compare import compare
from dynamics.beside.comparison import Cause, ComparedStage, Comparison
from dynamics.beside.read_file import read_arrays

__all__ = ["Cause", "ComparedStage", "Comparison", "compare", "read_arrays"]
