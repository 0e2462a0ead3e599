"""What the letters are called in estimation is what they are in the problem that the text solves."""

import re

import pytest

from dynamics.system.registry import INERTIA, quantity_of
from dynamics.textbook.meanings import BODY_SHIFT, GIVEN, KNOWN


def test_what_covariances_and_transitions_are_made_of_is_no_input() -> None:
    """Masses, moments of inertia and levers: all that stands inside M, phi, M(C) and A."""
    inside = {name: each for name, each in GIVEN.items() if each.unit in ("kg", "kg m^2", "m", INERTIA, BODY_SHIFT)}
    assert {"J", "m", "p", "l", "l_0", "J_C", "m_C", "r", "M", "phi", "M_C", "A"} <= set(inside)
    assert {name for name, each in inside.items() if each.estimation_name == KNOWN} == set()


@pytest.mark.parametrize(
    ("name", "problems"),
    [
        ("measured_object_force", ["(9.1)"]), ("predicted_contact_force", ["(9.1)"]),
        ("corrected_contact_force", ["(9.1)"]), ("free_object_acceleration", ["(9.2)"]),
        ("corrected_object_acceleration", ["(9.2)"]), ("relative_tip_acceleration", ["(9.1)", "(9.2)"]),
    ],
)  # fmt: skip
def test_a_letter_of_the_dual_contact_problems_says_in_which_it_has_its_part(name: str, problems: list[str]) -> None:
    """The prior of one is not that of the other, and what is measured in one is predicted from in the other."""
    assert re.findall(r"\(9\.\d\)", quantity_of("contact", name).estimation_name) == problems
