"""Projection onto the closure: it refines until arms and object hold together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dynamics as dyn
from dynamics.recursion.contact_geometry import worst_gaps
from dynamics.recursion.filter_smoother import motion_state
from dynamics.system.link_tables import machine_length
from dynamics.system.tables import make_work
from dynamics.witness.kkt import dense_equations
from tests.fuzz.systems import Case, made

pytestmark = pytest.mark.compiled_only
HOLDS = [("rigid", "rigid"), ("point", "rigid"), ("soft_finger", "point"), ("rigid", "rigid", "point")]


# What one step on the velocity's gap left apart: several tips of a tree, each holding.
ONCE_REFUSED = [
    Case(1954759373, (5, 4, 5, 5), ("soft_finger", "rigid", "soft_finger", "point"), True, True, speed=1.0),
    Case(775180234, (7, 5, 5), ("point", "soft_finger", "point"), True, True, decades=3.0, speed=1.0),
    Case(1920410541, (3, 7, 7, 4), ("rigid", "point", "point", "soft_finger"), True, True, decades=3.0, stretched=2,
        speed=1.0),
    Case(1687353756, (5, 3, 7), ("rigid", "point", "rigid"), False, True, decades=3.0, speed=1.0),
    Case(2093128810, (4, 1, 6, 1), ("soft_finger", "point", "point", "soft_finger"), False, True, True, decades=3.0,
        speed=1.0),
    Case(1874769005, (3, 7, 5), ("point", "point", "rigid"), False, True, decades=3.0, speed=1.0),
]  # fmt: skip


def gaps(system: dyn.System, state: dyn.State) -> tuple[float, float]:
    x, v = system.pack(state)
    work = make_work(system.tables)
    motion_state(system.tables, x, v, work)
    return worst_gaps(system.tables, work, v)


def test_projection_takes_as_many_steps_as_it_must() -> None:
    for case in ONCE_REFUSED:
        system, state, _ = made(case)
        assert max(gaps(system, dyn.project(system, state))) < 1e-12, case
    # No step is longer than half the machine, so that none leaps over where the arms can hold.
    for name, lengths in (("two_arms_and_box", 15.0), ("point_contact", 12.0)):
        system, state = dyn.example(name)
        away = state.object_pose.copy()
        away[0, 3] += lengths * machine_length(system.robots, system.task_object)
        assert max(gaps(system, dyn.project(system, replace(state, object_pose=away)))) < 1e-12, name
    # A turn about the normal alone has no place to return to: it must not count among what is to be closed.
    for number in (0, 4, 8, 13, 14, 24, 37, 40, 54, 55):
        contacts = (("soft_finger", "rigid"), ("soft_finger",), ("soft_finger", "point"), ("drawn", "rigid"))[
            number % 4
        ]
        joints = ((3, 2), (4,), (3, 3), (2, 3))[number % 4]
        system, state, _ = made(Case(number, joints, contacts, branching=number % 3 > 0, inner=number % 2 == 0))
        q = state.q + 1e-2 * np.random.default_rng(number).normal(size=system.n_joints)
        closed = dyn.project(system, system.state(q, object_pose=state.object_pose))
        assert max(gaps(system, closed)) < 1e-12, number


UNITS = [(0, 0, 0), (-6, 0, 0), (6, 6, -6)]


def test_ordinary_closed_chains_are_closed_in_any_unit() -> None:
    for seed in range(40):
        contacts = HOLDS[seed % len(HOLDS)]
        joints = tuple(3 + (seed + i) % 5 for i in range(len(contacts)))
        stretched, units = (0, 2, 6)[seed % 3], UNITS[seed // 4 % 3]
        case = Case(seed, joints, contacts, decades=2.0, stretched=stretched, speed=seed % 3 - 1.0, units=units)
        system, state, _ = made(case)
        closed = dyn.project(system, state)
        position, velocity = gaps(system, closed)
        assert position < 1e-12, seed
        assert velocity < 1e-12, seed
        again = dyn.project(system, closed)
        assert np.allclose(again.q, closed.q, rtol=0.0, atol=1e-12 * max(1.0, float(np.abs(closed.q).max()))), seed


@given(
    st.sampled_from(["two_arms_and_box", "point_contact", "two_planar_arms", "four_arms_and_box"]),
    st.integers(0, 2**31),
)
def test_velocities_jump_as_in_a_perfectly_inelastic_impact(name: str, seed: int) -> None:
    """The least change in the metric of the kinetic energy: v - M^-1 C' (C M^-1 C')^+ C v."""
    rng = np.random.default_rng(seed)
    system, state = dyn.example(name)
    closed = dyn.project(system, state)
    qd, thing = rng.normal(size=system.n_joints), rng.normal(size=6)
    moving = system.state(closed.q, qd, object_pose=closed.object_pose, object_velocity=thing)
    v, found = (system.pack(each)[1] for each in (moving, dyn.project(system, moving)))
    poses = dyn.link_poses(system, moving)
    equations = dense_equations(system, moving, poses, np.zeros((system.n_links + 1, 6)))
    response = np.linalg.solve(equations.mass_matrix, equations.constraint.T)
    impulse = np.linalg.pinv(equations.constraint @ response, rcond=1e-10) @ equations.constraint @ v
    expected = v - response @ impulse
    assert np.allclose(found, expected, rtol=0.0, atol=1e-8 * np.abs(expected).max())
