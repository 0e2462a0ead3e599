"""Sums over runs of rows, held against NumPy on the same numbers."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import dynamics as dyn
from dynamics.ensemble.distribution import Distribution, Tally, part_of

RNG = np.random.default_rng(0)
SAMPLES = {
    "normal": RNG.normal(3.0, 2.0, 10_000),
    "far apart": 10.0 ** RNG.uniform(-280.0, 280.0, 5000) * RNG.choice([-1.0, 1.0], 5000),
    "small about a large number": 1e9 + RNG.normal(0.0, 1e-3, 5000),
    "all the same": np.full(3000, -7.5),
    "with zeros": np.where(RNG.random(4000) < 0.5, 0.0, RNG.normal(0.0, 1e-310, 4000)),
    "one": np.array([4.0]),
}


def tallied(values: NDArray[np.float64], run: int = 512) -> Distribution:
    tally = Tally("number", worst=5)
    for first in range(0, len(values), run):
        part = values[first : first + run]
        with np.errstate(over="ignore"):
            tally.add(part_of(first, part, 64, worst=5))
    return tally.distribution()


@pytest.mark.parametrize("name", SAMPLES)
def test_moments_and_ends_are_numpys(name: str) -> None:
    values = SAMPLES[name]
    found = tallied(values)
    assert found.count == len(values)
    assert found.mean == pytest.approx(values.mean(), rel=1e-13, abs=1e-300)
    if name != "far apart":  # whose squares are no numbers
        assert found.variance == pytest.approx(values.var(ddof=min(1, len(values) - 1)), rel=1e-7, abs=1e-300)
        assert found.deviation**2 == pytest.approx(found.variance)
    rows = np.arange(len(values))
    falling, rising = np.lexsort((rows, -values))[:5], np.lexsort((rows, values))[:5]
    assert found.largest == tuple((row, values[row]) for row in falling)
    assert found.smallest == tuple((row, values[row]) for row in rising)
    assert (found.minimum, found.maximum) == (values.min(), values.max())


@pytest.mark.parametrize("name", SAMPLES)
def test_quantiles_are_within_one_percent_of_a_neighbor(name: str) -> None:
    values, found = np.sort(SAMPLES[name]), tallied(SAMPLES[name])
    for share in (0.0, 0.01, 0.25, 0.5, 0.9, 0.999, 1.0):
        near = values[int(share * (len(values) - 1))]
        assert found.quantile(share) == pytest.approx(near, rel=0.01, abs=1e-300)


def test_rows_without_a_number_do_not_count() -> None:
    values = SAMPLES["normal"].copy()
    values[::3] = np.nan
    found, left = tallied(values), values[~np.isnan(values)]
    assert found.count == len(left)
    assert found.mean == pytest.approx(left.mean())
    assert values[found.largest[0][0]] == left.max()


def test_a_spread_beyond_all_numbers_is_infinite() -> None:
    found = tallied(1e200 * SAMPLES["normal"])
    assert found.variance == found.deviation == np.inf
    assert found.mean == pytest.approx(1e200 * SAMPLES["normal"].mean())


@pytest.mark.parametrize("share", [-0.1, 1.1, np.nan, "0.5", None])
def test_what_is_no_share_is_refused(share: object) -> None:
    with pytest.raises(dyn.StateError, match="share"):
        tallied(SAMPLES["normal"]).quantile(share)  # type: ignore[arg-type]
