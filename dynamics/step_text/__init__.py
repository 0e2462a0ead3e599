"""A half-step of the text for other programs: as Python that needs only NumPy, and as LaTeX.

It may import: ``reading``, ``textbook``.
Start with ``step``: both, and the document; ``python``: the program, with the inputs of its lines gathered.
"""

from dynamics.step_text.step import step_latex, step_python

__all__ = ["step_latex", "step_python"]
