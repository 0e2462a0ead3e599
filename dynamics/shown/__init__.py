"""How a notebook shows what this package hands out: a machine's tree, a solution's stages, a run's plots, reports.

It may import: ``motion`` and what it may import, ``beside``, ``review``.
Start with ``parts``: tables as HTML; each other file answers for a class when a notebook asks ``record.shown``.
"""

from dynamics.shown import recorded, solved, told, tree

__all__ = ["recorded", "solved", "told", "tree"]
