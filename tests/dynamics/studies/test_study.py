"""A question asked of many states, against a formula, NumPy, and states solved or simulated one by one."""

import os
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

import dynamics as dyn
from dynamics.papers.staggered_step import contraction_radius
from dynamics.studies.rows import SAMPLES
from tests.dynamics.dense_machine import dense
from tests.dynamics.refusals import assert_all_refused

MARK = "ARMSWEEP_TEST_DIED"
"""Environment variable with the path of a file that a killed process leaves."""
LENGTH = 0.3
ROBOT = dyn.planar_chain(2, length=LENGTH)
SYSTEM = dyn.single_arm(ROBOT)
BASE = "filter.joint_inertia:largest"
"""D of the base's joint: that of the tip's is smaller in every posture."""


def base_inertia(tip_angle: NDArray[np.float64], length: float = LENGTH) -> NDArray[np.float64]:
    """D of the base's joint: B - C^2/A of the mass matrix [[A, C], [C, B]] of two rods."""
    rod = ROBOT.links[0]
    m, c = rod.mass, 0.5 * LENGTH
    about = rod.inertia[0, 0]
    a = about + m * c**2
    b = 2.0 * a + m * length**2 + 2.0 * m * length * c * np.cos(tip_angle)
    return np.asarray(b - (a + m * length * c * np.cos(tip_angle)) ** 2 / a)


def largest_acceleration(solution: dyn.BatchSolution) -> NDArray[np.float64]:
    return np.abs(solution.joint_acceleration).max(axis=1)


def dies_once(solution: dyn.BatchSolution) -> NDArray[np.float64]:
    """The same, but the first process that computes it is killed."""
    mark = Path(os.environ[MARK])
    try:
        with mark.open("x") as file:
            file.write("at work")
    except FileExistsError:
        return largest_acceleration(solution)
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


pytestmark = pytest.mark.compiled_only
TURN = (-np.pi, np.pi)
HELD = dyn.example("two_arms_and_box")


def bits(study: dyn.Study) -> Any:
    return {name: one.values.tobytes() for name, one in study.found.items()}, study.refused, study.refusal


def test_mean_variance_and_ends_are_those_of_the_formula() -> None:
    found = dyn.study(SYSTEM, {"q": TURN}, BASE, 8192, sample="sobol").found[BASE]
    middle, span = base_inertia(np.array([0.25 * np.pi]))[0], base_inertia(np.array([0.5 * np.pi, 0.0]))
    swing = span[0] - span[1]  # D = D(pi/2) - swing cos^2 q, and cos^2 has mean 1/2 and variance 1/8
    assert found.mean == pytest.approx(middle, rel=1e-6)
    assert found.variance == pytest.approx(swing**2 / 8.0, rel=1e-3)
    assert found.minimum == pytest.approx(span[1], rel=1e-6)
    assert found.maximum == pytest.approx(span[0], rel=1e-6)
    assert found.quantile(0.5) == pytest.approx(middle, rel=1e-5)
    quarter, most = base_inertia(np.array([0.125 * np.pi, 0.375 * np.pi]))
    assert [found.quantile(share) for share in (0.25, 0.75)] == pytest.approx([quarter, most], rel=1e-3)


def test_a_moment_is_its_row() -> None:
    result = dyn.study(SYSTEM, {"q": TURN, "tau:joint_1": stats.norm(0.0, 2.0)}, [BASE, largest_acceleration], 500)
    for name in (BASE, "largest_acceleration"):
        for row, value in result.found[name].largest[:3] + result.found[name].smallest[:3]:
            moment = result.moment(row)
            assert moment.found[name] == value
            assert moment.drawn["q:joint_1"] == moment.state.q[0]
            assert moment.drawn["tau:joint_1"] == moment.tau[0]
            assert moment.tau[1] == 0.0
            alone = dyn.forward_dynamics(moment.system, moment.state, moment.tau)
            if name == BASE:
                assert value == pytest.approx(base_inertia(moment.state.q[:1])[0], rel=1e-12)
            else:
                assert value == pytest.approx(np.abs(alone.joint_acceleration).max(), rel=1e-9)


def test_rows_are_the_same_whoever_works() -> None:
    over = {"q": TURN, "gravity": [0.0, 9.81], "qd": stats.norm(0.0, 1.0)}
    for sample in SAMPLES:
        seen: list[int] = []

        def ask(sample: str = sample, **others: Any) -> dyn.Study:
            return dyn.study(SYSTEM, over, [BASE, "joint_acceleration"], 5000, sample=sample, **others)

        alone = ask(progress=lambda done, size, seen=seen: seen.append(done))
        assert seen == [2048, 4096, 6144, 8192, 10000]
        assert bits(alone) == bits(ask(workers=2, threads=True))
        assert alone.fingerprint == ask(threads=True).fingerprint
        assert bits(alone) != bits(ask(seed=1))
        table = alone.problem.drawn(0, alone.size)
        for first, count in ((0, 1), (1, 7), (2047, 2), (4990, 30), (9_999, 1)):
            np.testing.assert_array_equal(alone.problem.drawn(first, count), table[first : first + count])
    looks: list[dyn.Study] = []
    dyn.study(SYSTEM, over, BASE, 10_000, look=looks.append)
    assert [one.size for one in looks] == [2048, 4096, 8192, 16384]


