"""Gaps, projection and refinement of the contacts, each against its own definition."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import dynamics as dyn
from dynamics.posture.closure import step_configuration
from dynamics.recursion.contact_stage import correct_filter, refine_forces, spread_forces
from dynamics.recursion.filter_smoother import filter_and_smooth, motion_state
from dynamics.recursion.outward_smoother import outward_smoother
from dynamics.system.layout import FINAL_MOTION, FORCE_CORRECTION, MODIFIED_RESIDUAL, POSITION_GAP, VELOCITY_GAP
from dynamics.system.tables import make_work
from tests.dynamics.systems import draw_pose
from tests.dynamics.twins import Twin, arms_and_object, draw_arms

Array = NDArray[np.float64]
SCREW = np.array([[0.3, -0.2, 0.7, 0.5, -0.4, 0.2], [0.1, 0.6, -0.3, -0.2, 0.9, 0.4]])


@pytest.fixture
def held() -> Twin:
    rng = np.random.default_rng(22)
    return arms_and_object(rng, draw_arms(rng, [7, 6]), ["rigid", "point"])


def test_a_step_moves_every_body() -> None:
    rng = np.random.default_rng(23)
    turns = Rotation.random(2, rng=rng)
    places, change, joints = rng.normal(size=(2, 3)), rng.normal(size=14), rng.normal(size=2)
    bodies = [
        np.concatenate([place, turn.as_quat(scalar_first=True)]) for place, turn in zip(places, turns, strict=True)
    ]
    result = np.zeros(16)
    step_configuration(2, np.concatenate([joints, *bodies]), change, result)
    assert np.allclose(result[:2], joints + change[:2], rtol=0.0, atol=1e-15)
    for i in range(2):
        moved, by = result[2 + 7 * i : 9 + 7 * i], change[2 + 6 * i : 8 + 6 * i]
        assert np.allclose(moved[:3], places[i] + by[3:], rtol=0.0, atol=1e-15)
        expected = (Rotation.from_rotvec(by[:3]) * turns[i]).as_matrix()
        assert np.allclose(Rotation.from_quat(moved[3:], scalar_first=True).as_matrix(), expected, rtol=0.0, atol=1e-14)


@pytest.mark.parametrize("contact", ["rigid", "point", "soft_finger", SCREW])
def test_gaps_are_relative_poses_and_velocities(held: Twin, contact: str | Array) -> None:
    """In the object's contact frame, row by row; rows that fix a part of a rotation have no position."""
    rng = np.random.default_rng(24)
    system = dyn.grasp(dyn.release(held.system), held.state, [contact, "rigid"])
    object_pose = held.state.object_pose @ draw_pose(rng, 0.1)
    state = system.state(held.state.q, rng.normal(size=13), object_pose=object_pose, object_velocity=rng.normal(size=6))
    work = make_work(system.tables)
    motion_state(system.tables, *system.pack(state), work)
    solution = dyn.forward_dynamics(dyn.release(system), state)
    poses, velocities = solution.link_pose, solution.link_velocity
    for i, contact_model in enumerate(system.contacts):
        tip, frame = poses[contact_model.link] @ contact_model.tip_pose, object_pose @ contact_model.object_pose
        turn = Rotation.from_matrix(tip[:3, :3] @ frame[:3, :3].T).as_rotvec()
        gap = np.concatenate([frame[:3, :3].T @ turn, frame[:3, :3].T @ (tip[:3, 3] - frame[:3, 3])])
        v, c = velocities[contact_model.link], state.object_velocity
        at_tip = v[3:] + np.cross(v[:3], tip[:3, 3] - poses[contact_model.link, :3, 3])
        on_object = c[3:] + np.cross(c[:3], tip[:3, 3] - object_pose[:3, 3])
        rate = np.concatenate([frame[:3, :3].T @ (v[:3] - c[:3]), frame[:3, :3].T @ (at_tip - on_object)])
        size = len(contact_model.selection)
        found = work.contacts[i, POSITION_GAP : POSITION_GAP + size]
        assert np.allclose(found, contact_model.holonomic * (contact_model.selection @ gap), rtol=0.0, atol=1e-13)
        found = work.contacts[i, VELOCITY_GAP : VELOCITY_GAP + size]
        assert np.allclose(found, contact_model.selection @ rate, rtol=0.0, atol=1e-12)


def test_position_gaps_of_mixed_rows(held: Twin) -> None:
    """Six oblique rows together fix every turn, so each has a position: its own mixture of turn and shift."""
    rng = np.random.default_rng(25)
    rows = rng.normal(size=(6, 6))
    test_gaps_are_relative_poses_and_velocities(held, rows)
    system = dyn.grasp(dyn.release(held.system), held.state, [rows, "rigid"])
    assert np.all(system.contacts[0].holonomic)


@pytest.mark.parametrize("slipping", [False, True])
def test_refinement_returns_the_forces(held: Twin, slipping: bool) -> None:
    """Forces that are off by anything come back in one step: the residual of the sweep is Omega times the error."""
    rng = np.random.default_rng(26)
    system, state = held.system, held.state
    if slipping:
        system = dyn.grasp(dyn.release(system), state, [SCREW, "point"])
        state = dyn.project(system, replace(state, qd=rng.normal(size=13), object_velocity=rng.normal(size=6)))
    work = make_work(system.tables)
    x, v = system.pack(state)
    motion_state(system.tables, x, v, work)
    assert filter_and_smooth(system.tables, v, held.tau, work, np.zeros(system.n_velocity)) == -1
    forces = work.forces.copy()
    work.forces[:] += rng.normal(size=len(forces)) * np.max(np.abs(forces))
    spread_forces(system.tables, work)
    correct_filter(system.tables, work, 1.0)
    outward_smoother(system.tables.tree, work.links, MODIFIED_RESIDUAL, FORCE_CORRECTION, 1.0, FINAL_MOTION)
    refine_forces(system.tables, work)
    assert np.allclose(work.forces, forces, rtol=0.0, atol=1e-8 * np.max(np.abs(forces)))
