"""The binary form of glTF 2.0: a JSON text, followed by the arrays that it refers to."""

from __future__ import annotations

import json
import struct
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

MAGIC, VERSION = b"glTF", 2
JSON, BIN = b"JSON", b"BIN\0"
ALIGNED = 4
"""Every array and every chunk is padded to a multiple of this many bytes."""
COMPONENTS = {np.dtype("<f4"): 5126, np.dtype("<u4"): 5125}
SHAPES = {(): "SCALAR", (3,): "VEC3", (4,): "VEC4"}
ATTRIBUTES, INDICES = 34962, 34963
"""Buffer targets of a mesh's points and faces; an animation's arrays have none."""


class Arrays:
    """The arrays of a file, end to end, each stored once however often it is used."""

    def __init__(self) -> None:
        self.views: list[dict[str, Any]] = []
        self.accessors: list[dict[str, Any]] = []
        self._parts: list[bytes] = []
        self._length = 0
        self._known: dict[tuple[bytes, tuple[int, ...], int | None, bool], int] = {}

    def add(self, array: NDArray[np.float32 | np.uint32], target: int | None = None, bounded: bool = False) -> int:
        """The number of an array's accessor.

        Args:
            array: (m, ...) float32 or uint32.
            target: the mesh's use of it, None for an animation.
            bounded: whether to state its least and largest entries, as glTF requires for points and times.
        """
        data = np.ascontiguousarray(array)
        key = (data.tobytes(), data.shape, target, bounded)
        if key not in self._known:
            self._known[key] = len(self.accessors)
            self._append(data, target, bounded)
        return self._known[key]

    def _append(self, data: NDArray[np.float32 | np.uint32], target: int | None, bounded: bool) -> None:
        view: dict[str, Any] = {"buffer": 0, "byteOffset": self._length, "byteLength": data.nbytes}
        accessor: dict[str, Any] = {
            "bufferView": len(self.views),
            "componentType": COMPONENTS[data.dtype],
            "count": len(data),
            "type": SHAPES[data.shape[1:]],
        }
        if bounded:
            accessor |= {
                "min": np.atleast_1d(data.min(axis=0)).tolist(),
                "max": np.atleast_1d(data.max(axis=0)).tolist(),
            }
        self.views.append(view if target is None else view | {"target": target})
        self.accessors.append(accessor)
        self._parts.append(data.tobytes() + b"\0" * (-data.nbytes % ALIGNED))
        self._length += len(self._parts[-1])

    @property
    def data(self) -> bytes:
        """All arrays as bytes."""
        return b"".join(self._parts)


def write_glb(file: IO[bytes], tree: dict[str, Any], arrays: Arrays) -> None:
    """Writes the header, the JSON text padded with spaces, and the arrays."""
    data = arrays.data
    tree = tree | {
        "accessors": arrays.accessors, "bufferViews": arrays.views, "buffers": [{"byteLength": len(data)}],
    }  # fmt: skip
    text = json.dumps(tree, separators=(",", ":"), allow_nan=False).encode()
    text += b" " * (-len(text) % ALIGNED)
    file.write(struct.pack("<4sII", MAGIC, VERSION, 12 + 8 + len(text) + 8 + len(data)))
    for kind, chunk in ((JSON, text), (BIN, data)):
        file.write(struct.pack("<I4s", len(chunk), kind))
        file.write(chunk)