def test_masses_lengths_and_gravity_vary() -> None:
    rod = dyn.single_arm(dyn.planar_chain(1), gravity=(0.0, 0.0, 0.0))
    own = dyn.mass_matrix(rod, rod.state())[0, 0]
    over = {"mass": stats.uniform(0.5, 1.0), "tau": [2.0]}
    result = dyn.study(rod, over, "joint_acceleration", 20)
    for row, value in result.found["joint_acceleration"].largest:
        factor = float(result.moment(row).drawn["mass:link_1"])
        assert value == pytest.approx(2.0 / (factor * own), rel=1e-12)
    found = dyn.study(SYSTEM, {"gravity": [0.0, 1.0, 4.0]}, "joint_acceleration", 1, state=SYSTEM.state())
    values = [found.moment(row).found["joint_acceleration"] for row in range(3)]
    assert values[0] == 0.0
    assert values[2] == pytest.approx(4.0 * values[1], rel=1e-12)
    assert found.moment(2).system.gravity.tolist() == [0.0, 0.0, -4.0]
    over = {"length:joint_1": (0.5, 2.0), "q:joint_1": TURN}
    result = dyn.study(SYSTEM, over, BASE, 20)
    for row, value in result.found[BASE].largest:
        moment = result.moment(row)
        length = LENGTH * float(moment.drawn["length:joint_1"])
        assert value == pytest.approx(base_inertia(moment.state.q[:1], length)[0], rel=1e-12)


def test_masses_and_contacts_of_the_object_vary() -> None:
    system, state = HELD
    over = {"object_mass": [1.0, 4.0], "object_inertia": [1.0, 2.0], "contacts": ["rigid", "point"]}
    result = dyn.study(system, over, "rho", 1, state=state)
    assert result.size == 8
    for row in range(8):
        moment = result.moment(row)
        payload = system.task_object
        mass, factor, kind = moment.drawn.values()
        assert {contact.kind for contact in moment.system.contacts} == {kind}
        assert moment.system.task_object.mass == mass
        inertia = payload.inertia * mass / payload.mass * factor
        np.testing.assert_allclose(moment.system.task_object.inertia, inertia, rtol=1e-14)
        assert moment.found == {"rho": pytest.approx(contraction_radius(moment.system, state), rel=1e-12)}


def test_rates_are_projected_onto_the_closure() -> None:
    system, state = HELD
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
    sizes = np.linalg.norm(force[:, 3:], axis=1).sum() - np.linalg.norm(force[:, 3:].sum(axis=0))
    assert value == pytest.approx(0.5 * sizes, rel=1e-6)


def test_postures_are_closed_or_refused_one_by_one() -> None:
    system, state = HELD
    near = dyn.study(system, {"q": (-0.3, 0.3)}, "balance", 20, state=state)
    assert near.refused == 0
    for row, _ in near.found["balance"].largest[:2]:
        state = near.moment(row).state
        assert (dense(system, state).constraint @ system.pack(state)[1]).max() < 1e-6
    far = dyn.study(system, {"length:1/" + system.robots[0].joint_names[0]: [1.0, 50.0]}, "rho", 1, state=state)
    assert (far.refused, far.found["rho"].count) == (1, 1)
    assert "cannot close" in far.refusal
    with pytest.raises(dyn.StateError, match="row 1 has no state"):
        far.moment(1)


def test_watched_quantities_are_those_of_each_state_alone() -> None:
    over = {"q": TURN, "qd": (-1.0, 1.0), "tau": (-1.0, 1.0)}
    find = ["agreement", "agreement:kkt", "identity", "identity:energy", "mass_matrix:condition"]
    result = dyn.study(SYSTEM, over, find, 3)
    for row in range(3):
        moment = result.moment(row)
        own = moment.system, moment.state
        assert moment.found["agreement"] == dyn.agreement(*own, moment.tau).worst < 1e-12
        assert moment.found["agreement:kkt"] == dyn.agreement(*own, moment.tau, only=["kkt"]).worst
        checks = dyn.identities(dyn.forward_dynamics(*own, moment.tau))
        assert moment.found["identity"] == max(check.worst for check in checks)
        condition = np.linalg.cond(dyn.mass_matrix(*own))
        assert moment.found["mass_matrix:condition"] == pytest.approx(condition, rel=1e-10)


