"""A root that floats has no inboard neighbor: nothing acts on it from there, in any form."""

from __future__ import annotations

import numpy as np

import dynamics as dyn


def test_no_force_acts_on_a_free_root_from_inboard() -> None:
    system, state = dyn.example("free_flyer")
    tau = np.ones(system.n_joints)
    solver = dyn.solver(system)
    x, v = system.pack(state)
    solver(x, v, tau)
    batch = dyn.forward_dynamics_batch(
        system, state.q[None], state.qd, tau, "stages", base_pose=state.base_pose, base_velocity=state.base_velocity
    )
    found = [dyn.forward_dynamics(system, state, tau).stages, solver.stages]
    forces = [stages["smoother"]["force"] for stages in found] + [batch.stages["smoother"]["force"][0]]
    for force in forces:
        assert not force[-1].any()
        assert np.allclose(force, forces[0], rtol=0.0, atol=1e-12 * np.abs(force).max())
