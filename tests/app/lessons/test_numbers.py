"""Numbers and units that a lesson types: each one is held against what the moment gives."""

from collections.abc import Callable

from app.lessons.checking import faults_of
from app.lessons.lesson import Lesson
from app.lessons.staged import staged
from app.lessons.step_file import read_step
from app.lessons.typed import is_right, typed_in
from app.state import Session
from tests.app.lessons.conftest import NUMBER, SHOW, step_text
from tests.fuzz.attack import limited

Write = Callable[..., Lesson]


def test_numbers_of_the_mechanics_are_found_in_a_text() -> None:
    for text, expected in (
        ("a rod of 0.3 m and 2 kg", ["0.3 m", "2 kg"]), ("$p = 0.15$ m, $L = 0.3$", ["0.15 m", "0.3"]),
        ("pushes with +5 N m, falls at 9.81 m/s²", ["5 N m", "9.81 m/s²"]), ("from 0.5 to 2 N m", ["0.5", "2 N m"]),
        ("Seven joints, ten tonnes, half a second, a hundred thousand newtons",
         ["Seven joints", "ten tonnes", "half a second", "a hundred thousand newtons"]),
        ("joint 1 and link 2 of arm 3, step 4; R87, section 9, equation (9.1)", []),
        ("$m L^2 / 12$, $H G = 1$, $4 m$, $m_{22}$, $D(1)$", []),
        ("two links, one joint at a time, link 1 hands on", []), ("{{ mass(1) }} kg, `0.3 m`", []),
        ("1 000 N, 1,000 N, 1\u00a0000 N, 10 000.5 N", ["1 000 N", "1,000 N", "1\u00a0000 N", "10 000.5 N"]),
        ("10^-3 kg, 3·10⁻² m, 2 x 10^-2 s, 3e-2 s, 10⁴", ["10^-3 kg", "3·10⁻² m", "2 x 10^-2 s", "3e-2 s", "10⁴"]),
        (r"$3\cdot 10^{-2}$ m, $10^3$, $1\,000$, $1{,}000$", [r"3\cdot 10^{-2} m", "10^3", r"1\,000", "1{,}000"]),
        ("It is 7, a factor of 3; (12) of 60 and 1", ["7", "3", "12", "60", "1"]),
        ("Fig. 3, eq. (4) and eqs. 5–7 of week 2, lecture 3, slide 12, law 2; version 1.2.3; 2R, 2nd", []),
        ("four times, one and a half times, thirty-five kilograms, a quarter of a metre, two times",
         ["four times", "one and a half times", "thirty-five kilograms", "a quarter of a metre", "two times"]),
        ("a seven-joint arm, **five** links, *five* kg, five kg, a two-link arm",
         ["seven joint", "five links", "five kg", "five kg"]),
        (r"$4 m$, $2 g = a$, $\mathrm{kg}^{1/2}\,\mathrm{m}$, $2\,\mathrm{tr}\,M$, $3\,m_\text{arm}$", []),
    ):  # fmt: skip
        assert [str(each) for each in typed_in(text)] == expected


def test_a_number_is_right_to_its_last_digit() -> None:
    for text, right, wrong in (
        ("0.3 m", (0.3, 0.304), (0.36, -0.3, 0.2)), ("9.81 N", (9.81, 9.8149), (9.816, 9.8)),
        ("2 kg", (2.0,), (3.0, 1.0)), ("−2 N m", (-2.0,), (2.0,)), ("3e-2", (0.03,), (0.04, 0.3)),
        ("seven joints", (7.0,), (6.0, 8.0)), ("a hundred thousand newtons", (98_100.0,), (10_000.0,)),
        ("half a second", (0.5,), (0.6,)), ("1 000 N", (1000.0,), (1.0, 1001.0)), ("1,000", (1000.0,), (1.0,)),
        (r"1\,000.5", (1000.5,), (1000.0,)), ("0,3 m", (0.3,), (0.0, 3.0)), ("10^-3", (1e-3,), (10.0, 1e-2)),
        ("3·10⁻² m", (0.03,), (3.0, 0.04)), (r"3\cdot 10^{-2}", (0.03,), (3.0, 0.04)),
        ("3/4", (0.75, 0.74), (0.8, 3.0)), ("½ m", (0.5,), (0.6,)), ("thirty-five kilograms", (35.0,), (30.0, 5.0)),
        ("one and a half times", (1.5,), (0.5, 1.0)),
    ):  # fmt: skip
        assert all(is_right(text, each) for each in right)
        assert not any(is_right(text, each) for each in wrong)


def test_a_text_of_any_length_is_read_at_once() -> None:
    for text in ("1 111 " * 4800, "1, 2 and " * 3200, "{{ " * 9600, "joint 1" + " " * 29_000, "9" * 29_000):
        with limited():
            read_step("01_a.md", step_text(text=text).replace(SHOW, f'{SHOW}[numbers]\n"1" = "mass(1)"\n'))


def numbered(table: str, text: str = "It is 0.3 m long.") -> str:
    return step_text(text=text).replace(SHOW, f"{SHOW}[numbers]\n{table}\n")


