"""The unit that a question asks in, held against the unit of what its answer is computed from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from app.lessons.__main__ import main
from app.lessons.checking import faults_of
from app.lessons.lesson import Lesson
from app.state import Session
from tests.app.lessons.conftest import HEAD, NUMBER, SHOW, step_text

Write = Callable[..., Lesson]
HANGING = SHOW.replace("gravity=0,0,0&posture=0", "posture=0.3")
"""All that is asked for here is something: of what is nought no unit is known."""
CURVE = (
    '[question]\nkind = "curve"\nask = "Draw it."\nof = "rate(1)"\nunit = "rad"\n'
    "until = 0.2\nleast = -9.0\nmost = 9.0\n"
)
LIFT = '"2 m/s²" = "supposed as lift"\n'


def asked(answer: str, unit: str, numbers: str = "", text: str = "Look.") -> str:
    question = NUMBER.replace("joint_inertia(1)", answer).replace("kg m^2", unit)
    return step_text(question + (f"[numbers]\n{numbers}" if numbers else ""), text, HANGING)


def units_told(lesson: Lesson, session: Session) -> list[str]:
    return [str(fault) for fault in faults_of(lesson.steps, session) if "it asks" in fault.said]


@pytest.mark.parametrize(
    ("answer", "unit", "words"),
    [
        ("innovation(1)", "N", "it asks in N, and innovation(1) is in N m. Ask in N m"),
        ("joint_inertia(1)", "N m", "is in kg m^2"),
        ("abs(corrected_force(1)[6])", "N m", "is in N."),
        ("norm(linear(corrected_force(1)))", "kg", "is in N."),
        ("residual(1) * length(1)", "rad/s^2", "is in m/s^2"),
        ("dot(joint_axis(1), articulated_inertia(1) @ joint_axis(1))", "kg", "is in kg m^2"),
        ("sqrt(joint_inertia(1) / mass(1))", "kg", "is in m."),
        ("max(abs(smoother.joint_acceleration))", "rad/s", "is in rad/s^2"),
        ("1 / inverse_mass_matrix(1, 2)", "kg", "is in kg m^2"),
        ("mass_matrix(2, 1) / mass_matrix(1, 1)", "kg m^2", "is a plain number. Ask with unit"),
        ("joints", "kg", "is a plain number"),
        ("kinetic_energy + potential_energy", "W", "is in N m"),
        ("position(1)", "°", "is in rad"),
        ("mass(1)", "g", "is in kg"),
        ("potential_energy", "kJ", "it asks in kJ, and potential_energy is in N m"),
        ("2 * mass(1)", "N", "is in kg"),
        ("counted.filter_smoother.operations(6)", "s", "is a plain number"),
    ],
)
def test_a_question_in_another_unit_is_told(
    written: Write, session: Session, answer: str, unit: str, words: str
) -> None:
    (told,) = units_told(written(asked(answer, unit)), session)
    assert told.startswith("01_step.md:8: "), told
    assert words in told


@pytest.mark.parametrize(
    ("answer", "unit"),
    [
        ("abs(innovation(1))", "N m"),
        ("innovation(1)", "J"),
        ("180 / pi * position(1)", "°"),
        ("1000 * mass(1)", "g"),
        ("innovation(1) / innovation(2)", "1"),
        ("100 * mass(1) / mass(2)", "%"),
        ("mass(1) + length(1)", "N"),  # of mixed things nothing is said,
        ("sin(length(1))", "N"),
        ("norm(kalman_gain(1))", "N"),
        ("whitened_innovation(1)", "1"),  # nor of what has no unit that is known,
        ("torque(1)", "N"),  # nor of nought
        ("potential_energy / 1000", "kJ"),
        ("1000 * innovation(1)", "mN m"),
    ],
)
def test_of_any_other_nothing_is_said(written: Write, session: Session, answer: str, unit: str) -> None:
    assert units_told(written(asked(answer, unit)), session) == []


def test_a_curve_is_asked_in_its_unit(written: Write, session: Session) -> None:
    (told,) = units_told(written(step_text(CURVE, show=HANGING)), session)
    assert told.startswith("01_step.md:8: ")
    assert "rate(1) is in rad/s" in told
    assert units_told(written(step_text(CURVE.replace('"rad"', '"rad/s"'), show=HANGING)), session) == []


def test_what_is_supposed_counts_with_its_unit(written: Write, session: Session) -> None:
    right = asked("lift * mass(1)", "N", LIFT, "With 2 m/s².")
    assert units_told(written(right), session) == []
    (told,) = units_told(written(asked("lift * mass(1)", "kg", LIFT, "With 2 m/s².")), session)
    assert "is in N." in told


def test_the_command_tells_it_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "wrong"
    folder.mkdir()
    (folder / "lesson.toml").write_text(HEAD)
    (folder / "01_step.md").write_text(asked("innovation(1)", "N"))
    assert main(["check", str(folder)]) == 1
    assert "01_step.md:8: it asks in N, and innovation(1) is in N m. Ask in N m" in capsys.readouterr().out
