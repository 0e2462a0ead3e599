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
from dynamics.exercise import attempt
from dynamics.reading import Reading
from dynamics.typed.grammar import DEEPEST, FUNCTIONS, LONGEST, written
from dynamics.typed.interpreter import Interpreter, SizedMatrix
from tests.dynamics.typed.attacks import ATTACKS

KEY = "inward_filter.correction.P_plus"
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