def test_a_fault_of_a_number_is_reported_with_its_line() -> None:
    for text, line, words in (
        (step_text(text="Look.\nIt is 0.3 m long."), 12, '"0.3 m" = "length(1)"'),
        (step_text().replace("How large", "With 2 kg, how large"), 6, "'2 kg' is typed"),
        (step_text().replace("A step", "A step of 2 kg"), 2, "'2 kg' is typed"),
        (step_text(NUMBER + '[[question.mistakes]]\nvalue = "mass(1)"\nsay = "0.3 m."\n'), 12, "'0.3 m' is typed"),
        (numbered('"0.3 m" = "0.3"'), 5, "asks nothing of the moment"),
        (numbered('"0.3 m" = 0.3'), 5, "asks nothing of the moment"),
        (numbered('"0.3 m" = "lenght(1)"'), 5, "Did you mean length"),
        (numbered('"0.3 m" = "length(1)"\n"5 kg" = "mass(1)"'), 6, "stands in no text"),
        (numbered('"0.3 m" = "length(1)"\n"long" = "length(1)"'), 6, "begin with a number"),
        (numbered("\n".join(f'"{k} m" = "length(1)"' for k in range(41))), 45, "at most 40"),
        (step_text(text="It is 1 000 m long, and 3·10⁻² wide."), 11, "'1 000 m' is typed"),
        (step_text(text="It is 1 000 m long, and 3·10⁻² wide."), 11, "'3·10⁻²' is typed"),
        (step_text(text="There are 7."), 11, "stands behind what it names"),
        (numbered('"3" = "mass(1)"', "It has 3·10⁻² m."), 13, "'3·10⁻² m' is typed"),
        (numbered('"3" = "mass(1)"', "It has 3 m."), 13, "'3 m' is typed"),
        (step_text(text="It is {{ 0.3 }} m long."), 11, "asks nothing of the moment"),
        (step_text(NUMBER.replace('"kg m^2"', '"kg x"')), 8, "no unit that is known"),
    ):  # fmt: skip
        told = [(fault.line, str(fault)) for fault in read_step("01_a.md", text)[1]]
        assert any(at == line and words in said for at, said in told), told


def test_a_wrong_number_is_reported_with_what_the_moment_gives(session: Session, written: Write) -> None:
    assert faults_of(written(numbered('"0.3 m" = "length(1)"')).steps, session) == []
    (fault,) = faults_of(written(numbered('"0.4 m" = "length(1)"', "It is\n0.4 m long.")).steps, session)
    assert (fault.line, "length(1) gives 0.3" in fault.said) == (14, True)


LOAD = '"3 kg" = "supposed as load"\n'
TEXT = "Suppose 3 kg at the tip: a weight of 29.4 N, and {{ load * norm(after.gravity) | 3 }} N."


def supposing(numbers: str, text: str, question: str = NUMBER) -> str:
    show = 'show = "?preset=planar_chain&posture=0,0,0,0,0&t=0.000&play=0"\n'
    return step_text(f"{question}[numbers]\n{numbers}", text, show)


def test_a_supposed_number_is_computed_with(written: Callable[..., Lesson], session: Session) -> None:
    text = supposing(f'{LOAD}"29.4 N" = "load * norm(gravity)"\n', TEXT)
    lesson = written(text)
    assert faults_of(lesson.steps, session) == []
    assert "and 29.4&nbsp;N" in staged(lesson.steps[0], session).text
    (fault,) = faults_of(written(text.replace("3 kg", "4 kg")).steps, session)
    assert "'29.4 N', and load * norm(gravity) gives 39.24" in fault.said


HANGING = SHOW.replace("gravity=0,0,0&posture=0", "posture=0.3")
"""All that is asked for here is something: of what is nought no unit is known."""
LIFT = '"2 m/s²" = "supposed as lift"\n'


def asked(answer: str, unit: str, numbers: str = "", text: str = "Look.") -> str:
    question = NUMBER.replace("joint_inertia(1)", answer).replace("kg m^2", unit)
    return step_text(question + (f"[numbers]\n{numbers}" if numbers else ""), text, HANGING)


def unit_faults(lesson: Lesson, session: Session) -> list[str]:
    return [str(fault) for fault in faults_of(lesson.steps, session) if "it asks" in fault.said]


def test_a_question_in_a_wrong_unit_is_reported(written: Write, session: Session) -> None:
    for answer, unit, words in (
        ("innovation(1)", "N", "it asks in N, and innovation(1) is in N m. Ask in N m"),
        ("joint_inertia(1)", "N m", "is in kg m^2"), ("abs(corrected_force(1)[6])", "N m", "is in N."),
        ("norm(linear(corrected_force(1)))", "kg", "is in N."), ("residual(1) * length(1)", "rad/s^2", "is in m/s^2"),
        ("dot(joint_axis(1), articulated_inertia(1) @ joint_axis(1))", "kg", "is in kg m^2"),
        ("sqrt(joint_inertia(1) / mass(1))", "kg", "is in m."),
        ("max(abs(smoother.joint_acceleration))", "rad/s", "is in rad/s^2"),
        ("1 / inverse_mass_matrix(1, 2)", "kg", "is in kg m^2"),
        ("mass_matrix(2, 1) / mass_matrix(1, 1)", "kg m^2", "is a plain number. Ask with unit"),
        ("joints", "kg", "is a plain number"), ("kinetic_energy + potential_energy", "W", "is in N m"),
        ("position(1)", "°", "is in rad"), ("mass(1)", "g", "is in kg"),
        ("potential_energy", "kJ", "it asks in kJ, and potential_energy is in N m"), ("2 * mass(1)", "N", "is in kg"),
        ("counted.filter_smoother.operations(6)", "s", "is a plain number"),
    ):  # fmt: skip
        (told,) = unit_faults(written(asked(answer, unit)), session)
        assert told.startswith("01_step.md:8: "), told
        assert words in told


def test_a_supposed_number_has_its_unit(written: Write, session: Session) -> None:
    right = asked("lift * mass(1)", "N", LIFT, "With 2 m/s².")
    assert unit_faults(written(right), session) == []
    (told,) = unit_faults(written(asked("lift * mass(1)", "kg", LIFT, "With 2 m/s².")), session)
    assert "is in N." in told
