"""Units as people type them."""

from __future__ import annotations

import numpy as np
import pytest

from app.unit_text import converted, is_same_unit, unit_of


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("kg m2", "kg m^2"), ("kg·m²", "kg m^2"), ("kgm^2", "kg m^2"), ("m^2 kg", "kg m^2"), ("kg*m**2", "kg m^2"),
        ("Nm", "N m"), ("J", "N m"), ("kg m²/s²", "N m"), ("1/s", "rad/s"), ("/m", "1/m"), ("m s^-2", "m/s^2"),
        ("m s⁻²", "m/s²"), ("m/s/s", "m/s^2"), ("1/(kg m²)", "1/kg/m²"), ("rad", "1"), ("deg", "°"), ("cows", "cows"),
        ("kN m", "m·kN"), ("kPa", "kN/m²"), ("mW", "mJ/s"), ("mrad/s", "mHz"),
    ],
)  # fmt: skip
def test_these_are_one(one: str, other: str) -> None:
    assert is_same_unit(one, other)
    assert is_same_unit(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("kg", "g"),
        ("N", "N m"),
        ("kg m", "kg m^2"),
        ("m/s", "m s"),
        ("cows", "kg"),
        ("1/kg m", "1/(kg m)"),
        ("", "1"),
        ("mJ", "m J"),
        ("mN", "N m"),
        ("kJ", "J"),
        ("MPa", "kPa"),
        ("mrad", "m"),
    ],
)
def test_these_are_not(one: str, other: str) -> None:
    assert not is_same_unit(one, other)
    assert not is_same_unit(other, one)


@pytest.mark.parametrize("text", ["", "kg (m", "kg)", "kg x", "meter", "kg^", "m^2.5", "3 m", "/", "()/"])
def test_this_is_no_unit(text: str) -> None:
    assert unit_of(text) is None


@pytest.mark.parametrize(
    ("value", "given", "unit", "wanted"),
    [
        (250.0, "g", "kg", 0.25), (3.0, "kN", "N", 3000.0), (1.0, "g cm²", "kg m^2", 1e-7), (30.0, "cm/s", "m/s", 0.3),
        (90.0, "°", "rad", np.pi / 2), (5.0, "%", "1", 0.05), (0.1, "kg·m²", "kg m^2", 0.1),
        (2.0, "N", "kg m/s^2", 2.0),
    ],
)  # fmt: skip
def test_a_number_is_changed_over(value: float, given: str, unit: str, wanted: float) -> None:
    assert converted(value, given, unit) == pytest.approx(wanted, rel=1e-14)


@pytest.mark.parametrize(("given", "unit"), [("N", "N m"), ("kg", "1"), ("s", "m"), ("apples", "kg"), ("g", "g²")])
def test_what_measures_something_else_is_not(given: str, unit: str) -> None:
    assert converted(1.0, given, unit) is None
