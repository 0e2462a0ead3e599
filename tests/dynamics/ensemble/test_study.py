"""A question asked of many states, against a formula, NumPy, and states solved or simulated one by one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

import dynamics as dyn
from dynamics.ensemble.asked import problem_of
from dynamics.ensemble.distribution import Distribution, Tally, part_of
from tests.dynamics.ensemble.two_links import BASE, LENGTH, ROBOT, SYSTEM, base_inertia, largest_acceleration
from tests.dynamics.refusals import assert_all_refused

pytestmark = pytest.mark.compiled_only

TURN = (-np.pi, np.pi)


@pytest.fixture(scope="module")
def held() -> tuple[dyn.System, dyn.State]:
    return dyn.example("two_arms_and_box")


def same(one: dyn.Study, other: dyn.Study) -> bool:
    """To the last bit."""
    return all(vars(one.found[name]) == vars(other.found[name]) for name in one.found) and one.refused == other.refused


def test_mean_variance_and_ends_are_those_of_the_formula() -> None:
    found = dyn.study(SYSTEM, {"q": TURN}, BASE, 8192, sample="sobol").found[BASE]
    middle, span = base_inertia(np.array([0.25 * np.pi]))[0], base_inertia(np.array([0.5 * np.pi, 0.0]))
    swing = span[0] - span[1]  # D = D(pi/2) - swing cos^2 q, and cos^2 has mean 1/2 and variance 1/8
    assert found.mean == pytest.approx(middle, rel=1e-6)
    assert found.variance == pytest.approx(swing**2 / 8.0, rel=1e-3)
    assert found.minimum == pytest.approx(span[1], rel=1e-6)
    assert found.maximum == pytest.approx(span[0], rel=1e-6)
    assert found.quantile(0.5) == pytest.approx(middle, rel=0.01)


def test_a_moment_is_its_row() -> None:
    result = dyn.study(SYSTEM, {"q": TURN, "tau:joint_1": stats.norm(0.0, 2.0)}, [BASE, largest_acceleration], 500)
    for name in (BASE, "largest_acceleration"):
        for row, value in result.found[name].largest[:3] + result.found[name].smallest[:3]:
            moment = result.moment(row)
            assert moment.found is not None
            assert moment.found[name] == value
            assert moment.drawn["q:joint_1"] == moment.state.q[0]
            assert moment.drawn["tau:joint_1"] == moment.tau[0]
            assert moment.tau[1] == 0.0
            alone = dyn.forward_dynamics(moment.system, moment.state, moment.tau)
            if name == BASE:
                assert value == pytest.approx(base_inertia(moment.state.q[:1])[0], rel=1e-12)
            else:
                assert value == pytest.approx(np.abs(alone.joint_acceleration).max(), rel=1e-9)


def test_lists_make_a_grid_and_every_point_meets_every_draw() -> None:
    over = {"q:joint_1": [0.0, 1.0, 2.0], "qd:joint_2": (0.0, 1.0), "q:joint_2": np.array([0.5, 0.7])}
    result = dyn.study(SYSTEM, over, BASE, 4)
    assert result.size == 24
    rows = [result.moment(row).drawn for row in range(24)]
    assert [row["q:joint_1"] for row in rows] == [0.0] * 8 + [1.0] * 8 + [2.0] * 8
    assert [row["q:joint_2"] for row in rows] == ([0.5] * 4 + [0.7] * 4) * 3
    assert [row["qd:joint_2"] for row in rows] == [row["qd:joint_2"] for row in rows[:4]] * 6
    assert len({row["qd:joint_2"] for row in rows}) == 4


@given(st.sampled_from(["random", "sobol", "latin_hypercube"]))
def test_memory_and_chunks_change_no_bit(sample: str) -> None:
    over = {"q": TURN, "gravity": [0.0, 9.81], "qd": stats.norm(0.0, 1.0)}
    seen: list[int] = []

    def ask(memory: float) -> dyn.Study:
        seen.clear()
        return dyn.study(
            SYSTEM, over, [BASE, "joint_acceleration"], 5000, sample=sample, memory=memory,
            progress=lambda done, size: seen.append(done),
        )  # fmt: skip

    whole, cut = ask(1e9), ask(1.0)
    assert seen == [2048, 4096, 6144, 8192, 10000]
    assert same(whole, cut)
    assert whole.fingerprint == cut.fingerprint
    assert not same(whole, dyn.study(SYSTEM, over, list(whole.found), 5000, sample=sample, seed=1))


def test_each_question_has_its_own_fingerprint() -> None:
    laws = [stats.norm(0.0, 1.0), stats.norm(0.0, 1.0), stats.norm(0.0, 1.1), stats.uniform(-1.0, 2.0)]
    laws += [stats.rv_histogram(np.histogram(values, 5))() for values in ([0.0, 1.0, 1.0], [0.0, 0.0, 1.0])]
    prints = [dyn.study(SYSTEM, {"q": law}, BASE, 10).fingerprint for law in laws]
    assert prints[0] == prints[1]
    assert len(set(prints)) == len(laws) - 1
    assert len(prints[0]) == 64


def test_masses_lengths_and_gravity_vary() -> None:
    rod = dyn.single_arm(dyn.planar_chain(1), gravity=(0.0, 0.0, 0.0))
    own = dyn.mass_matrix(rod, rod.state())[0, 0]
    over = {"mass": stats.uniform(0.5, 1.0), "tau": [2.0]}
    result = dyn.study(rod, over, "joint_acceleration", 20)
    for row, value in result.found["joint_acceleration"].largest:
        factor = float(result.moment(row).drawn["mass:link_1"])
        assert value == pytest.approx(2.0 / (factor * own), rel=1e-12)
    found = dyn.study(SYSTEM, {"gravity": [0.0, 1.0, 4.0]}, "joint_acceleration", 1, state=SYSTEM.state())
    values = [found.moment(row).found["joint_acceleration"] for row in range(3)]  # type: ignore[index]
    assert values[0] == 0.0
    assert values[2] == pytest.approx(4.0 * values[1], rel=1e-12)
    assert found.moment(2).system.gravity.tolist() == [0.0, 0.0, -4.0]
    over = {"length:joint_1": (0.5, 2.0), "q:joint_1": TURN}
    result = dyn.study(SYSTEM, over, BASE, 20)
    for row, value in result.found[BASE].largest:
        moment = result.moment(row)
        length = LENGTH * float(moment.drawn["length:joint_1"])
        assert value == pytest.approx(base_inertia(moment.state.q[:1], length)[0], rel=1e-12)


@given(st.sampled_from([1e-290, 1e-160, 1.0, 1e160, 1e290]))
def test_a_norm_neither_overflows_nor_vanishes(size: float) -> None:
    still = dyn.single_arm(ROBOT, gravity=(0.0, 0.0, 0.0))
    unit, own = (
        dyn.study(still, {"tau": (-scale, scale)}, "joint_acceleration", 40).column("joint_acceleration")
        for scale in (1.0, size)
    )
    np.testing.assert_allclose(own / size, unit, rtol=1e-9)


def test_masses_and_contacts_of_the_object_vary(held: tuple[dyn.System, dyn.State]) -> None:
    system, state = held
    over = {"object_mass": [1.0, 4.0], "object_inertia": [1.0, 2.0], "contacts": ["rigid", "point"]}
    result = dyn.study(system, over, "rho", 1, state=state)
    assert result.size == 8
    for row in range(8):
        moment = result.moment(row)
        thing = system.task_object
        assert thing is not None
        assert moment.system.task_object is not None
        mass, factor, kind = moment.drawn.values()
        assert {contact.kind for contact in moment.system.contacts} == {kind}
        assert moment.system.task_object.mass == mass
        inertia = thing.inertia * mass / thing.mass * factor
        np.testing.assert_allclose(moment.system.task_object.inertia, inertia, rtol=1e-14)
        assert moment.found == {"rho": pytest.approx(dyn.contraction_radius(moment.system, state), rel=1e-12)}


def test_rates_are_projected_onto_the_closure(held: tuple[dyn.System, dyn.State]) -> None:
    system, state = held
    result = dyn.study(system, {"qd": (-0.5, 0.5), "tau": (-5.0, 5.0)}, ["balance", "squeeze"], 300, state=state)
    assert result.refused == 0
    assert result.found["balance"].maximum < 1e-12
    row, value = result.found["squeeze"].largest[0]
    moment = result.moment(row)
    wish = system.state(
        q=state.q, qd=[float(moment.drawn[f"qd:{name}"]) for name in system.joint_names],
        object_pose=state.object_pose, object_velocity=state.object_velocity,
    )  # fmt: skip
    nearest = dyn.project(system, wish)
    np.testing.assert_allclose(moment.state.qd, nearest.qd, atol=1e-9)
    force = dyn.forward_dynamics(system, moment.state, moment.tau, method="kkt").contact_force
    assert force is not None
    sizes = np.linalg.norm(force[:, 3:], axis=1).sum() - np.linalg.norm(force[:, 3:].sum(axis=0))
    assert value == pytest.approx(0.5 * sizes, rel=1e-6)


def test_postures_are_closed_or_refused_one_by_one(held: tuple[dyn.System, dyn.State]) -> None:
    system, state = held
    near = dyn.study(system, {"q": (-0.3, 0.3)}, "balance", 20, state=state)
    assert near.refused == 0
    for row, _ in near.found["balance"].largest[:2]:
        assert dyn.closure_gap(system, near.moment(row).state).max() < 1e-6
    far = dyn.study(system, {"length:1/" + system.robots[0].joint_names[0]: [1.0, 50.0]}, "rho", 1, state=state)
    assert (far.refused, far.found["rho"].count) == (1, 1)
    assert "cannot close" in far.refusal
    with pytest.raises(dyn.StateError, match="row 1 has no state"):
        far.moment(1)


def test_watched_quantities_are_those_of_each_state_alone() -> None:
    over = {"q": TURN, "qd": (-1.0, 1.0), "tau": (-1.0, 1.0)}
    find = ["agreement", "agreement:kkt", "residual", "identity", "identity:energy", "mass_matrix:condition",
            "tip_acceleration"]  # fmt: skip
    result = dyn.study(SYSTEM, over, find, 3)
    for row in range(3):
        moment = result.moment(row)
        assert moment.found is not None
        own = moment.system, moment.state
        assert moment.found["agreement"] == dyn.agreement(*own, moment.tau).worst < 1e-12
        assert moment.found["agreement:kkt"] == dyn.agreement(*own, moment.tau, only=["kkt"]).worst
        assert moment.found["residual"] == dyn.agreement(*own, moment.tau, only=[]).worst_residual
        checks = dyn.identities(dyn.forward_dynamics(*own, moment.tau))
        assert moment.found["identity"] == max(check.worst for check in checks)
        condition = np.linalg.cond(dyn.mass_matrix(*own))
        assert moment.found["mass_matrix:condition"] == pytest.approx(condition, rel=1e-10)
        assert moment.found["tip_acceleration"] == pytest.approx(tip(*own, moment.tau), rel=1e-4)


def tip(system: dyn.System, state: dyn.State, tau: Any, h: float = 1e-4) -> float:
    """By the tip's places a little before and after: q moves by its rate and its acceleration."""
    qdd = dyn.forward_dynamics(system, state, tau, method="newton_euler").joint_acceleration
    before, now, after = (
        dyn.tip_poses(system, system.state(q=state.q + t * state.qd + 0.5 * t * t * qdd))[0, :3, 3]
        for t in (-h, 0.0, h)
    )
    return float(np.linalg.norm(after - 2.0 * now + before)) / h**2


