"""A formula in one line of plain text is still that formula."""

from __future__ import annotations

import pytest

from app.equations.cleaning import words_html
from app.equations.flat import flat


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (r"an inertia, $\frac{1}{2}$", "an inertia, 1/2"),
        ("$x^2$ or $H P H^T$", "x^2 or HPH^T"),
        (r"$\frac{a+b}{2c}$", "(a+b)/(2c)"),
        (r"$\frac{\frac{1}{2}}{3}$", "(1/2)/3"),
        (r"$\sqrt{x_1^2+1}$", "√(x_1^2+1)"),
        (r"$0.5\,10^{-3}$", "0.5 10^(−3)"),
        ("a < b & 'c'", "a < b & 'c'"),
    ],
)
def test_what_stands_over_and_under_is_told_apart(typed: str, said: str) -> None:
    assert flat(words_html(typed)) == said


def test_marks_say_nothing() -> None:
    assert flat(" <p>One<br> and <b>two</b></p> ") == "One and two"
