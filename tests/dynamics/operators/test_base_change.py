"""JR Appendix A: the algebra of another base, against the machine that ``rebase`` makes and its own operators."""

from __future__ import annotations

import numpy as np
import pytest

import dynamics as dyn
from dynamics.operators.base_change import (
    base_change,
    base_change_back,
    hinge_map,
    link_order,
    ordered_mass_matrix,
    rebased_factors,
    rebased_hinge_map,
    rebased_inertias,
    rebased_mass_matrix,
    rebased_one_step,
    rebased_rates,
    rebased_transitions,
    shift_to_new_points,
    steps_of_the_proof,
    transitions_to,
)
from dynamics.operators.operator_factors import mass_matrix_inverse, operator_factors
from dynamics.operators.rebase import rebase, rebase_state
from tests.dynamics.systems import draw_robot
from tests.dynamics.twins import Twin, one_arm

CASES = [(1, 0.0), (6, 0.0), (9, 0.5)]


@pytest.fixture(params=CASES, ids=lambda case: f"{case[0]} joints, branching {case[1]}")
def twin(request: pytest.FixtureRequest) -> Twin:
    n, branching = request.param
    rng = np.random.default_rng(400 + n)
    return one_arm(rng, draw_robot(rng, n, branching=branching, fixed=0.0), floating=True)


def close(found: np.ndarray, expected: np.ndarray, tolerance: float = 1e-11) -> bool:
    return bool(np.max(np.abs(found - expected)) <= tolerance * max(np.max(np.abs(expected)), 1e-300))


