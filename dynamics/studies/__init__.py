"""Studies: many sampled states or machines, the quantities watched in each, and the distribution of these.

It may import: ``papers`` (the staggered step), ``check``, ``motion`` and what they may import.
Start with ``study``: the call; ``rows``: what a row is and how it is solved; ``variables``, ``outputs``: the names.
"""

from dynamics.studies.study import Distribution, Moment
from dynamics.studies.worst_case import Sensitivity, WorstCase

__all__ = ["Distribution", "Moment", "Sensitivity", "WorstCase"]
