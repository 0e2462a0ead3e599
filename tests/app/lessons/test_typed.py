"""What of a lesson's text is a number, what only names something, and how much a number is worth."""

from __future__ import annotations

import time

import pytest

from app.lessons.step_file import read_step
from app.lessons.typed import is_right, read_typed, typed_in
from tests.app.lessons.conftest import SHOW, step_text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a rod of 0.3 m and 2 kg", ["0.3 m", "2 kg"]),
        ("$p = 0.15$ m, $L = 0.3$", ["0.15 m", "0.3"]),
        ("pushes with +5 N m, falls at 9.81 m/s²", ["5 N m", "9.81 m/s²"]),
        ("from 0.5 to 2 N m", ["0.5", "2 N m"]),
        ("from 6 to 12 joints", ["6", "12 joints"]),
        ("Seven joints, ten tonnes, half a second, a hundred thousand newtons",
         ["Seven joints", "ten tonnes", "half a second", "a hundred thousand newtons"]),
        ("5 revolute joints, 150°, 3 1/kg, rank 6", ["5 revolute joints", "150°", "3 1/kg", "6"]),
        ("joint 1 and link 2 of arm 3, step 4; R87, section 9, equation (9.1)", []),
        ("$m L^2 / 12$, $H G = 1$, $4 m$, $m_{22}$, $D(1)$", []),
        ("two links, one joint at a time, link 1 hands on", []),
        ("{{ mass(1) }} kg, `0.3 m`", []),
        ("seven\njoints of 2\nkg", ["seven joints", "2 kg"]),
        ("1 000 N, 1,000 N, 1\u00a0000 N, 10 000.5 N", ["1 000 N", "1,000 N", "1\u00a0000 N", "10 000.5 N"]),
        ("10^-3 kg, 3·10⁻² m, 2 x 10^-2 s, 3e-2 s, 10⁴", ["10^-3 kg", "3·10⁻² m", "2 x 10^-2 s", "3e-2 s", "10⁴"]),
        (r"$3\cdot 10^{-2}$ m, $10^3$, $1\,000$, $1{,}000$", [r"3\cdot 10^{-2} m", "10^3", r"1\,000", "1{,}000"]),
        ("0,3 m, .5 m, 5kg, 4x as heavy, 3/4 of it, ½ m", ["0,3 m", ".5 m", "5 kg", "4", "3/4", "½ m"]),
        ("It is 7, a factor of 3; (12) of 60 and 1", ["7", "3", "12", "60", "1"]),
        ("joints 1, 2 and 3, joint 4, 5 N m; in step 2, 6 joints", ["5 N m", "6 joints"]),
        ("joint 5 kg, section 9.1, section 9.1 m, PUMA 560, PUMA 560 kg", ["5 kg", "9.1 m", "560 kg"]),
        ("R87 (37), (38) of Rodriguez 1987, at time 0; 3D, joint_1, D(2), $m(1,2)$, ν = 0; 2 1/kg", ["2 1/kg"]),
        ("Fig. 3, eq. (4) and eqs. 5–7 of week 2, lecture 3, slide 12, law 2; version 1.2.3; 2R, 2nd", []),
        ("1. First\n2. Then 4\n", ["4"]),
        ("$k = 7$, $k = 3 + 1$, $\\alpha \\to 0$, $a/b = 1/2$", ["7"]),
        ("four times, one and a half times, thirty-five kilograms, a quarter of a metre, two times",
         ["four times", "one and a half times", "thirty-five kilograms", "a quarter of a metre", "two times"]),
        ("one hundred times, two thousand joints, one joint, two arms", ["one hundred times", "two thousand joints"]),
        ("a seven-joint arm, **five** links, *five* kg, five kg, a two-link arm",
         ["seven joint", "five links", "five kg", "five kg"]),
        (r"$5\,\mathrm{kg}$, $m \approx 4\,\text{kg}$, $\text{3 kg}$, $\mathrm{2\,kg}$", ["5", "4", "3", "2"]),
        (r"$1\,\mathrm{N}$, $7 = m$, $-6 < m$", ["1", "7", "6"]),
        (r"$4 m$, $2 g = a$, $\mathrm{kg}^{1/2}\,\mathrm{m}$, $2\,\mathrm{tr}\,M$, $3\,m_\text{arm}$", []),
    ],
)  # fmt: skip
def test_these_are_numbers_of_the_mechanics(text: str, expected: list[str]) -> None:
    assert [str(each) for each in typed_in(text)] == expected


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        ("0.3 m", (0.3, 0.304), (0.36, -0.3, 0.2)),
        ("9.81 N", (9.81, 9.8149), (9.816, 9.8)),
        ("2 kg", (2.0,), (3.0, 1.0)),
        ("−2 N m", (-2.0,), (2.0,)),
        ("3e-2", (0.03,), (0.04, 0.3)),
        ("seven joints", (7.0,), (6.0, 8.0)),
        ("a hundred thousand newtons", (98_100.0,), (10_000.0,)),
        ("half a second", (0.5,), (0.6,)),
        ("1 000 N", (1000.0,), (1.0, 1001.0)),
        ("1,000", (1000.0,), (1.0,)),
        (r"1\,000.5", (1000.5,), (1000.0,)),
        ("0,3 m", (0.3,), (0.0, 3.0)),
        ("10^-3", (1e-3,), (10.0, 1e-2)),
        ("3·10⁻² m", (0.03,), (3.0, 0.04)),
        (r"3\cdot 10^{-2}", (0.03,), (3.0, 0.04)),
        ("3/4", (0.75, 0.74), (0.8, 3.0)),
        ("½ m", (0.5,), (0.6,)),
        ("thirty-five kilograms", (35.0,), (30.0, 5.0)),
        ("one and a half times", (1.5,), (0.5, 1.0)),
    ],
)
def test_a_number_is_right_to_its_last_digit(text: str, right: tuple[float, ...], wrong: tuple[float, ...]) -> None:
    assert all(is_right(text, each) for each in right)
    assert not any(is_right(text, each) for each in wrong)


@pytest.mark.parametrize("text", ["1e999 m", "a" + 200 * " million" + " tonnes", "m", "", "1e99999999999 kg"])
def test_what_is_no_number_of_any_size_is_none(text: str) -> None:
    read = read_typed(text)
    assert read is None or abs(read[0]) < 1e30
    assert not is_right(text, float("inf"))


@pytest.mark.slow
def test_a_text_of_whatever_length_is_looked_at_at_once() -> None:
    for text in (
        "1 " * 14_000, "$1$ 1 " * 4800, "1 111 " * 4800, "joint 1, " * 3200, "1, 2 and " * 3200, "{{ " * 9600,
        "joint 1" + " " * 29_000, "9" * 29_000, "seven joints " * 2200,
    ):  # fmt: skip
        start = time.process_time()
        read_step("01_a.md", step_text(text=text).replace(SHOW, f'{SHOW}[numbers]\n"1" = "mass(1)"\n'))
        assert time.process_time() - start < 1.2, text[:9]
