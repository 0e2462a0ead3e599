"""Where no circle is found, it is said why: of a leg, too, whose tip is its knee."""

from __future__ import annotations

import pytest

import dynamics as dyn
from app.motion.setup import machine_of_file
from tests.dynamics.systems import legged_file


def test_a_joint_that_cannot_move_the_tip_is_named() -> None:
    machine = machine_of_file(legged_file(6, 2).encode(), "legs.urdf")
    with pytest.raises(dyn.ModelError, match=r"no circle was found .* which 'j5_1' cannot move\."):
        machine.circle_from(machine.state)


def test_of_a_longer_leg_there_is_one() -> None:
    machine = machine_of_file(legged_file(6, 4).encode(), "legs.urdf")
    assert machine.circle_from(machine.state).radius > 0.0
