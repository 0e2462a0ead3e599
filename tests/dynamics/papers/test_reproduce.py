"""Every printed number of the five papers beside ours: a difference beyond rounding has a reason, and is that large.

Each experiment on a claim of theirs bears its verdict out; the planar arms of JZ Section 5 are the methods for space.
"""

from functools import cache

import numpy as np
import pytest

import dynamics as dyn
from app.instruments.papers.addresses import CLAIMS as ADDRESSES
from dynamics import papers
from dynamics.papers import PaperNumber, Reproduction, paper_results
from dynamics.papers import jazidie_examples as jz
from dynamics.papers.claims import CLAIMS, Claim
from dynamics.papers.planar_arms import held_object, sweep
from dynamics.papers.staggered_step import contraction_radius, staggered_step
from dynamics.witness.arm_group import group_forward
from tests.conftest import UNCOMPILED

SLOW = ("jz_fig_6", "jz_table_2", "jz_fig_7", "jz_fig_8", "jz_fig_9", "jz_table_3")
"""Five seconds in samples of 0.1 ms: minutes where nothing is compiled."""
reproduce = cache(papers.reproduce)
HEADLINES = (
    "covariance_vanishes", "forces_are_random", "filter_is_articulated", "dimension", "heavy_object_stays",
    "parallel_is_faster", "redundancy", "equivalence", "closed_chain_is_a_correction",
    "start_is_forgotten", "smoothing_by_two_filters",
)  # fmt: skip


def numbers_of(name: str) -> dict[tuple[str, str], PaperNumber]:
    return {(number.row, number.column): number for number in reproduce(name).numbers}


def test_every_number_is_the_printed_one_or_has_a_reason() -> None:
    for result in paper_results():
        if UNCOMPILED and result.name in SLOW:
            continue
        found = reproduce(result.name)
        assert found.result.name == result.name
        assert not found.unexplained, (result.name, found.unexplained)
        assert not [n for n in found.numbers if n.agrees and n.reason], f"{result.name}: a reason for no difference"
        assert bool(found.numbers) != found.result.is_drawing, result.name
        assert len({(number.row, number.column) for number in found.numbers}) == len(found.numbers), result.name
        assert all(len(number.reason) > 20 for number in found.numbers if not number.agrees), result.name
        for curve in () if found.figure is None else found.figure.curves:
            assert curve.x.shape == curve.y.shape
            assert np.all(np.isfinite([curve.x, curve.y])), result.name
            assert curve.style in ("line", "dashed", "points")
            assert not found.figure.log_y or np.all(curve.y > 0.0), result.name
    right, wrong = (PaperNumber("row", "column", "", 1.0, ours, 5e-4) for ours in (1.0005, 1.0006))
    assert (right.agrees, wrong.agrees) == (True, False)
    assert Reproduction(result, (right, wrong)).unexplained == (wrong,)
    reasoned = PaperNumber("row", "column", "", 1.0, 1.0006, 5e-4, "the scan is blurred")
    assert Reproduction(result, (right, reasoned)).unexplained == ()
    with pytest.raises(dyn.ModelError, match="no result"):
        reproduce("r87_table_9")
    with pytest.raises(dyn.StateError, match="diverges"):
        jz.example_1(duration=0.02, object_mass=1.0)


def test_rows_add_up_to_their_totals() -> None:
    # 28 additions, 26 multiplications and 3 divisions a link: each agrees, and the rows add up to them.
    found = numbers_of("r87_table_2")
    assert all(number.agrees for number in found.values())
    totals = {"additions": 28.0, "multiplications": 26.0, "divisions": 3.0}
    for column, total in totals.items():
        assert found["Total", column].ours == total
        assert sum(n.ours for (row, at), n in found.items() if at == column and row != "Total") == pytest.approx(total)
    # The differences of the rows add up to the difference of the total.
    for name in ("tml_table_2", "tml_table_3", "tml_table_4", "tml_table_5"):
        found = numbers_of(name)
        for column in ("multiplications", "additions"):
            apart = sum(n.ours - n.published for (row, at), n in found.items() if at == column and row != "Total")
            total = found["Total", column]
            assert total.ours - total.published == pytest.approx(apart), (name, column)