REFUSED: list[tuple[dict[str, Any], str]] = [
    *(({"over": over}, words) for over, words in (
        ({}, "over is"), ({"wheels": (0.0, 1.0)}, "wheels"), ({"q:elbow": (0.0, 1.0)}, "q:joint_1"),
        ({"q": (0.0, 1.0), "q:joint_1": (0.0, 1.0)}, "named twice"), ({"q": (1.0, 0.0)}, "low below high"),
        ({"q": (-1e308, 1e308)}, "low below high"), ({"q": (0.0, np.nan)}, "over"),
        ({"q": [0.0, np.inf]}, "finite numbers"), ({"q": []}, "finite numbers"), ({"q": stats.norm}, "frozen"),
        ({"q": stats.norm(0.0, -1.0)}, "no finite value"), ({"q": "wide"}, "frozen distribution"),
        ({"object_mass": (0.1, 1.0)}, "object_mass"), ({"contacts": ["rigid"]}, "contacts"),
        ({"q": [0.0] * 100_000, "qd": [0.0] * 100_000}, "rows"))),
    *(({"find": find}, words) for find, words in (
        ("beauty", "beauty"), ("rho", "rho"), ("agreement:luck", "agreement:kkt"), ([], "find"), (int, "find"),
        ("filter.joint_inertia:condition", "joint_inertia:smallest"), ([BASE, BASE], "different"))),
    ({"sample": "poisson"}, "latin_hypercube"), ({"count": 0}, "count"), ({"count": 10**12}, "count"),
    ({"seed": -1}, "seed"), ({"workers": 0}, "workers"), ({"scheduler": 3}, "scheduler"), ({"progress": 3}, "progress"),
]  # fmt: skip
REFUSED_MOTIONS: list[tuple[dict[str, Any], str]] = [
    *(({"over": over}, words) for over, words in (
        ({"dt": (0.0, 1.0)}, "steps above zero"), ({"dt": [1e-3, -1e-3]}, "steps above zero"),
        ({"method": ["rk4", "leapfrog"]}, "rk4, rk5"), ({"method": (0.0, 1.0)}, "a list of"))),
    ({"over": {"dt": (1e-3, 1e-2)}, "duration": None}, "duration"), ({"duration": None}, "duration"),
    ({"find": f"end.{BASE}", "duration": None}, "duration"),
    *(({"find": find}, words) for find, words in (
        ("run", "run:drift"), ("run:beauty", "run:drift"), ("end.run:drift", "only one end"),
        ("end.end.residual", "only one end"), ("end.beauty", "beauty"))),
    *(({"duration": duration}, words) for duration, words in (
        (0.0, "above zero"), (-1.0, "-1"), (float("nan"), "duration"), ("long", "'long'"))),
    ({"dt": 0.0}, "dt is 0"), ({"dt": 1e-12}, "expected 0 to"),
]  # fmt: skip


def test_impossible_questions_are_refused_by_name() -> None:
    rows = {}
    for change, words in REFUSED:
        asked: dict[str, Any] = {"over": {"q": (-1.0, 1.0)}, "find": BASE, "count": 10} | change
        rows[words + str(change)[:80]] = (lambda a=asked: dyn.study(SYSTEM, **a), words)
    for change, words in REFUSED_MOTIONS:
        asked = {"over": {"q": (0.0, 1.0)}, "find": "run:duration", "count": 3, "duration": 0.1} | change
        rows[f"motion {change}"[:80]] = (lambda a=asked: dyn.study(SYSTEM, **a), words)
    rows["held, without a state"] = (lambda: dyn.study(HELD[0], {"tau": (0.0, 1.0)}, "squeeze"), "state")
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
        end = motion.state_at(motion.t[-1])
        alone = dyn.forward_dynamics(moment.system, end, moment.tau)
        expected = {
            names[0]: alone.stages["filter"]["joint_inertia"][-1],
            names[1]: dyn.forward_dynamics(moment.system, moment.state).stages["filter"]["joint_inertia"][-1],
            names[2]: dyn.forward_kinematics(moment.system, end).tip_pose[0, 0, 3],
            names[3]: dyn.forward_kinematics(moment.system, moment.state).tip_pose[0, 2, 3],
            names[4]: np.abs(motion.unexplained_energy).max(),
            names[5]: 0.3,
        }
        for name, value in expected.items():
            assert moment.found[name] == pytest.approx(value, rel=1e-12, abs=1e-15)
            assert moment.found[name] == found.column(name)[row]


def test_steps_and_integrators_vary() -> None:
    steps, integrators = [1e-3, 2e-3, 4e-3], ["rk4", "euler", "DOP853"]
    over = {"dt": steps, "method": integrators}
    found = dyn.study(HELD[0], over, ("run:drift", "end.position:object.x"), 1, state=HELD[1], duration=0.2)
    assert found.size == 9
    assert found.moment(4).drawn == {"dt": 2e-3, "method": "euler"}
    with pytest.raises(dyn.StateError, match="name"):
        found.column("method")
    for row, drift in enumerate(found.column("run:drift")):
        motion = dyn.simulate(*HELD, duration=0.2, dt=steps[row // 3], method=integrators[row % 3])
        assert drift == motion.drift[:, 0].max()
    drifts = found.column("run:drift").reshape(3, 3)
    assert (drifts[:, 1] > 100.0 * drifts[:, 0]).all()
