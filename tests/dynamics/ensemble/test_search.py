"""The least of a function by search: of several numbers the least, or the largest; and what changes nothing."""

from __future__ import annotations

import numpy as np
import pytest

from dynamics.checks import Array
from dynamics.ensemble.cost import Cost
from dynamics.ensemble.search import _moving, least

D = 8


def bowls(shares: Array) -> Array:
    """A wide one, and a narrow one that lies under it almost everywhere and is deeper."""
    wide = ((shares - 0.3) ** 2).sum(axis=1) - 1.0
    narrow = 30.0 * ((shares - 0.8) ** 2).sum(axis=1) - 1.5
    return np.stack([wide, narrow], axis=1)


@pytest.mark.parametrize("seed", range(5))
def test_each_of_several_numbers_goes_downhill_by_itself(seed: int) -> None:
    found = least(bowls, D, 2000, np.random.default_rng(seed))
    assert found.evaluations <= 2000
    assert found.value == pytest.approx(-1.5, abs=1e-8)
    np.testing.assert_allclose(found.shares, 0.8, atol=1e-4)


@pytest.mark.parametrize("seed", range(5))
def test_the_largest_of_several_is_least_at_an_edge(seed: int) -> None:
    """The least distance, along the worst axis, from a point: any slope but the last leads away."""
    middle = np.random.default_rng([seed, 16]).uniform(0.2, 0.8, D)
    weight = np.arange(1.0, D + 1.0)

    def sides(shares: Array) -> Array:
        away = weight * (shares - middle)
        return np.concatenate([away, -away], axis=1)

    found = least(sides, D, 2000, np.random.default_rng(seed), by_least=False)
    assert found.evaluations <= 2000
    assert 0.0 <= found.value < 1e-6
    np.testing.assert_allclose(found.shares, middle, atol=1e-6)


def test_what_changes_nothing_is_held() -> None:
    """Of twenty variables two count: those are found, and no slope is paid for of the others."""

    def of_two(shares: Array) -> Array:
        return (shares[:, [4]] - 0.3) ** 2 + (shares[:, [11]] - 0.6) ** 2

    random = np.random.default_rng(3)
    drawn, cost = random.random((50, 20)), Cost(of_two, 1000, True)
    entries = cost.entries(drawn)
    assert np.flatnonzero(_moving(cost, drawn, entries, random)).tolist() == [4, 11]
    asked: list[Array] = []

    def counted(shares: Array) -> Array:
        asked.append(shares)
        return of_two(shares)

    found = least(counted, 20, 800, np.random.default_rng(1))
    assert found.value < 1e-12
    assert found.shares.shape == (20,)
    assert len({tuple(row) for row in np.concatenate(asked[5:])[:, :4].tolist()}) == 1


def test_what_is_refused_everywhere_is_an_answer_all_the_same() -> None:
    for by_least in (True, False):
        with np.errstate(invalid="ignore"):  # as whoever calls it does
            found = least(lambda shares: np.full((len(shares), 2), np.nan), 3, 50, np.random.default_rng(0), by_least)
        assert (found.value, found.shares.shape, found.settled) == (np.inf, (3,), False)
