"""Lines of numbers as text: a name, a label, the values and how far each may move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

FOLDER = Path(__file__).parent
SEPARATOR = "  "
LONGEST = 14
"""Numbers of a vector that are written one by one; of a longer one, its size and a weighted sum."""
MANY = 9
"""Rows of an array that are written one by one."""


@dataclass(frozen=True)
class Line:
    """Values under a name and a label; one absolute tolerance for all of them, or one each."""

    name: str
    label: str
    values: tuple[float, ...]
    tolerances: tuple[float, ...]

    @property
    def text(self) -> str:
        numbers = " ".join(f"{value:.12g}" for value in self.values)
        each = self.tolerances if len(set(self.tolerances)) > 1 else self.tolerances[:1]
        return SEPARATOR.join([self.name, self.label, numbers, " ".join(f"{one:.1e}" for one in each)])

    @classmethod
    def read(cls, text: str) -> Line:
        name, label, *both = text.split(SEPARATOR)
        numbers, tolerances = (tuple(map(float, part.split())) for part in both)
        return cls(name, label, numbers, tolerances)

    def differs(self, found: Line | None) -> bool:
        """Whether the values found are not these, within the tolerance."""
        if found is None or len(found.values) != len(self.values):
            return True
        mine, other = np.array(self.values), np.array(found.values)
        rounding = 1e-11 * np.abs(mine)  # of twelve digits
        with np.errstate(invalid="ignore"):
            near = np.abs(mine - other) <= np.array(self.tolerances) + rounding
        return not bool(np.all(near | (mine == other) | (np.isnan(mine) & np.isnan(other))))


@dataclass
class Ledger:
    """Lines in order. A label that comes again under the same name is numbered."""

    lines: list[Line] = field(default_factory=list)
    _seen: dict[tuple[str, str], int] = field(default_factory=dict)

    def line(self, name: str, label: object, values: ArrayLike, tolerances: ArrayLike) -> None:
        """One line of numbers with an absolute tolerance, or one each."""
        label = " ".join(str(label).split()) or "-"
        count = self._seen[name, label] = self._seen.get((name, label), 0) + 1
        label = label if count == 1 else f"{label} #{count}"
        numbers = np.asarray(values, dtype=float).ravel() + 0.0
        self.lines.append(Line(name, label, tuple(numbers.tolist()), tuple(np.atleast_1d(tolerances).tolist())))

    def array(self, name: str, values: ArrayLike, labels: Sequence[str] = (), relative: float = 1e-9) -> None:
        """An array, one line for each row; the tolerance is a share of its largest element."""
        array = np.asarray(values, dtype=float)
        scale = float(np.abs(array[np.isfinite(array)]).max(initial=0.0)) or 1.0
        tolerance = relative * scale
        if array.size == 0:
            return
        if array.ndim < 2:
            self.line(name, "-", _brief(array.ravel()), tolerance)
        elif len(array) > MANY:  # of each row the weighted sum
            self.line(name, "rows", [weighted(row) for row in array], 6.0 * tolerance)
        elif array.ndim <= 3:
            labels = labels if len(labels) == len(array) else [str(k) for k in range(len(array))]
            for label, row in zip(labels, array, strict=True):
                self.line(name, label, _row(row), tolerance if array.ndim == 2 else 6.0 * tolerance)
        else:
            self.array(name, array.reshape(-1, *array.shape[-2:]), (), relative)

    def write(self, file: str) -> None:
        (FOLDER / file).write_text("".join(f"{line.text}\n" for line in self.lines), encoding="utf-8")

    def differences(self, file: str) -> list[str]:
        """What is not as the file has it, both values in words."""
        expected = [Line.read(text) for text in (FOLDER / file).read_text(encoding="utf-8").splitlines()]
        found = {(line.name, line.label): line for line in self.lines}
        pairs = [(line, found.pop((line.name, line.label), None)) for line in expected]
        told = [_told(file, line, other) for line, other in pairs if line.differs(other)]
        return told + [f"{file}: {name}  {label}: not in the file" for name, label in found]


def _told(file: str, line: Line, found: Line | None) -> str:
    about = f"{file}: {line.name}  {line.label}"
    if found is None:
        return f"{about}: is gone"
    if len(found.values) != len(line.values):
        return f"{about}: {len(line.values)} numbers, now {len(found.values)}"
    gaps = np.nan_to_num(np.abs(np.subtract(line.values, found.values)), nan=np.inf)
    k = int(np.argmax(gaps / np.maximum(line.tolerances, 1e-300)))
    within = line.tolerances[min(k, len(line.tolerances) - 1)]
    return f"{about} [{k}]: {line.values[k]:.12g}, now {found.values[k]:.12g} (within {within:.0e})"


def weighted(values: ArrayLike) -> float:
    """A sum in which every element has a weight of its own, between a half and one and a half."""
    flat = np.asarray(values, dtype=float).ravel()
    return float(flat @ (1.0 + 0.5 * np.cos(1.0 + 2.399963 * np.arange(flat.size))))


def _row(row: np.ndarray) -> np.ndarray:
    """A vector as it is; of a matrix its diagonal, or first row, and a weighted sum."""
    if row.ndim == 1:
        return _brief(row)
    first = np.diag(row) if row.shape[0] == row.shape[1] else row[0]
    return np.array([*_brief(first), weighted(row)])


def _brief(row: np.ndarray) -> np.ndarray:
    """A vector as it is, or the largest element and two sums of one that is long."""
    if row.size <= LONGEST:
        return row
    return np.array([row.size, np.abs(row).max(), weighted(row)])
