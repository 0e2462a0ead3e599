"""What is typed reaches nothing but the letters of its line, and is refused by name, soon."""

import ast
import contextlib
import time
import warnings

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import dynamics as dyn
from dynamics.errors import LineError
from dynamics.reading import Reading, attempt
from dynamics.reading.grammar import DEEPEST, FUNCTIONS, LONGEST, written
from dynamics.reading.interpreter import Interpreter, SizedMatrix

KEY = "inward_filter.correction.P_plus"
ATTACKS: dict[str, str] = {
    "().__class__.__bases__[0].__subclasses__()": "only a function with a name",
    "().__class__.__bases__[0]": "only a letter has an index", "().__class__": "attribute", "P.__class__": "attribute",
    "P.T.__init__": "attribute", "P.base": "attribute", "__import__": "none begins with _",
    "__import__('os').system('true')": "only a function with a name", "__builtins__": "none begins with _",
    "_": "none begins with _", "P__class__": "has __ in it", "eval('1')": "no function is called eval",
    "open('/etc/passwd')": "no function is called open", "line_asked_for": "no letter line_asked_for",
    "lambda: 1": "lambda", "(lambda x: x)(1)": "only a function with a name",
    "[x for x in P]": "ListComp", "(x for x in P)": "generator outside of sum", "sum(P)": "a sum is written",
    "sum(x for x in P)": "runs over", "sum(P for j in outboard(k) if 1)": "without any condition",
    "sum(P for j in outboard(k) for c in outboard(j))": "a sum is written",
    "sum(sum(P for c in outboard(j)) for j in outboard(k))": "a sum within a sum",
    "sum(P for P in outboard(k))": "already in use",
    "sum(P for outboard in outboard(k)) + sum(P for j in outboard(k))": "already in use",
    "sum(P for __class__ in outboard(k))": "none begins with _", "sum(P for j in links)": "runs over",
    "f'{P}'": "JoinedStr", "f'{().__class__}'": "JoinedStr", "'P'": "quoted text", "'%s' % P": "remainder",
    "(a := P)": ":=", "P if 1 else P": "condition", "P and P": "and / or", "not P": "not", "~P": "bitwise",
    "P // 2": "integer division", "10**10**10": "power", "9" * 200: "too large", "1e999": "too large",
    "1j": "not a number", "0x" + "f" * 100: "too large", "1_000_000_000": "too large", "(1, 2)": "a list with commas",
    "P[0]": "an index is a name", "P[:]": "slice", "P[P]": "not an index", "P[k, k]": "one index",
    "P[k][k]": "only a letter has an index", "P[lambda: 1]": "lambda", "P[(a := 1)]": ":=", "P[*k]": "starred",
    "P[inboard(P)]": "not an index", "P[open(k)]": "an index is a name", "solve(*P)": "starred",
    "solve(P)": "2 arguments", "solve(P, P, a=1)": "by name", "phi(1, 2)": "an index is a name",
    "phi(P, P)": "not an index", "phi(k)": "two indices",
    "phi": "call it with both", "outboard": "is a function", "inboard(k)": "no function is called inboard",
    "P(k)": "is not a function", "P(k)(k)": "only a function with a name", "solve": "is a function",
    "k": "is an index", "nothing": "no letter nothing", "links": "no letter links", "await P": "Await",
    "yield P": "cannot be read", "import os": "cannot be read", "P = P": "computes P_plus, not P",
    "P P": "no sign between P and P", "(": "cannot be read", "(" * 150 + "1" + ")" * 150: "characters",
    "-" * 200 + "1": "nested more than", "P" + ".T" * 100: "nested more than",
    "inv(" * 40 + "P" + ")" * 40: "nested more than", "+".join(["P"] * 110): "nested more than",
    "stack(" * 22 + "z" + ", z)" * 22: "nested more than", "P" * 5000: "characters", "P + \x00": "character 5",
    "P\nP": "character 2", "P\\": "character 2", "𝐏": "mathematical bold capital p", "Р": "cyrillic capital letter er",
    "P\u200b": "zero width space", "P − P": "is typed as -", "φ(k, j)": "is typed as phi",
    "P\u202e": "right-to-left override", "\ud800": "u+d800", "z @ z.T * z": "element by element",
    "P * P": "element by element", "1 / P": "only a number can be a divisor",
    "P + 1": "only matrices of the same shape",
    "P @ z.T": "cannot be multiplied", "stack(P, z)": "same number of columns", "tilde(z)": "vectors of three",
    "inv(z)": "square",
    "least(G @ H, z)": "symmetric", "cross(z, z)": "vectors of three",
}  # fmt: skip
"""Text -> words of the refusal."""
SOON = 0.15


@pytest.fixture(scope="module")
def reading() -> Reading:
    system, state = dyn.example("puma560")
    found = dyn.read_textbook(system, system.state(q=state.q, qd=np.full(6, 0.4)), np.ones(6))
    attempt(found, KEY, "P")  # what is worked out once for all is worked out now
    return found


def test_whatever_is_no_line_is_refused_by_name_and_soon(reading: Reading) -> None:
    for text, words in ATTACKS.items():
        before = time.thread_time()
        found = attempt(reading, KEY, text)
        assert time.thread_time() - before < 10 * SOON, text
        assert found.verdict == "refused", text
        assert words in found.words, (text, found.words)
        assert 0 <= found.start <= found.end <= len(text), text
        assert found.value is None, text


