"""How close the signs of a formula stand."""

from __future__ import annotations

import pytest

from app.equations.cleaning import cleaned
from app.equations.formula import formula

MINUS = "&#x02212;</mo>"


@pytest.mark.parametrize("latex", ["a = -b", "(1, 0, -4)", "x \\to -1", "[-1]", "b < -2"])
def test_a_minus_of_one_number_stands_close_to_it(latex: str) -> None:
    assert f'<mo form="prefix">{MINUS}' in formula(latex)


@pytest.mark.parametrize("latex", ["a - b", "(a) - b", "|a| - b"])
def test_that_of_a_difference_does_not(latex: str) -> None:
    assert f"<mo>{MINUS}" in formula(latex)


def test_bars_round_a_size_belong_to_it() -> None:
    shown = formula("|x - x_{FREE}| = |y|")
    assert shown.count('<mo form="prefix" stretchy="false">&#x0007C;</mo>') == 2
    assert shown.count('<mo form="postfix" stretchy="false">&#x0007C;</mo>') == 2
    assert "form" not in formula("p(a|b)")


def test_a_cosine_keeps_its_distance_and_infinity_is_no_operator() -> None:
    shown = cleaned(formula("L \\cos \\theta \\to \\infty"))
    assert '<mo lspace="0.167em" rspace="0.167em">cos</mo>' in shown
    assert "<mi>∞</mi>" in shown