def test_a_wrong_contact_force_breaks_the_balance(held: tuple[dyn.System, dyn.State]) -> None:
    system, state = held
    problem = problem_of(system, {"tau": (-1.0, 1.0)}, "balance", 8, state, "random", 0)
    states = next(iter(problem.pieces(0, problem.drawn(0, 8))))[0]
    assert states is not None
    solution = states.solved(False)
    assert solution.contact_force is not None
    wrong = replace(solution, contact_force=solution.contact_force * (1.0 + 1e-6))
    watch = problem.watches[0]
    assert watch.of(states, solution).max() < 1e-12 < 1e-8 < watch.of(states, wrong).min()


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"over": {}}, "over is"),
    ({"over": {"wheels": (0.0, 1.0)}}, "wheels"),
    ({"over": {"q:elbow": (0.0, 1.0)}}, "q:joint_1"),
    ({"over": {"q": (0.0, 1.0), "q:joint_1": (0.0, 1.0)}}, "named twice"),
    ({"over": {"q": (1.0, 0.0)}}, "low below high"),
    ({"over": {"q": (-1e308, 1e308)}}, "low below high"),
    ({"over": {"q": (0.0, np.nan)}}, "over"),
    ({"over": {"q": [0.0, np.inf]}}, "finite numbers"),
    ({"over": {"q": []}}, "finite numbers"),
    ({"over": {"q": stats.norm}}, "frozen distribution"),
    ({"over": {"q": stats.norm(0.0, -1.0)}}, "no finite number"),
    ({"over": {"q": "wide"}}, "frozen distribution"),
    ({"over": {"object_mass": (0.1, 1.0)}}, "object_mass"),
    ({"over": {"contacts": ["rigid"]}}, "contacts"),
    ({"find": "beauty"}, "beauty"),
    ({"find": "rho"}, "rho"),
    ({"find": "agreement:luck"}, "agreement:kkt"),
    ({"find": "filter.joint_inertia:condition"}, "joint_inertia:smallest"),
    ({"find": []}, "find"),
    ({"find": [BASE, BASE]}, "different"),
    ({"find": int}, "find"),
    ({"sample": "poisson"}, "latin_hypercube"),
    ({"count": 0}, "count"),
    ({"count": 10**12}, "count"),
    ({"seed": -1}, "seed"),
    ({"workers": 0}, "workers"),
    ({"memory": np.nan}, "memory"),
    ({"memory": 0.0}, "memory is 0"),
    ({"memory": -64e6}, "more than 0"),
    ({"scheduler": 3}, "scheduler"),
    ({"progress": 3}, "progress"),
    ({"over": {"q": [0.0] * 100_000, "qd": [0.0] * 100_000}}, "rows"),
]
REFUSED_MOTIONS: list[tuple[dict[str, Any], str]] = [
    ({"over": {"dt": (0.0, 1.0)}}, "steps above zero"),
    ({"over": {"dt": [1e-3, -1e-3]}}, "steps above zero"),
    ({"over": {"dt": [1e-3] * 99 + [-1e-3] + [1e-3] * 99}}, "steps above zero"),
    ({"over": {"method": ["rk4", "leapfrog"]}}, "rk4, rk5"),
    ({"over": {"method": (0.0, 1.0)}}, "a list of"),
    ({"over": {"dt": (1e-3, 1e-2)}, "duration": None}, "duration"),
    ({"find": "run:drift", "duration": None}, "duration"),
    ({"find": f"end.{BASE}", "duration": None}, "duration"),
    ({"find": "run"}, "run:drift"),
    ({"find": "run:beauty"}, "run:drift"),
    ({"find": "end.run:drift"}, "but one end"),
    ({"find": "end.end.residual"}, "but one end"),
    ({"find": "end.beauty"}, "beauty"),
    ({"duration": 0.0}, "above zero"),
    ({"duration": -1.0}, "-1"),
    ({"duration": float("nan")}, "duration"),
    ({"duration": "long"}, "'long'"),
    ({"dt": 0.0}, "dt is 0"),
    ({"dt": 1e-12}, "expected 0 to"),
]


