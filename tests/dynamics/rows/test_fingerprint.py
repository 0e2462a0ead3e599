"""A study's fingerprint: the same in any process, and another when anything that its function calls changes."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module, invalidate_caches
from pathlib import Path

import pytest

from dynamics.rows.fingerprint import fingerprint_of

pytestmark = pytest.mark.compiled_only

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


def test_a_fingerprint_covers_what_a_function_calls_in_any_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here, and in a process where sets have another order."""
    for name, text in VARIANTS.items():
        (tmp_path / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    here = [fingerprint_of(import_module(name).own) for name in VARIANTS]
    environment = os.environ | {"PYTHONHASHSEED": "1", "PYTHONPATH": os.pathsep.join([str(ROOT), str(tmp_path)])}
    asked = [sys.executable, "-c", ASKED, *VARIANTS]
    ran = subprocess.run(asked, env=environment, capture_output=True, text=True, check=True, timeout=120)
    assert ran.stdout.split() == here
    assert len(set(here)) == len(VARIANTS)


ELSEWHERE = """
import settings
import inner.deep
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
    return inner.deep.ARRAY[0] * solution.joint_acceleration[:, 0]


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
    "inner/deep.py": ("1.0", "5.0", {"by_array_of_a_package"}),
    "settings.py ": ("2.0", "5.0", {"by_helper"}),
    "study_of_mine.py": (
        "FACTOR = 1.0", "FACTOR = 5.0", {"written_within", "by_class", "by_object", "called", "method"}
    ),
    "study_of_mine.py ": ("import cos, sin", "import cos, cos as sin", {"by_wave"}),
}  # fmt: skip


def test_a_fingerprint_covers_values_of_other_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A number, an array or a function of another module, of a package, of a class, or of an inner function."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    (tmp_path / "inner").mkdir()
    texts = {
        "study_of_mine.py": ELSEWHERE, "settings.py": SETTINGS, "inner/__init__.py": "",
        "inner/deep.py": "import numpy as np\nARRAY = np.array([1.0])\n",
    }  # fmt: skip

    def prints(**changed: str) -> dict[str, str]:
        for name, text in (texts | changed).items():
            (tmp_path / name).write_text(text)
        for name in ("study_of_mine", "settings", "inner", "inner.deep"):
            sys.modules.pop(name, None)
        invalidate_caches()
        module = import_module("study_of_mine")
        return {name: fingerprint_of(getattr(module, name)) for name in OWN}

    before = prints()
    assert prints() == before
    for name, (old, new, expected) in CHANGES.items():
        after = prints(**{name.strip(): texts[name.strip()].replace(old, new, 1)})
        assert {own for own in OWN if after[own] != before[own]} == expected, name
