"""The smallest machine and the roundest numbers at which somebody's algorithm and ours still part.

``case`` is a machine in a moment as the numbers that it is made of, ``cut`` takes links off it, ``rounder`` knows what
is simpler than a number, a vector, an axis, ``parts`` lists all that can be made simpler, ``judged`` says whether the
two part as they did, and ``shrinking`` tries one after the other; ``as_python`` writes what is left as a file.

It may import: ``beside``, ``files``, ``system``, ``robot``.
Start with ``minimal_reproduction``: the question; ``reproduction``: the answer.
"""

from dynamics.minimal.minimal_reproduction import minimal_reproduction
from dynamics.minimal.reproduction import MinimalReproduction

__all__ = ["MinimalReproduction", "minimal_reproduction"]
