"""Numbers are written alike everywhere; what is only rounding beside its neighbors is zero."""

from __future__ import annotations

import pytest

from app.number_text import (
    number_html,
    number_text,
    raw_text,
    read_index,
    read_number,
    read_with_unit,
    row_html,
    size_of,
)
from app.unit_text import unit_of


@pytest.mark.parametrize(
    ("value", "text", "padded"),
    [
        (0.19414, "0.1941", "0.1941"),
        (-2.0, "−2", "−2.000"),
        (20.0, "20", "20.00"),
        (1234.5, "1234", "1234"),
        (98765.0, "9.876e4", "9.876e4"),
        (1.23456e-7, "1.235e−7", "1.235e−7"),
        (-1e-5, "−1e−5", "−1.000e−5"),
        (0.0, "0", "0"),
        (-0.0, "0", "0"),
        (float("nan"), "–", "–"),
        (float("inf"), "–", "–"),
    ],
)
def test_four_digits(value: float, text: str, padded: str) -> None:
    assert number_text(value) == text
    assert number_text(value, padded=True) == padded


def test_what_is_rounding_beside_its_neighbors_is_zero() -> None:
    assert number_text(-8.457e-17, beside=20.0) == "0"
    assert number_text(-8.457e-17) == "−8.457e−17"  # alone, it may be all there is
    assert number_text(1e-6, beside=20.0) == "1e−6"
    assert number_text(3e-15, beside=2e-15) == "3e−15"


def test_all_digits_are_at_hand() -> None:
    assert number_html(-8.457e-17, beside=20.0) == "<span title='−8.457e−17'>0</span>"
    assert raw_text(1.0 / 3.0) == "0.3333333333333333"
    assert raw_text(float("nan")) == ""


def test_numbers_of_a_row_stand_beside_each_other() -> None:
    assert [cell.split(">")[1].split("<")[0] for cell in row_html([20.0, -8.457e-17, 0.5])] == ["20.00", "0", "0.5000"]
    assert size_of([1.0, -20.0, float("nan"), float("inf")]) == 20.0
    assert size_of([]) == 0.0


@pytest.mark.parametrize(
    ("text", "value"), [("1", 1.0), ("-.5", -0.5), ("+2.", 2.0), ("1e-3", 1e-3), ("1E+2", 100.0), ("007", 7.0)]
)
def test_numbers_are_read_as_they_are_written(text: str, value: float) -> None:
    assert read_number(text) == value


@pytest.mark.parametrize(
    "text", ["", ".", "1_0", "１", "1e１", "٣.5", "²", "1 ", "\n1", "inf", "nan", "1e999", "0x1", "1e", "--1", "1,5"]
)
def test_nothing_else_is_a_number(text: str) -> None:
    assert read_number(text) is None
    assert read_index(text) is None


@pytest.mark.parametrize("text", ["-1", "1.0", "9" * 5000, 3, None])
def test_rows_are_counted_in_plain_digits(text: object) -> None:
    assert read_index(text) is None
    assert read_index("12") == 12


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("0,0301", 0.0301, ""), (" 3.01e-2 kg m^2 ", 0.0301, "kg m^2"), ("3.01e-2.", 0.0301, ""), ("3/100", 0.03, ""),
        ("3/100 kg m2.", 0.03, "kg m2"), ("3·10^-2", 0.03, ""), ("3 x 10^-2 N m", 0.03, "N m"), ("3×10⁻²", 0.03, ""),
        ("3*10**(-2)", 0.03, ""), ("10^-2", 0.01, ""), ("−3", -3.0, ""), ("-3 · 10⁻²", -0.03, ""), ("1 / 2", 0.5, ""),
        ("4.98 1/m", 4.98, "1/m"), ("4.98/m", 4.98, "/m"), ("2 m s⁻²", 2.0, "m s⁻²"), ("5 %", 5.0, "%"),
        ("35 000", 35000.0, ""), ("−1\u202f234.5 N m", -1234.5, "N m"),
    ],
)  # fmt: skip
def test_a_number_is_read_as_people_type_it(text: str, value: float, unit: str) -> None:
    found = read_with_unit(text)
    assert found is not None
    assert found == (pytest.approx(value), unit)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "three",
        "1.2.3",
        "1,234.5",
        "3/0",
        "3/",
        "--3",
        "3 10",
        "3 1000",
        "35 000 1",
        "1234 000",
        "1e999",
        "10^999",
        "3^2",
        "٣",
        ".",
    ],
)
def test_what_is_no_number_is_not_guessed_at(text: str) -> None:
    found = read_with_unit(text)
    assert found is None or not is_unit(found[1])


def is_unit(text: str) -> bool:
    return not text or unit_of(text) is not None
