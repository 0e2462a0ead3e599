"""The answer: the smallest machine at which the two still part, both numbers there, and itself as a file."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dynamics.beside.comparison import Comparison
from dynamics.checks import Array, brief
from dynamics.errors import StateError
from dynamics.files.written import written
from dynamics.minimal.as_python import python_of
from dynamics.public import public
from dynamics.record import Record
from dynamics.system.state import State
from dynamics.system.system import System


@dataclass(frozen=True, eq=False)
class MinimalReproduction(Record):
    """The smallest machine and the roundest numbers at which two algorithms still part; ``str`` says it in words.

    Attributes:
        system: the machine.
        state: of it.
        tau: (joints,), N m or N, tip to base.
        external_forces: (links + 1, 6), as ``forward_dynamics`` takes them.
        theirs: arrays by name, as the other algorithm gives them here.
        ours: ours under the same names in the same convention, links or joints numbered likewise; a symmetric matrix
            whole or packed as theirs is.
        comparison: what ``compare`` says of it: the same first stage as of the machine in the beginning, and the same
            causes; where none was known there, one may be here.
        links: how many links that had.
        calls: how often the other algorithm was asked.
        failed: how often it raised, so that a smaller machine was not taken.
        is_smallest: whether nothing can be left out or made rounder; not so where the calls ran out.
        name: how the other algorithm is called, where it has a name.
    """

    system: System
    state: State
    tau: Array
    external_forces: Array
    theirs: Mapping[str, Array]
    ours: Mapping[str, Array]
    comparison: Comparison
    links: int
    calls: int
    failed: int
    is_smallest: bool
    name: str

    def __str__(self) -> str:
        few = f"{self.system.n_links} of {self.links} links are left, after {self.calls} calls"
        said = [f"{few}; nothing can be left out or made rounder." if self.is_smallest else f"{few}, which ran out."]
        if self.failed:
            said.append(f"On {self.failed} other machines your function raised an error; they were not taken.")
        return "\n".join([*said, *self.comparison.difference_in_words])

    def to_python(self) -> str:
        """A short program that makes the machine and compares: NumPy and ``dynamics`` are all that it needs.

        Returns:
            Its text; each number in it is exact.

        Cost: none.
        """
        return python_of(self)

    @public
    def save(self, path: str | Path) -> None:
        """Writes it as a file, whole or not at all.

        Args:
            path: ending in ``.py``, for the program; in ``.npz`` or ``.json``, for their arrays by name, as ``compare``
                reads them.

        Raises:
            StateError: for another ending, or what the system has against it.

        Cost: that of writing some kB.
        """
        ending = Path(path).suffix.lower() if isinstance(path, str | Path) else ""
        makers = {".py": self._program, ".npz": self._packed, ".json": self._listed}
        if ending not in makers:
            raise StateError(f"path is {brief(path)}; expected that of a file that ends in {', '.join(makers)}.")
        data = makers[ending]()
        with written(path) as beside:
            beside.write_bytes(data)

    def _program(self) -> bytes:
        return self.to_python().encode()

    def _packed(self) -> bytes:
        packed = io.BytesIO()
        np.savez(packed, **self.theirs)  # type: ignore[arg-type]
        return packed.getvalue()

    def _listed(self) -> bytes:
        return json.dumps({name: array.tolist() for name, array in self.theirs.items()}).encode()
