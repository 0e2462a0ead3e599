"""Motion in time: control, integration, events, recordings and their files.

It may import: ``solve``, ``reading`` and what they may import.
Start with ``simulation``: a run; ``runge_kutta``: its step; ``table``: the columns of a run and how they are written.
"""

from dynamics.motion.events import LimitEvent
from dynamics.motion.textbook_simulation import TextbookSimulation

__all__ = ["LimitEvent", "TextbookSimulation"]
