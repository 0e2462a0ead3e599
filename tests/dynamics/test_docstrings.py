"""Everything that ``dynamics`` exports says what goes in, what comes out, in which unit and axes, and what it costs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

import dynamics as dyn
from dynamics.checks import numbers
from dynamics.errors import ModelError
from tests.dynamics.public_docstrings import Public, exported, missing, raised_by

EVERYTHING = list(exported())


@pytest.mark.parametrize("public", EVERYTHING, ids=lambda public: public.name)
def test_a_public_name_is_documented(public: Public) -> None:
    assert missing(public) == []


def test_every_exported_name_is_looked_at() -> None:
    looked_at = {public.name for public in EVERYTHING}
    values = {
        name for name in dyn.__all__ if not callable(getattr(dyn, name)) or not hasattr(getattr(dyn, name), "__doc__")
    }
    assert looked_at >= set(dyn.__all__) - values
    assert {
        "System.state",
        "Recording.solution_at",
        "TaskObject.box",
        "System.n_joints",
        "forward_dynamics",
    } <= looked_at


GOOD = """A thing is measured; R87 (1).

Args:
    a: (n,), m, inertial axes.

Returns:
    (n,), N.

Raises:
    ModelError: if it cannot.
    StateError: if ``a`` is no array.

Cost: linear.
"""


def measured(a: NDArray[np.float64]) -> NDArray[np.float64]:
    if not a.size:
        raise ModelError("empty")
    return numbers(a, (3,), "a")


measured.__module__ = "dynamics.witness"


def faults_of(doc: str) -> list[str]:
    measured.__doc__ = doc
    return missing(Public("measured", measured))


def test_a_complete_docstring_passes() -> None:
    assert faults_of(GOOD) == []


@pytest.mark.parametrize(
    ("taken", "instead", "fault"),
    [
        ("    a: (n,), m, inertial axes.\n", "    b: (n,), m, inertial axes.\n", "Args lacks a"),
        ("Returns:\n    (n,), N.\n\n", "", "no Returns"),
        ("    StateError: if ``a`` is no array.\n", "", "Raises lacks StateError"),
        ("    ModelError: if it cannot.\n", "", "Raises lacks ModelError"),
        ("Cost: linear.\n", "", "no Cost"),
        (", m, inertial axes", ", m", "no frame or axes"),
        ("; R87 (1)", "", "no equation, paper or law"),
        ("A thing is measured; R87 (1).", "Thing R87", "no summary that is a sentence"),
    ],
)
def test_what_is_missing_is_named(taken: str, instead: str, fault: str) -> None:
    assert taken in GOOD
    assert faults_of(GOOD.replace(taken, instead)) == [fault]


def test_units_are_asked_for() -> None:
    assert faults_of(GOOD.replace("m, inertial", "inertial").replace(", N.", ".")) == ["no unit"]


def test_a_record_explains_its_fields() -> None:
    @dataclass
    class Record:
        """What was found.

        Attributes:
            first: m.
        """

        first: float
        second: float

    assert missing(Public("Record", Record)) == ["Attributes lacks second"]


def test_errors_are_found_through_what_is_called() -> None:
    assert raised_by(dyn.example) == {"ModelError"}
    assert raised_by(dyn.System.pack, dyn.System) == {"StateError"}
    assert raised_by(dyn.forward_dynamics) >= {"ModelError", "StateError", "SingularConfigurationError"}
