"""Every table and figure of the five papers: the printed numbers, the recomputed ones, and why they differ if they do.

It may import: ``counting``, ``motion``, ``witness`` and what they may import.
Start with ``reproduce``: the calls; ``result``: what they return; then one file for each paper, and its examples.
"""

from dynamics.papers.redundant_coordinates import run_redundant
from dynamics.papers.reproduce import paper_results, reproduce
from dynamics.papers.result import PaperCurve, PaperFigure, PaperNumber, PaperResult, Reproduction
from dynamics.papers.staggered_step import contraction_radius, staggered_sweeps

__all__ = [
    "PaperCurve",
    "PaperFigure",
    "PaperNumber",
    "PaperResult",
    "Reproduction",
    "contraction_radius",
    "paper_results",
    "reproduce",
    "run_redundant",
    "staggered_sweeps",
]
