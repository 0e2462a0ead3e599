"""Every table and figure of the five papers: the printed numbers, the recomputed ones, and why they differ if they do.

Operations and critical paths are counted by running the actual code on counting numbers.

It may import: ``motion``, ``check``, ``solve``, ``witness`` and what they may import.
Start with ``reproduce``: the calls; ``result``: what they return; then one file for each paper, and its examples;
``counting``: operations; ``twins``: how code is run on counting numbers.
"""

from dynamics.papers.counting import count_operations
from dynamics.papers.critical_path import critical_path
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
    "count_operations",
    "critical_path",
    "paper_results",
    "reproduce",
    "run_redundant",
    "staggered_sweeps",
]
