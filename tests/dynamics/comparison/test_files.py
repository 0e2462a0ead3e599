"""Files of another program's arrays: how they may be laid out, and what is refused, by name and at once."""

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest

import dynamics as dyn
from dynamics.comparison import read_arrays
from dynamics.comparison.arrays import MOST_NUMBERS
from tests.conftest import zipped
from tests.dynamics.comparison.drawn import drawn, pinocchio_arrays
from tests.fuzz.attack import limited

pytestmark = pytest.mark.compiled_only  # no kernel reads a file


def test_csv_has_lines_or_columns() -> None:
    for text in (
        "qdd,1,2,3\npA,1,2,3,4,5,6\npA,7,8,9,10,11,12\n",
        "qdd;1;2;3\npA;1;2;3;4;5;6\npA;7;8;9;10;11;12\n",
        "qdd,pA,pA,pA,pA,pA,pA\n1,1,2,3,4,5,6\n2,7,8,9,10,11,12\n3\n",
        "\ufeffqdd, pA, pA, pA, pA, pA, pA\r\n1,1,2,3,4,5,6\r\n2,7,8,9,10,11,12\r\n3,,,,,,\r\n",
    ):
        found = read_arrays("mine.csv", text.encode())
        assert np.array_equal(np.ravel(found["qdd"]), [1, 2, 3]), text
        assert np.array_equal(found["pA"], np.arange(1, 13).reshape(2, 6)), text


HEAD = b"{'descr':'|S0','fortran_order':False,'shape':(1000000000000,)}\n"
ENDLESS = b"\x93NUMPY\1\0" + len(HEAD).to_bytes(2, "little") + HEAD
"""An array of entries that have no bytes, and so as many of them as one says."""
MANY = MOST_NUMBERS + 1
REFUSED = {
    "numbers in CSV": ("mine.csv", lambda: b"qdd,1\n" * MANY, "more than"),
    "members of a zip": ("mine.npz", lambda: zipped({f"q{k}.npy": b"" for k in range(20_000)}), "100 arrays"),
    "a table of one long line and many short ones":  # 115 GB of ten times as many
        ("mine.csv", lambda: b"a," * 5000 + b"a\n" + b"1\n" * 5000, "more than"),
    "names in CSV": ("mine.csv", lambda: b"".join(b"q%d,1\n" % k for k in range(101)), "100 arrays"),
    "entries without bytes": ("mine.npz", lambda: zipped({"D.npy": ENDLESS}), "more than"),
    "rows of other lengths": ("mine.csv", lambda: b"pA,1,2\npA,1\n", "'pA' have 2 numbers and others"),
}  # fmt: skip


def test_files_that_are_too_large_are_refused_at_once() -> None:
    for what, (name, make, words) in REFUSED.items():
        data = make()
        with limited(), pytest.raises(dyn.StateError, match=words) as refusal:
            read_arrays(name, data)
        assert str(refusal.value).startswith(f"'{name}'"), what  # and no folder of a server's


def saved(folder: Path, arrays: Mapping[str, np.ndarray]) -> list[Path]:
    rows = [[name, *np.ravel(row)] for name, array in arrays.items() for row in array]
    np.savez(folder / "a.npz", **arrays)
    (folder / "a.csv").write_text("\n".join(",".join(str(cell) for cell in row) for row in rows))
    return [folder / f"a.{kind}" for kind in ("npz", "csv")]


def test_arrays_in_files(tmp_path: Path) -> None:
    it = drawn(2, (4, 6))
    arrays = dict(pinocchio_arrays(it, "WORLD"))
    for theirs in saved(tmp_path, arrays):
        found = dyn.compare(it.system, it.state, theirs, it.tau)
        assert found.agrees, str(found)
        assert len(found.stages) == len(arrays)


def objects(folder: Path) -> Path:
    np.savez(folder / "objects.npz", P=np.array([{}], dtype=object))
    return folder / "objects.npz"


def text(name: str, data: bytes) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        (folder / name).write_bytes(data)
        return folder / name

    return write


HOSTILE = [
    (text("bomb.npz", zipped({"P.npy": bytes(100_000_000)})), "unpacks to"), (objects, "pickle"),
    (text("a.csv", b"P,one"), "cannot be read"), (text("a.npz", b"PK"), "cannot be read"),
    (text("a.txt", b""), "expected a file that ends in"), (lambda folder: folder / "none.npz", "cannot be read"),
    (lambda folder: folder, "expected a file"),
]  # fmt: skip
UNFIT = [
    ({}, "expected arrays by their names"), ({"no_quantity": [1.0]}, "nothing is called"),
    ({"P": [1.0]}, "shape"), ({"D": [1.0, np.nan]}, "finite"), ({"D": ["a", "b"]}, "expected numbers"),
    (7, "expected arrays"),
]  # fmt: skip


def test_hostile_files_and_arrays_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    system = dyn.single_arm(dyn.planar_chain(2))
    for make, words in HOSTILE:
        with pytest.raises(dyn.StateError, match=words):
            dyn.compare(system, system.state(), make(tmp_path))
    for theirs, words in UNFIT:
        with pytest.raises(dyn.StateError, match=words):
            dyn.compare(system, system.state(), theirs)  # type: ignore[arg-type]
    with pytest.raises(dyn.StateError, match="tolerance"):
        dyn.compare(system, system.state(), {"D": np.ones(2)}, tolerance=0.5)
    with pytest.raises(dyn.StateError, match="each of"):
        dyn.compare(system, system.state(), {"D": np.ones(2)}, joints=["joint_1"])
