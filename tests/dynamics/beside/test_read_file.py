"""Files of somebody's arrays: how they may be laid out, and what is refused, in words and at once."""

from __future__ import annotations

import io
import json
import time
import zipfile

import numpy as np
import pytest
from scipy.io import savemat

import dynamics as dyn
from dynamics.beside.read_file import MOST_NUMBERS

pytestmark = pytest.mark.compiled_only  # no kernel reads a file


@pytest.mark.parametrize(
    "text",
    [
        "qdd,1,2,3\npA,1,2,3,4,5,6\npA,7,8,9,10,11,12\n",
        "qdd;1;2;3\npA;1;2;3;4;5;6\npA;7;8;9;10;11;12\n",
        "qdd,pA,pA,pA,pA,pA,pA\n1,1,2,3,4,5,6\n2,7,8,9,10,11,12\n3\n",
        "\ufeffqdd, pA, pA, pA, pA, pA, pA\r\n1,1,2,3,4,5,6\r\n2,7,8,9,10,11,12\r\n3,,,,,,\r\n",
    ],
)
def test_csv_has_lines_or_columns(text: str) -> None:
    found = dyn.read_arrays("mine.csv", text.encode())
    assert np.array_equal(np.ravel(found["qdd"]), [1, 2, 3])
    assert np.array_equal(found["pA"], np.arange(1, 13).reshape(2, 6))


def zipped(count: int) -> bytes:
    into = io.BytesIO()
    with zipfile.ZipFile(into, "w") as packed:
        for k in range(count):
            packed.writestr(f"q{k}.npy", b"")
    return into.getvalue()


def endless() -> bytes:
    """An array of entries that have no bytes, and so as many of them as one says."""
    head = b"{'descr':'|S0','fortran_order':False,'shape':(1000000000000,)}\n"
    into = io.BytesIO()
    with zipfile.ZipFile(into, "w") as packed:
        packed.writestr("D.npy", b"\x93NUMPY\1\0" + len(head).to_bytes(2, "little") + head)
    return into.getvalue()


def variables(count: int) -> bytes:
    into = io.BytesIO()
    savemat(into, {"qdd": np.ones(2)})
    head, body = into.getvalue()[:128], into.getvalue()[128:]
    return head + body * count


MANY = MOST_NUMBERS + 1
REFUSED = {
    "numbers in CSV": ("mine.csv", lambda: b"qdd,1\n" * MANY, "more than"),
    "numbers in JSON": ("mine.json", lambda: json.dumps({"qdd": [1] * (MANY + 1)}).encode(), "more than"),
    "empty lists": ("mine.json", lambda: b'{"qdd":[' + b"[]," * 1_600_000 + b"[]]}", "more than"),
    "members of a zip": ("mine.npz", lambda: zipped(20_000), "100 arrays"),
    "variables of MATLAB": ("mine.mat", lambda: variables(40_000), "100 arrays"),
    "a table of one long line and many short ones": (
        "mine.csv",
        lambda: b"a," * 5000 + b"a\n" + b"1\n" * 5000,  # 115 GB of ten times as many
        "more than",
    ),
    "names in CSV": ("mine.csv", lambda: b"".join(b"q%d,1\n" % k for k in range(101)), "100 arrays"),
    "names in JSON": ("mine.json", lambda: json.dumps(dict.fromkeys(map(str, range(101)), 1)).encode(), "100 arrays"),
    "entries without bytes": ("mine.npz", endless, "more than"),
    "rows of other lengths": ("mine.csv", lambda: b"pA,1,2\npA,1\n", "'pA' have 2 numbers and others"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_too_much_is_refused_in_words_at_once(what: str) -> None:
    name, make, said = REFUSED[what]
    data, begun = make(), time.process_time()
    with pytest.raises(dyn.StateError, match=said) as refusal:
        dyn.read_arrays(name, data)
    assert time.process_time() - begun < 1.0
    assert str(refusal.value).startswith(f"'{name}'")  # and no folder of a server's


def test_constraint_forces_of_mujoco_are_told_from_contact_forces() -> None:
    system, state = dyn.example("two_arms_and_box")
    with pytest.raises(dyn.StateError, match="no forces at contacts: hand in what mj_contactForce"):
        dyn.compare(system, state, {"efc_force": np.ones(12)})
