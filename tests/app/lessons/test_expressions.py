"""The expressions of lessons: what they are worth, what they may not do, and texts with them."""

import builtins
import re
import time

import numpy as np
import pytest

from app.lessons.expressions import LONGEST, ExpressionError, Path, Value, parse
from app.lessons.lesson import Prose
from app.lessons.markdown import prose_html
from app.lessons.quantities import Instant, Scope
from app.state import Session
from app.state.address import asked


class FixedNames:
    def value(self, path: Path, at: tuple[int, ...], time: float | None) -> Value:
        if path == ("stage", "counted") and at:
            return float(at[0])
        known = {"row": np.array([3.0, -4.0]), "six": np.arange(36.0).reshape(6, 6) + 6.0 * np.eye(6), "yes": True}
        values = {**known, "two": 2.0 if time is None else time, "small": -0.000123}
        if path[0] not in values:
            raise ExpressionError("there is no such quantity.")
        return values[path[0]]


def test_values_of_expressions() -> None:
    for text, expected in (
        ("1 + 2 * 3", 7.0), ("-two / 4", -0.5), ("norm(row)", 5.0), ("max(abs(row))", 4.0), ("row[2]", -4.0),
        ("six[1, 2]", 1.0), ("dot(row, row) - sum(row)", 26.0), ("stage.counted(3)", 3.0), ("two(t=0.5)", 0.5),
        ("two < 3 and not two == 3", True), ("0.1 + 0.2 == 0.3", True), ("1 < two < 3", True), ("1 < two < 2", False),
        ("trace(transposed(six))", 141.0), ("norm(row @ row * 1.0)", 25.0), ("sqrt(sin(pi / 2))", 1.0),
        ("linear(six)[1, 1]", 27.0), ("(" * 100 + "1" + ")" * 100, 1.0),
    ):  # fmt: skip
        found = parse(text).value(FixedNames())
        assert found == pytest.approx(expected)
        assert isinstance(found, bool) is isinstance(expected, bool)


HUGE = " * ".join([f"({' * '.join(['1e15'] * 11)})"] * 2)
ATTACKS = (
    "__import__('os').system('id')", "().__class__.__bases__[0].__subclasses__()", "row.__init__.__globals__",
    "two._private", "(lambda: 1)()", "[x for x in (1, 2)]", "f'{two}'", "'text'", "open('/etc/passwd')", "eval('1')",
    "getattr(two, 'x')", "two if two else two", "(y := 3)", "max(*row)", "max(**row)", "two(link=3)", "two(t=1, t=2)",
    "row[0]", "row[-1]", "row[1:2]", "row[two]", "six[1, 2, 3]", "2 ** 9999999", "9 // 2", "1 << 60", "1 | 2", "~1",
    "1 is 1", "1 in row", "True", "None", "...", "1j", "1e400", "9" * 200, "1e15 * 1e300 * 1e300 / 0", "await two",
    "import os", "two; two", "two\ntwo", "(" * 148 + "1" + ")" * 151, "-" * 200 + "1", "1" + "+1" * 140,
    "not " * 60 + "(1 < 2)", "max" + "(max" * 40 + "(1" + ")" * 41, "a" * (LONGEST + 1), "", "\x00", "ｔｗｏ",
    "two.three(1).four", "two()()", "max()", "sqrt(-1)", "1 / 0", "row < 1", "row and 1 < 2", "not row", "dot(row, 1)",
    "dot(row, row, row)", "abs(row, row)", "trace(row)", "angular(row)", "stage.counted(1.5)", "stage.counted(0)",
    "nothing", "print", "max", "{}", "(1, 2)", "0x" + "f" * 257, f"stage.counted(0 * {HUGE})", f"sin({HUGE})",
)  # fmt: skip


def test_anything_else_is_refused_in_words_and_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def reached(*_: object, **__: object) -> None:
        raise AssertionError("it was run")

    for text in ATTACKS:
        began = time.perf_counter()
        with monkeypatch.context() as patch:
            for name in ("open", "eval", "exec"):
                patch.setattr(builtins, name, reached)
            with pytest.raises(ExpressionError) as refusal:
                parse(text).value(FixedNames())
        assert len(str(refusal.value)) > 10
        assert time.perf_counter() - began < 0.5
    for text in (HUGE, "row / 0", "1 < 2", "row"):
        with pytest.raises(ExpressionError, match="one finite number"):
            parse(f"{text}").number(FixedNames())


