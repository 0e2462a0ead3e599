"""What the tab *Matrices* shows is what its title says, with the object in hand and without."""

from __future__ import annotations

import numpy as np
import pytest

import dynamics as dyn
from app.walker.matrices import OF_SYSTEM, of_system


def shown(name: str, released: bool = False) -> tuple[dyn.Solution, dict[str, np.ndarray]]:
    system, state = dyn.example(name)
    solution = dyn.forward_dynamics(dyn.release(system) if released else system, state)
    return solution, {title: OF_SYSTEM[title](solution) for title in of_system(solution.system)}


def answer(solution: dyn.Solution, joint: int) -> np.ndarray:
    """What the joint accelerations gain from a unit torque at a joint."""
    unit = np.zeros(solution.system.n_joints)
    unit[joint] = 1.0
    pushed = dyn.forward_dynamics(solution.system, solution.state, solution.tau + unit)
    return pushed.joint_acceleration - solution.joint_acceleration


@pytest.mark.parametrize("name", ["puma560", "free_flyer"])
def test_without_an_object_the_inverse_is_what_torques_do(name: str) -> None:
    solution, matrices = shown(name)
    np.testing.assert_allclose(matrices["M⁻¹, joints of its inverse"][:, 1], answer(solution, 1), rtol=1e-9, atol=1e-9)
    assert not any("W" in title for title in matrices)


@pytest.mark.parametrize("name", ["two_arms_and_box", "point_contact"])
def test_while_an_object_is_held_it_is_called_w_free_and_w_is_what_torques_do(name: str) -> None:
    solution, matrices = shown(name)
    free, whole = matrices["W_FREE = M⁻¹, the arms alone"], matrices["W = W_FREE − ΔW, holding the object"]
    np.testing.assert_allclose(whole[:, 2], answer(solution, 2), rtol=1e-7, atol=1e-9)
    assert np.abs(free[:, 2] - answer(solution, 2)).max() > 1e-3
    np.testing.assert_allclose(free - matrices["ΔW, what the object takes away"], whole, atol=1e-12)
    identity = free @ matrices["M, mass matrix of the arms alone"]
    np.testing.assert_allclose(identity, np.eye(len(free)), atol=1e-9)
    assert "M⁻¹, joints of its inverse" not in matrices


def test_once_released_it_is_the_inverse_again() -> None:
    _, matrices = shown("two_arms_and_box", released=True)
    assert "M⁻¹, joints of its inverse" in matrices
    assert not any("W" in title for title in matrices)
