"""A study's fingerprint: the same in any process, and another when anything that its function calls changes."""

import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module, invalidate_caches
from operator import mul
from pathlib import Path

import pytest

from dynamics.rows.fingerprint import fingerprint_of

pytestmark = pytest.mark.compiled_only
ROOT = Path(__file__).parents[3]
ASKED = """
import sys
import study_of_mine
from dynamics.rows.fingerprint import fingerprint_of
for name in sys.argv[1:]:
    print(fingerprint_of(getattr(study_of_mine, name)))
"""
ELSEWHERE = """
import settings
import inner.deep
from dataclasses import dataclass
from functools import lru_cache
from dynamics import State
from numpy import cos, sin

FACTOR = 1.0
NAMES = {"one", "other", "third"}

@lru_cache
def halved(found):
    return 0.5 * found.sum()

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

def by_what_is_kept(solution):
    assert NAMES
    return halved(solution)

def by_wave(solution):
    return sin(solution.joint_acceleration[:, 0])

called = Scale()
method = called.scaled
"""
SETTINGS = "A, OTHER = 1.0, 2.0\n\ndef helped(found):\n    return OTHER * found\n"
OWN = (
    "by_module", "by_array_of_a_package", "imported_within", "by_helper", "written_within", "by_class", "by_object",
    "by_wave", "by_what_is_kept", "called", "method",
)  # fmt: skip
CHANGES = {
    "settings.py": ("A, OTHER = 1.0", "A, OTHER = 5.0", {"by_module", "imported_within"}),
    "inner/deep.py": ("1.0", "5.0", {"by_array_of_a_package"}),
    "settings.py ": ("2.0", "5.0", {"by_helper"}),
    "study_of_mine.py": (
        "FACTOR = 1.0", "FACTOR = 5.0", {"written_within", "by_class", "by_object", "called", "method"},
    ),
    "study_of_mine.py  ": ("0.5 * found", "0.7 * found", {"by_what_is_kept"}),
    "study_of_mine.py ": ("import cos, sin", "import cos, cos as sin", {"by_wave"}),
}  # fmt: skip


def test_a_fingerprint_covers_values_of_other_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
    # In a process where sets have another order, too.
    environment = os.environ | {"PYTHONHASHSEED": "1", "PYTHONPATH": os.pathsep.join([str(ROOT), str(tmp_path)])}
    asked = [sys.executable, "-c", ASKED, *OWN]
    ran = subprocess.run(asked, env=environment, capture_output=True, text=True, check=True, timeout=120)
    assert ran.stdout.split() == list(before.values())
    for name, (old, new, expected) in CHANGES.items():
        after = prints(**{name.strip(): texts[name.strip()].replace(old, new, 1)})
        assert {own for own in OWN if after[own] != before[own]} == expected, name


def test_functions_of_one_text_and_other_values_are_other_questions() -> None:
    makers: list[Callable[[float], Callable[[float], float]]] = [
        lambda by: lambda found: by * found, lambda by: partial(mul, by), lambda by: lambda found, by=by: by * found
    ]  # fmt: skip
    for make in makers:
        prints = [fingerprint_of(make(by)) for by in (1.0, 1.0, 2.0)]
        assert prints[0] == prints[1] != prints[2]
