"""Sobol's indices, the worst case by search, and what mathematics says of it."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

import dynamics as dyn
from tests.dynamics.refusals import assert_all_refused
from tests.dynamics.studies.test_study import BASE, SYSTEM, base_inertia
from tests.dynamics.systems import draw_robot

pytestmark = pytest.mark.compiled_only
TURN = (-np.pi, np.pi)
HELD = dyn.example("two_arms_and_box")
PENDULUM = dyn.single_arm(dyn.planar_chain(1), gravity=(0.0, 0.0, 0.0))
INERTIA = dyn.mass_matrix(PENDULUM, PENDULUM.state())[0, 0]
THREE = dyn.multi_arm([dyn.planar_chain(1)] * 3, gravity=(0.0, 0.0, 0.0))


def ishigami(solution: dyn.BatchSolution) -> NDArray[np.float64]:
    """Of the torques of three arms that nothing else moves: each accelerates by its own over its inertia."""
    x, y, z = INERTIA * solution.joint_acceleration.T
    return np.asarray(np.sin(x) + 7.0 * np.sin(y) ** 2 + 0.1 * z**4 * np.sin(x))


ARM, CHAIN = dyn.single_arm(dyn.load("puma560")), dyn.single_arm(dyn.planar_chain(12))
ALL: dict[str, Any] = {"q": TURN, "qd": (-2.0, 2.0), "tau": stats.truncnorm(-2.0, 2.0)}
DRIVEN = {"qd": (-1.0, 1.0), "tau": (-5.0, 5.0)}
SEARCHED: dict[str, tuple[dyn.System, dyn.State, dict[str, Any], str, Any]] = {
    "two links": (SYSTEM, SYSTEM.home(), ALL, "joint_acceleration", "largest"),
    "arm": (ARM, ARM.home(), {"q": TURN}, "filter.joint_inertia:" + ARM.joint_names[-1], "smallest"),
    "chain": (CHAIN, CHAIN.home(), ALL, "joint_acceleration", "largest"),
    "flyer": (*dyn.example("two_arm_flyer"), DRIVEN | {"q": TURN}, "base_acceleration:smallest", "smallest"),
    "grips": (*dyn.example("two_arms_and_box"), {"qd": (-0.5, 0.5), "tau": (-10.0, 10.0)}, "squeeze", "largest"),
    "edge": (*dyn.example("two_planar_arms"), DRIVEN, "joint_acceleration:largest", "smallest"),
    "entry": (ARM, ARM.home(), {"q": (-1.0, 1.0)}, "filter.kalman_gain:largest", "largest"),
}


def test_ishigamis_indices() -> None:
    found = dyn.sensitivity(THREE, {"tau": TURN}, ishigami, 2048)
    v1, v2, v3 = 0.5 * (1.0 + np.pi**4 / 50.0) ** 2, 49.0 / 8.0, 8.0 * np.pi**8 / 22500.0
    whole = v1 + v2 + v3  # the last of x and z together: 0.01 pi^8 (1/18 - 1/50)
    np.testing.assert_allclose(found.first_order, np.array([v1, v2, 0.0]) / whole, atol=0.02)
    np.testing.assert_allclose(found.total_order, np.array([v1 + v3, v2, v3]) / whole, atol=0.02)
    assert found.variables == ("tau:1/joint_1", "tau:2/joint_1", "tau:3/joint_1")
    assert found.ranked[0] == "tau:1/joint_1"
    assert found.evaluations == 5 * 2048
    one, again, other = (dyn.sensitivity(THREE, {"tau": TURN}, ishigami, 64, seed=seed) for seed in (0, 0, 1))
    assert (one.first_order == again.first_order).all()
    assert (one.first_order != other.first_order).all()
    found = dyn.sensitivity(PENDULUM, {"tau": [1.0, 2.0], "gravity": [0.0]}, "joint_acceleration", 64)
    np.testing.assert_allclose(found.total_order, [1.0, 0.0], atol=1e-12)
    found = dyn.sensitivity(PENDULUM, {"tau": TURN}, "joint_acceleration", 64)
    assert found.first_order.shape == found.total_order.shape == (1,)
    np.testing.assert_allclose(found.total_order, 1.0, atol=0.05)


def test_impossible_questions_are_refused() -> None:
    rows = {}
    for change, words in (
        ({"count": 100}, "power of two"), ({"find": (BASE, "identity")}, "one quantity"),
        ({"over": {"tau": (0.0, 1.0)}}, "whatever varies"), ({"over": {"mass:link_1": (-1.0, 1.0)}}, "refused"),
    ):  # fmt: skip
        asked: dict[str, Any] = {"over": {"q": TURN}, "find": BASE, "count": 16} | change
        rows[f"sensitivity {change}"] = (lambda a=asked: dyn.sensitivity(SYSTEM, **a), words)
    for change in ({"toward": "best"}, {"evaluations": 0}, {"find": (BASE, "identity")}, {"find": "beauty"}):
        asked = {"over": {"q": TURN}, "find": BASE} | change
        rows[f"worst case {change}"] = (lambda a=asked: dyn.worst_case(SYSTEM, **a), next(iter(change)))
    assert_all_refused(rows)


@pytest.mark.parametrize("draws", [20_000, pytest.param(200_000, marks=pytest.mark.full)])
def test_the_worst_case_is_at_least_as_bad_as_ten_times_as_many_draws(draws: int) -> None:
    for case, (system, state, over, find, toward) in SEARCHED.items():
        found = dyn.worst_case(system, over, find, toward, 2000, state=state)
        assert found.evaluations <= 2000
        drawn = dyn.study(system, over, find, draws, state=state).found[find]
        assert found.value >= drawn.maximum if toward == "largest" else found.value <= drawn.minimum, case


def test_torques_are_worst_at_a_corner() -> None:
    """All stages are affine in them, so that a number, or a norm, is."""
    corners = np.array(list(product((-8.0, 9.0), repeat=3)))
    system, joints = HELD[0], HELD[0].joint_names[:3]
    for find, toward in (("joint_acceleration", "largest"), ("contact_force:smallest", "smallest")):
        found = dyn.worst_case(
            system, {f"tau:{name}": (-8.0, 9.0) for name in joints}, find, toward, 2000, state=HELD[1]
        )
        assert set(found.moment.tau[:3].tolist()) <= {-8.0, 9.0}
        taus = np.hstack([corners, np.zeros((len(corners), system.n_joints - 3))])
        sols = [dyn.forward_dynamics(*HELD, tau) for tau in taus]
        norms = max(float(np.linalg.norm(sol.joint_acceleration)) for sol in sols)
        ought = norms if toward == "largest" else min(float(sol.contact_force.min()) for sol in sols)
        assert found.value == pytest.approx(ought, rel=1e-9)


@given(st.integers(0, 5))
def test_d_lies_between_two_inertias(seed: int) -> None:
    """That of the link alone, and that of all that hangs on the joint: an entry of the mass matrix."""
    random = np.random.default_rng([seed, 16])
    robot = draw_robot(random, 5, branching=0.4 * (seed % 2), mass_decades=1.0).load()
    system = (dyn.single_arm if seed % 3 else dyn.free_flyer)(robot)
    found = dyn.study(system, {"q": (-2.0, 2.0)}, [f"filter.joint_inertia:{name}" for name in system.joint_names], 50)
    for row in range(0, 50, 10):
        moment = found.moment(row)
        whole = np.diag(dyn.mass_matrix(system, moment.state))[: system.n_joints]
        for k, inertia in enumerate(moment.found.values()):
            joint, body = system.joint_models[k], system.link_models[k]
            lever = np.cross(joint.axis, body.center_of_mass)
            own = body.mass
            if joint.kind == "revolute":
                own = joint.axis @ body.inertia @ joint.axis + body.mass * lever @ lever
            assert (own + joint.rotor_inertia) * (1 - 1e-9) <= inertia <= whole[k] * (1 + 1e-9)


def test_the_smallest_inertia_at_the_base_is_found() -> None:
    found = dyn.worst_case(SYSTEM, {"q": TURN}, BASE, "smallest", 2000)
    assert found.value == pytest.approx(base_inertia(np.zeros(1))[0], rel=1e-6)
    alone = dyn.forward_dynamics(found.moment.system, found.moment.state).stages["filter"]["joint_inertia"]
    assert found.value == pytest.approx(alone[-1], rel=1e-9)
