"""Samples are exact while they fit, and lose no extreme when they no longer do."""

from __future__ import annotations

import numpy as np
import pytest

from app.sampling.curves import CAPACITY, Curves, Pair, extremes

TRACE = ("some", "thing")
INTERVAL = 0.01


def fed(values: np.ndarray, capacity: int = CAPACITY) -> Curves:
    curves = Curves(INTERVAL, capacity)
    for k, value in enumerate(values):
        assert curves.instants == k
        curves.append(k * INTERVAL, {TRACE: np.array([[value]])})
    return curves


def test_memory_is_bounded_and_a_spike_survives(subtests: pytest.Subtests) -> None:
    for count in [1200, 9000]:
        with subtests.test(count=count):
            values = np.sin(np.arange(count) * 1e-3)
            values[137], values[count // 2] = 50.0, -70.0
            curves = fed(values)
            assert len(curves) <= CAPACITY
            kept = curves.column(TRACE)[:, 0, 0]
            assert kept.max() == 50.0
            assert kept.min() == -70.0
            assert np.all(np.diff(curves.times) > 0.0)
            width = 2 * curves.stride * INTERVAL
            assert curves.times[np.argmax(kept)] == pytest.approx(1.37, abs=width)
            assert curves.times[-1] == pytest.approx(count * INTERVAL, abs=2 * width)


def test_thinned_samples_are_the_envelope_of_all_instants() -> None:
    values = np.random.default_rng(5).normal(size=6000)
    curves = fed(values)
    kept, stride = curves.column(TRACE)[:, 0, 0], curves.stride
    for pair in range(len(kept) // 2):
        covered = values[pair * 2 * stride : (pair + 1) * 2 * stride]
        low, high = sorted(kept[2 * pair : 2 * pair + 2])
        assert (low, high) == (covered.min(), covered.max())
        rises = np.argmin(covered) < np.argmax(covered)
        assert (kept[2 * pair] <= kept[2 * pair + 1]) == rises


def test_each_line_has_its_own_extremes() -> None:
    values = np.random.default_rng(7).normal(size=(40, 3, 2))
    low, high = np.sort(extremes(values), axis=0)
    np.testing.assert_array_equal(low, values.min(axis=0))
    np.testing.assert_array_equal(high, values.max(axis=0))
    pair = Pair(values[0])
    for value in values[1:]:
        pair.widen(value)
    np.testing.assert_array_equal(pair.ends, extremes(values))


def test_a_trace_chosen_later_is_filled_at_the_same_times(subtests: pytest.Subtests) -> None:
    for count in [50, 3000]:
        with subtests.test(count=count):
            late = ("another", "thing")
            curves = fed(np.arange(float(count)))
            while curves.filled(late) < len(curves):
                looks = curves.looks(curves.filled(late))
                curves.fill(late, np.array(looks)[:, None, None])
            found = curves.column(late)[:, 0, 0]
            np.testing.assert_allclose(found, curves.times, atol=2 * curves.stride * INTERVAL)
            curves.append(curves.instants * INTERVAL, {TRACE: np.ones((1, 1)), late: np.ones((1, 1))})


def test_the_past_of_a_branch() -> None:
    curves = fed(np.arange(100.0))
    past = curves.until(0.5)
    np.testing.assert_array_equal(past.column(TRACE)[:, 0, 0], np.arange(50.0))
    past.append(0.5, {TRACE: np.array([[-1.0]])})
    assert curves.column(TRACE)[50, 0, 0] == 50.0
