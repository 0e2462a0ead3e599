"""What is kept of draws, however many: sums of products, from which every sample covariance follows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Draws(Protocol):
    """As ``dynamics.operators.sample_estimation`` returns them, one row a draw."""

    @property
    def innovation(self) -> Array: ...
    @property
    def measured(self) -> Array: ...
    @property
    def prediction_error(self) -> Array: ...
    @property
    def corrected_error(self) -> Array: ...
    @property
    def smoothed_error(self) -> Array: ...


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums over draws; their means are known to be zero, so that products alone give covariances.

    Attributes:
        count: how many draws.
        innovation: (joints,), of innovations.
        innovations, measured: (joints, joints), of products of innovations, and of measurements.
        prediction, corrected, smoothed: (links, 6, 6), of products of errors at each link.
    """

    count: int
    innovation: Array
    innovations: Array
    measured: Array
    prediction: Array
    corrected: Array
    smoothed: Array

    def __add__(self, other: Sums) -> Sums:
        return Sums(
            self.count + other.count,
            self.innovation + other.innovation,
            self.innovations + other.innovations,
            self.measured + other.measured,
            self.prediction + other.prediction,
            self.corrected + other.corrected,
            self.smoothed + other.smoothed,
        )

    @property
    def mean(self) -> Array:
        """(joints,), of innovations."""
        return self.innovation / self.count

    @property
    def variance(self) -> Array:
        """(joints,), of innovations about zero."""
        return np.diag(self.innovations) / self.count

    def covariance(self, error: str, link: int) -> Array:
        """(6, 6), of an error at a link: ``prediction``, ``corrected`` or ``smoothed``."""
        products: Array = getattr(self, error)[link]
        return products / self.count


def sums_of(drawn: Draws) -> Sums:
    """The sums of one slice."""
    return Sums(
        len(drawn.innovation),
        drawn.innovation.sum(axis=0),
        drawn.innovation.T @ drawn.innovation,
        drawn.measured.T @ drawn.measured,
        *(_products(error) for error in (drawn.prediction_error, drawn.corrected_error, drawn.smoothed_error)),
    )


def _products(errors: Array) -> Array:
    by_link = errors.transpose(1, 2, 0)
    return by_link @ by_link.transpose(0, 2, 1)
