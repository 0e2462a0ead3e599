"""Points of the unit cube, numbered: any run of them is the same, whoever asks for it and whatever was asked before."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.stats import qmc

from dynamics.checks import Array
from dynamics.errors import ModelError
from dynamics.record import Record

SAMPLES = ("random", "sobol", "latin_hypercube")
TOGETHER = 1024
"""Points that share a random generator."""
ROUNDS = 6
BITS = 30
"""Of a coordinate of Sobol's points."""
MOST = 2**29
"""Points of a study, as many as Sobol's sequence has at SciPy's resolution."""


@dataclass(frozen=True)
class Draws(Record):
    """Points of the unit cube.

    Attributes:
        sample: ``random``; ``sobol``, scrambled; ``latin_hypercube``, a point in each of ``count`` slices of an axis.
        count: how many there are.
        dimensions: of the cube.
        seed: which of all such samples.
    """

    sample: str
    count: int
    dimensions: int
    seed: int

    def points(self, first: int, count: int) -> Array:
        """(count, dimensions) from the point ``first`` on, each in [0, 1)."""
        if not self.dimensions:
            return np.zeros((count, 0))
        if self.sample == "sobol":
            return self._sobol(first, count)
        found = self._random(first, count)
        if self.sample == "latin_hypercube":
            numbers = np.arange(first, first + count, dtype=np.uint64)
            for axis, keys in enumerate(self._keys()):
                found[:, axis] = (shuffled(numbers, self.count, keys) + found[:, axis]) / self.count
            np.minimum(found, np.nextafter(1.0, 0.0), out=found)
        return found

    def _random(self, first: int, count: int) -> Array:
        """Each run of ``TOGETHER`` points from its own generator, spawned from the seed."""
        start, stop = first // TOGETHER, -(-(first + count) // TOGETHER)
        found = np.empty((stop - start, TOGETHER, self.dimensions))
        for at, part in enumerate(found, start):
            np.random.Generator(np.random.PCG64(np.random.SeedSequence(self.seed, spawn_key=(at,)))).random(out=part)
        rest = first - start * TOGETHER
        return found.reshape(-1, self.dimensions)[rest : rest + count]

    def _sobol(self, first: int, count: int) -> Array:
        """A run of ``TOGETHER`` points is the first one with some digits turned: which, says the number of the run.

        The sequence need not be gone through for it: a point's digits are sums, without carrying, over those of its
        number in Gray's code (Antonov and Saleev 1979), and so are those of any such run's beginning.
        """
        lowest, turned = _sobol_digits(self.dimensions, self.seed, self.count)
        runs = np.arange(first // TOGETHER, -(-(first + count) // TOGETHER))
        found = np.tile(lowest, (len(runs), 1, 1))
        for bit, digits in enumerate(turned):
            found[runs >> bit & 1 > 0] ^= digits
        rest = first % TOGETHER
        return found.reshape(-1, self.dimensions)[rest : rest + count].astype(float) * 2.0**-BITS

    def _keys(self) -> NDArray[np.uint64]:
        """(dimensions, rounds): how each axis is shuffled."""
        words = np.random.SeedSequence(self.seed).generate_state(self.dimensions * ROUNDS, np.uint64)
        return np.asarray(words, dtype=np.uint64).reshape(self.dimensions, ROUNDS)


@lru_cache(maxsize=4)  # of a study, and of those beside it
def _sobol_digits(dimensions: int, seed: int, count: int) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Digits of Sobol's first points, (``TOGETHER``, dimensions); and which of them each bit of a run's number turns.

    Raises:
        ModelError: for more axes than the sequence has.
    """
    try:
        sequence = qmc.Sobol(dimensions, scramble=True, bits=BITS, seed=np.random.default_rng(seed))
    except ValueError as cause:
        raise ModelError(f"over: {dimensions} variables are more than Sobol's sequence has axes.") from cause
    lowest, beginnings, at = sequence.random(TOGETHER), [np.empty((0, dimensions))], TOGETHER
    while at < count:
        beginnings.append(sequence.random(1))
        sequence.fast_forward(at - 1)
        at *= 2
    lowest, begun = ((2.0**BITS * shares).astype(np.uint32) for shares in (lowest, np.concatenate(beginnings)))
    return lowest, begun ^ lowest[0]


def shuffled(numbers: NDArray[np.uint64], count: int, keys: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Where a permutation of ``count`` puts these numbers, without a table of it.

    Feistel's network permutes the numbers of as many bits as are needed; what it puts beyond ``count`` goes through it
    once more, until it is not.
    """
    half = np.uint64(max((count - 1).bit_length() + 1, 2) // 2)
    mask = (np.uint64(1) << half) - np.uint64(1)
    found = numbers.copy()
    astray = np.ones(len(found), dtype=bool)
    while astray.any():
        left, right = found[astray] >> half, found[astray] & mask
        for key in keys:
            left, right = right, left ^ (_mixed(right ^ key) & mask)
        found[astray] = left << half | right
        astray = found >= count
    return found


def _mixed(bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Every bit of the result hangs on every bit: the last steps of SplitMix64."""
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))
