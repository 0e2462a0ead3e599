"""What is packed for the page comes out of it bit for bit; the browser's half is tried where the file is played."""

import base64
import gzip
import json
from typing import Any

import numpy as np

from app.replay.curves import Parcel


def opened(text: str) -> tuple[Any, bytes]:
    whole = gzip.decompress(base64.b64decode(text))
    length = int.from_bytes(whole[:8], "little")
    return json.loads(whole[8 : 8 + length]), whole[8 + length :]


def array_of(reference: dict[str, Any], held: bytes) -> np.ndarray:
    return np.frombuffer(held, reference["type"], reference["count"], reference["at"])


def series_of(reference: dict[str, Any], held: bytes) -> np.ndarray:
    size = np.dtype(reference["type"]).itemsize
    shape = (size, reference["distinct"], reference["instants"])
    steps = np.frombuffer(held, np.uint8, int(np.prod(shape)), reference["planes"]).reshape(shape)
    planes = np.cumsum(steps, axis=2, dtype=np.uint8)
    values = np.ascontiguousarray(planes.transpose(1, 2, 0)).reshape(shape[1], -1).view(reference["type"])
    return values[array_of(reference["rows"], held)]


def test_series_keep_every_bit() -> None:
    for kind in [np.float32, np.float64]:
        rng = np.random.default_rng(7)
        odd = np.array([0.0, -0.0, np.nan, np.inf, -np.inf, np.finfo(kind).tiny, np.finfo(kind).max], kind)
        rows = np.concatenate([rng.normal(size=(20, 7)).astype(kind), [odd, odd, -odd], np.zeros((2, 7), kind)])
        parcel = Parcel()
        packed = parcel.packed({"odd": parcel.array(np.arange(3, dtype=np.uint8)), "rows": parcel.series(rows)})
        data, held = opened(packed)
        assert series_of(data["rows"], held).tobytes() == rows.tobytes()
        assert data["rows"]["distinct"] == len(rows) - 2  # `odd` and the zeros occur twice; zeros of two signs are two
        assert array_of(data["odd"], held).tolist() == [0, 1, 2]
