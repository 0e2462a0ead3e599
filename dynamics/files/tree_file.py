"""Plain values and arrays in one file, read as warily as a file must be that anybody may have written."""

from __future__ import annotations

import json
import zipfile
import zlib
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from dynamics.checks import brief, is_index
from dynamics.errors import StateError
from dynamics.files.written import written

FORM = 1
"""Of the file; a reader knows all forms up to its own."""
TREE = "recording.json"
TYPES = {"float64": "<f8", "bool": "|b1"}
MOST_BYTES, MOST_TEXT = 2**30, 2**26
"""Of all arrays, and of the tree, unpacked."""
DAMAGED = (
    zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, LookupError, TypeError, ArithmeticError
)  # fmt: skip
"""What reading a file raises that is none of these, or was damaged."""


def write_tree(path: str | Path, tree: object, arrays: list[np.ndarray[Any, Any]]) -> None:
    """All of it, under another name until it is whole.

    Raises:
        StateError: for what is no path of a file that can be written, or more than is read again.
    """
    if (size := sum(array.nbytes for array in arrays)) > MOST_BYTES:
        raise StateError(f"it holds {size:,} bytes; at most {MOST_BYTES:,} are kept. Save it in parts.")
    with written(path) as beside, zipfile.ZipFile(beside, "w", zipfile.ZIP_DEFLATED) as file:
        heads = [{"of": array.dtype.name, "shape": array.shape} for array in arrays]
        file.writestr(TREE, json.dumps({"form": FORM, "arrays": heads, "tree": tree}, allow_nan=False))
        for k, array in enumerate(arrays):
            file.writestr(_name(k), array.astype(TYPES[array.dtype.name]).tobytes())


def read_tree(path: str | Path) -> tuple[Any, list[np.ndarray[Any, Any]]]:
    """What ``write_tree`` wrote.

    Raises:
        StateError: if it cannot be read, is none of these files, or is of a form that is not known yet.
    """
    if not isinstance(path, str | Path):
        raise StateError(f"path is {brief(path)}; expected that of a file.")
    told = brief(str(path))
    try:
        with zipfile.ZipFile(path) as file:
            return _read(file, told)
    except DAMAGED:
        raise StateError(f"{told} is no recording, or not all of one.") from None
    except StateError:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "is no recording, or not all of one"
        raise StateError(f"{told} cannot be read: {reason}.") from None


def _read(file: zipfile.ZipFile, told: str) -> tuple[Any, list[np.ndarray[Any, Any]]]:
    sizes = [info.file_size for info in file.infolist()]
    if sum(sizes) > MOST_BYTES or file.getinfo(TREE).file_size > MOST_TEXT:
        raise StateError(f"{told} holds {sum(sizes):,} bytes; at most {MOST_BYTES:,} are read.")
    head = json.loads(file.read(TREE))
    form = head["form"] if isinstance(head, dict) else None
    if not is_index(form, FORM + 1, 1):
        raise StateError(
            f"{told} is of form {brief(form)}; forms up to {FORM} are known here, and a newer version reads it."
        )
    arrays = []
    for k, one in enumerate(head["arrays"]):
        shape, kind = tuple(one["shape"]), np.dtype(TYPES[one["of"]])
        fits = all(is_index(length, MOST_BYTES) for length in shape)
        if not fits or prod(shape) * kind.itemsize != file.getinfo(_name(k)).file_size:
            raise StateError(f"{told}: array {k} is not of the shape that is said of it.")
        arrays.append(np.frombuffer(file.read(_name(k)), kind).reshape(shape).astype(kind.newbyteorder("=")))
    return head["tree"], arrays


def _name(k: int) -> str:
    return f"arrays/{k}"