def shown(text: str) -> str:
    return prose_html(Prose(text), FixedNames())


def test_a_text_shows_numbers_in_place_of_expressions() -> None:
    plain = re.sub(
        r"<[^>]*>", "", shown("It is {{ small }} or {{ small | 1 }}, {{ row }}, {{ yes }}, {{ two }} kg.")
    ).strip()
    assert plain == "It is −1.23·10⁻⁴ or −1·10⁻⁴, (3, −4), yes, 2&nbsp;kg."
    assert "<mn>10</mn>" in shown("$x = {{ small }}$")
    with pytest.raises(ExpressionError, match="matrix") as refusal:
        shown("\n{{ six }}")
    assert refusal.value.line == 2


SMUGGLED = (
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "![a](http://elsewhere/a.png)",
    "[a](javascript:alert(1))", "[a](http://elsewhere/)", "<http://elsewhere/>",
    r"$\text{<img src=x onerror=alert(1)>}$", r"$\text{<script>alert(1)</script>}$",
    r"$\href{javascript:alert(1)}{x}$", r"$\href{http://elsewhere/}{x}$",
    r"$\style{background:url(http://elsewhere)}{x}$", "$</math><img src=x onerror=alert(1)>$",
    "```\n<img src=x onerror=alert(1)>\n```", "[a]: http://elsewhere/ 'b'\n\n[a]", "<svg onload=alert(1)>",
    "<iframe src=http://elsewhere></iframe>", "<a href='http://elsewhere' ping='http://elsewhere'>x</a>",
    "<p style='background:url(http://elsewhere)'>x</p>", "<div class=x data-go='home'>x</div>",
)  # fmt: skip
FORBIDDEN = {"script", "img", "a", "iframe", "svg", "style", "link", "form", "input"}


def test_nothing_is_smuggled_in() -> None:
    for text in SMUGGLED:
        try:
            tags = re.findall(r"<([a-z0-9]+)([^>]*)>", shown(text))
        except ExpressionError:
            continue
        assert not {name for name, _ in tags} & FORBIDDEN, text
        for _, attributes in tags:
            assert not re.search(r"\b(on\w+|href|src|style|data-\w+|ping|action)\s*=", attributes), (text, attributes)


def value(session: Session, text: str, **query: str) -> Value:
    known = Instant(asked(query, session).run, 0.0, is_own=True)
    known.compute(0.0)
    return parse(text).value(Scope(known, known, True))


def test_a_rotor_is_part_of_what_a_joint_turns_and_balanced_loads_leave_exactly_zero(session: Session) -> None:
    for k in range(1, 7):
        seen = f"dot(joint_axis({k}), articulated_inertia({k}) @ joint_axis({k})) + rotor_inertia({k})"
        assert value(session, f"{seen} - joint_inertia({k})", preset="puma560") == pytest.approx(0.0, abs=1e-12)
    assert value(session, "min(rotor_inertia)", preset="puma560") > 0.0
    hanging = {"preset": "planar_chain", "posture": f"0,0,0,0,{np.pi / 2!r}"}
    for name in ("innovation(2)", "residual(2)", "joint_acceleration(2)", "norm(acceleration(3))"):
        assert value(session, name, **hanging) == 0.0  # not 1e-16, as in the walk
    assert value(session, "corrected_force(1)[6]", **hanging) == pytest.approx(9.81)


def test_what_there_is_none_of_is_reported(session: Session) -> None:
    for text, words in (
        ("joint_inertia(9)", "no joint_inertia"), ("contact_force(1)", "no contact_force"),
        ("object_mass", "no object"),
        ("energy(t=99)", "not in this motion"), ("enrgy", "Did you mean energy"), ("mass(link)", "no link"),
        ("holds.filter.nonsense", "no holds"), ("counted.nonsense.operations(6)", "no counted"),
        ("counted.filter_smoother.operations(99)", "1 to 24"), ("base_acceleration", "no base_acceleration"),
        ("before.filter.mass(1)", "no filter.mass"), ("answers.lagrange.rate", "no answers.lagrange.rate"),
        ("shares", "no shares|no object"),
    ):  # fmt: skip
        with pytest.raises(ExpressionError, match=words):
            value(session, text, preset="planar_chain")
