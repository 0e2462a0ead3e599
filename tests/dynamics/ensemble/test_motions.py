"""Whole simulations in a study: each row's own motion, told and looked at where it ends."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dynamics as dyn
from tests.dynamics.ensemble.two_links import BASE, SYSTEM

pytestmark = pytest.mark.compiled_only


@pytest.fixture(scope="module")
def held() -> tuple[dyn.System, dyn.State]:
    return dyn.example("two_arms_and_box")


@pytest.mark.slow
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


def test_the_drift_of_the_closure_grows_as_the_order_says(held: tuple[dyn.System, dyn.State]) -> None:
    found = dyn.ask("drift_by_step", *held, count=4)
    assert isinstance(found, dyn.Study)
    steps, drifts = found.column("dt"), found.column("run:drift")
    slope = np.polyfit(np.log(steps), np.log(drifts), 1)[0]
    assert 4.5 < slope < 5.5  # a step of fourth order leaves a fifth power


def test_a_run_that_stops_tells_when() -> None:
    arm = dyn.single_arm(dyn.planar_chain(2))
    found = dyn.study(arm, {"qd": [1.0, 1e7]}, ("run:duration", "end.position:tip.x"), 1, duration=0.1, dt=1e-3)
    lasted = found.column("run:duration")
    assert lasted[0] == pytest.approx(0.1)
    assert np.isnan(lasted[1]) or lasted[1] < 0.1


def test_workers_and_folders_give_the_same_bits(tmp_path: Any) -> None:
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


def test_searched_and_shared_out() -> None:
    over = {"tau": (-1.0, 1.0)}
    worst = dyn.worst_case(SYSTEM, over, "end.position:tip.z", evaluations=100, duration=0.1, dt=5e-3)
    moment = worst.moment
    motion = dyn.simulate(moment.system, moment.state, duration=0.1, dt=5e-3, tau=moment.tau)
    assert dyn.tip_poses(SYSTEM, motion.state_at(0.1))[0, 2, 3] == pytest.approx(worst.value, rel=1e-12)
    assert worst.bound is None
    shares = dyn.sensitivity(SYSTEM, over, "end.position:tip.z", 64, duration=0.1, dt=5e-3)
    assert shares.total_order.max() > 0.3


@pytest.mark.parametrize(
    ("change", "says"),
    [
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
    ],
)
def test_bad_input(change: dict[str, Any], says: str) -> None:
    asked: dict[str, Any] = {"over": {"q": (0.0, 1.0)}, "find": "run:duration", "count": 3, "duration": 0.1} | change
    with pytest.raises((dyn.ModelError, dyn.StateError), match=says):
        dyn.study(SYSTEM, **asked)
