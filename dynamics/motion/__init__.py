"""Motion in time: control, integration, events, recordings.

It may import: ``solve``, ``posture``, ``reading``, ``files`` and what they may import.
Start with ``simulation``: a run; ``runge_kutta``: its step.
"""

from dynamics.motion.events import LimitEvent
from dynamics.motion.textbook_simulation import TextbookSimulation

__all__ = ["LimitEvent", "TextbookSimulation"]
