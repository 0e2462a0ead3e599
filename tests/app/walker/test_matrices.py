"""What the tab *Matrices* shows is what its title says, with the object in hand and without."""

from __future__ import annotations

import numpy as np
import pytest

import dynamics as dyn
from app.equations.formula import raised, unit_here, unit_html
from app.state import Session
from app.state.walk import Place
from app.walker.matrices import OF_LINK, OF_SYSTEM, of_system
from app.walker.matrix_sheet import link_matrix_html
from app.walker.matrix_tab import MatrixTab


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


@pytest.mark.parametrize(
    ("title", "down", "along", "each", "said"),
    [
        ("P(k), articulated inertia", "moment|force", "angular acceleration|linear acceleration",
         "kg m²|kg m|kg m|kg", "force per linear acceleration kg;"),
        ("Λ(k), inverse operational-space inertia", "angular acceleration|linear acceleration", "moment|force",
         "1/(kg m²)|1/(kg m)|1/(kg m)|1/kg", "angular acceleration per force 1/(kg m),"),
    ],
)  # fmt: skip
def test_each_block_says_what_it_makes_of_what_and_in_which_unit(
    title: str, down: str, along: str, each: str, said: str
) -> None:
    quantity = dyn.registry[OF_LINK[title]]
    found = link_matrix_html(title, quantity.unit, quantity.frame, "of link 1, <b>")
    assert f"data-down='{down}' data-along='{along}' data-each='{each}'" in found
    assert said in found


def test_a_units_parts_are_said_in_words() -> None:
    assert unit_html("1") == "no unit"
    gain = unit_html(dyn.registry["filter", "kalman_gain"].unit)
    assert gain == "Mx My Mz without a unit, Fx Fy Fz 1/m (where the joint slides: m, and without a unit)"
    split = {each.unit for each in dyn.registry.values() if ";" in each.unit}
    assert not {unit for unit in split if unit_html(unit) == raised(unit)}, "parts without a name"


def test_a_unit_at_one_kind_of_joint() -> None:
    units = {each.unit for each in dyn.registry.values()}
    for unit, turning, sliding in (
        ("1; 1/m (or m; 1)", "no unit; 1/m", "m; no unit"),
        ("kg m^2 or kg", "kg m^2", "kg"),
        ("N m; N", "N m; N", "N m; N"),
    ):
        assert unit in units
        assert (unit_here(unit, slides=False), unit_here(unit, slides=True)) == (turning, sliding)
    assert not any(" or " in unit_here(unit, slides) or "(" in unit_here(unit, slides).replace("/(", "")
                   for unit in units for slides in (False, True))  # fmt: skip


def test_what_a_link_is_called_cannot_leave_the_comment_of_a_copy() -> None:
    session = Session("puma560")
    tab = MatrixTab(session, print)
    tab.draw(Place("filter", 0, 2, 0))
    tab._about = "P of a\n__import__('os')\u2028b"
    assert tab._text().count("\n") == 1


def test_a_zero_is_copied_as_one() -> None:
    """A cross product leaves -0.0 of what is zero."""
    session = Session("puma560")
    tab = MatrixTab(session, lambda _: None)
    tab.draw(Place("filter", 0, 0, 0))
    assert "-0.0," not in tab._text().replace("-0.0]", "-0.0,")
    assert "0.0," in tab._text()
