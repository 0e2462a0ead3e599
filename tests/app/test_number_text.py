"""Numbers are written alike everywhere; what is only rounding beside its neighbors is zero."""

from __future__ import annotations

import pytest

from app.number_text import number_html, number_text, raw_text, read_index, read_number, row_html, size_of


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
