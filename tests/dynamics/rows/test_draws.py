"""Points of the unit cube: the same in any order of requests, and spread as their name says."""

import numpy as np
from scipy import stats
from scipy.stats import qmc

from dynamics.rows.draws import SAMPLES, TOGETHER, Draws

COUNT = 3000


def test_any_run_of_points_is_a_part_of_the_whole() -> None:
    for sample in SAMPLES:
        draws = Draws(sample, COUNT, 5, seed=3)
        whole = draws.points(0, COUNT)
        assert whole.shape == (COUNT, 5)
        assert whole.min() >= 0.0
        assert whole.max() < 1.0
        for first, count in ((0, 0), (0, 1), (1, 7), (1000, 100), (1023, 2), (1024, 1024), (COUNT - 1, 1)):
            assert (draws.points(first, count) == whole[first : first + count]).all(), sample
        one, other = (Draws(sample, 64, 2, seed).points(0, 64) for seed in (0, 1))
        assert (one != other).all(axis=1).mean() > 0.9, sample


def test_random_points_and_latin_hypercubes_are_spread_as_their_names_say() -> None:
    points = Draws("random", 20_000, 3, 0).points(0, 20_000)
    for axis in points.T:
        assert stats.kstest(axis, "uniform").pvalue > 1e-3
    assert np.abs(np.corrcoef(points.T) - np.eye(3)).max() < 0.03
    for count in (1, 2, 3, 1000, 1025):
        points = Draws("latin_hypercube", count, 3, 0).points(0, count)
        for axis in points.T:
            assert sorted(np.floor(axis * count).astype(int)) == list(range(count)), count
        if count > 100:
            assert np.abs(np.corrcoef(points.T) - np.eye(3)).max() < 0.12


def test_sobols_points_are_scipys() -> None:
    for count, dimensions in ((256, 4), (TOGETHER, 1), (2**15, 3)):
        own = Draws("sobol", count, dimensions, 7).points(0, count)
        reference = qmc.Sobol(dimensions, scramble=True, seed=np.random.default_rng(7)).random(count)
        assert (own == reference).all(), count
