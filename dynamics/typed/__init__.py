"""A line of the text as somebody types it: read into a tree of few kinds of nodes, and worked out node by node.

Nothing that is typed is ever run by Python. ``grammar`` reads it, within bounds, and refuses by name whatever it does
not know; ``habits`` knows how it is written elsewhere. ``interpreter`` works the tree out with the letters of a place;
``arithmetic`` is what it computes with, ``shapes`` says what does not fit.

It may import: ``textbook``.
Start with ``grammar``: what can be typed; ``interpreter``: what it comes to.
"""

from dynamics.typed.arithmetic import SIZES, VALUES
from dynamics.typed.grammar import FUNCTIONS, LONGEST, Typed, written
from dynamics.typed.interpreter import Interpreter

__all__ = ["FUNCTIONS", "LONGEST", "SIZES", "VALUES", "Interpreter", "Typed", "written"]
