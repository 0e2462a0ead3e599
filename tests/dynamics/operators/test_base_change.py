"""JR Appendix A: the algebra of another base, against the machine that ``rebase`` makes and its own operators."""

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
import pinocchio as pin
import pytest

import dynamics as dyn
from dynamics.operators import base_change as algebra
from dynamics.operators.operator_factors import mass_matrix_inverse, operator_factors
from dynamics.operators.rebase import rebase, rebase_state
from tests.dynamics.dense_machine import close, phi
from tests.dynamics.every import every
from tests.dynamics.pinocchio_world import WORLD_AXES
from tests.dynamics.systems import draw_robot
from tests.dynamics.twins import Twin, one_arm

CASES = [(1, 0.0), (6, 0.0), (9, 0.5)]  # joints and branching


@lru_cache(maxsize=4)
def drawn(n: int, branching: float) -> Twin:
    rng = np.random.default_rng(400 + n)
    return one_arm(rng, draw_robot(rng, n, branching=branching, fixed=0.0), floating=True)


def with_link(case: tuple[int, float]) -> Iterator[tuple[dyn.System, dyn.State, str]]:
    system, state = drawn(*case).system, drawn(*case).state
    names = system.link_names
    for link in dict.fromkeys([names[0], names[len(names) // 2], names[-2], names[-1]]):
        yield system, state, link


def rebased(system: dyn.System, state: dyn.State, link: str) -> tuple[dyn.System, dyn.State, np.ndarray, np.ndarray]:
    """The renumbered machine, and where its links and its hinges' rows are in the old numbering."""
    other = rebase(system, link)
    links = [other.link_names.index(name) for name in system.link_names]
    n = other.n_joints
    rows = [row for k in links for row in (range(n, n + 6) if k == n else (k,))]
    blocks = [6 * k + j for k in links for j in range(6)]
    return other, rebase_state(system, other, state), np.array(rows), np.array(blocks)


@every(CASES)
def test_rates_and_hinges_are_what_an_independent_library_and_differences_say(*case: object) -> None:
    """JR (A.1), (A.2): how link k itself moves, and what one joint alone does to its link."""
    world, twin = drawn(*case).world, drawn(*case)
    data = world.model.createData()
    pin.forwardKinematics(world.model, data, twin.x, twin.v)
    pin.updateFramePlacements(world.model, data)
    for system, state, link in with_link(case):
        frame = world.model.getFrameId(f"1/{link}", pin.FrameType.BODY)
        velocity = pin.getFrameVelocity(world.model, data, frame, WORLD_AXES)
        found = algebra.rebased_rates(system, state, link)
        assert np.array_equal(found[:-6], state.qd)
        assert np.allclose(found[-6:], np.concatenate([velocity.angular, velocity.linear]), rtol=1e-9, atol=1e-11)
    # (A.2): H'(k) by differences of poses, and the base's own six rows.
    system, state, step = drawn(*case).system, drawn(*case).state, 1e-6
    h, n, poses = algebra.hinge_map(system, state), system.n_joints, dyn.forward_kinematics(system, state).pose
    for k, unit in enumerate(np.eye(n)):
        ends = [system.state(state.q + by * unit, None, state.base_pose) for by in (-step, step)]
        before, after = (dyn.forward_kinematics(system, end).pose[k] for end in ends)
        spin = (after - before)[:3, :3] / (2 * step) @ poses[k, :3, :3].T
        expected = [spin[2, 1], spin[0, 2], spin[1, 0], *(after - before)[:3, 3] / (2 * step)]
        assert np.allclose(h[k, 6 * k : 6 * k + 6], expected, rtol=1e-9, atol=1e-8)
        assert np.count_nonzero(h[k]) <= 3
    assert np.array_equal(h[n:, 6 * n :], np.eye(6))


@every(CASES)
def test_the_algebra_of_another_base_is_that_of_the_machine_numbered_from_it(*case: object) -> None:
    """Lemmas A.1 and A.2 and each step of their proof, (A.3)-(A.11), (A.19)."""
    for system, state, link in with_link(case):
        n = system.n_joints
        there, back = algebra.base_change(system, state, link), algebra.base_change_back(system, state, link)
        rates, own = algebra.rebased_rates(system, state, link), np.concatenate([state.qd, state.base_velocity])
        assert close(there @ own, rates)
        assert close(back @ rates, own, 1e-10)
        assert close(there @ back, np.eye(n + 6), 1e-10)
        # (A.4) column by column: one joint turning alone, the base at rest.
        h, shifted = algebra.hinge_map(system, state), algebra.transitions_to(system, state, link)
        for k, unit in enumerate(np.eye(n)):
            moved = algebra.rebased_rates(system, system.state(state.q, unit, state.base_pose), link)[-6:]
            assert np.allclose(shifted @ h[:n, : 6 * n].T[:, k], moved, rtol=1e-9, atol=1e-12)
    # (A.6)-(A.8): the kinetic energy stays, and it is the mass matrix of the machine numbered from that base.
    for system, state, link in with_link(case):
        other, there, rows, _ = rebased(system, state, link)
        energy = dyn.forward_dynamics(system, state).kinetic_energy
        rates, matrix = algebra.rebased_rates(system, state, link), algebra.rebased_mass_matrix(system, state, link)
        assert 0.5 * rates @ matrix @ rates == pytest.approx(energy, rel=1e-10)
        own, n = dyn.mass_matrix(other, there), other.n_joints
        names = [*(other.joint_names.index(name) for name in system.joint_names), *range(n, n + 6)]
        assert close(matrix, own[np.ix_(names, names)])
        order = algebra.link_order(system, link)
        assert np.array_equal(order @ order.T, np.eye(len(order)))
        assert close(algebra.ordered_mass_matrix(system, state, link), own[np.ix_(rows, rows)])
    # (A.9)-(A.11), (A.19): H, phi, M of the new base are those of the machine numbered from it.
    for system, state, link in with_link(case):
        other, there, rows, blocks = rebased(system, state, link)
        own = operator_factors(other, there)
        assert close(algebra.rebased_hinge_map(system, state, link), own.h[np.ix_(rows, blocks)])
        assert close(algebra.rebased_transitions(system, state, link), own.phi[np.ix_(blocks, blocks)])
        assert close(algebra.rebased_inertias(system, state, link), own.m[np.ix_(blocks, blocks)])
        step = algebra.rebased_one_step(system, state, link)
        assert not np.linalg.matrix_power(step, system.n_links).any()
        matrix = algebra.ordered_mass_matrix(system, state, link)
        assert close(algebra.rebased_factors(system, state, link), matrix)
        inverse = mass_matrix_inverse(own)[np.ix_(rows, rows)]  # (A.19)
        assert close(inverse @ matrix, np.eye(len(matrix)), 1e-14 * max(np.linalg.cond(matrix), 1e3))
    for system, state, link in with_link(case):
        for number, (left, right) in algebra.steps_of_the_proof(system, state, link).items():
            assert close(left, right, 1e-10), number


def test_new_points_lie_where_the_outboard_joint_sits() -> None:
    """Delta_phi of (A.10): nothing moves outboard of the new base, each link on the way takes its joint's place."""
    system, state = dyn.example("free_flyer")
    found, poses = algebra.shift_to_new_points(system, state, "hand"), dyn.forward_kinematics(system, state).pose
    for i, name in enumerate(system.link_names):
        lever = np.zeros(3) if name == "hand" else poses[i - 1, :3, 3] - poses[i, :3, 3]
        assert np.allclose(found[6 * i : 6 * i + 6, 6 * i : 6 * i + 6], phi(-lever), rtol=1e-9, atol=1e-12)
    system, state = dyn.example("puma560")
    flyer, floating = dyn.example("free_flyer")
    for ask in (rebase, lambda machine, link: algebra.base_change(machine, state, link)):
        with pytest.raises(dyn.ModelError, match="free flyer"):
            ask(system, "link_1")
    for ask in (rebase, lambda machine, link: algebra.base_change(machine, floating, link)):
        with pytest.raises(dyn.ModelError, match="no link 'nose'"):
            ask(flyer, "nose")
