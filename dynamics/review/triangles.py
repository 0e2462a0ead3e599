"""The triangles of a mesh file, for its volume and its size; nothing of what else it holds."""

from __future__ import annotations

import base64
from itertools import pairwise
from pathlib import Path

import numpy as np

from dynamics.checks import Array
from dynamics.robot.model import INSIDE

MOST_BYTES = 100_000_000
HEAD, RECORD = 84, 50
"""Bytes before the triangles of a binary STL, and of each."""


def triangles_of(path: Path) -> Array | None:
    """(t, 3, 3) corners of an STL or OBJ file's triangles; None for one of another kind, or not understood."""
    try:
        if path.stat().st_size > MOST_BYTES:
            return None
        data = path.read_bytes()
    except OSError:
        return None
    kind = path.suffix.lower()
    try:
        if kind == ".stl":
            corners = _binary(data) if _is_binary(data) else _text(data)
        elif kind == ".obj":
            corners = _obj(data)
        else:
            return None
    except (ValueError, IndexError):
        return None
    return corners if np.isfinite(corners).all() else None


def triangles_inside(address: str) -> Array | None:
    """The same of a mesh that stands in its robot's own text, by its address, which begins with ``INSIDE``."""
    try:
        data = base64.b64decode(address.removeprefix(INSIDE), validate=True)
    except ValueError:
        return None
    corners = _binary(data) if _is_binary(data) else None
    return corners if corners is not None and np.isfinite(corners).all() else None


def _is_binary(data: bytes) -> bool:
    return len(data) >= HEAD and len(data) == HEAD + RECORD * int.from_bytes(data[HEAD - 4 : HEAD], "little")


def _binary(data: bytes) -> Array:
    kind = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("rest", "<u2")])
    return np.frombuffer(data, kind, offset=HEAD)["corners"].astype(np.float64)


def _text(data: bytes) -> Array:
    rows = [line.split()[1:4] for line in data.splitlines() if line.lstrip().startswith(b"vertex")]
    return np.array(rows, dtype=np.float64).reshape(-1, 3, 3)


def _obj(data: bytes) -> Array:
    rows = [line.split() for line in data.splitlines() if line[:2] in (b"v ", b"f ")]
    points = np.array([row[1:4] for row in rows if row[0] == b"v"], dtype=np.float64).reshape(-1, 3)
    fans = []
    for row in rows:
        if row[0] == b"f":
            first, *others = (int(corner.split(b"/")[0]) for corner in row[1:])
            fans += [(first, *pair) for pair in pairwise(others)]
    index = np.array(fans, dtype=np.int64).reshape(-1, 3)
    return points[np.where(index > 0, index - 1, index)]
