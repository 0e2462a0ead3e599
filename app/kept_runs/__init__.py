"""The kept runs beside the current one, as a list in which to name, show and open them, with their distances.

It may import: ``app.views`` and what it may import.
Start with ``kept_runs``: the list, and a line for it beside an instrument that changes the run; ``comparison``: the
distance of each from the current run, computed in a thread.
"""

from app.kept_runs.comparison import RunComparer
from app.kept_runs.kept_runs import DistanceLine, KeptRuns

__all__ = ["DistanceLine", "KeptRuns", "RunComparer"]
