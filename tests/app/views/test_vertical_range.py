"""A spike does not flatten the rest, and is told of."""

from __future__ import annotations

import numpy as np
import pytest

from app.views.plots.vertical_range import decades, vertical_range

TIMES = np.linspace(0.0, 10.0, 601)
WAVE = np.sin(TIMES)[:, None]


def test_a_wave_is_wholly_in_sight() -> None:
    found = vertical_range(TIMES, WAVE)
    assert found.start < WAVE.min()
    assert found.end > WAVE.max()
    assert found.above is None
    assert found.below is None


def test_a_spike_is_cut_off_and_told() -> None:
    values = WAVE.copy()
    values[246] = 3.2e4
    found = vertical_range(TIMES, values)
    assert found.end < 10.0
    assert found.above is not None
    assert (found.above.value, found.above.time) == (3.2e4, pytest.approx(4.1))
    assert found.below is None
    assert vertical_range(TIMES, values, full=True).end > 3.2e4


def test_a_spike_below() -> None:
    values = np.hstack([WAVE, WAVE])
    values[100, 1] = -500.0
    found = vertical_range(TIMES, values)
    assert found.start > -10.0
    assert found.below is not None
    assert found.below.value == -500.0


@pytest.mark.parametrize("values", [np.full((601, 2), 3.0), np.full((601, 2), np.nan), np.zeros((0, 3)), 0.0 * WAVE])
def test_flat_and_empty_lines_have_a_range(values: np.ndarray) -> None:
    found = vertical_range(TIMES[: len(values)], values)
    assert found.start < found.end
    assert np.isfinite([found.start, found.end]).all()


@pytest.mark.parametrize(("start", "end"), [(-3.2, 4.1), (0.1, 0.9), (-0.02, 0.03), (-12.0, 12.0), (1.2, 3.4)])
def test_decades_are_few_and_say_what_they_are(start: float, end: float) -> None:
    ticks = decades(start, end)
    assert 2 <= len(ticks) <= 6
    for at, text in ticks.items():
        assert start <= at <= end
        assert float(text.replace("−", "-")) == pytest.approx(10.0**at, rel=1e-2)