@pytest.mark.compiled_only
@pytest.mark.parametrize("claim", [
    pytest.param(claim, id=claim.name, marks=() if claim.name in HEADLINES else pytest.mark.full) for claim in CLAIMS
])  # fmt: skip
def test_each_claim_is_borne_out(claim: Claim) -> None:
    figures = claim.figures()
    assert figures
    assert not [figure for figure in figures if not figure.holds]


def test_every_claim_has_its_verdict_and_its_place_on_the_page() -> None:
    assert {claim.name for claim in CLAIMS} == set(ADDRESSES) >= set(HEADLINES)
    assert len({claim.name for claim in CLAIMS}) == len(CLAIMS) >= 40
    assert {claim.verdict for claim in CLAIMS} == {"true", "false", "true if"}


def instant(second: bool) -> tuple[dyn.System, dyn.State, jz.PlanarArms, np.ndarray, np.ndarray]:
    system, state = dyn.example("one_arm_by_a_point" if second else "two_planar_arms")
    if second:
        place = np.array([0.0, 0.203225, 0.598174])
        arms, _ = jz.planar_arms(jz.EXAMPLE_2_DIRECTIONS, place, [pose[0, 3] for pose in system.base_poses], 0.09, 1)
    else:
        arms, _ = jz.planar_arms(jz.EXAMPLE_1_DIRECTIONS, None, (0.0, 0.44641), 0.05, 0)
    rng = np.random.default_rng(8)
    speeds = {"qd": rng.normal(size=system.n_joints), "object_velocity": [0, 0, 0.7, 0.2, -0.3, 0]}
    state = dyn.project(system, system.state(q=state.q, object_pose=state.object_pose, **speeds))
    n = system.n_joints // 2
    qd = np.array([state.qd[:n][::-1], state.qd[n:][::-1]])
    return system, state, arms, np.array([state.q[:n][::-1], state.q[n:][::-1]]), qd


@pytest.mark.parametrize("second", [False, True])
def test_the_planar_sweep_is_appels_method_in_space(second: bool) -> None:
    system, state, arms, q, qd = instant(second)
    place, velocity = held_object(arms, q, qd)
    assert velocity == pytest.approx(state.object_velocity[[2, 3, 4]], abs=1e-5)
    torque = np.random.default_rng(1).normal(size=q.shape)
    tau = np.concatenate([torque[0, ::-1], torque[1, ::-1]])
    assumed = np.array([0.3, -0.4, 0.5])
    in_space = np.array([0, 0, *assumed, 0])
    expected = staggered_step(system, state, tau, in_space)
    found, felt = sweep(arms, q, qd, torque, place, velocity, assumed)
    joints = np.concatenate([found[0, ::-1], found[1, ::-1]])
    assert joints == pytest.approx(expected.joint_acceleration, rel=1e-4, abs=1e-4 * np.abs(joints).max())
    scale = np.abs(felt).max()
    assert felt == pytest.approx(expected.object_acceleration[[2, 3, 4]], rel=1e-4, abs=1e-4 * scale)
    # A sweep is an affine map c - R X_o'': its fixed point is the exact solution, and R has the contraction radius.
    constant = sweep(arms, q, qd, torque, place, velocity, np.zeros(3))[1]
    units = [sweep(arms, q, qd, torque, place, velocity, unit)[1] for unit in np.eye(3)]
    shrinks = constant[:, None] - np.array(units).T
    exact = np.linalg.solve(np.eye(3) + shrinks, constant)
    solved = group_forward(system, state, tau).object_acceleration
    assert exact == pytest.approx(solved[[2, 3, 4]], rel=1e-4, abs=1e-4 * np.abs(solved).max())
    radius = np.abs(np.linalg.eigvals(shrinks)).max()
    assert radius == pytest.approx(contraction_radius(system, state), rel=1e-4)
