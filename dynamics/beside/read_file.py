"""Arrays by name out of somebody's file: NPZ, MATLAB, JSON or CSV. Nothing in it is believed, and nothing is run."""

from __future__ import annotations

import csv
import io
import json
import math
import zipfile
import zlib
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np
from scipy.io import loadmat, whosmat

from dynamics.checks import brief
from dynamics.errors import StateError
from dynamics.public import public

MOST_BYTES = 20_000_000
"""Of a file, and of what it unpacks to."""
MOST_NUMBERS, MOST_ARRAYS = 250_000, 100
"""Of a file; more cannot be of one moment, and would take seconds to read."""
MAT_NUMBERS = ("double", "single", "logical", *(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)))
MAT_HEADER, MAT_COMPRESSED = 128, 15


@public
def read_arrays(path: str | Path, data: bytes | None = None) -> dict[str, Any]:
    """Somebody's own arrays out of a file, for ``compare``: nothing in it is run.

    Args:
        path: of an NPZ, MATLAB, JSON or CSV file, which its ending tells; of CSV there is a line for each link or row:
            the name, then the numbers. Or a column for each: names in the first line, several under one name.
        data: what is in it, where that is at hand; then nothing is read, and the path names it alone.

    Returns:
        Arrays, or lists of numbers, by their names as they stand there.

    Raises:
        StateError: for one that cannot be read, is too large, holds objects, or has another ending.

    Cost: reads the file, of 20 MB at most.
    """
    if not isinstance(path, str | Path):
        raise StateError(f"path is {brief(path)}; expected that of a file.")
    if data is not None and not isinstance(data, bytes):
        raise StateError(f"data is {brief(data)}; expected bytes.")
    where = brief(str(path))
    readers = {".npz": _npz, ".mat": _mat, ".json": _json, ".csv": _csv}
    try:
        reader = readers.get(Path(path).suffix.lower())
        if reader is None:
            raise StateError(f"{where}: expected a file that ends in {', '.join(readers)}.")
        if data is None:
            with Path(path).open("rb") as file:
                data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        if isinstance(error, StateError):
            raise
        raise StateError(f"{where} cannot be read: {brief(str(error))[1:-1]}.") from None
    _bounded(len(data), where)
    try:
        found = reader(data, where)
        _few(0, len(found), where)
        _bounded(sum(8 * value.size for value in found.values() if isinstance(value, np.ndarray)), where)
        return found
    except StateError:
        raise
    except Exception as error:  # whatever a parser of hostile bytes says, it is the file's fault
        raise StateError(f"{where} cannot be read: {type(error).__name__}, {brief(str(error))[1:-1]}.") from None


def _bounded(size: int, where: str) -> None:
    if size > MOST_BYTES:
        raise StateError(
            f"{where} has, or unpacks to, more than {MOST_BYTES} bytes; leave only what is to be compared."
        )


def _few(numbers: int, arrays: int, where: str) -> None:
    if numbers > MOST_NUMBERS or arrays > MOST_ARRAYS:
        raise StateError(
            f"{where} has more than {MOST_NUMBERS} numbers, or {MOST_ARRAYS} arrays; leave only those of one moment."
        )


def _npz(data: bytes, where: str) -> dict[str, Any]:
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        _few(0, len(packed.infolist()), where)
        _bounded(sum(one.file_size for one in packed.infolist()), where)
        found = {}
        for one in packed.infolist():
            with packed.open(one) as inner:  # no more than the directory promises is ever unpacked
                found[one.filename.removesuffix(".npy")] = np.lib.format.read_array(
                    io.BytesIO(inner.read(one.file_size)), allow_pickle=False
                )
    return found


def _mat(data: bytes, where: str) -> dict[str, Any]:
    at, size, count = MAT_HEADER, 0, 0
    order = "<" if data[126:128] == b"IM" else ">"
    while at + 8 <= len(data):
        kind, length = (int(number) for number in np.frombuffer(data, f"{order}u4", 2, at))
        if kind == MAT_COMPRESSED:
            unpack = zlib.decompressobj()
            size += len(unpack.decompress(data[at + 8 : at + 8 + length], MOST_BYTES + 1))
            _bounded(size, where)
        at, count = at + 8 + length, count + 1
        _few(0, count, where)
    for name, shape, kind in whosmat(io.BytesIO(data)):
        if kind not in MAT_NUMBERS:
            raise StateError(f"{where}: {brief(name)} is a {brief(kind)}; expected an array of numbers.")
        _bounded(8 * math.prod(shape), where)
    found = loadmat(io.BytesIO(data), struct_as_record=True)
    return {name: value for name, value in found.items() if not name.startswith("__")}


def _json(data: bytes, where: str) -> dict[str, Any]:
    _few(data.count(b","), 0, where)
    found = json.loads(data)
    if not isinstance(found, dict):
        raise StateError(f"{where}: expected an object of arrays by name.")
    return found


def _csv(data: bytes, where: str) -> dict[str, Any]:
    """A line for each link or row, which begins with the quantity's name; or names above columns."""
    delimiter = ";" if b";" in data and b"," not in data else ","
    _few(data.count(delimiter.encode()) + data.count(b"\n"), 0, where)
    lines = csv.reader(io.StringIO(data.decode("utf-8-sig")), delimiter=delimiter)
    rows = [[cell.strip() for cell in line] for line in lines if any(cell.strip() for cell in line)]
    if len(rows) > 1 and all(_is_number(row[0]) for row in rows[1:]):
        _few(len(rows) * max(map(len, rows)), 0, where)  # as it is filled up
        columns = [list(column) for column in zip_longest(*rows, fillvalue="")]
        return {
            name: np.array(each[0] if len(each) == 1 else each).T for name, each in _by_name(columns, where).items()
        }
    named = _by_name(rows, where)
    return {name: np.squeeze(np.array(each)) if len(each[0]) == 1 else np.array(each) for name, each in named.items()}


def _by_name(rows: list[list[str]], where: str) -> dict[str, list[list[float]]]:
    """Each begins with a name; those of one name together.

    Raises:
        StateError: where they are not equally long.
    """
    found: dict[str, list[list[float]]] = {}
    for name, *cells in rows:
        found.setdefault(name, []).append([float(cell) for cell in cells if cell])
    for name, each in found.items():
        if len({len(numbers) for numbers in each}) > 1:
            raise StateError(
                f"{where}: rows of {brief(name)} have {len(each[0])} numbers and others; expected as many."
            )
    return found


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
