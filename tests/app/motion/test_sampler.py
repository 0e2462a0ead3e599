"""What is plotted is what the mechanics says, whenever it was chosen; thinned samples lose no extreme."""

import numpy as np
import pytest

import dynamics as dyn
from app.job import Jobs
from app.motion.interventions import ObjectRelease, Regrasp
from app.motion.quantities import Moment, PlotQuantity, catalogue
from app.motion.run import Run
from app.motion.sampler import CAPACITY, Curves, Sampler, read, shared
from app.state import Session
from dynamics.solve import smoothed_force_covariance
from tests.app.arrival import computed

pytestmark = pytest.mark.compiled_only


@pytest.fixture(scope="module", params=["two_planar_arms", "point_contact"])
def run(request: pytest.FixtureRequest) -> Run:
    """Arms that let their object go at 0.1 s and take it again at 0.2 s."""
    return computed(Session(request.param).run.branch(0.0, [ObjectRelease(0.1), Regrasp(0.2)]), 0.3)


def values(plotted: PlotQuantity, run: Run, time: float, component: str = "all") -> np.ndarray:
    return plotted.values(Moment(run, time), plotted.component(component))


def test_accelerations_go_on_when_the_object_is_let_go(run: Run) -> None:
    for time in [0.05, 0.15, 0.25]:
        known, shown = catalogue(run.solution_at(0.0)), run.solution_at(time)
        assert shown.system.is_held == (time != 0.15)
        joints = values(known["smoother_final/joint_acceleration"], run, time)[: shown.system.n_joints, 0]
        np.testing.assert_array_equal(joints, shown.joint_acceleration)
        np.testing.assert_array_equal(
            values(known["contact/object_acceleration"], run, time)[0], shown.object_acceleration
        )
        np.testing.assert_array_equal(values(known["contact/contact_force"], run, time), shown.contact_force)
        stage = shown.stages["smoother_final" if shown.system.is_held else "smoother"]
        np.testing.assert_array_equal(values(known["smoother_final/acceleration"], run, time), stage["acceleration"])
        assert np.isfinite(values(known["smoother_final/force"], run, time)).all()


def test_what_only_holding_has_is_not_there_meanwhile(run: Run) -> None:
    known = catalogue(run.solution_at(0.0))
    for key in ("contact/predicted_contact_force", "contact/omega", "filter_correction/modified_innovation"):
        component = known[key].components[0].key
        assert np.isfinite(values(known[key], run, 0.05, component)).any(), key
        assert np.isnan(values(known[key], run, 0.15, component)).all(), key


def test_covariances_of_no_stage_are_those_of_dynamics(run: Run) -> None:
    for time in [0.05, 0.15]:
        known, shown = catalogue(run.solution_at(0.0)), run.solution_at(time)
        found = values(known["smoother/smoothed_force_covariance/trace"], run, time)
        expected = smoothed_force_covariance(shown.system, shown.state)
        np.testing.assert_allclose(found[:, 0], np.trace(expected[:, :3, :3], axis1=1, axis2=2), rtol=1e-12)
        carried = values(known["contact/contact_influence_sweep/trace"], run, time, "linear")
        if not shown.system.is_held:
            assert np.isnan(carried).all()
            continue
        maps = dyn.influence(shown.system, shown.state)
        expected = maps.sweeps["inward_influence"]["contact_influence_sweep"]
        np.testing.assert_allclose(carried[:, 0], np.trace(expected[:, 3:, 3:], axis1=1, axis2=2), rtol=1e-12)


GAIN, ENERGY = ("filter/kalman_gain", "all"), ("motion/energy", "all")


def known(session: Session, end: float) -> Session:
    computed(session.run, end)
    return session


@pytest.fixture
def session() -> Session:
    return known(Session("planar_chain"), 1.0)


def sampled(run: Run, *traces: tuple[str, str]) -> Sampler:
    sampler = Sampler(Jobs(print))
    sampler.want([(run, catalogue(run.solution_at(0.0)))], traces)
    list(sampler.catching_up())
    return sampler


def test_samples_are_the_solutions_of_their_times(session: Session) -> None:
    curves = sampled(session.run, GAIN, ENERGY).curves(session.run)
    assert curves.times[-1] == pytest.approx(session.run.end, abs=curves.interval)
    for k in (0, 17, len(curves) - 1):
        solution = session.run.solution_at(curves.times[k])
        np.testing.assert_array_equal(curves.column(GAIN)[k], solution.stages["filter"]["kalman_gain"])
        assert curves.column(ENERGY)[k, 0, 2] == solution.kinetic_energy + solution.potential_energy


def test_a_branch_keeps_the_samples_of_its_past(session: Session) -> None:
    sampler = sampled(session.run, GAIN)
    before = session.run
    session.seek(0.6)
    session.set_torque(session.system.joint_names[0], 1.0)
    assert (shared(session.run, before), shared(before, before)) == (0.0, pytest.approx(before.end))
    branch = before.branch(0.6, ())
    assert shared(branch, before) == pytest.approx(0.6)
    sampler.want([(branch, catalogue(branch.solution_at(0.0)))], [GAIN])
    past = sampler.curves(branch)
    assert past.filled(GAIN) == len(past) > 30
    assert past.times[-1] < 0.6
    np.testing.assert_array_equal(past.column(GAIN), sampler._curves[before].column(GAIN)[: len(past)])


