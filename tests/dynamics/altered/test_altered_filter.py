"""The twin that can be broken: it is the filter and smoother where nothing is, and breaks as its data say."""

from __future__ import annotations

import numpy as np
import pytest

import dynamics as dyn
from tests.dynamics.altered.altered_cases import Case, draw_cases

CASES = {case.name: case for case in draw_cases(12)}
TERMS = [(line.stage, line.quantity, term.name) for line in dyn.algorithm_lines for term in line.terms]


@pytest.mark.parametrize("seed", [12, 13, 14])
def test_as_published_it_is_forward_dynamics(seed: int) -> None:
    for case in draw_cases(seed):
        expected = dyn.forward_dynamics(case.system, case.state, case.tau, external_forces=case.wrench)
        found = case.solve()
        assert [name for name in expected.stages if name != "dual_filter"] == list(found.stages)
        for stage, quantities in found.stages.items():
            assert set(quantities) == set(expected.stages[stage])
            for name, value in quantities.items():
                other = expected.stages[stage][name]
                size = max(float(np.abs(other).max(initial=0.0)), 1.0)
                assert np.allclose(value, other, rtol=0.0, atol=1e-9 * size), (case.name, stage, name)
        scale = np.abs(expected.packed_acceleration).max()
        assert np.allclose(found.packed_acceleration, expected.packed_acceleration, rtol=0.0, atol=1e-9 * scale)
        assert np.allclose(found.link_pose, expected.link_pose)
        assert found.kinetic_energy == expected.kinetic_energy


@pytest.mark.parametrize("example", dyn.examples())
def test_as_published_on_the_examples(example: str) -> None:
    system, state = dyn.example(example)
    tau = np.linspace(-1.0, 1.0, system.n_joints)
    expected = dyn.forward_dynamics(system, state, tau).packed_acceleration
    found = dyn.altered_forward_dynamics(system, state, tau).packed_acceleration
    assert np.allclose(found, expected, rtol=0.0, atol=1e-9 * np.abs(expected).max())


@pytest.mark.parametrize("name", CASES)
def test_every_identity_holds_as_published(name: str) -> None:
    case = CASES[name]
    compiled = dyn.forward_dynamics(case.system, case.state, case.tau, external_forces=case.wrench)
    for solution in (compiled, case.solve()):
        worst = {(c.stage, c.identity.key): c.worst for c in dyn.identities(solution, case.wrench)}
        assert max(worst.values()) < 1e-10, worst


@pytest.mark.parametrize("factor", [0.0, -1.0, 0.5])
@pytest.mark.parametrize("key", TERMS, ids="/".join)
def test_an_altered_term_fails_the_identity_that_it_names(key: tuple[str, str, str], factor: float) -> None:
    """Wherever the term is there at all; its data say where it is not."""
    line = next(line for line in dyn.algorithm_lines if (line.stage, line.quantity) == key[:2])
    term = next(term for term in line.terms if term.name == key[2])
    noticed = 0
    for case in CASES.values():
        if not case.applies(*key[:2]):
            continue
        failing = failures(case, dyn.Alteration({key: factor}))
        if failing:
            assert term.fails in failing, (case.name, failing)
            noticed += 1
        else:
            assert term.absent, f"nothing shows it in {case.name}, and the data do not say why"
    assert noticed, "no system of these has the term"


def failures(case: Case, alteration: dyn.Alteration) -> set[str]:
    checks = dyn.identities(case.solve(alteration), case.wrench)
    return {check.identity.key for check in checks if not check.holds}


def test_the_first_link_is_where_the_error_enters() -> None:
    """Without the inertia that comes from outboard the tip's link is right, and the next one is not."""
    case = CASES["chain"]
    solution = case.solve(dyn.Alteration({("filter", "articulated_inertia", "carried"): 0.0}))
    check = next(c for c in dyn.identities(solution, case.wrench) if c.identity.key == "articulated")
    assert check.residual[0] < 1e-12
    assert check.first_link == 1
    outward = case.solve(dyn.Alteration({("smoother", "acceleration_inboard", "carried"): 0.0}))
    check = next(c for c in dyn.identities(outward, case.wrench) if c.identity.key == "kinematics")
    assert check.first_link == case.system.n_joints - 2
    assert check.residual[-1] < 1e-12


def test_a_division_by_zero_is_told_not_raised() -> None:
    case = CASES["chain"]
    solution = case.solve(dyn.Alteration({("filter", "articulated_inertia", "own"): 0.0}))
    check = next(c for c in dyn.identities(solution, case.wrench) if c.identity.key == "finite")
    assert not check.holds
    assert check.first_link == 0


def test_an_unknown_term_is_refused() -> None:
    with pytest.raises(dyn.ModelError, match="no term"):
        dyn.Alteration({("filter", "articulated_inertia", "nothing"): 0.0})
