"""Sobol's indices, the worst case by search, and the predefined questions."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

import dynamics as dyn
from dynamics.ensemble.questions import READY
from dynamics.ensemble.worst_case import ENDS
from tests.dynamics.ensemble.two_links import BASE, SYSTEM, base_inertia
from tests.dynamics.refusals import assert_all_refused
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


SLIDING = """<robot name="rpr"><link name="base"/>
  <link name="inner"><inertial><mass value="0.01"/>
    <inertia ixx="1e-5" iyy="1e-5" izz="1e-5" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="outer"><inertial><mass value="1"/>
    <inertia ixx="1e-3" iyy="1e-3" izz="1e-3" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="hand"><inertial><mass value="0.01"/>
    <inertia ixx="1e-5" iyy="1e-5" izz="1e-5" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="turn" type="continuous"><parent link="base"/><child link="inner"/><axis xyz="0 0 1"/></joint>
  <joint name="slide" type="prismatic"><parent link="inner"/><child link="outer"/><axis xyz="1 0 0"/>
    <limit lower="-9" upper="9" effort="99" velocity="9"/></joint>
  <joint name="wrist" type="continuous"><parent link="outer"/><child link="hand"/><axis xyz="0 0 1"/></joint>
</robot>"""
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
    one, other, third = (
        dyn.sensitivity(THREE, {"tau": TURN}, ishigami, 256, seed=seed, workers=workers, threads=True)
        for seed, workers in ((0, 1), (0, 2), (1, 1))
    )
    assert (one.first_order == other.first_order).all()
    assert (one.first_order != third.first_order).all()
    found = dyn.sensitivity(PENDULUM, {"tau": [1.0, 2.0], "gravity": [0.0]}, "joint_acceleration", 64)
    np.testing.assert_allclose(found.total_order, [1.0, 0.0], atol=1e-12)
    found = dyn.sensitivity(PENDULUM, {"tau": TURN}, "joint_acceleration", 64)
    assert found.first_order.shape == found.total_order.shape == (1,)
    np.testing.assert_allclose(found.total_order, 1.0, atol=0.05)


def test_impossible_questions_are_refused() -> None:
    rows = {}
    for change, words in (
        ({"count": 100}, "power of two"), ({"find": (BASE, "residual")}, "one thing"),
        ({"over": {"tau": (0.0, 1.0)}}, "whatever varies"), ({"over": {"mass:link_1": (-1.0, 1.0)}}, "refused"),
    ):  # fmt: skip
        asked: dict[str, Any] = {"over": {"q": TURN}, "find": BASE, "count": 16} | change
        rows[f"sensitivity {change}"] = (lambda a=asked: dyn.sensitivity(SYSTEM, **a), words)
    for change in ({"toward": "best"}, {"evaluations": 0}, {"find": (BASE, "residual")}, {"find": "beauty"}):
        asked = {"over": {"q": TURN}, "find": BASE} | change
        rows[f"worst case {change}"] = (lambda a=asked: dyn.worst_case(SYSTEM, **a), next(iter(change)))
    assert_all_refused(rows)


@pytest.mark.parametrize("draws", [20_000, pytest.param(200_000, marks=pytest.mark.full)])
def test_the_worst_case_is_at_least_as_bad_as_ten_times_as_many_draws(draws: int) -> None:
    for case, (system, state, over, find, toward) in SEARCHED.items():
        found = dyn.worst_case(system, over, find, toward, 2000, state=state)
        assert found.evaluations == 2000
        drawn = dyn.study(system, over, find, draws, state=state).found[find]
        assert found.value >= drawn.maximum if toward == "largest" else found.value <= drawn.minimum, case


def test_torques_are_worst_at_a_corner() -> None:
    for find, toward in (
        ("joint_acceleration", "largest"), ("contact_force:smallest", "smallest"), ("contact_force", "largest"),
        ("smoother_final.force:largest", "largest"), ("filter.innovation", "largest"),
        (f"joint_acceleration:{HELD[0].joint_names[3]}", "smallest"),
    ):  # fmt: skip
        found = dyn.worst_case(HELD[0], {"tau": (-8.0, 9.0)}, find, toward, 200, state=HELD[1])
        assert found.bound == pytest.approx(found.value, rel=1e-9)
        assert set(found.moment.tau.tolist()) <= {-8.0, 9.0}
        drawn = dyn.study(HELD[0], {"tau": (-8.0, 9.0)}, find, 5000, state=HELD[1]).found[find]
        assert drawn.maximum <= found.value if toward == "largest" else drawn.minimum >= found.value
    squeezed = dyn.worst_case(HELD[0], {"tau": (-8.0, 9.0)}, "squeeze", evaluations=4000, state=HELD[1])
    assert 0.5 * squeezed.bound < squeezed.value <= squeezed.bound


@given(st.sampled_from(dyn.examples()))
def test_every_stage_is_affine_in_the_torques(name: str) -> None:
    system, state = dyn.example(name)
    one, other = np.random.default_rng(3).normal(0.0, 5.0, (2, system.n_joints))
    found = [dyn.forward_dynamics(system, state, tau).stages for tau in (one, other, 0.5 * (one + other))]
    for stage, arrays in found[0].items():
        for key in arrays:
            left, right, middle = (np.asarray(each[stage][key]) for each in found)
            size = max(np.abs(left).max(initial=0.0), np.abs(right).max(initial=0.0), 1e-9)
            np.testing.assert_allclose(0.5 * (left + right), middle, atol=1e-9 * size, err_msg=f"{stage}.{key}")


@given(st.integers(0, 5))
def test_d_lies_between_two_inertias(seed: int) -> None:
    random = np.random.default_rng([seed, 16])
    robot = draw_robot(random, 5, branching=0.4 * (seed % 2), mass_decades=1.0).load()
    system = (dyn.single_arm if seed % 3 else dyn.free_flyer)(robot)
    over = {"q": (-2.0, 2.0), "qd": (-1.0, 1.0)}
    for part in (*system.joint_names, "largest", "smallest"):
        find = f"filter.joint_inertia:{part}"
        drawn = dyn.study(system, over, find, 300, seed=seed).found[find]
        high, low = (dyn.worst_case(system, over, find, end, 20) for end in ENDS)
        assert low.bound * (1 - 1e-9) <= drawn.minimum
        assert drawn.maximum <= high.bound * (1 + 1e-9)


def test_no_bound_is_given_where_none_is_known() -> None:
    # One arm is drawn farther out, and pulls the other with it, beyond where that one was.
    arm = dyn.load_urdf_text(SLIDING)
    there = np.eye(4)
    there[:3] = [[-1.0, 0.0, 0.0, 2.0], [0.0, -1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]
    thing = dyn.TaskObject(0.1, 0.01 * np.eye(3))
    arms = dyn.multi_arm([arm, arm], base_poses=[np.eye(4), there], task_object=thing, gravity=(0.0, 0.0, 0.0))
    state = arms.state(q=[0.0, 0.5, 0.0, 0.0, 0.5, 0.0])
    held = dyn.grasp(arms, state, ["rigid", "rigid"])
    find, over = "filter.joint_inertia:1/turn", {"q:2/slide": (0.2, 1.8)}
    low, high = (dyn.worst_case(held, over, find, end, 200, state=state) for end in ENDS[::-1])
    assert low.bound <= low.value
    assert high.value > dyn.worst_case(held, {"qd": (-1.0, 1.0)}, find, evaluations=1, state=state).bound
    assert high.bound is None
    for over, find, toward in (
        ({"q": TURN}, "joint_acceleration", "largest"), ({"q": TURN, "mass": (0.5, 2.0)}, BASE, "smallest"),
        ({"tau": stats.norm()}, "joint_acceleration", "largest"), ({"tau": TURN}, "joint_acceleration", "smallest"),
        ({"tau": TURN}, "residual", "largest"), ({"tau": TURN}, ishigami, "largest"),
    ):  # fmt: skip
        system = THREE if find is ishigami else SYSTEM
        found = dyn.worst_case(system, over, find, toward, 30)
        assert (found.bound, found.because) == (None, "")


def test_predefined_questions_are_listed_and_answered() -> None:
    found = dyn.ask("disagreement", SYSTEM, count=40)
    assert isinstance(found, dyn.Study)
    assert found.found["agreement"].maximum < 1e-10
    row, condition = found.found["mass_matrix:condition"].largest[0]
    moment = found.moment(row)
    assert condition == pytest.approx(np.linalg.cond(dyn.mass_matrix(moment.system, moment.state)), rel=1e-9)
    found = dyn.ask("smallest_base_inertia", SYSTEM, count=2000)
    assert isinstance(found, dyn.WorstCase)
    assert found.value == pytest.approx(base_inertia(np.zeros(1))[0], rel=1e-6)
    found = dyn.ask("mass_errors", SYSTEM, SYSTEM.state(q=[0.3, 0.5]), count=16)
    assert isinstance(found, dyn.Sensitivity)
    assert found.variables == ("mass:link_1", "mass:link_2")
    assert found.total_order.max() > 0.3
    found = dyn.ask("largest_squeeze", *HELD, count=6000)
    assert isinstance(found, dyn.WorstCase)
    drawn = dyn.study(HELD[0], {"tau": (-10.0, 10.0)}, "squeeze", 20_000, state=HELD[1])
    assert found.value > drawn.found["squeeze"].maximum
    found = dyn.ask("largest_contact_gain", *HELD, count=400)
    assert isinstance(found, dyn.WorstCase)
    moment = found.moment
    alone = dyn.forward_dynamics(moment.system, moment.state, moment.tau).stages["contact"]["contact_kalman_gain"]
    here = dyn.forward_dynamics(*HELD).stages["contact"]["contact_kalman_gain"]
    assert found.value == pytest.approx(np.linalg.norm(alone), rel=1e-7)
    assert found.value > np.linalg.norm(here)
    found = dyn.ask("diverging_objects", *HELD, count=30)
    assert isinstance(found, dyn.Study)
    radius, mass = found.column("rho"), found.column("object_mass")
    assert radius[mass == mass.min()].min() > 1.0 > radius[mass == mass.max()].max()
    order = np.argsort(mass.reshape(-1, 5)[:, 0])
    assert (np.diff(radius.reshape(-1, 5)[order], axis=0) < 0.0).all()  # a heavier object, a smaller radius
    assert set(dyn.questions()) == set(READY)
    for name, question in READY.items():
        assert question.words.endswith("?")
        if question.of_grips:
            with pytest.raises(dyn.ModelError, match="holds none"):
                dyn.ask(name, SYSTEM)
    with pytest.raises(dyn.ModelError, match="largest_squeeze"):
        dyn.ask("why", SYSTEM)
    with pytest.raises(dyn.ModelError, match="state"):
        dyn.ask("disagreement", dyn.example("two_arms_and_box")[0])
    with pytest.raises(dyn.StateError, match="count"):
        dyn.ask("disagreement", SYSTEM, count=-1)
