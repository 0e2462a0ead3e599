"""A film's pictures, and how like two of them are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

av = pytest.importorskip("av", reason="the extra film is not installed")


def pictures(path: Path) -> list[NDArray[np.uint8]]:
    """All of them, in order."""
    with av.open(str(path)) as file:
        return [frame.to_ndarray(format="rgb24") for frame in file.decode(video=0)]


def likeness(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> float:
    """dB."""
    error = np.mean((one.astype(float) - other.astype(float)) ** 2)
    return float(10.0 * np.log10(255.0**2 / max(error, 1e-9)))
