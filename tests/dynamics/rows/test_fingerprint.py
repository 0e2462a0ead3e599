"""What a question is: the same in any process, another one where anything that it calls is another."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
QUESTION = """
from functools import lru_cache
from numba import njit
from numpy.linalg import norm

@{kept}
def helped(found):
    return {by} * found


class Scale:
    pass


scale = Scale()
scale.by, scale.names, scale.mixed, scale.itself = {own}, {{"one", "other", "third"}}, {{1: 2, "one": 3}}, scale


def own(solution):
    assert scale.names and scale.mixed
    return scale.by * helped(norm(solution.joint_acceleration, axis=1))
"""
VARIANTS = {
    f"{kept}_{by}_{own}".replace(".", "_"): QUESTION.format(kept=kept, by=by, own=own)
    for kept in ("njit", "lru_cache")
    for by, own in ((2.0, 1.0), (3.0, 1.0), (2.0, 4.0))
}
ASKED = """
import sys
from importlib import import_module
from dynamics.rows.fingerprint import fingerprint_of
for name in sys.argv[1:]:
    print(fingerprint_of(import_module(name).own))
"""


def told(folder: Path, seed: str) -> list[str]:
    """Of all variants, in a process in which sets have another order."""
    path = os.pathsep.join([str(ROOT), str(folder)])
    asked = [sys.executable, "-c", ASKED, *VARIANTS]
    how = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": path}
    return subprocess.run(asked, env=how, capture_output=True, text=True, check=True, timeout=60).stdout.split()


def test_what_a_function_calls_is_part_of_it_in_any_process(tmp_path: Path) -> None:
    for name, text in VARIANTS.items():
        (tmp_path / f"{name}.py").write_text(text)
    one, other = told(tmp_path, "1"), told(tmp_path, "2")
    assert one == other
    assert len(set(one)) == len(VARIANTS)