def some_links(system: dyn.System) -> list[str]:
    names = system.link_names
    return [names[0], names[len(names) // 2], names[-2], names[-1]]


def rebased(twin: Twin, link: str) -> tuple[dyn.System, dyn.State, np.ndarray, np.ndarray]:
    """The renumbered machine, and where its links and its hinges' rows are in the old numbering."""
    other = rebase(twin.system, link)
    state = rebase_state(twin.system, other, twin.state)
    links = [other.link_names.index(name) for name in twin.system.link_names]
    rows = [row for k in links for row in (range(other.n_joints, other.n_joints + 6) if k == other.n_joints else (k,))]
    blocks = [6 * k + j for k in links for j in range(6)]
    return other, state, np.array(rows), np.array(blocks)


def test_rates_hold_the_new_bases_velocity(twin: Twin) -> None:
    """(A.1): the last six are how link k itself moves, as an independent library says."""
    import pinocchio as pin

    model = twin.world.model
    data = model.createData()
    pin.forwardKinematics(model, data, twin.x, twin.v)
    pin.updateFramePlacements(model, data)
    for link in some_links(twin.system):
        frame = model.getFrameId(f"1/{link}", pin.FrameType.BODY)
        velocity = pin.getFrameVelocity(model, data, frame, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
        found = rebased_rates(twin.system, twin.state, link)
        assert np.array_equal(found[:-6], twin.state.qd)
        assert np.allclose(found[-6:], np.concatenate([velocity.angular, velocity.linear]), rtol=1e-9, atol=1e-11)


def test_change_of_coordinates_and_back(twin: Twin) -> None:
    """Lemma A.1, (A.3)-(A.5): for any rates, not only those that some state has."""
    system, state = twin.system, twin.state
    for link in some_links(system):
        there, back = base_change(system, state, link), base_change_back(system, state, link)
        assert close(there @ np.concatenate([state.qd, state.base_velocity]), rebased_rates(system, state, link))
        assert close(back @ rebased_rates(system, state, link), np.concatenate([state.qd, state.base_velocity]), 1e-10)
        assert close(there @ back, np.eye(system.n_joints + 6), 1e-10)
        # (A.4) column by column: one joint turning alone, the base at rest.
        n = system.n_joints
        h = hinge_map(system, state)
        for k, unit in enumerate(np.eye(n)):
            alone = system.state(state.q, unit, state.base_pose)
            moved = rebased_rates(system, alone, link)[-6:]
            assert np.allclose(
                transitions_to(system, state, link) @ h[:n, : 6 * n].T[:, k], moved, rtol=1e-9, atol=1e-12
            )


def test_hinge_map_is_what_one_joint_does_to_its_link(twin: Twin) -> None:
    """(A.2): H'(k) by differences of poses, and the base's own six rows."""
    system, state, step = twin.system, twin.state, 1e-6
    h = hinge_map(system, state)
    n = system.n_joints
    for k in range(n):
        before, after = (
            dyn.link_poses(system, system.state(state.q + sign * step * np.eye(n)[k], None, state.base_pose))[k]
            for sign in (-1.0, 1.0)
        )
        spin = (after - before)[:3, :3] / (2 * step) @ dyn.link_poses(system, state)[k, :3, :3].T
        expected = [spin[2, 1], spin[0, 2], spin[1, 0], *(after - before)[:3, 3] / (2 * step)]
        assert np.allclose(h[k, 6 * k : 6 * k + 6], expected, rtol=1e-9, atol=1e-8)
        assert np.count_nonzero(h[k]) <= 3
    assert np.array_equal(h[n:, 6 * n :], np.eye(6))


def test_mass_matrix_of_the_new_coordinates(twin: Twin) -> None:
    """(A.6)-(A.8): the kinetic energy stays, and it is the mass matrix of the machine numbered from that base."""
    for link in some_links(twin.system):
        other, state, rows, _ = rebased(twin, link)
        energy = dyn.forward_dynamics(twin.system, twin.state).kinetic_energy
        rates = rebased_rates(twin.system, twin.state, link)
        matrix = rebased_mass_matrix(twin.system, twin.state, link)
        assert 0.5 * rates @ matrix @ rates == pytest.approx(energy, rel=1e-10)
        own = dyn.mass_matrix(other, state)
        # The rows of the new numbering, in the old one's: which joint each is, by its name.
        names = [*(other.joint_names.index(name) for name in twin.system.joint_names)]
        names += list(range(other.n_joints, other.n_joints + 6))
        assert close(matrix, own[np.ix_(names, names)])
        order = link_order(twin.system, link)
        assert np.array_equal(order @ order.T, np.eye(len(order)))
        assert close(ordered_mass_matrix(twin.system, twin.state, link), own[np.ix_(rows, rows)])


def test_lemma_a2_gives_the_new_machines_own_operators(twin: Twin) -> None:
    """(A.9)-(A.11), (A.19): H, phi, M of the new base are those of the machine numbered from it."""
    system, state = twin.system, twin.state
    for link in some_links(system):
        other, there, rows, blocks = rebased(twin, link)
        own = operator_factors(other, there)
        assert close(rebased_hinge_map(system, state, link), own.h[np.ix_(rows, blocks)])
        assert close(rebased_transitions(system, state, link), own.phi[np.ix_(blocks, blocks)])
        assert close(rebased_inertias(system, state, link), own.m[np.ix_(blocks, blocks)])
        step = rebased_one_step(system, state, link)
        assert np.array_equal(np.linalg.matrix_power(step, system.n_links), np.zeros_like(step))
        matrix = ordered_mass_matrix(system, state, link)
        assert close(rebased_factors(system, state, link), matrix)
        # (A.19)
        inverse = mass_matrix_inverse(own)[np.ix_(rows, rows)]
        assert close(inverse @ matrix, np.eye(len(matrix)), 1e-14 * max(np.linalg.cond(matrix), 1e3))


def test_new_points_lie_where_the_outboard_joint_sits() -> None:
    """Delta_phi of (A.10): nothing moves outboard of the new base, and each link on the way takes its joint's place."""
    system, state = dyn.example("free_flyer")
    shift = shift_to_new_points(system, state, "hand")
    poses = dyn.link_poses(system, state)
    for i, name in enumerate(system.link_names):
        lever = np.zeros(3) if name == "hand" else poses[i - 1, :3, 3] - poses[i, :3, 3]
        block = shift[6 * i : 6 * i + 6, 6 * i : 6 * i + 6]
        force = np.array([0.3, -0.1, 0.2, 1.0, 2.0, 3.0])
        expected = np.concatenate([force[:3] - np.cross(lever, force[3:]), force[3:]])
        assert np.allclose(block @ force, expected, rtol=1e-9, atol=1e-12)


def test_each_step_of_the_proof(twin: Twin) -> None:
    for link in some_links(twin.system):
        for number, (left, right) in steps_of_the_proof(twin.system, twin.state, link).items():
            assert close(left, right, 1e-10), number


def test_refuses_bolted_arms_and_unknown_links() -> None:
    system, state = dyn.example("puma560")
    with pytest.raises(dyn.ModelError, match="free flyer"):
        base_change(system, state, "link_1")
    flyer, floating = dyn.example("free_flyer")
    with pytest.raises(dyn.ModelError, match="no link 'nose'"):
        base_change(flyer, floating, "nose")
