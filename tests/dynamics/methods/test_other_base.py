"""Counted from another base: what changes and what does not, held against operators that know of no second machine."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest

import dynamics as dyn
from dynamics.operators.base_change import rebased_mass_matrix
from tests.dynamics.every import every
from tests.dynamics.systems import draw_robot
from tests.dynamics.twins import Twin, one_arm

CASES = [(2, 0.0), (6, 0.0), (9, 0.6)]


@lru_cache(maxsize=4)
def drawn(n: int, branching: float) -> Twin:
    rng = np.random.default_rng(70 + n)
    return one_arm(rng, draw_robot(rng, n, branching=branching), floating=True)


def pushed(twin: Twin) -> tuple[dyn.Solution, np.ndarray]:
    wrench = np.zeros((twin.system.n_links + 1, 6))
    wrench[:-1] = np.random.default_rng(5).normal(size=(twin.system.n_links, 6))
    return dyn.forward_dynamics(twin.system, twin.state, twin.tau, external_forces=wrench), wrench


def off(found: np.ndarray, expected: np.ndarray) -> float:
    return float(np.abs(found - expected).max() / np.abs(expected).max())


@every(CASES)
def test_accelerations_and_p_plus_s_need_no_base(*case: object) -> None:
    twin = drawn(*case)
    solution, wrench = pushed(twin)
    alpha, theta = solution.stages["smoother"]["acceleration"], solution.joint_acceleration
    inertia = dyn.operational_space_inertia(twin.system, twin.state)
    for link in twin.system.link_names:
        other = dyn.from_another_base(solution, dyn.rebase(twin.system, link), wrench)
        assert off(other.acceleration, alpha) < 1e-9
        assert off(other.joint_acceleration, theta) < 1e-9
        assert off(other.operational_space_inertia, inertia) < 1e-9
        both = other.articulated_inertia + other.dual_articulated_inertia
        assert off(both, other.operational_space_inertia) < 1e-12


@every(CASES)
def test_what_changes_is_what_the_change_of_coordinates_says(*case: object) -> None:
    twin = drawn(*case)
    solution, wrench = pushed(twin)
    system = twin.system
    P, S = solution.stages["filter"]["articulated_inertia"], solution.stages["dual_filter"]["dual_articulated_inertia"]
    for base, link in enumerate(system.link_names):
        other = dyn.from_another_base(solution, dyn.rebase(system, link), wrench)
        assert off(other.mass_matrix, rebased_mass_matrix(system, twin.state, link)) < 1e-9
        on_the_way = set(system.path_inward(base))
        for k in range(system.n_links):
            if k not in on_the_way:  # the same lies outboard of it, the same inboard
                assert off(other.articulated_inertia[k], P[k]) < 1e-9
                assert np.abs(other.dual_articulated_inertia[k] - S[k]).max() < 1e-9 * np.abs(P[k] + S[k]).max()
        assert off(other.articulated_inertia[base], P[base] + S[base]) < 1e-9  # everything is outboard of a base
        assert np.abs(other.dual_articulated_inertia[base]).max() < 1e-12 * np.abs(P[base]).max()
        if base < system.n_joints:
            assert off(other.articulated_inertia[-1], P[-1]) > 1e-3
            assert off(other.mass_matrix, dyn.mass_matrix(system, twin.state)) > 1e-3


@every(CASES)
def test_the_bias_force_is_that_of_the_same_body(*case: object) -> None:
    """f = P (alpha - a) + z at the new base, which nothing holds, is what pushes it from outside: nothing."""
    twin = drawn(*case)
    solution, wrench = pushed(twin)
    other = dyn.from_another_base(solution, dyn.rebase(twin.system, twin.system.link_names[0]), wrench)
    held = other.articulated_inertia[0] @ other.acceleration[0]
    assert np.allclose(held + other.predicted_force[0], 0.0, atol=1e-8 * np.abs(held).max())


def test_its_own_base_changes_nothing() -> None:
    system, state = dyn.example("free_flyer")
    solution = dyn.forward_dynamics(system, state, np.linspace(-1.0, 1.0, system.n_joints))
    same = dyn.from_another_base(solution, dyn.rebase(system, system.link_names[-1]))
    assert off(same.articulated_inertia, solution.stages["filter"]["articulated_inertia"]) < 1e-14
    assert off(same.predicted_force, solution.stages["filter"]["predicted_force"]) < 1e-12
    assert off(same.mass_matrix, dyn.mass_matrix(system, state)) < 1e-14


def test_what_is_not_the_same_machine_is_refused() -> None:
    system, state = dyn.example("free_flyer")
    solution = dyn.forward_dynamics(system, state)
    rng = np.random.default_rng(1)
    stranger = one_arm(rng, draw_robot(rng, 2), floating=True).system
    with pytest.raises(dyn.ModelError, match="other links"):
        dyn.from_another_base(solution, stranger)
    bolted, still = dyn.example("puma560")
    with pytest.raises(dyn.ModelError, match="bolted down"):
        dyn.from_another_base(dyn.forward_dynamics(bolted, still), dyn.rebase(system, "hand"))
    with pytest.raises(dyn.ModelError, match="bolted down"):
        dyn.from_another_base(solution, bolted)
