"""The text with lines left blank: the exercises of a machine, and the feedback on a typed line.

``exercises`` lists the lines of a machine, ``attempt`` judges one. A typed line is compared with the published one at
every place of the live moment and at some of other machines' moments (``places``), so that no line passes by
coincidence, for example at rest. ``edits`` makes common mistakes in a line; ``mistakes`` finds and names the one that
explains a typed line.

It may import: ``reading``, ``typed``, ``textbook``, ``system``, ``robot``.
Start with ``attempt``: the verdict on a line; ``edits``: the common mistakes.
"""

from dynamics.errors import LineError
from dynamics.exercise.attempt import Attempt, attempt
from dynamics.exercise.exercises import Exercise, ScopeLetter, exercises, has_rotors
from dynamics.exercise.mistakes import Mistake

__all__ = ["Attempt", "Exercise", "LineError", "Mistake", "ScopeLetter", "attempt", "exercises", "has_rotors"]
