"""The text with lines left blank: what can be written, and what a teacher says of what somebody has written.

``exercises`` lists the lines of a machine, ``attempt`` judges one. What was typed is held against the published line at
every place of the live moment (``places``) and of a few moments of other machines (``moments``), so that nothing passes
by a coincidence at rest. ``edits`` takes a line apart (``spots``) into what can be wrong with it, ``mistakes`` finds
which of that explains what was typed, ``naming`` names it.

It may import: ``reading``, ``typed``, ``textbook``, ``system``, ``robot``.
Start with ``attempt``: what is said of a line; ``edits``: what can be wrong with one.
"""

from dynamics.exercise.attempt import Attempt, attempt
from dynamics.exercise.exercises import Exercise, InScope, exercises
from dynamics.exercise.naming import Mistake

__all__ = ["Attempt", "Exercise", "InScope", "Mistake", "attempt", "exercises"]
