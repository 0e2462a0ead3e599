"""How large the numbers were that a line has added up: beside them, a small sum is only rounding."""

from __future__ import annotations

import numpy as np

import dynamics as dyn


def size_of_parts(line: dyn.LineReading) -> float:
    """The size that a line's value would have if nothing in it had canceled; 0 where that is no number."""
    return _finite(_of_sum(line.terms))


def _of_sum(terms: tuple[dyn.TermValue, ...]) -> float:
    return max((_size(term.value) * max(map(_canceled, term.factors), default=1.0) for term in terms), default=0.0)


def _canceled(factor: dyn.FactorValue) -> float:
    """How many times larger the parts of a bracket are than what is left of them."""
    own = _size(factor.value)
    if not factor.inner or factor.inverse or own == 0.0:
        return 1.0
    return max(1.0, max(_of_sum(terms) for terms in factor.inner) / own)


def _size(value: np.ndarray) -> float:
    return float(np.abs(value).max(initial=0.0))


def _finite(size: float) -> float:
    return size if np.isfinite(size) else 0.0
