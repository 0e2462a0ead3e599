"""A half-step of the text for other programs: as Python that needs only NumPy, and as LaTeX.

It may import: ``reading``, ``textbook``.
Start with ``step``: both; ``python``: the inputs of lines, gathered; ``latex``: equations with their numbers.
"""

from dynamics.step_text.step import step_latex, step_python

__all__ = ["step_latex", "step_python"]