PIECES = [
    *("P", "P[k]", "H", "G", "z", "D", "phi(k, j)", "phi", "k", "1", "2.5", "1e9", "I", "j", "tau", "M", "__class__"),
    *(" + ", " - ", " * ", " / ", " @ ", ".T", ".real", "(", ")", "[", "]", ", ", "**", ":", ":=", "lambda x: ", "'"),
    *("sum(", " for j in outboard(k)", " if ", "solve(", "inv(", "stack(", "tilde(", "null(", "least(", "cross(", "="),
]


@settings(max_examples=100)
@given(st.one_of(st.text(max_size=LONGEST + 20), st.lists(st.sampled_from(PIECES), max_size=30).map("".join)))
@example("sum(z for j in outboard(k))")
@example("least(P, z) - solve(P, z)")
@example("inv(P - P)")
@example("1 / (D - D)")
def test_whatever_is_typed_is_judged(reading: Reading, text: str) -> None:
    found = attempt(reading, KEY, text)
    assert found.verdict in ("empty", "refused", "misfit", "wrong", "elsewhere", "right")
    assert (found.verdict == "refused") <= bool(found.words)
    if found.verdict in ("wrong", "elsewhere", "right"):
        assert found.value.shape == (6, 6)


def test_bounds_hold_where_they_are_met(reading: Reading) -> None:
    written("-" * (DEEPEST - 1) + "P")
    with pytest.raises(LineError, match="nested"):
        written("-" * DEEPEST + "P")
    with pytest.raises(LineError, match="parts"):
        written("+".join("(" + "@".join(["(H@H)"] * 12) + ")" for _ in range(3)))
    written("P" + " " * (LONGEST - 1))
    with pytest.raises(LineError, match="at most"):
        written("P" + " " * LONGEST)
    column = np.ones((500, 1))
    with pytest.raises(LineError, match="entries"):
        Interpreter(written("z @ z.T"), {"z": column}).value()
    assert ast.unparse(written(" D[k] = H @ P @ H.T", "D").node) == "H @ P @ H.T"
    with pytest.raises(LineError, match="computes D, not G") as refused:
        written("G = P", "D")
    assert (refused.value.start, refused.value.end) == (0, 1)
    sized = Interpreter(written("P - P"), SCOPE, operand=SizedMatrix.of).value()
    assert not sized.value.any()
    assert np.array_equal(sized.size, 2.0 * SCOPE["P"])
    # A diagonal so small that what stands beside it overflows: LAPACK would find no eigenvalues.
    beside = "stack(stack(O, I).T, stack(I, O).T) + stack(stack(I, O).T, stack(O, I).T) * 1e-310"
    for function in ("null({0})", "least({0}, {0})"):
        assert attempt(reading, KEY, function.format(beside)).verdict in ("refused", "misfit")


SCOPE = {
    "P": np.array([[2.0, 1.0], [1.0, 3.0]]), "z": np.array([[1.0], [-2.0]]), "D": np.array([[4.0]]),
    "p": np.array([[1.0], [2.0], [3.0]]), "g": np.array([[0.0], [1.0], [-1.0]]),
}  # fmt: skip
VALUES_OF = {
    "P @ z - z / D": SCOPE["P"] @ SCOPE["z"] - SCOPE["z"] / 4.0, "-P.T * 2": -2.0 * SCOPE["P"].T,
    "solve(P, z)": np.linalg.solve(SCOPE["P"], SCOPE["z"]), "inv(P)": np.linalg.inv(SCOPE["P"]),
    "least(P, z)": np.linalg.solve(SCOPE["P"], SCOPE["z"]), "transpose(z)": SCOPE["z"].T,
    "stack(z, z)": np.concatenate([SCOPE["z"]] * 2),
    "cross(p, g)": np.cross(SCOPE["p"][:, 0], SCOPE["g"][:, 0])[:, None],
    "tilde(p) @ g": np.cross(SCOPE["p"][:, 0], SCOPE["g"][:, 0])[:, None], "+D": SCOPE["D"],
}  # fmt: skip


def test_every_function_and_operator_comes_to_its_value() -> None:
    assert all(f"{name}(" in " ".join([*VALUES_OF, "null("]) for name in FUNCTIONS)
    for text in (*VALUES_OF, "null(z @ z.T)"):
        value = Interpreter(written(text), SCOPE).value()
        sized = Interpreter(written(text), SCOPE, operand=SizedMatrix.of).value()
        assert np.array_equal(sized.value, value), text
        assert np.all(sized.size >= np.abs(value) * (1.0 - 1e-12)), text
        if text in VALUES_OF:
            assert np.allclose(value, VALUES_OF[text], rtol=1e-13, atol=0.0), text
        else:
            assert value.shape == (2, 1)
            assert np.abs(SCOPE["z"].T @ value).max() < 1e-12


@settings(max_examples=300)
@given(st.lists(
    st.sampled_from([*"12.'\"@+([])}{:,_jP ", "0x", "1e", "or", "and", "for", "in", "is", "if", "else", "not", "f'"]),
    max_size=10,
))  # fmt: skip
def test_the_parser_warns_of_nothing_that_is_typed(parts: list[str]) -> None:
    with warnings.catch_warnings(record=True) as told, contextlib.suppress(LineError):
        warnings.simplefilter("always")
        written("".join(parts))
    assert not told
