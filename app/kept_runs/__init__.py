"""The runs that are kept beside the present one, as a list to be named, shown, opened, and compared in numbers.

It may import: ``app.views`` and what it may import.
Start with ``kept_runs``: the list; ``comparing``: how far each is from the present run, found in a thread;
``distance_line``: the same in one line where something is changed.
"""

from app.kept_runs.comparison_job import Comparing
from app.kept_runs.distance_line import DistanceLine
from app.kept_runs.kept_runs import KeptRuns

__all__ = ["Comparing", "DistanceLine", "KeptRuns"]
