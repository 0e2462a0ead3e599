"""Faults planted in another algorithm: the first wrong number is located, and the cause named."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import dynamics as dyn
from tests.dynamics.comparison.drawn import DrawnMachine, drawn, machine_of, moment_of
from tests.dynamics.comparison.plain_aba import AS_KDL, FAULTS, UNUSUAL, run

pytestmark = [pytest.mark.compiled_only]  # no kernel knows of it, and it is long
SWEEPS = (("v", "I", "c"), ("IA", "pA", "D", "U", "u", "pa", "Ia"), ("qdd", "a"))
"""What each sweep of that algorithm leaves: outward, inward, outward."""
FEATHERSTONE = ("Featherstone's book, spatial_v2 and RBDL",)


def first_wrong(wrong: dict[str, np.ndarray], right: dict[str, np.ndarray]) -> tuple[str, int]:
    """The name and our link of the first number that is not what it is without the fault."""
    n = len(right["qdd"])
    for sweep, names in enumerate(SWEEPS):
        for i in reversed(range(n)) if sweep == 1 else range(n):
            for name in names:
                one, other = wrong[name][i], right[name][i]
                if np.abs(one - other).max() > 1e-9 * max(np.abs(other).max(), 1e-3 * np.abs(right[name]).max()):
                    return name, n - 1 - i
    raise AssertionError("this machine does not feel the fault")


def located(number: int, fault: str, style: tuple[tuple[str, str], ...] = ()) -> dyn.Comparison:
    it = drawn(number, (5, 7), 0.4, rough=True, pushed="push" in fault)
    machine, moment = machine_of(it.system), moment_of(it)
    right, wrong = run(machine, moment, "", style), run(machine, moment, fault, style)
    found = dyn.compare(it.system, it.state, wrong, it.tau, it.wrench)
    assert found.first_stage is not None, fault
    assert (found.first_stage.name, found.first_link) == first_wrong(wrong, right), str(found)
    return found


def names_a_cause(number: int, fault: str, style: tuple[tuple[str, str], ...] = ()) -> None:
    found = located(number, fault, style)
    assert found.causes, str(found)
    assert max(cause.difference for cause in found.causes) < 1e-9, str(found)
    assert style or found.libraries == FEATHERSTONE, str(found)


def test_a_fault_of_each_sweep_is_located_and_its_cause_named() -> None:
    """Of an algorithm as Featherstone's book has it, and as KDL has it, with the bias in the innovation alone."""
    for fault in ("Steiner negated", "velocity product left out", "inertia transformed the wrong way"):
        names_a_cause(list(FAULTS).index(fault), fault)
    names_a_cause(105, "force not transformed", AS_KDL)


@pytest.mark.full
def test_the_cause_of_every_usual_fault_is_named() -> None:
    for number, fault in enumerate(FAULTS):
        names_a_cause(number, fault)


@pytest.mark.full
def test_an_unusual_fault_is_located() -> None:
    for number, fault in enumerate(UNUSUAL):
        assert not located(number, fault).causes


ROUNDED = {
    "single precision": lambda array: array.astype(np.float32),
    "six decimals": lambda array: array.round(6),
    "seven digits": lambda array: np.vectorize(lambda number: float(f"{number:.7g}"))(array),
}


@pytest.mark.parametrize("fault", ["", pytest.param("inertia not transformed", marks=pytest.mark.full)])
def test_numbers_of_few_digits(fault: str) -> None:
    it = drawn(3, (5, 7), 0.4, rough=True)
    right, wrong = (run(machine_of(it.system), moment_of(it), each) for each in ("", fault))
    for rounded in ROUNDED.values():
        theirs = {name: rounded(array) for name, array in wrong.items()}
        found = dyn.compare(it.system, it.state, theirs, it.tau, it.wrench)
        first_link = first_wrong(wrong, right)[1] if fault else -1
        assert (found.agrees, found.first_link, bool(found.causes)) == (not fault, first_link, bool(fault)), str(found)
        assert found.libraries == FEATHERSTONE, str(found)
        assert "counts as rounding" in str(found)


def test_a_fixed_rotation_of_angles_in_the_other_order() -> None:
    it = drawn(1, (4, 5))
    machine = machine_of(it.system)
    turn = [Rotation.from_euler("XYZ", Rotation.from_matrix(R).as_euler("xyz")).as_matrix() for R in machine.turn]
    found = dyn.compare(it.system, it.state, run(machine._replace(turn=turn), moment_of(it)), it.tau, it.wrench)
    words = "the angles roll, pitch, yaw of the fixed rotation are applied in the other order"
    assert [cause.words for cause in found.causes] == [words]


def test_friction_and_rotors_that_theirs_leaves_out_are_named_and_a_fault_is_found_behind_them() -> None:
    system, rng = dyn.example("puma560")[0], np.random.default_rng(1)
    state, tau = system.state(rng.normal(size=6), rng.normal(size=6)), rng.normal(size=6)
    it = DrawnMachine(None, system, state, tau, np.zeros((7, 6)))  # type: ignore[arg-type]
    machine = machine_of(system)
    found = dyn.compare(system, state, run(machine._replace(rotor=[0.0] * 6), moment_of(it)), tau)
    assert (found.left_out, found.agrees) == ("friction and the rotors' inertia", False)
    assert "It agrees with ours everywhere" in str(found)
    found = dyn.compare(system, state, run(machine, moment_of(it), "Ia c left out"), tau)
    assert found.left_out == "friction"
    assert (found.stages[found.first].name, found.first_link) == ("pa", 0)
    assert any("P_plus a" in cause.words for cause in found.causes), str(found)
    words = "Yours leaves out friction, which ours has; the rest compares ours without it."
    assert found.difference_in_words[0] == words
