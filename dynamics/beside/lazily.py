"""Letters of a run, each made when it is first asked for: whoever sees at the first that a run is none asks no more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

import numpy as np

from dynamics.checks import Array

Maker = Callable[[], Mapping[str, Array]]


class Lazily(Mapping[str, Array]):
    """What is there, and what can be made."""

    def __init__(self, known: Mapping[str, Array]) -> None:
        self._known, self._makers = dict(known), dict[str, Maker]()

    def later(self, letters: Iterable[str], make: Maker) -> None:
        """Letters that come of one another, made together."""
        self._makers |= dict.fromkeys(letters, make)

    def __getitem__(self, letter: str) -> Array:
        if letter not in self._known:
            with np.errstate(all="ignore"):
                self._known |= self._makers[letter]()
        return self._known[letter]

    def __iter__(self) -> Iterator[str]:
        return iter(self._known | self._makers)

    def __len__(self) -> int:
        return len(self._known | self._makers)
