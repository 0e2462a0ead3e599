"""Draws in slices are the draws themselves; the limits that judge them hold, and fail where they should."""

import numpy as np
import pytest

import dynamics as dyn
from app.motion.drawing import Drawing, correlation_limit, variance_limits, whiteness
from dynamics.solve.estimation import EstimationSamples, sample_estimation, smoothed_force_covariance
from tests.dynamics.systems import draw_robot
from tests.dynamics.twins import one_arm

pytestmark = pytest.mark.compiled_only


def drawn_tree() -> dyn.Solution:
    rng = np.random.default_rng(11)
    twin = one_arm(rng, draw_robot(rng, 7, branching=0.6))
    return dyn.forward_dynamics(twin.system, twin.state)


MACHINES = {
    "puma560": lambda: dyn.forward_dynamics(*dyn.example("puma560")),
    "two_arms_and_box": lambda: dyn.forward_dynamics(*dyn.example("two_arms_and_box")),
    "a tree": drawn_tree,
}


def complete(solution: dyn.Solution, wanted: int, number: int = 0) -> Drawing:
    drawing = Drawing(solution, 0.0, wanted, number)
    while not drawing.done:
        drawing.accept(drawing.look())
    return drawing


def at_once(drawing: Drawing) -> list[EstimationSamples]:
    """The same draws, asked of the mechanics themselves."""
    system, state = drawing.solution.system, drawing.solution.state
    slices = len(drawing.seeds)
    counts = np.diff([drawing.wanted * k // slices for k in range(slices + 1)])
    return [sample_estimation(system, state, int(n), seed) for n, seed in zip(counts, drawing.seeds, strict=True)]


def test_slices_add_up_to_all_draws_and_expect_what_the_dynamics_say() -> None:
    for name in MACHINES:
        drawing = complete(MACHINES[name](), 5000, number=3)
        whole, sums = at_once(drawing), drawing.sums
        assert len(whole) > 1
        assert drawing.seeds[0] == 3000
        assert sums.count == drawing.drawn == 5000
        innovation = np.concatenate([each.innovation for each in whole])
        assert sums.variance == pytest.approx((innovation**2).mean(axis=0), rel=1e-12)
        assert sums.mean == pytest.approx(innovation.mean(axis=0), abs=1e-12 * np.abs(innovation).max())
        assert np.allclose(sums.innovations, innovation.T @ innovation, rtol=1e-10, atol=1e-9)
        measured = np.concatenate([each.measured for each in whole])
        assert np.allclose(sums.measured, measured.T @ measured, rtol=1e-10, atol=1e-9)
        for k in range(drawing.system.n_links):
            for error in ("prediction", "corrected", "smoothed"):
                own = np.concatenate([getattr(each, f"{error}_error")[:, k] for each in whole])
                expected = own.T @ own / 5000
                assert np.abs(sums.covariance(error, k) - expected).max() <= 1e-11 * np.abs(expected).max()
        solution, theory = drawing.solution, drawing.theory
        assert np.array_equal(theory.variance, solution.stages["filter"]["joint_inertia"])
        assert np.array_equal(theory.prediction, solution.stages["filter"]["articulated_inertia"])
        assert np.array_equal(theory.corrected, solution.stages["filter"]["articulated_inertia_updated"])
        assert np.array_equal(theory.smoothed, smoothed_force_covariance(solution.system, solution.state))


def test_an_honest_filter_is_white_and_what_it_measures_is_not() -> None:
    """The measured torques stand in for the innovations of a filter that predicts nothing."""
    for name in MACHINES:
        drawing = complete(MACHINES[name](), 20_000)
        sums, d = drawing.sums, drawing.theory.variance
        honest = whiteness(sums.innovations, sums.count, d)
        assert honest.is_white
        assert honest.tests == len(d) * (len(d) + 1) // 2
        broken = whiteness(sums.measured, sums.count, d)
        assert not broken.is_white
        assert not broken.is_uncorrelated
        assert not broken.has_variances
        assert np.abs(np.corrcoef(np.concatenate([each.measured for each in at_once(drawing)]).T))[broken.pair] == (
            pytest.approx(abs(broken.correlation), abs=1e-3)
        )


def test_limits_hold_in_as_many_cases_as_they_say() -> None:
    """Variances and correlations of N draws, many times over: exact even for ten."""
    rng = np.random.default_rng(2)
    for count in (10, 100):
        x = rng.standard_normal((20_000, count, 2))
        low, high = variance_limits(count)
        ratio = (x[..., 0] ** 2).mean(axis=1)
        assert ((ratio >= low) & (ratio <= high)).mean() == pytest.approx(0.95, abs=0.006)
        r = (x[..., 0] * x[..., 1]).sum(axis=1) / np.sqrt((x**2).sum(axis=1).prod(axis=1))
        assert (np.abs(r) <= correlation_limit(count)).mean() == pytest.approx(0.95, abs=0.006)