def test_impossible_questions_are_refused_by_name() -> None:
    rows = {}
    for change, words in REFUSED:
        asked: dict[str, Any] = {"over": {"q": (-1.0, 1.0)}, "find": BASE, "count": 10} | change
        rows[words + str(change)[:80]] = (lambda a=asked: dyn.study(SYSTEM, **a), words)
    for change, words in REFUSED_MOTIONS:
        asked = {"over": {"q": (0.0, 1.0)}, "find": "run:duration", "count": 3, "duration": 0.1} | change
        rows[f"motion {change}"[:80]] = (lambda a=asked: dyn.study(SYSTEM, **a), words)
    held = dyn.example("two_arms_and_box")[0]
    rows["held, without a state"] = (lambda: dyn.study(held, {"tau": (0.0, 1.0)}, "squeeze"), "state")
    assert_all_refused(rows)


def test_a_function_gives_one_number_and_an_impossible_machine_is_a_refused_row() -> None:
    def short(solution: dyn.BatchSolution) -> Any:
        return solution.joint_acceleration

    with pytest.raises(dyn.StateError, match="short gave"):
        dyn.study(SYSTEM, {"q": (0.0, 1.0)}, short, 5)

    def wrong(solution: dyn.BatchSolution) -> Any:
        raise ValueError("mine")

    with pytest.raises(ValueError, match=r"^mine$"):
        dyn.study(SYSTEM, {"q": (0.0, 1.0)}, wrong, 5)
    result = dyn.study(SYSTEM, {"mass:link_1": [1.0, -1.0]}, BASE, 1)
    assert (result.size, result.refused) == (2, 1)
    assert "mass is -1" in result.refusal
    with pytest.raises(dyn.StateError, match="every row is refused"):
        dyn.study(SYSTEM, {"mass:link_1": [-1.0]}, BASE, 1)
    with pytest.raises(dyn.StateError, match="row is"):
        result.moment(2)


