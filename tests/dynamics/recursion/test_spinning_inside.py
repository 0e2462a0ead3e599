"""What is left unbalanced is judged beside all that moves, also where no coordinate and no contact feels it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import dynamics as dyn
from dynamics.recursion.contact_stage import contact_forces
from dynamics.recursion.filter_smoother import filter_and_smooth, motion_state
from dynamics.system.effort import largest_effort
from dynamics.system.layout import TIP_ACCELERATION
from dynamics.system.tables import make_work
from dynamics.system.tip_poses import link_poses
from dynamics.witness.kkt import dense_equations, solve_dense


def test_what_is_nothing_beside_a_motion_is_no_contradiction() -> None:
    """As of links that turn about one axis inside an arm whose tips stand still: what these show is rounding."""
    system, state = dyn.example("two_planar_arms")
    system = replace(system, gravity=np.zeros(3))
    work, (x, still) = make_work(system.tables), system.pack(replace(state, qd=0.0 * state.qd))
    turning = still.copy()
    turning[: system.n_joints] = 0.1
    motion_state(system.tables, x, still, work)
    filter_and_smooth(system.tables, still, np.zeros(system.n_joints), work, np.zeros(system.n_velocity))
    work.contacts[0, TIP_ACCELERATION : TIP_ACCELERATION + 6] += 1e-12  # out of the arms' plane, too
    assert not contact_forces(system.tables, still, work)
    work.contacts[0, TIP_ACCELERATION : TIP_ACCELERATION + 6] += 1e-12
    assert contact_forces(system.tables, turning, work)

    at_rest = replace(state, qd=0.0 * state.qd, object_velocity=np.zeros(6))
    dense = dense_equations(system, at_rest, link_poses(system, at_rest), work.wrench)
    apart = dense._replace(constraint_bias=dense.constraint_bias + 1e-12 * (np.arange(12) < 6))
    with pytest.raises(dyn.SingularConfigurationError):
        solve_dense(apart, np.zeros(system.n_joints))
    solve_dense(apart._replace(effort=largest_effort(system.tables, turning)), np.zeros(system.n_joints))


def test_the_effort_of_turning_links_and_of_a_weight() -> None:
    """sqrt(J) w^2 of a link that turns about O_k, sqrt(m) w^2 l of one carried around, sqrt(m) g of an object."""
    robot = dyn.planar_chain(2, length=0.5, mass=3.0)
    system = dyn.single_arm(robot)
    about = [np.trace(link.inertia) + 2.0 * link.mass * link.center_of_mass @ link.center_of_mass for link in
             robot.links]  # fmt: skip
    outer = np.sqrt(3.0) * 2.0**2 * 0.5 + np.sqrt(about[0]) * (2.0 + 0.7) ** 2
    assert largest_effort(system.tables, np.array([0.7, -2.0])) == pytest.approx(outer, rel=1e-12)
    assert largest_effort(system.tables, np.array([0.0, 0.0])) == 0.0
    thing = dyn.TaskObject(1e6, np.diag([1.0, 2.0, 2.5]))
    with_object = dyn.multi_arm([robot], task_object=thing, gravity=(0.0, 3.0, -4.0))
    v = np.zeros(8)
    assert largest_effort(with_object.tables, v) == pytest.approx(5e3)
    v[2:5] = (0.0, 3.0, 0.0)
    assert largest_effort(with_object.tables, v) == pytest.approx(5e3 + 9.0 * np.sqrt(5.5))
