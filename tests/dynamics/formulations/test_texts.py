"""Every other formulation as it is read: what it arrives at, each of its lines, its steps and its letters."""

from __future__ import annotations

import numpy as np
import pytest

import dynamics as dyn
from dynamics.witness import appel, lagrange, newton_euler, newton_euler_modified
from dynamics.witness.kkt import dense_equations, solve_dense
from tests.dynamics.every import every
from tests.dynamics.textbook.cases import NAMES, Case, case_named

SEED = 3
BOLTED = "one link", "chain", "tree", "losses", "beside"
PRINTED = (*BOLTED, "free flyer", "free flyer with losses")
HOLDING = "held", "coupled contacts", "floating group", "at rest, rigid", "at rest, soft_finger", "indeterminate"
WITNESSES = {
    "newton_euler": newton_euler.inverse_dynamics, "newton_euler_modified": newton_euler_modified.inverse_dynamics,
    "lagrange": lagrange.inverse_dynamics, "inverse_dynamics": newton_euler.inverse_dynamics,
}  # fmt: skip


def drawn(name: str) -> Case:
    return case_named(name, SEED)


def read(case: Case, name: str, joint_acceleration: np.ndarray | None = None) -> dyn.FormulationReading:
    return dyn.read_formulation(case.system, case.state, name, case.tau, joint_acceleration, case.wrench)


def close(found: np.ndarray, expected: np.ndarray, rtol: float = 1e-10) -> bool:
    return bool(np.abs(found - expected).max(initial=0.0) <= rtol * np.abs(expected).max(initial=1e-9))


@every([("newton_euler", BOLTED), ("as_printed", PRINTED), ("group_inverse", HOLDING)])
def test_each_formulation_is_read_for_all_that_it_serves(formulation: str, names: tuple[str, ...]) -> None:
    offered = {name for name in NAMES if formulation in dyn.readable_formulations(drawn(name).system)}
    assert offered == set(names)


def kkt(case: Case) -> np.ndarray:
    """Accelerations of joints, bases and object by the dense witness."""
    poses = case.read().solution.link_pose
    return solve_dense(dense_equations(case.system, case.state, poses, case.wrench), case.tau)[0]


@every((case, name) for case in BOLTED for name in WITNESSES)
def test_torques_are_those_of_independent_mechanics(case: str, name: str) -> None:
    wanted = np.random.default_rng(5).normal(size=drawn(case).system.n_joints)
    found = read(drawn(case), name, wanted)
    system, state, wrench = drawn(case).system, drawn(case).state, drawn(case).wrench
    assert found.arrives == "torque"
    assert close(found.answer, WITNESSES[name](system, state, wanted, wrench))


@every(BOLTED)
def test_accelerations_and_mass_matrices_are_those_of_independent_mechanics(case: str) -> None:
    system, state = drawn(case).system, drawn(case).state
    n, packed = system.n_joints, kkt(drawn(case))
    expected = dyn.mass_matrix(system, state, "kkt")[:n, :n]
    letters = {"strobing": "W", "composite_bodies": "W", "appel": "W_S", "constrained": "W_v", "as_printed": None}
    for name, letter in letters.items():
        found = read(drawn(case), name)
        assert found.arrives == "joint_acceleration"
        assert close(found.answer, packed[:n]), name
        assert letter is None or close(found.letter(letter), expected), name


@every(NAMES)
def test_multipliers_close_every_chain(case: str) -> None:
    """Joints, what floats, the object and what the contacts transmit."""
    own = drawn(case)
    found, packed = read(own, "constrained"), kkt(own)
    floating = own.system.n_joints + 6 * own.system.n_bases
    assert close(found.answer, packed[: own.system.n_joints])
    if own.system.is_held:
        assert close(found.letter("v_dd").ravel(), packed[:floating])
        assert close(found.letter("alpha_C").ravel(), packed[-6:], 1e-9)
        force = own.read().letter("F")
        assert close(found.letter("F"), force, 1e-8)  # of what is indeterminate both take the smallest


@every(PRINTED)
def test_the_printed_form_is_joined_to_the_other_as_it_says(case: str) -> None:
    found, other = read(drawn(case), "as_printed"), drawn(case).read()
    for letter in ("z", "z_plus", "eps", "nu", "theta_dd", "z_minus", "e_minus", "P", "G"):
        assert close(found.letter(letter), other.letter(letter)), letter
    assert close(found.letter("z_R"), other.letter("z_plus"))


@every(HOLDING)
def test_torques_for_a_held_object_are_those_of_the_group(case: str) -> None:
    own = drawn(case)
    wanted = np.random.default_rng(7).normal(size=6)
    found = dyn.read_formulation(own.system, own.state, "group_inverse", None, None, own.wrench, wanted)
    expected = dyn.group_inverse(own.system, own.state, wanted, own.wrench)
    n = own.system.n_joints
    assert close(found.letter("P_v").ravel(), expected.tau, 1e-9)
    assert close(found.letter("v_dd").ravel(), expected.joint_acceleration, 1e-9)
    assert np.array_equal(found.answer, found.letter("P_v").ravel()[:n])


def test_appels_energy_is_quadratic_in_the_accelerations() -> None:
    """S is what the masses' accelerations sum to, by the independent witness's matrices."""
    case = drawn("chain")
    gibbs = appel.gibbs_function(case.system, case.state)
    found = read(case, "appel")
    assert close(found.letter("V_S").ravel(), gibbs.velocity_terms)
    assert close(found.letter("D_S").ravel(), np.array([gibbs.rest]))


@every(["one link", "tree", "beside", "free flyer", "coupled contacts"])
def test_each_line_says_what_it_computed(case: str) -> None:
    """Its terms add up to its value, its sources are numbers of papers, and every step has lines."""
    for name in dyn.readable_formulations(drawn(case).system):
        found = read(drawn(case), name)
        for at, step in enumerate(found.steps):
            lines = found.lines(at)
            assert lines, (name, step)
            for line in lines:
                total = sum(term.sign * term.value for term in line.terms)
                largest = max(np.abs(term.value).max(initial=0.0) for term in line.terms)
                assert np.allclose(total, line.value, rtol=1e-12, atol=1e-12 * (1.0 + largest)), (name, line.key)
                assert line.equation.split()[0] in ("TML", "JZ", "R87", "JR"), line.key
                assert line.quantity.mechanics_name, line.key


def test_a_machine_that_it_does_not_serve_is_refused_in_words() -> None:
    flyer = drawn("free flyer")
    assert dyn.readable_formulations(flyer.system) == ("constrained", "as_printed")
    with pytest.raises(dyn.ModelError, match="bolted down and hold nothing"):
        read(flyer, "appel")
    with pytest.raises(dyn.ModelError, match="there is no formulation 'kane'"):
        read(flyer, "kane")
    with pytest.raises(dyn.StateError, match="no step 999"):
        read(flyer, "constrained").lines(999)
    with pytest.raises(dyn.ModelError, match="no letter 'Lam'"):
        read(flyer, "constrained").letter("Lam")
