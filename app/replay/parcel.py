"""Plain data and arrays of numbers in one piece of bytes, packed for a page that has no server.

Numbers keep all their bits. Rows that occur twice are kept once, and each number is written as what it differs by from
the one before, byte by byte, so that what changes smoothly takes little room.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

Reference = dict[str, Any]


class Parcel:
    """Takes arrays in, each for a reference that stands for it in the data."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._length = 0
        self._series: dict[bytes, Reference] = {}

    def array(self, values: NDArray[Any]) -> Reference:
        """An array as it is; the browser has it again by its type and place, row after row."""
        packed = np.ascontiguousarray(values)
        return {"at": self._put(packed.tobytes(), packed.itemsize), "count": packed.size, "type": packed.dtype.name}

    def series(self, rows: NDArray[Any]) -> Reference:
        """Rows of numbers that change with time, (rows, instants): different ones once, and which is which."""
        rows = np.ascontiguousarray(rows)
        key = hashlib.sha256(rows.tobytes()).digest()
        if key not in self._series:
            self._series[key] = self._new_series(rows)
        return self._series[key]

    def _new_series(self, rows: NDArray[Any]) -> Reference:
        distinct, which = distinct_rows(rows)
        planes = distinct.view(np.uint8).reshape(len(distinct), -1, distinct.itemsize).transpose(2, 0, 1)
        steps = np.diff(planes, axis=2, prepend=np.zeros_like(planes[:, :, :1]))
        return {
            "rows": self.array(which.astype(np.uint32)),
            "planes": self._put(steps.tobytes(), 1),
            "distinct": len(distinct),
            "instants": distinct.shape[1],
            "type": distinct.dtype.name,
        }

    def _put(self, packed: bytes, unit: int) -> int:
        """Where it begins: a multiple of what one of its numbers takes."""
        gap = -self._length % unit
        self._parts += [b"\0" * gap, packed]
        at = self._length + gap
        self._length = at + len(packed)
        return at

    def packed(self, data: object) -> str:
        """All of it, as text: the length of the data, the data, and the arrays, compressed."""
        head = json.dumps(data, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()
        head += b" " * (-len(head) % 8)
        whole = b"".join([np.uint64(len(head)).tobytes(), head, *self._parts])
        return base64.b64encode(gzip.compress(whole, 9, mtime=0)).decode()


def distinct_rows(rows: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Rows that differ in any bit, in the order in which they first occur, and which of them each row is."""
    seen: dict[bytes, int] = {}
    which = np.array([seen.setdefault(row.tobytes(), len(seen)) for row in rows], np.int64)
    first = np.unique(which, return_index=True)[1]
    return rows[first], which
