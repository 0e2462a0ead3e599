"""A dense solve of all states at once agrees with the other formulations of each."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import dynamics as dyn
from dynamics.ensemble.asked import problem_of
from dynamics.rows.dense import dense_solution
from tests.dynamics.systems import draw_robot

pytestmark = pytest.mark.compiled_only
OVER = {"q": (-3.0, 3.0), "qd": (-2.0, 2.0), "tau": (-5.0, 5.0)}


@given(st.integers(0, 2**31))
@example(0)
def test_the_dense_solve_is_newton_and_euler(seed: int) -> None:
    random = np.random.default_rng([seed, 3])
    robots = [draw_robot(random, 4, branching=0.4, mass_decades=1.0).load() for _ in range(1 + seed % 2)]
    if seed == 0:
        robots = [dyn.load("puma560")]  # whose joints have friction, another to either side, and rotors
    system = dyn.single_arm(robots[0]) if len(robots) == 1 else dyn.multi_arm(robots, gravity=(1.0, -2.0, -9.0))
    states, _ = next(problem_of(system, OVER, "dense", 5, None, "random", seed).pieces(0, drawn(system, seed)))
    found, mass_matrices = dense_solution(states)
    for at in range(len(states)):
        state = states.state(at)
        scale = np.abs(mass_matrices[at]).max()
        np.testing.assert_allclose(mass_matrices[at], dyn.mass_matrix(system, state), atol=1e-12 * scale)
        other = dyn.forward_dynamics(system, state, states.tau[at], "newton_euler").joint_acceleration
        bound = 1e-14 * np.linalg.cond(mass_matrices[at]) * np.linalg.norm(other)
        assert np.linalg.norm(found[at] - other) < max(bound, 1e-12 * np.linalg.norm(other))


def drawn(system: dyn.System, seed: int) -> np.ndarray:
    return problem_of(system, OVER, "dense", 5, None, "random", seed).drawn(0, 5)


def test_a_study_watches_the_dense_solve() -> None:
    arm = dyn.single_arm(dyn.load("puma560"))
    found = dyn.study(arm, OVER, ("dense", "dense:condition", "mass_matrix:condition"), 200)
    assert found.found["dense"].maximum < 1e-12
    np.testing.assert_allclose(found.column("dense:condition"), found.column("mass_matrix:condition"), rtol=1e-9)
    states, _ = next(found.problem.pieces(0, found.problem.drawn(0, 10)))
    wrong, right = dense_solution(states)[0], states.solved(keep=False).joint_acceleration
    assert np.abs(wrong - 1.001 * right).max() > 1e-4
    held, state = dyn.example("two_arms_and_box")
    for system in (held, dyn.example("free_flyer")[0]):
        with pytest.raises(dyn.ModelError, match="dense"):
            dyn.study(system, {"tau": (0.0, 1.0)}, "dense", 3, state=state if system.is_held else None)
