"""The runs that are kept beside the present one, as a list to be named, shown, opened, and compared in numbers.

It may import: ``app.views`` and what it may import.
Start with ``kept_runs``: the list; ``comparing``: how far each is from the present run, found in a thread.
"""

from app.beside.kept_runs import KeptRuns

__all__ = ["KeptRuns"]
