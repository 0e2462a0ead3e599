"""The three forces of a contact in their own plane: true lengths, closed, upright."""

from __future__ import annotations

import numpy as np
import pytest

import dynamics as dyn
from app.equations.sheet import Figures
from app.equations.triangle import BALANCED, balanced_html, triangle, triangle_html, triangles_html
from app.state import Session

DRAWN = np.random.default_rng(88)


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_lengths_and_angles_are_those_in_space(scale: float) -> None:
    for predicted, applied in DRAWN.normal(size=(200, 2, 3)) * scale:
        flat = triangle(predicted, applied)
        in_space = np.array([predicted, applied, applied - predicted])
        in_plane = np.array([*flat, flat[1] - flat[0]])
        np.testing.assert_allclose(in_plane @ in_plane.T, in_space @ in_space.T, rtol=1e-9, atol=1e-9 * scale**2)


def test_up_is_the_worlds_as_far_as_the_plane_has_any() -> None:
    for predicted, applied in DRAWN.normal(size=(200, 2, 3)):
        (_, up), normal = triangle(predicted, applied)[1], np.cross(predicted, applied)
        normal /= np.linalg.norm(normal)
        inside = np.array([0.0, 0.0, 1.0]) - normal[2] * normal
        assert up == pytest.approx(applied @ inside / np.linalg.norm(inside), abs=1e-9)


@pytest.mark.parametrize(
    ("predicted", "applied", "expected"),
    [
        ((0, 0, 4), (0, 0, 5), ((0, 4), (0, 5))),  # all on one upright line
        ((0, 0, -4), (0, 0, 5), ((0, -4), (0, 5))),
        ((0, 0, 0), (0, 0, 5), ((0, 0), (0, 5))),  # nothing predicted
        ((1, 0, 0), (2, 0, 0), ((1, 0), (2, 0))),  # all on one level line
        ((0, 0, 0), (0, 0, 0), ((0, 0), (0, 0))),
    ],
)
def test_forces_on_one_line(predicted: tuple, applied: tuple, expected: tuple) -> None:
    found = triangle(np.array(predicted, float), np.array(applied, float))
    np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("time", [0.0, 0.7])  # s; at the start nothing is corrected
@pytest.mark.parametrize("preset", ["two_arms_and_box", "four_arms_and_box"])
def test_every_contact_has_its_forces(preset: str, time: float) -> None:
    session, figures = Session(preset), Figures()
    while session.run.end < time:
        session.run.accept(session.run.compute())
    solution = session.run.solution_at(time)
    text = triangles_html(solution, "dark", figures)
    stage = solution.stages["contact"]
    numbers = figures.numbers.reshape(-1, 7)
    assert BALANCED not in text
    assert bool(balanced_html(solution)) == (time == 0.0), "who looks for a correction in vain is told why"
    assert text.count("<figure>") == len(solution.system.contacts) == len(numbers)
    for contact, found in zip(solution.system.contacts, numbers, strict=True):
        predicted = stage["predicted_contact_force"][contact.tip, 3:]
        applied = stage["contact_force"][contact.tip, 3:]
        wanted = [np.linalg.norm(force) for force in (predicted, applied - predicted, applied)]
        np.testing.assert_allclose(found[4:], wanted, rtol=1e-9, atol=1e-9)
        assert (found[5] == 0.0) == (time == 0.0)
        np.testing.assert_allclose(found[:4].reshape(2, 2), triangle(predicted, applied), rtol=1e-9, atol=1e-9)
        assert f"arm {contact.arm + 1} " in text


def test_a_force_that_was_not_predicted_has_no_triangle() -> None:
    figures = Figures()
    assert triangle_html(np.full(3, np.nan), np.ones(3), "arm 1", figures) == ""
    assert figures.count == 0
    assert figures.numbers.size == 0


def test_planar_arms_whose_prediction_does_not_exist_in_all_directions() -> None:
    """What exists of it is drawn, or nothing is; never NaN."""
    system, state = dyn.example("two_planar_arms")
    figures = Figures()
    triangles_html(dyn.forward_dynamics(system, state, np.linspace(-1.0, 1.0, system.n_joints)), "light", figures)
    assert np.isfinite(figures.numbers).all()
