"""The runs that are kept beside the present one, as a list to be named, shown, opened, and compared in numbers.

It may import: ``app.views`` and what it may import.
Start with ``kept_runs``: the list, and one line of it where something is changed; ``comparison``: how far each is from
the present run, found in a thread.
"""

from app.kept_runs.comparison import Comparing
from app.kept_runs.kept_runs import DistanceLine, KeptRuns

__all__ = ["Comparing", "DistanceLine", "KeptRuns"]
