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


@pytest.mark.parametrize("before", [0.0, 1e-9, 0.3])
@pytest.mark.parametrize("samples", [3, 6, 16])
def test_a_fall_is_in_sight_from_its_beginning_to_long_after(before: float, samples: int) -> None:
    """What has been let go falls for a quarter of a second of ten, and one line of six says so."""
    values = before * np.hstack([WAVE, -WAVE, 0.5 * WAVE] * 2)
    values[300 : 300 + samples, 5] = -9.81
    so_far = vertical_range(TIMES[: 300 + samples], values[: 300 + samples])
    assert so_far.start < -9.81
    assert so_far.below is None
    if samples > 5:
        values[300 + samples :] = 0.0
        values[300 + samples + 20, 1] = 4e3  # a blow remains one
        whole = vertical_range(TIMES, values)
        assert whole.start < -9.81
        assert whole.end < 50.0
        assert whole.above is not None


def test_a_smooth_peak_is_still_cut_off_and_so_is_one_beside_what_is_not_known() -> None:
    values = WAVE + 300.0 * np.exp(-(((TIMES - 4.0) / 0.03) ** 2))[:, None]
    assert vertical_range(TIMES, values).end < 100.0
    values = WAVE.copy()
    values[100:105] = [[np.nan], [7e3], [7e3], [np.nan], [7e3]]
    assert vertical_range(TIMES, values).end < 100.0


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


def test_nothing_but_rounding_has_the_axis_of_zero() -> None:
    for size in (0.0, 3e-13):
        found = vertical_range(TIMES, size * np.sin(np.arange(len(TIMES)))[:, None])
        assert (found.start, found.end, found.above, found.below) == (-1.0, 1.0, None, None)
    small = vertical_range(TIMES, 1e-9 * np.sin(np.arange(len(TIMES)))[:, None])
    assert 1e-9 < small.end < 1.5e-9


@pytest.mark.parametrize("rest", [0.0, 3.0])
def test_a_peak_beside_which_all_else_is_flat_is_shown_whole(rest: float) -> None:
    """A box that is let go falls for a fifth of a second and lies: its momentum is all that there is to see."""
    values = np.full((601, 3), rest) + 1e-13 * WAVE[:, :1]
    values[:4, 2] = [0.0, -2.6, -6.0, -9.1]
    found = vertical_range(TIMES, values)
    assert found.start < -9.1
    assert (found.above, found.below) == (None, None)
