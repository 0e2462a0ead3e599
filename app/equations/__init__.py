"""What happens in each half-step of the computation: its equations, the numbers in them, and the code that ran."""

from app.equations.half_step import HalfStep, half_step
from app.equations.term import Equation, Term

__all__ = ["Equation", "HalfStep", "Term", "half_step"]
