"""Every equation of the walk holds for the numbers that it shows, and every half-step finds its code."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import dynamics as dyn
from app.equations import Equation, half_step
from app.equations.code_lines import BASE, MARKS, excerpts
from app.state import walk
from tests.app.test_walk import EXAMPLES, branching

TOLERANCE = 1e-9


def in_motion(system: dyn.System, state: dyn.State) -> dyn.Solution:
    """A solution a while later, with torques, so that no term is zero by chance."""
    tau = np.linspace(-0.4, 0.5, system.n_joints)
    recording = dyn.simulate(system, state, controller=dyn.ConstantTorque(tau), duration=0.1, dt=1e-3)
    return recording.solution_at(0.1)


def branching_solution() -> dyn.Solution:
    system = branching()
    return in_motion(system, system.state(q=np.array([0.3, -0.4, 0.5, 0.2]), qd=np.array([1.0, -2.0, 0.5, 1.5])))


def branching_flyer() -> dyn.Solution:
    system = dyn.free_flyer(branching().robots[0])
    return in_motion(system, system.state(q=np.array([0.3, -0.4, 0.5, 0.2]), qd=np.array([1.0, -2.0, 0.5, 1.5])))


SOLUTIONS = {name: functools.partial(lambda name: in_motion(*dyn.example(name)), name) for name in EXAMPLES} | {
    "a tree": branching_solution,
    "a tree that floats": branching_flyer,
}


def right_side(equation: Equation) -> np.ndarray:
    """What the shown terms give: the sum of the products, multiplied out one by one."""
    total = np.zeros((1, 1))
    for product in equation.right:
        value = np.eye(1) * product.sign
        for term in product.factors:
            factor = np.linalg.inv(term.value) if term.inverse else term.value
            value = value * factor if 1 in (value.size, factor.size) else value @ factor
        total = total + value
    return total


@pytest.mark.parametrize("name", SOLUTIONS)
def test_the_numbers_satisfy_their_equations(name: str) -> None:
    solution = SOLUTIONS[name]()
    for place in walk.whole_walk(solution.system):
        step = half_step(solution, place)
        assert step.equations
        for equation in step.equations:
            left, right = equation.left.value, right_side(equation)
            assert left.shape == right.shape, (place, equation.latex)
            scale = max([1.0, *(np.abs(term.value).max() for term in equation.terms if not term.inverse)])
            assert np.abs(left - right).max() <= TOLERANCE * scale, (place, equation.latex)


@pytest.mark.parametrize("name", SOLUTIONS)
def test_the_left_sides_are_the_arrays_of_the_solution(name: str) -> None:
    solution = SOLUTIONS[name]()
    n_tips, n_joints = solution.system.n_tips, solution.system.n_joints
    tip_of = {contact.link: contact.tip for contact in solution.system.contacts}
    seen = set()
    for place in walk.whole_walk(solution.system):
        for equation in half_step(solution, place).equations:
            if equation.key is None:
                continue
            seen.add(equation.key)
            array = np.asarray(solution.stages[equation.key[0]][equation.key[1]])
            if place.stage != "contact":
                array = array[place.link]
            elif array.shape[0] == n_tips and array.ndim > 1:
                array = array[tip_of[place.link]]
            assert equation.left.value.ravel() == pytest.approx(array.ravel(), rel=1e-14, abs=0.0)
    for stage in solution.stages:
        expected = {(stage, quantity) for quantity in solution.stages[stage]} - NOT_A_LEFT_SIDE
        assert expected <= seen, f"{n_joints} joints: {expected - seen} is computed but never shown"


NOT_A_LEFT_SIDE = {
    ("contact", name)
    for name in (
        "contact_bias_acceleration", "free_tip_force", "omega", "contact_kalman_gain", "measured_object_force",
        "contact_force", "indeterminate_directions",
    )
}  # fmt: skip


@pytest.mark.parametrize(("stage", "half"), MARKS)
def test_every_half_step_finds_its_lines(stage: str, half: int) -> None:
    for excerpt in excerpts(stage, half):
        assert 1 <= sum(excerpt.ran) <= 30
        assert excerpt.file.endswith(".py")
        text = "\n".join(excerpt.lines)
        assert '"""' not in text
    assert set(MARKS) == {(s, h) for s in walk_stages() for h in (0, 1, BASE)} - {("contact", BASE)}


def walk_stages() -> set[str]:
    return {stage for name in EXAMPLES for stage in walk.stages(dyn.example(name)[0])}


def test_the_lines_are_the_ones_that_compute_the_equation() -> None:
    expected = {
        ("filter", 0): ["shift_inertia(p, lever)", "times_vector(p, get3(work, k, BIAS_ACCELERATION)"],
        ("filter", 1): ["d_inverse = 1.0 / d", "minus_outer(p, u_angular"],
        ("smoother", 0): ["sub3(linear, cross(lever, angular))", "shift_mobility(mobility"],
        ("smoother", 1): ["acceleration = work[k, residual] - pull", "minus_symmetric_outer"],
        ("contact", 0): ["bias = cross(omega, cross(omega, lever))", "_least_norm(covariance"],
        ("contact", 1): ["corrected = free + gain @ (measured - predicted)"],
        ("filter_correction", 0): ["sub3(moment, scale3(seen, get3(links, k, KALMAN_GAIN)))"],
        ("filter_correction", 1): ["innovation = share * links[k, INNOVATION] - seen"],
        ("dual_filter", 0): ["shift_inertia(add21(add21(total, own), siblings), lever)"],
        ("dual_filter", 1): ["innovation = measured_torque", "np.linalg.solve(p + s"],
    }
    for key, words in expected.items():
        ran = "\n".join(
            line for excerpt in excerpts(*key) for line, mark in zip(excerpt.lines, excerpt.ran, strict=True) if mark
        )
        for word in words:
            assert word in ran, (key, word)
