"""One text serves a number and a register of eight: each entry of a table as its dimensions say."""

from __future__ import annotations

import numpy as np

from dynamics.compiler.compiled import kernel
from dynamics.numbers.fields import at, like, positive, put, sine_cosine
from dynamics.numbers.sine_cosine import LARGEST_ANGLE
from dynamics.numbers.small_matrices import invert_packed, solve_packed
from dynamics.numbers.spatial import get21, put21
from dynamics.numbers.vector import get3, put3


@kernel
def every_function(rows):
    """Row 1 from row 0: what every sweep is made of."""
    v = at(rows, 0, 0)
    put(rows, 1, 0, like(2.0, v) * v - like(1.0, v) / positive(v))
    put(rows, 1, 1, 3.0)
    s, c = sine_cosine(v)
    put(rows, 1, 2, s)
    put(rows, 1, 3, c)
    put(rows, 1, 4, -v)
    p, (x, y, z) = get21(rows, 0, 3), get3(rows, 0, 0)
    put21(rows, 1, 5, invert_packed(p))
    angular, linear = solve_packed(p, (x, y, z), (z, x, y))
    put3(rows, 1, 26, angular)
    put3(rows, 1, 29, linear)


def drawn() -> np.ndarray:
    """(2, 32, 8), eight states; the packed matrix of all but the last is positive."""
    rng = np.random.default_rng(6)
    rows = np.zeros((2, 32, 8))
    rows[0] = rng.uniform(0.1, 2.0, (32, 8))
    rows[0, 0, 1] = -1.0
    for i in range(8):
        half = rng.normal(size=(6, 6))
        matrix = half @ half.T - 20.0 * (i == 7) * np.eye(6)
        upper = (matrix[:3, :3][np.triu_indices(3)], matrix[:3, 3:].ravel(), matrix[3:, 3:][np.triu_indices(3)])
        rows[0, 3:24, i] = np.concatenate(upper)
    return rows


def test_eight_states_are_each_a_single_one() -> None:
    block = drawn()
    every_function(block)
    for i in range(8):
        one = np.ascontiguousarray(drawn()[:, :, i])
        every_function(one)
        np.testing.assert_allclose(block[:, :, i], one, rtol=1e-12, atol=1e-15)
    assert np.isnan(block[1, 0, 1])
    assert np.isnan(block[1, 5, 7])
    assert np.isfinite(np.delete(block[1, 0], 1)).all()
    # An angle that is too large is refused for its state alone.
    rows = np.zeros((2, 32, 8))
    rows[0, 0, 3], rows[0, 3:24] = 1.01 * LARGEST_ANGLE, 1.0
    every_function(rows)
    assert np.isnan(rows[1, 2, 3])
    assert np.isfinite(np.delete(rows[1, 2], 3)).all()


def test_numbers_compiled_and_plain() -> None:
    compiled, plain = (np.ascontiguousarray(drawn()[:, :, 0]) for _ in range(2))
    every_function(compiled)
    getattr(every_function, "py_func", every_function)(plain)
    np.testing.assert_allclose(plain, compiled, rtol=1e-12, atol=1e-15)


def test_plain_entries_of_a_block() -> None:
    block = drawn()
    entry = at(block, 0, 0)
    np.testing.assert_array_equal(positive(entry), np.where(entry > 0.0, entry, np.nan))
    np.testing.assert_array_equal(like(2.0, entry), np.full(8, 2.0))
    put(block, 0, 0, 3.0)
    assert entry[0] != 3.0  # what was read is no view of the table
    np.testing.assert_array_equal(at(block, 0, 0), np.full(8, 3.0))
