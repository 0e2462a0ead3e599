"""What a question is: the same in any process, another one where anything that it calls is another."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

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


ELSEWHERE = """
import settings
import told.deep
from dataclasses import dataclass
from dynamics import State
from numpy import cos, sin

FACTOR = 1.0


@dataclass(frozen=True)
class Gains:
    by: float

    def of(self, found):
        return self.by * found * FACTOR


class Scale:
    def __call__(self, solution):
        return self.scaled(solution)

    def scaled(self, solution):
        return FACTOR * solution.joint_acceleration[:, 0]


GAINS = Gains(2.0)


def by_module(solution):
    return settings.A * solution.joint_acceleration[:, 0]


def by_array_of_a_package(solution):
    return told.deep.ARRAY[0] * solution.joint_acceleration[:, 0]


def imported_within(solution):
    from settings import A
    return A * solution.joint_acceleration[:, 0]


def by_helper(solution):
    return settings.helped(solution.joint_acceleration[:, 0])


def written_within(solution):
    def own(found):
        return FACTOR * found
    return own(solution.joint_acceleration[:, 0])


def by_class(solution):
    assert State
    return Gains(3.0).of(solution.joint_acceleration[:, 0])


def by_object(solution):
    return GAINS.of(solution.joint_acceleration[:, 0])


def by_wave(solution):
    return sin(solution.joint_acceleration[:, 0])


called = Scale()
method = called.scaled
"""
SETTINGS = "A, OTHER = 1.0, 2.0\n\ndef helped(found):\n    return OTHER * found\n"
OWN = (
    "by_module", "by_array_of_a_package", "imported_within", "by_helper", "written_within", "by_class", "by_object",
    "by_wave", "called", "method",
)  # fmt: skip
CHANGES = {
    "settings.py": ("A, OTHER = 1.0", "A, OTHER = 5.0", {"by_module", "imported_within"}),
    "told/deep.py": ("1.0", "5.0", {"by_array_of_a_package"}),
    "settings.py ": ("2.0", "5.0", {"by_helper"}),
    "study_of_mine.py": (
        "FACTOR = 1.0", "FACTOR = 5.0", {"written_within", "by_class", "by_object", "called", "method"}
    ),
    "study_of_mine.py ": ("import cos, sin", "import cos, cos as sin", {"by_wave"}),
}  # fmt: skip


def test_what_a_function_finds_elsewhere_is_part_of_it(tmp_path: Path) -> None:
    """A number, an array or a function of another module, of a package, of a class, or of a function within."""
    (tmp_path / "told").mkdir()
    asked = ASKED.replace("(import_module(name).own)", "(getattr(import_module('study_of_mine'), name))")
    texts = {
        "study_of_mine.py": ELSEWHERE, "settings.py": SETTINGS, "told/__init__.py": "",
        "told/deep.py": "import numpy as np\nARRAY = np.array([1.0])\n",
    }  # fmt: skip

    def prints(**changed: str) -> dict[str, str]:
        for name, text in (texts | changed).items():
            (tmp_path / name).write_text(text)
        how = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(tmp_path)]), "PYTHONDONTWRITEBYTECODE": "1"}
        ran = subprocess.run(
            [sys.executable, "-c", asked, *OWN], env=how, capture_output=True, text=True, check=True, timeout=120
        )
        return dict(zip(OWN, ran.stdout.split(), strict=True))

    before = prints()
    for name, (old, new, felt) in CHANGES.items():
        after = prints(**{name.strip(): texts[name.strip()].replace(old, new, 1)})
        assert {own for own in OWN if after[own] != before[own]} == felt, name
