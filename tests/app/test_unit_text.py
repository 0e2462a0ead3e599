"""Units as people type them."""

from __future__ import annotations

import pytest

from app.unit_text import is_same_unit, unit_of


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
