"""Compares every method with every other, and checks the identities that each stage must satisfy by itself.

It may import: ``solve``, ``witness``, ``reading``, ``system`` and what they may import.
Start with ``agreement``: the methods; ``identities``: the stages.
"""

from dynamics.check.both_sides import PaperSum
from dynamics.check.identities import Check, text_identities
from dynamics.check.paper_sums import paper_sums

__all__ = ["Check", "PaperSum", "paper_sums", "text_identities"]
