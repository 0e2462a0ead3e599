"""Compilation ahead says how far it is, is done once, and survives a compiler that dies."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numba
import pytest

from dynamics import compilation

pytestmark = [pytest.mark.compiled_only, pytest.mark.skipif(not hasattr(os, "fork"), reason="forks its compilers")]


def first(a: float) -> float:
    return a + 1.0


def second(a: float) -> float:
    return a + 2.0


class Dies:
    """A kernel that no compiler survives."""

    def compile(self, types: Any) -> None:
        os._exit(3)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    monkeypatch.setattr(compilation, "code_folder", lambda: tmp_path)
    monkeypatch.setattr(compilation, "calls", lambda: tuple((numba.njit(f), (1.0,)) for f in (first, second)))
    return []


def test_it_says_how_far_it_is_and_is_done_once(told: list[str]) -> None:
    assert compilation.compile_here(False, told.append)
    assert [line.rpartition(" (")[0] for line in told] == ["1 of 2 kernels compiled", "2 of 2 kernels compiled"]
    assert {line.rpartition(" (")[2] for line in told} == {"first)", "second)"}
    assert not compilation.compile_here(False, told.append)
    assert len(told) == 2


def test_a_compiler_that_dies_leaves_the_work_to_the_first_call(
    told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compilation, "calls", lambda: ((Dies(), (1.0,)),))
    assert not compilation.compile_here(False, told.append)
    assert told == ["some kernels could not be compiled ahead; they will be at their first call"]
