"""An algorithm that knows nothing of friction or rotors, and has a fault besides: both are told."""

from __future__ import annotations

import numpy as np
import pytest

import dynamics as dyn
from tests.dynamics.beside.drawn import Drawn, machine_of, moment_of
from tests.dynamics.beside.plain_aba import run

pytestmark = [pytest.mark.compiled_only, pytest.mark.slow]  # no kernel knows of it


def without_friction(fault: str, *, rotors: bool = True) -> dyn.Comparison:
    """Of an arm with friction, of which that algorithm knows nothing."""
    system, rng = dyn.example("puma560")[0], np.random.default_rng(1)
    state, tau = system.state(rng.normal(size=6), rng.normal(size=6)), rng.normal(size=6)
    it = Drawn(None, system, state, tau, np.zeros((7, 6)))  # type: ignore[arg-type]
    machine = machine_of(system)
    if not rotors:
        machine = machine._replace(rotor=[0.0] * 6)
    return dyn.compare(system, state, run(machine, moment_of(it), fault), tau)


def test_behind_friction_that_is_left_out_a_fault_is_found_all_the_same() -> None:
    found = without_friction("Ia c left out")
    assert found.left_out == "friction"
    assert (found.stages[found.first].name, found.first_link) == ("pa", 0)
    assert any("P⁺ a" in cause.words or "bias" in cause.words for cause in found.causes), str(found)
    assert (
        found.difference_in_words[0] == "Yours leaves out friction, which ours has; what follows is of ours without it."
    )


def test_friction_alone_is_a_cause_and_with_rotors_what_is_left_out() -> None:
    found = without_friction("")
    assert [cause.key for cause in found.causes] == ["friction is left out"]
    assert not found.left_out
    found = without_friction("", rotors=False)
    assert found.left_out == "friction and the rotors' inertia"
    assert not found.agrees
    assert "It agrees with ours everywhere" in str(found)


def test_where_nothing_agrees_more_is_asked_for() -> None:
    system, state = dyn.example("puma560")
    found = dyn.compare(system, state, {"qdd": np.arange(6.0)})
    assert "Hand in what comes before as well" in str(found)
    assert "This machine has friction" in str(found)
    system, state = dyn.example("one_arm_by_a_point")
    tau = np.linspace(-1.0, 1.0, system.n_joints)
    forces = dyn.forward_dynamics(system, state, tau).stages["contact"]["contact_force"]
    assert "none of them agrees" in str(dyn.compare(system, state, {"x_0": np.array(forces) * 1.1}, tau))
