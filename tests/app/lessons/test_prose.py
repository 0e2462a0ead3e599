"""A lesson's text as HTML: mathematics, numbers of the moment, and nothing that a writer could smuggle in."""

from __future__ import annotations

import re

import numpy as np
import pytest

from app.lessons.prose import expressions, line_html, prose_html, said_html, spoken, unbroken, value_text
from app.lessons.values import ExpressionError, Value


class Shelf:
    def value(self, path: tuple[str, ...], at: tuple[int, ...], time: float | None) -> Value:
        return {"small": -0.000123, "row": np.array([1.0, 2.5]), "six": np.eye(6), "yes": True}[path[0]]


def plain(shown: str) -> str:
    return re.sub(r"<[^>]*>", "", shown).strip()


def test_a_number_stands_where_its_name_was() -> None:
    assert plain(prose_html("It is {{ small }} or {{ small | 1 }}, {{ row }}, {{ yes }}.", Shelf())) == (
        "It is −1.23·10⁻⁴ or −1·10⁻⁴, (1, 2.5), yes."
    )
    assert "<mn>10</mn>" in prose_html("$x = {{ small }}$", Shelf())
    with pytest.raises(ExpressionError, match="matrix"):
        prose_html("{{ six }}", Shelf())


def test_a_sign_is_no_difference_and_a_comma_begins_no_line() -> None:
    shown = prose_html("With $x = {{ small }}$, and $y$ (or $z$).", Shelf())
    assert "<mo>=</mo><mrow><mo>−</mo>" in shown.replace("&#x2212;", "−").replace(' form="prefix"', "")
    assert re.findall(r"nowrap'>.*?</math></span>(\W*?)</span>", shown) == [",", ")."]


def test_lines_of_expressions_are_known() -> None:
    assert list(expressions("a\n{{ small | 3 }}\n\n{{ row[1] }}")) == [(1, "small"), (3, "row[1]")]


def test_markdown_and_mathematics_are_typeset() -> None:
    shown = prose_html("*So* $D = H P H^T$:\n\n$$\\ddot\\theta = \\nu$$\n\n| a | b |\n|---|---|\n| 1 | 2 |\n", Shelf())
    assert shown.count("<math") == 2
    assert "<em>So</em>" in shown
    assert "<td>2</td>" in shown
    assert line_html("*a* $b$", Shelf()).startswith("<em>a</em>")


SMUGGLED = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![a](http://elsewhere/a.png)",
    "[a](javascript:alert(1))",
    "[a](http://elsewhere/)",
    "<http://elsewhere/>",
    r"$\text{<img src=x onerror=alert(1)>}$",
    r"$\text{<script>alert(1)</script>}$",
    r"$\href{javascript:alert(1)}{x}$",
    r"$\href{http://elsewhere/}{x}$",
    r"$\style{background:url(http://elsewhere)}{x}$",
    "$</math><img src=x onerror=alert(1)>$",
    "```\n<img src=x onerror=alert(1)>\n```",
    "[a]: http://elsewhere/ 'b'\n\n[a]",
    "<svg onload=alert(1)>",
    "<iframe src=http://elsewhere></iframe>",
    "<a href='http://elsewhere' ping='http://elsewhere'>x</a>",
    "<p style='background:url(http://elsewhere)'>x</p>",
    "<div class=x data-go='home'>x</div>",
)


@pytest.mark.parametrize("text", SMUGGLED)
def test_nothing_is_smuggled_in(text: str) -> None:
    try:
        shown = prose_html(text, Shelf())
    except ExpressionError:
        return
    tags = re.findall(r"<([a-z0-9]+)([^>]*)>", shown)
    assert not {name for name, _ in tags} & {"script", "img", "a", "iframe", "svg", "style", "link", "form", "input"}
    for _, attributes in tags:
        assert not re.search(r"\b(on\w+|href|src|style|data-\w+|ping|action)\s*=", attributes), attributes


def test_what_is_said_of_an_answer_is_typeset_and_heard_without_its_signs() -> None:
    shown = said_html("That is $m L^2$, the *whole* <b>mass</b>.")
    assert "$" not in shown
    assert "<math" in shown
    assert "<em>whole</em>" in shown
    assert "<b>" not in shown
    assert spoken("That is $m L^2$, the *whole* mass.") == "That is m L^2, the whole mass."


@pytest.mark.parametrize(
    ("value", "text"),
    [(1003.0, "1000"), (-123456.0, "−123000"), (1.5e7, "1.5·10⁷"), (-2.1e-10, "−2.1·10⁻¹⁰"), (0.5, "0.5"), (0.0, "0")],
)
def test_a_number_is_written_as_people_write_it(value: float, text: str) -> None:
    assert value_text(value, 3) == text


def test_a_number_and_its_unit_are_on_one_line() -> None:
    assert unbroken("at 0.03 kg m² and $x = 3$ N m, 5 joints, 1/m of 4 1/(kg m²), 3 more") == (
        "at 0.03\u00a0kg\u00a0m² and $x = 3$\u00a0N\u00a0m, 5 joints, 1/m of 4\u00a01/(kg\u00a0m²), 3 more"
    )
    assert "0.5\u00a0m" in plain(prose_html("It is {{ row }} or 0.5 m.", Shelf())).replace("&nbsp;", "\u00a0")


def test_a_sign_that_would_be_lost_is_refused() -> None:
    with pytest.raises(ExpressionError, match="say it in words"):
        prose_html(r"And $x \not\to y$.", Shelf())
    assert prose_html(r"But $x \notin y$.", Shelf())
