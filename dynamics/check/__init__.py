"""Compares every method with every other, and checks the identities that each stage must satisfy by itself.

It may import: ``solve``, ``witness``, ``reading``, ``posture``, ``system`` and what they may import.
Start with ``agreement``: the methods; ``identities``: the stages.
"""

from dynamics.check.identities import Check
from dynamics.check.paper_sums import PaperSum, paper_sums
from dynamics.check.text_identities import text_identities

__all__ = ["Check", "PaperSum", "paper_sums", "text_identities"]