def test_every_registered_array_and_the_motion_are_plotted_as_they_are() -> None:
    for preset in ("point_contact", "free_flyer"):
        session = known(Session(preset), 0.2)
        quantities, moment = catalogue(session.run.solution_at(0.0)), Moment(session.run, 0.2)
        found = moment.solution
        for stage, name in dyn.registry:
            array = found.stages.get(stage, {}).get(name)
            if array is None or not array.size:
                continue
            plotted = quantities[f"{stage}/{name}"]
            drawn = np.concatenate([plotted.values(moment, each).ravel() for each in plotted.components])
            off = np.nanmin(np.abs(array.reshape(-1, 1) - drawn), axis=1)
            assert off.max() <= 1e-12 * np.abs(array).max()
        for name, expected in (
            ("q", found.state.q), ("qd", found.state.qd), ("tau", found.tau), ("momentum", found.momentum),
            ("link_velocity", found.link_velocity), ("bias_acceleration", found.bias_acceleration),
            ("bias_force", found.bias_force), ("tip_position", found.tip_pose[:, :3, 3]),
        ):  # fmt: skip
            shown = values(quantities[f"motion/{name}"], session.run, 0.2)
            np.testing.assert_array_equal(shown.ravel()[: expected.size], expected.ravel(), err_msg=name)
        for plotted, component in ((each, part) for each in quantities.values() for part in each.components):
            numbers = plotted.values(moment, component)
            assert numbers.shape == (plotted.count(session.system), len(component.channels))
            assert not component.positive or not (numbers < -1e-9).any()


def test_derived_scalars_are_what_their_names_say() -> None:
    session = known(Session("free_flyer"), 0.5)
    quantities = catalogue(session.run.solution_at(0.0))
    moment = Moment(session.run, 0.5)
    stages = moment.solution.stages
    inertia, dual = stages["filter"]["articulated_inertia"], stages["dual_filter"]["dual_articulated_inertia"]
    for key, array in (("filter/articulated_inertia", inertia), ("dual_filter/dual_articulated_inertia", dual)):
        trace, eigenvalues = (f"{key}/trace", "linear"), (f"{key}/eigenvalues", "all")
        found = read(moment, quantities, [trace, eigenvalues])
        np.testing.assert_allclose(found[trace][2, 0], np.trace(array[2, 3:, 3:]), rtol=1e-14)
        np.testing.assert_allclose(found[eigenvalues][2, :3], np.linalg.eigvalsh(array[2, :3, :3]), rtol=1e-12)
    whitened = values(quantities["filter/innovation/whitened"], session.run, 0.5, "value")
    innovation, covariance = stages["filter"]["innovation"], stages["filter"]["joint_inertia"]
    np.testing.assert_allclose(whitened[: len(innovation), 0], innovation / np.sqrt(covariance), rtol=1e-14)
    assert np.isnan(whitened[len(innovation) :]).all()


TRACE = ("some", "thing")
INTERVAL = 0.01


def fed(values: np.ndarray, capacity: int = CAPACITY) -> Curves:
    """Fed a few instants at a time, as many as a slice happens to reach."""
    curves, rng = Curves(INTERVAL, capacity), np.random.default_rng(0)
    while (k := curves.instants) < len(values):
        some = values[k : k + int(rng.integers(1, 200))]
        curves.append(INTERVAL * np.arange(k, k + len(some)), {TRACE: some[:, None, None]})
    return curves


def test_thinned_samples_are_the_envelope_of_all_instants() -> None:
    values = np.random.default_rng(5).normal(size=6000)
    curves = fed(values)
    assert len(curves) <= CAPACITY
    kept, stride = curves.column(TRACE)[:, 0, 0], curves.stride
    np.testing.assert_allclose(curves.times, stride * INTERVAL * np.arange(len(kept)), atol=1e-9)
    for pair in range(len(kept) // 2):
        covered = values[pair * 2 * stride : (pair + 1) * 2 * stride]
        low, high = sorted(kept[2 * pair : 2 * pair + 2])
        assert (low, high) == (covered.min(), covered.max())
        rises = np.argmin(covered) < np.argmax(covered)
        assert (kept[2 * pair] <= kept[2 * pair + 1]) == rises


def test_a_trace_chosen_later_is_filled_at_the_same_times() -> None:
    for count in [50, 3000]:
        late = ("another", "thing")
        curves = fed(np.arange(float(count)))
        while (filled := curves.filled(late)) < len(curves):
            curves.fill(late, curves.looks(filled, filled + 10)[..., None, None])
        found = curves.column(late)[:, 0, 0]
        np.testing.assert_allclose(found, curves.times, atol=2 * curves.stride * INTERVAL)
        one = np.ones((1, 1, 1))
        curves.append(np.array([curves.instants * INTERVAL]), {TRACE: one, late: one})
