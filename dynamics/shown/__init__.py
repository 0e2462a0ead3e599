"""How a notebook shows what this package hands out: a machine as its tree, a solution as its stages, a run as plots,
a report as its findings.

It may import: ``motion`` and what it may import.
Start with ``parts``: tables as HTML; each other file answers for a class when a notebook asks ``record.shown``.
"""

from dynamics.shown import recorded, solved, told, tree

__all__ = ["recorded", "solved", "told", "tree"]
