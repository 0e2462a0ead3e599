"""Limits come from the environment; one that makes no sense is refused by its name."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.service.limits import Limits, SettingError, choice, read

ROOT = Path(__file__).resolve().parents[3]


def test_a_class_behind_one_router_comes_in() -> None:
    assert read({}) == Limits()
    assert min(Limits().sessions, Limits().sessions_per_address) >= 100


def test_the_environment_sets_each() -> None:
    found = read({"ARMSWEEP_SESSIONS": "3", "ARMSWEEP_LAG": "0.25", "ARMSWEEP_UPLOADS_PER_ADDRESS": "7", "OTHER": "x"})
    assert found == Limits(sessions=3, lag=0.25, uploads_per_address=7)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ARMSWEEP_SESSIONS", "many"),
        ("ARMSWEEP_SESSIONS", "2.5"),
        ("ARMSWEEP_SESSIONS", "0"),
        ("ARMSWEEP_WAIT", "-1"),
        ("ARMSWEEP_LAG", "nan"),
        ("ARMSWEEP_COMPUTING", "inf"),
        ("ARMSWEEP_UPLOADS", ""),
    ],
)
def test_what_makes_no_sense_is_named(name: str, value: str) -> None:
    with pytest.raises(SettingError, match=rf"{name} is '{value}'; it is to be a"):
        read({name: value})


def test_a_word_is_one_of_those_that_are_offered() -> None:
    assert choice({}, "FORM", ("text", "json")) == "text"
    with pytest.raises(SettingError, match="FORM is 'xml'; it is to be text or json"):
        choice({"FORM": "xml"}, "FORM", ("text", "json"))


@pytest.mark.slow
def test_no_server_starts_with_what_makes_no_sense() -> None:
    """It says so in words, before anything is compiled."""
    own = {**os.environ, "ARMSWEEP_SESSIONS": "many"}
    command = [sys.executable, "-c", "import app.app_hooks"]
    done = subprocess.run(command, cwd=ROOT, env=own, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert done.stderr.strip().startswith("ARMSWEEP_SESSIONS is 'many'; it is to be")
