"""The language of lessons: what an expression is worth, what it may not do, and how a text with it is shown."""

import builtins
import re
import time
from collections.abc import Callable

import numpy as np
import pytest

from app.lessons.language import LONGEST, parsed
from app.lessons.prose import prose_html
from app.lessons.quantities import Known, Scope
from app.lessons.staged import known_of
from app.lessons.values import ExpressionError, Value
from app.state import Session


class Shelf:
    def value(self, path: tuple[str, ...], at: tuple[int, ...], time: float | None) -> Value:
        if path == ("two",):
            return 2.0 if time is None else time
        if path == ("row",):
            return np.array([3.0, -4.0])
        if path == ("six",):
            return np.arange(36.0).reshape(6, 6) + 6.0 * np.eye(6)
        if path == ("stage", "counted") and at:
            return float(at[0])
        raise ExpressionError("there is no such quantity.")


def test_values_of_expressions() -> None:
    for text, expected in (
        ("1 + 2 * 3", 7.0), ("-two / 4", -0.5), ("norm(row)", 5.0), ("max(abs(row))", 4.0), ("row[2]", -4.0),
        ("six[1, 2]", 1.0), ("dot(row, row) - sum(row)", 26.0), ("stage.counted(3)", 3.0), ("two(t=0.5)", 0.5),
        ("two < 3 and not two == 3", True), ("0.1 + 0.2 == 0.3", True), ("1 < two < 3", True),
        ("trace(transposed(six))", 141.0), ("norm(row @ row * 1.0)", 25.0), ("sqrt(sin(pi / 2))", 1.0),
        ("(" * 100 + "1" + ")" * 100, 1.0),
    ):  # fmt: skip
        found = parsed(text).value(Shelf())
        assert found == pytest.approx(expected)
        assert isinstance(found, bool) is isinstance(expected, bool)


HUGE = " * ".join([f"({' * '.join(['1e15'] * 11)})"] * 2)
ATTACKS = (
    "__import__('os').system('id')", "().__class__.__bases__[0].__subclasses__()", "two.__class__",
    "row.__init__.__globals__", "two._private", "(lambda: 1)()", "[x for x in (1, 2)]", "{x: 1 for x in row}",
    "(x for x in row)", "f'{two}'", "'text'", "b'bytes'", "open('/etc/passwd')", "eval('1')", "exec('1')",
    "getattr(two, 'x')", "globals()", "two if two else two", "(y := 3)", "*row", "max(*row)", "max(**row)",
    "two(link=3)", "two(t=1, t=2)", "row[0]", "row[-1]", "row[1:2]", "row[row]", "row[two]", "six[1, 2, 3]",
    "2 ** 9999999", "two ** two", "9 // 2", "9 % 2", "1 << 60", "1 | 2", "~1", "1 is 1", "1 in row", "True", "None",
    "...", "1j", "1e400", "9" * 200, "1e15 * 1e300 * 1e300 / 0", "await two", "yield two", "import os", "two; two",
    "two\ntwo", "(" * 148 + "1" + ")" * 151, "-" * 200 + "1", "1" + "+1" * 140, "not " * 60 + "(1 < 2)",
    "max" + "(max" * 40 + "(1" + ")" * 41, "a" * (LONGEST + 1), "", "   ", "\x00", "two\u200b", "ｔｗｏ",
    "two.three(1).four", "two()()", "max()", "sqrt(-1)", "1 / 0", "row / 0", "row + 1", "row * row", "1 / row",
    "row < 1", "(1 < 2) + 1", "1 and 2", "not 1", "dot(row, 1)", "trace(row)", "angular(row)", "eigenvalues(row)",
    "stage.counted(1.5)", "stage.counted(0)", "stage.counted(1e9)", "nothing", "print", "max", "stage", "{}", "[1]",
    "(1, 2)", "assert two", "0x" + "f" * 257, f"stage.counted(0 * {HUGE})",
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
                parsed(text).value(Shelf())
        assert len(str(refusal.value)) > 10
        assert time.perf_counter() - began < 0.5
    with pytest.raises(ExpressionError, match="no finite value"):
        parsed(f"sin({HUGE})").number(Shelf())


class Numbers:
    def value(self, path: tuple[str, ...], at: tuple[int, ...], time: float | None) -> Value:
        return {"small": -0.000123, "row": np.array([1.0, 2.5]), "six": np.eye(6), "yes": True}[path[0]]


def plain(shown: str) -> str:
    return re.sub(r"<[^>]*>", "", shown).strip()


def test_a_text_shows_numbers_in_place_of_expressions() -> None:
    assert plain(prose_html("It is {{ small }} or {{ small | 1 }}, {{ row }}, {{ yes }}.", Numbers())) == (
        "It is −1.23·10⁻⁴ or −1·10⁻⁴, (1, 2.5), yes."
    )
    assert "<mn>10</mn>" in prose_html("$x = {{ small }}$", Numbers())
    with pytest.raises(ExpressionError, match="matrix"):
        prose_html("{{ six }}", Numbers())


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
            shown = prose_html(text, Shelf())
        except ExpressionError:
            continue
        tags = re.findall(r"<([a-z0-9]+)([^>]*)>", shown)
        assert not {name for name, _ in tags} & FORBIDDEN, text
        for _, attributes in tags:
            assert not re.search(r"\b(on\w+|href|src|style|data-\w+|ping|action)\s*=", attributes), (text, attributes)


Ask = Callable[[str], Value]


@pytest.fixture(scope="module")
def known(session: Session) -> Callable[..., Known]:
    def at(**query: str) -> Known:
        return known_of(query, session, float(query.get("t", 0.0)))

    return at


def asker(known: Known) -> Ask:
    scope = Scope(known, known, True)
    return lambda text: parsed(text).value(scope)


def test_a_rotor_is_part_of_what_a_joint_turns(known: Callable[..., Known]) -> None:
    ask = asker(known(preset="puma560"))
    for k in range(1, 7):
        seen = ask(f"dot(joint_axis({k}), articulated_inertia({k}) @ joint_axis({k})) + rotor_inertia({k})")
        assert seen == pytest.approx(ask(f"joint_inertia({k})"), rel=1e-12)
    assert ask("rotor_inertia(1)") > 0.0
    assert asker(known(preset="planar_chain"))("max(rotor_inertia)") == 0.0


def test_what_balanced_loads_leave_is_exactly_zero(known: Callable[..., Known]) -> None:
    """As in the walk: a chain that hangs at rest has no innovation, and not one of 1e-16."""
    hanging = known(preset="planar_chain", posture=f"0,0,0,0,{np.pi / 2!r}")
    stages = hanging.solution.stages
    assert 0.0 < np.abs(stages["filter"]["innovation"]).max() < 1e-12
    ask = asker(hanging)
    assert [ask(f"{name}(2)") for name in ("innovation", "residual", "joint_acceleration")] == [0.0, 0.0, 0.0]
    assert (ask("norm(acceleration(3))"), ask("corrected_force(1)[6]")) == (0.0, pytest.approx(9.81))
