"""Motion in time: control, integration, events, recordings.

It may import: ``methods``, ``posture``, ``reading``, ``files`` and what they may import.
Start with ``simulation``: a run; ``runge_kutta``: its step.
"""

from dynamics.motion.plain_simulation import simulate_by
from dynamics.motion.textbook_simulation import TextbookRecording, TextbookSimulation

__all__ = ["TextbookRecording", "TextbookSimulation", "simulate_by"]
