"""Equations whose left side the registry knows by name."""

from __future__ import annotations

from numpy.typing import ArrayLike

import dynamics as dyn
from app.equations.term import Equation, Product, term


def named(key: tuple[str, str], n: int, latex: str, value: ArrayLike, *right: Product, source: str = "") -> Equation:
    """The equation of a registered quantity of link number ``n``."""
    quantity = dyn.registry[key]
    symbol = quantity.symbol.replace("(k)", f"({n})")
    return Equation(latex, term(symbol, value), right, key, source or quantity.equation, quantity.unit, quantity.frame)


def unnamed(symbol: str, latex: str, value: ArrayLike, *right: Product, source: str, unit: str, frame: str) -> Equation:
    """The equation of what is only passed on, and has no name of its own."""
    return Equation(latex, term(symbol, value), right, None, source, unit, frame)
