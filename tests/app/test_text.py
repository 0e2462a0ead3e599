"""Numbers and units are written alike everywhere, read as people type them, and messages carry their kind."""

import numpy as np
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
from app.unit_text import converted, is_same_unit, unit_of


def test_numbers_are_written_with_four_digits() -> None:
    for value, text, padded in (
        (0.19414, "0.1941", "0.1941"), (-2.0, "−2", "−2.000"), (20.0, "20", "20.00"), (1234.5, "1234", "1234"),
        (98765.0, "9.876e4", "9.876e4"), (1.23456e-7, "1.235e−7", "1.235e−7"), (-1e-5, "−1e−5", "−1.000e−5"),
        (0.0, "0", "0"), (-0.0, "0", "0"), (float("nan"), "–", "–"), (float("inf"), "–", "–"),
    ):  # fmt: skip
        assert (number_text(value), number_text(value, padded=True)) == (text, padded), value


def test_rounding_beside_its_neighbors_is_zero_and_all_digits_are_at_hand() -> None:
    assert number_text(-8.457e-17, beside=20.0) == "0"
    assert number_text(-8.457e-17) == "−8.457e−17"  # alone, it may be all there is
    assert (number_text(1e-6, beside=20.0), number_text(3e-15, beside=2e-15)) == ("1e−6", "3e−15")
    assert number_html(-8.457e-17, beside=20.0) == "<span title='−8.457e−17'>0</span>"
    assert (raw_text(1.0 / 3.0), raw_text(float("nan"))) == ("0.3333333333333333", "")
    assert [cell.split(">")[1].split("<")[0] for cell in row_html([20.0, -8.457e-17, 0.5])] == ["20.00", "0", "0.5000"]
    assert (size_of([1.0, -20.0, float("nan"), float("inf")]), size_of([])) == (20.0, 0.0)


def test_numbers_are_read_as_people_type_them_and_nothing_else_is_guessed() -> None:
    for text, value in (("1", 1.0), ("-.5", -0.5), ("+2.", 2.0), ("1e-3", 1e-3), ("1E+2", 100.0), ("007", 7.0)):
        assert read_number(text) == value, text
    for text in (
        "", ".", "1_0", "１", "1e１", "٣.5", "²", "1 ", "\n1", "inf", "nan", "1e999", "0x1", "1e", "--1", "1,5",
    ):  # fmt: skip
        assert (read_number(text), read_index(text)) == (None, None), text
    for text in ("-1", "1.0", "9" * 5000, 3, None):
        assert read_index(text) is None, text
    assert read_index("12") == 12
    for text, value, unit in (
        ("0,0301", 0.0301, ""), (" 3.01e-2 kg m^2 ", 0.0301, "kg m^2"), ("3.01e-2.", 0.0301, ""), ("3/100", 0.03, ""),
        ("3/100 kg m2.", 0.03, "kg m2"), ("3·10^-2", 0.03, ""), ("3 x 10^-2 N m", 0.03, "N m"), ("3×10⁻²", 0.03, ""),
        ("3*10**(-2)", 0.03, ""), ("10^-2", 0.01, ""), ("−3", -3.0, ""), ("-3 · 10⁻²", -0.03, ""), ("1 / 2", 0.5, ""),
        ("4.98 1/m", 4.98, "1/m"), ("4.98/m", 4.98, "/m"), ("2 m s⁻²", 2.0, "m s⁻²"), ("5 %", 5.0, "%"),
        ("35 000", 35000.0, ""), ("−1\u202f234.5 N m", -1234.5, "N m"),
    ):  # fmt: skip
        assert read_with_unit(text) == (pytest.approx(value), unit), text
    for text in (
        *("", "three", "1.2.3", "1,234.5", "3/0", "3/", "--3", "3 10", "3 1000", "35 000 1", "1234 000", "1e999"),
        *("10^999", "3^2", "٣", "."),
    ):
        found = read_with_unit(text)
        assert found is None or (found[1] and unit_of(found[1]) is None), text


def test_units_are_one_however_they_are_written_and_are_converted_exactly() -> None:
    for one, other in (
        ("kg m2", "kg m^2"), ("kg·m²", "kg m^2"), ("kgm^2", "kg m^2"), ("m^2 kg", "kg m^2"), ("kg*m**2", "kg m^2"),
        ("Nm", "N m"), ("J", "N m"), ("kg m²/s²", "N m"), ("1/s", "rad/s"), ("/m", "1/m"), ("m s^-2", "m/s^2"),
        ("m s⁻²", "m/s²"), ("m/s/s", "m/s^2"), ("1/(kg m²)", "1/kg/m²"), ("rad", "1"), ("deg", "°"), ("cows", "cows"),
        ("kN m", "m·kN"), ("kPa", "kN/m²"), ("mW", "mJ/s"), ("mrad/s", "mHz"),
    ):  # fmt: skip
        assert is_same_unit(one, other), (one, other)
        assert is_same_unit(other, one), (one, other)
    for one, other in (
        ("kg", "g"), ("N", "N m"), ("kg m", "kg m^2"), ("m/s", "m s"), ("cows", "kg"), ("1/kg m", "1/(kg m)"),
        ("", "1"), ("mJ", "m J"), ("mN", "N m"), ("kJ", "J"), ("MPa", "kPa"), ("mrad", "m"),
    ):  # fmt: skip
        assert not is_same_unit(one, other), (one, other)
        assert not is_same_unit(other, one), (one, other)
    for text in ("", "kg (m", "kg)", "kg x", "meter", "kg^", "m^2.5", "3 m", "/", "()/"):
        assert unit_of(text) is None, text
    for value, given, unit, wanted in (
        (250.0, "g", "kg", 0.25), (3.0, "kN", "N", 3000.0), (1.0, "g cm²", "kg m^2", 1e-7), (30.0, "cm/s", "m/s", 0.3),
        (90.0, "°", "rad", np.pi / 2), (5.0, "%", "1", 0.05), (0.1, "kg·m²", "kg m^2", 0.1),
        (2.0, "N", "kg m/s^2", 2.0),
    ):  # fmt: skip
        assert converted(value, given, unit) == pytest.approx(wanted, rel=1e-14), given
    for given, unit in (("N", "N m"), ("kg", "1"), ("s", "m"), ("apples", "kg"), ("g", "g²")):
        assert converted(1.0, given, unit) is None, given