def test_each_row_is_the_simulation_of_its_state() -> None:
    over = {"q": (-1.0, 1.0), "qd": (-1.0, 1.0), "tau": (-2.0, 2.0), "mass:link_1": (0.5, 2.0), "gravity": (0.0, 9.0)}
    names = f"end.{BASE}", BASE, "end.position:tip.x", "position:tip.z", "run:unexplained_energy", "run:duration"
    found = dyn.study(SYSTEM, over, names, 90, duration=0.3, dt=2e-3)
    for row in (0, 63, 64, 89):
        moment = found.moment(row)
        motion = dyn.simulate(moment.system, moment.state, duration=0.3, dt=2e-3, tau=moment.tau)
        end = motion.state_at(motion.times[-1])
        alone = dyn.forward_dynamics(moment.system, end, moment.tau)
        expected = {
            names[0]: alone.stages["filter"]["joint_inertia"][-1],
            names[1]: dyn.forward_dynamics(moment.system, moment.state).stages["filter"]["joint_inertia"][-1],
            names[2]: dyn.tip_poses(moment.system, end)[0, 0, 3],
            names[3]: dyn.tip_poses(moment.system, moment.state)[0, 2, 3],
            names[4]: np.abs(motion.unexplained_energy).max(),
            names[5]: 0.3,
        }
        assert moment.found is not None
        for name, value in expected.items():
            assert moment.found[name] == pytest.approx(value, rel=1e-12, abs=1e-15)
            assert moment.found[name] == found.column(name)[row]


