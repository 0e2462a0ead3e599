"""One line of the algorithm as data: how it is written, and what its terms do when they are altered."""

from __future__ import annotations

from dataclasses import dataclass

LEVER = "lever"
"""Name of the term that is the lever in phi: without it phi is 1, turned around it is the inverse of phi."""


@dataclass(frozen=True)
class Term:
    """One term of a line.

    Attributes:
        name: how an ``Alteration`` refers to it.
        word: what it is, for a menu.
        expect: what breaks without it, and why.
        fails: key of the identity that shows it (``identities``) wherever the term is there at all.
        absent: where the term is zero, so that nothing fails; empty if it is always there.
        power: whether it is a power, whose exponent the factor multiplies.
    """

    name: str
    word: str
    expect: str
    fails: str
    absent: str = ""
    power: bool = False


@dataclass(frozen=True)
class Part:
    """A piece of the written line; a factor on one of ``terms`` alters it. ``sign`` is written before it."""

    latex: str
    terms: tuple[str, ...] = ()
    sign: str = ""


@dataclass(frozen=True)
class Line:
    """One equation.

    Attributes:
        stage, quantity: what it computes, a key of ``registry`` but for a(k), b(k) and a floating base's alpha.
        left, parts: LaTeX.
        equation: paper and number.
        title: in words.
    """

    stage: str
    quantity: str
    title: str
    equation: str
    left: str
    parts: tuple[Part, ...]
    terms: tuple[Term, ...]


# Where a term is zero, so that nothing fails without it.
MOVES = "zero while nothing turns"
SINGLE_OUT = "a single link has nothing outboard"
SINGLE_IN = "a single link has nothing inboard"
UNMOVED = "zero at rest without gravity"
