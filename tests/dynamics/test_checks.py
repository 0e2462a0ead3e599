"""What messages quote of a value: enough to recognise it, never all of it."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest

import dynamics as dyn
from dynamics.checks import BRIEF_LENGTH, CHOICES_LISTED, brief, choices

A_LOT = 10**6
LONGEST_MESSAGE = 2000


@pytest.fixture(scope="module")
def arm() -> tuple[dyn.System, dyn.State]:
    return dyn.example("puma560")


def nested(depth: int) -> dict[str, object]:
    return {"inner": nested(depth - 1)} if depth else {"numbers": list(range(1000))}


QUOTED = [
    ("short", "'short'"),
    ("x" * A_LOT, "'xxxx"),
    (b"x" * A_LOT, "b'xxxx"),
    ([0.5] * A_LOT, "[0.5, 0.5"),
    (("a", 1, None), "('a', 1, None)"),
    (nested(40), "{'inner': {'inner'"),
    ({str(k): k for k in range(1000)}, "{'0': 0"),
    (np.arange(A_LOT), "an array of shape (1000000,): 0, 1, 2, …"),
    (np.eye(2), "an array of shape (2, 2): 1.0, 0.0, 0.0, …"),
    (np.array(["word", {}], dtype=object), "an array of shape (2,): 'word', {}"),
    (np.float64(0.25), "0.25"),
    (10**5000, "a whole number of 16610 bits"),
    (-7, "-7"),
    ("\ud800 alone", r"'\ud800 alone'"),
    ("two\nlines", r"'two\nlines'"),
]


def test_a_value_is_quoted_briefly() -> None:
    for value, start in QUOTED:
        quoted = brief(value)
        assert quoted.startswith(start)
        assert len(quoted) <= BRIEF_LENGTH, start
        assert "\n" not in quoted, start
        quoted.encode("utf-8")  # a lone surrogate would refuse


def test_records_are_named_and_not_written_out(arm: tuple[dyn.System, dyn.State]) -> None:
    system, state = arm
    assert (brief(state), brief(system)) == ("a State", "a System")
    assert brief([state] * 50).startswith("[a State, a State,")


def test_a_value_without_a_repr_is_named_by_its_class() -> None:
    class Broken:
        def __repr__(self) -> str:
            raise RuntimeError("no")

    assert "Broken" in brief(Broken())


def test_choices_are_listed_up_to_a_number() -> None:
    names = [f"joint_{k}" for k in range(500)]
    assert choices(names[:3]) == "joint_0, joint_1, joint_2"
    assert choices(names).endswith(f"joint_{CHOICES_LISTED - 1}, and {500 - CHOICES_LISTED} more")


OFFENDERS: dict[str, Callable[[dyn.System, dyn.State, object], object]] = {
    "joint rates": lambda system, state, value: system.state(qd=value),
    "joint name": lambda system, state, value: system.to_joint_vector({str(value): 1.0}),
    "robot name": lambda system, state, value: dyn.load(str(value).replace("/", "_")),
    "robot file": lambda system, state, value: dyn.load(f"{value}.urdf"),
    "robot text": lambda system, state, value: dyn.load_urdf_text(str(value)),
    "example": lambda system, state, value: dyn.example(str(value)),
    "tip": lambda system, state, value: dyn.load("iiwa14", tip=str(value)),
    "torque": lambda system, state, value: dyn.forward_dynamics(system, state, value),
    "method": lambda system, state, value: dyn.forward_dynamics(system, state, method=str(value)),
    "wrench": lambda system, state, value: dyn.forward_dynamics(system, state, external_forces={str(value): [0] * 6}),
    "inverse": lambda system, state, value: dyn.inverse_dynamics(system, state, np.zeros(6), method=str(value)),
    "mass matrix": lambda system, state, value: dyn.mass_matrix(system, state, method=str(value)),
    "contacts": lambda system, state, value: dyn.grasp(*dyn.example("two_arms_and_box"), contacts=[value, "rigid"]),
    "contact count": lambda system, state, value: dyn.grasp(*dyn.example("two_arms_and_box"), contacts=[value] * 3),
    "batch": lambda system, state, value: dyn.forward_dynamics_batch(system, value, np.zeros((2, 6)), np.zeros((2, 6))),
    "table": lambda system, state, value: dyn.from_denavit_hartenberg(value, [1], [[0, 0, 0]], [[1, 1, 1]]),
    "integrator": lambda system, state, value: dyn.simulate(system, state, method=str(value), duration=0.1, dt=0.01),
    "rebase": lambda system, state, value: dyn.rebase(dyn.example("free_flyer")[0], str(value)),
    "operations": lambda system, state, value: dyn.count_operations(str(value), 3),
    "move joint": lambda system, state, value: dyn.move_joint(system, state, str(value), 0.1),
}


def test_no_message_repeats_what_it_was_given(arm: tuple[dyn.System, dyn.State]) -> None:
    """A list of ten thousand states once gave a message of 700 kB."""
    given = {
        "states": [arm[1]] * 100,
        "text": "name " * 100_000,
        "surrogates": "\ud800" * 100_000,
        "nested": nested(30),
    }
    for (name, offender), (kind, value) in itertools.product(OFFENDERS.items(), given.items()):
        with pytest.raises(ValueError, match=r"\w") as caught:
            offender(*arm, value)
        assert isinstance(caught.value, dyn.ModelError | dyn.StateError), (name, kind)
        assert len(str(caught.value)) <= LONGEST_MESSAGE, (name, kind)
        str(caught.value).encode("utf-8")


def test_text_is_no_number_whatever_it_spells(arm: tuple[dyn.System, dyn.State]) -> None:
    """A duration and a count of links given as text were once a TypeError of an inner line."""
    with pytest.raises(dyn.StateError, match="duration is '1'; expected 0 to"):
        dyn.simulate(*arm, duration="1")
    with pytest.raises(dyn.ModelError, match="n_links is '3'; expected a whole number"):
        dyn.count_operations("newton_euler", "3")