def test_steps_and_integrators_vary(held: tuple[dyn.System, dyn.State]) -> None:
    steps, integrators = [1e-3, 2e-3, 4e-3], ["rk4", "euler", "DOP853"]
    over = {"dt": steps, "method": integrators}
    found = dyn.study(held[0], over, ("run:drift", "end.position:object.x"), 1, state=held[1], duration=0.2)
    assert found.size == 9
    assert found.moment(4).drawn == {"dt": 2e-3, "method": "euler"}
    with pytest.raises(dyn.StateError, match="name"):
        found.column("method")
    for row, drift in enumerate(found.column("run:drift")):
        motion = dyn.simulate(*held, duration=0.2, dt=steps[row // 3], method=integrators[row % 3])
        assert drift == motion.drift[:, 0].max()
    drifts = found.column("run:drift").reshape(3, 3)
    assert (drifts[:, 1] > 100.0 * drifts[:, 0]).all()


def test_drift_grows_with_the_step_and_a_run_that_stops_has_its_own_duration(
    held: tuple[dyn.System, dyn.State],
) -> None:
    found = dyn.ask("drift_by_step", *held, count=4)
    assert isinstance(found, dyn.Study)
    steps, drifts = found.column("dt"), found.column("run:drift")
    slope = np.polyfit(np.log(steps), np.log(drifts), 1)[0]
    assert 4.5 < slope < 5.5  # a step of fourth order leaves a fifth power
    arm = dyn.single_arm(dyn.planar_chain(2))
    found = dyn.study(arm, {"qd": [1.0, 1e7]}, ("run:duration", "end.position:tip.x"), 1, duration=0.1, dt=1e-3)
    lasted = found.column("run:duration")
    assert lasted[0] == pytest.approx(0.1)
    assert np.isnan(lasted[1]) or lasted[1] < 0.1


def test_motions_by_workers_and_from_a_folder_are_the_same(tmp_path: Path) -> None:
    asked: dict[str, Any] = {"over": {"q": (-1.0, 1.0)}, "find": "end.position:tip.z", "count": 150, "duration": 0.05}
    alone = dyn.study(SYSTEM, **asked)
    shared = dyn.study(SYSTEM, **asked, workers=2, threads=True, keep=tmp_path / "kept")
    again = dyn.study(SYSTEM, **asked, keep=tmp_path / "kept")
    assert (alone.column("end.position:tip.z") == shared.column("end.position:tip.z")).all()
    assert (alone.column("end.position:tip.z") == again.column("end.position:tip.z")).all()
    assert alone.fingerprint != dyn.study(SYSTEM, **{**asked, "duration": 0.06}).fingerprint
    assert alone.fingerprint != dyn.study(SYSTEM, **asked, dt=2e-3).fingerprint
    with pytest.raises(dyn.StateError, match="another study"):
        dyn.study(SYSTEM, **{**asked, "duration": 0.06}, keep=tmp_path / "kept")


def test_motions_are_searched_and_their_variance_is_shared_out() -> None:
    over = {"tau": (-1.0, 1.0)}
    worst = dyn.worst_case(SYSTEM, over, "end.position:tip.z", evaluations=100, duration=0.1, dt=5e-3)
    moment = worst.moment
    motion = dyn.simulate(moment.system, moment.state, duration=0.1, dt=5e-3, tau=moment.tau)
    assert dyn.tip_poses(SYSTEM, motion.state_at(0.1))[0, 2, 3] == pytest.approx(worst.value, rel=1e-12)
    assert worst.bound is None
    shares = dyn.sensitivity(SYSTEM, over, "end.position:tip.z", 64, duration=0.1, dt=5e-3)
    assert shares.total_order.max() > 0.3


RNG = np.random.default_rng(0)
SAMPLES = {
    "normal": RNG.normal(3.0, 2.0, 10_000),
    "far apart": 10.0 ** RNG.uniform(-280.0, 280.0, 5000) * RNG.choice([-1.0, 1.0], 5000),
    "small about a large number": 1e9 + RNG.normal(0.0, 1e-3, 5000),
    "all the same": np.full(3000, -7.5),
    "with zeros": np.where(RNG.random(4000) < 0.5, 0.0, RNG.normal(0.0, 1e-310, 4000)),
    "one": np.array([4.0]),
}


def tallied(values: NDArray[np.float64], run: int = 512) -> Distribution:
    tally = Tally("number", worst=5)
    for first in range(0, len(values), run):
        part = values[first : first + run]
        with np.errstate(over="ignore"):
            tally.add(part_of(first, part, 64, worst=5))
    return tally.distribution()


@given(st.sampled_from(sorted(SAMPLES)))
def test_moments_and_ends_are_numpys(name: str) -> None:
    values = SAMPLES[name]
    found = tallied(values)
    assert found.count == len(values)
    assert found.mean == pytest.approx(values.mean(), rel=1e-13, abs=1e-300)
    if name != "far apart":  # whose squares are no numbers
        assert found.variance == pytest.approx(values.var(ddof=min(1, len(values) - 1)), rel=1e-7, abs=1e-300)
        assert found.deviation**2 == pytest.approx(found.variance)
    rows = np.arange(len(values))
    falling, rising = np.lexsort((rows, -values))[:5], np.lexsort((rows, values))[:5]
    assert found.largest == tuple((row, values[row]) for row in falling)
    assert found.smallest == tuple((row, values[row]) for row in rising)
    assert (found.minimum, found.maximum) == (values.min(), values.max())


@given(st.sampled_from(sorted(SAMPLES)))
def test_quantiles_are_within_one_percent_of_a_neighbor(name: str) -> None:
    values, found = np.sort(SAMPLES[name]), tallied(SAMPLES[name])
    for share in (0.0, 0.01, 0.25, 0.5, 0.9, 0.999, 1.0):
        near = values[int(share * (len(values) - 1))]
        assert found.quantile(share) == pytest.approx(near, rel=0.01, abs=1e-300)


def test_missing_infinite_and_impossible_numbers() -> None:
    values = SAMPLES["normal"].copy()
    values[::3] = np.nan
    found, left = tallied(values), values[~np.isnan(values)]
    assert found.count == len(left)
    assert found.mean == pytest.approx(left.mean())
    assert values[found.largest[0][0]] == left.max()
    found = tallied(1e200 * SAMPLES["normal"])
    assert found.variance == found.deviation == np.inf
    assert found.mean == pytest.approx(1e200 * SAMPLES["normal"].mean())
    found = tallied(SAMPLES["normal"])
    assert_all_refused(
        {repr(share): (lambda s=share: found.quantile(s), "share") for share in (-0.1, 1.1, np.nan, "0.5", None)}  # type: ignore[arg-type]
    )
