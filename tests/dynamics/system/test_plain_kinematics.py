"""The plain kinematics says what the compiled one says, of every kind of system."""

import numpy as np

import dynamics as dyn
from dynamics.recursion.filter_smoother import motion_state
from dynamics.system.columns import named
from dynamics.system.forward_kinematics import poses_from
from dynamics.system.plain_kinematics import bias_accelerations, bias_forces, plain_kinematics, spatial_inertias
from dynamics.system.tables import make_work
from tests.dynamics.every import every
from tests.dynamics.textbook.cases import draw_cases


def close(found: np.ndarray, expected: np.ndarray) -> bool:
    size = max(1.0, float(np.abs(expected).max(initial=0.0)))
    return found.shape == expected.shape and np.allclose(found, expected, rtol=0.0, atol=1e-14 * size * 10)


@every([3, 4])
def test_plain_and_compiled_kinematics_agree(seed: int) -> None:
    for case in draw_cases(seed):
        system, state = case.system, case.state
        work = make_work(system.tables)
        wrench = np.random.default_rng(seed).normal(size=work.wrench.shape)
        work.wrench[:] = wrench
        motion_state(system.tables, *system.pack(state), work)
        rows, n = work.links[:-1], system.n_joints
        found = plain_kinematics(system, state)
        assert close(found.pose, poses_from(system, rows)), case.name
        assert close(found.axis, named(rows[:n], "joint_axis"))
        assert close(found.lever, named(rows, "lever"))
        assert close(found.mass_lever, named(rows, "lever_to_mass"))
        assert close(found.velocity, named(rows, "velocity"))
        assert close(found.contact_lever, named(work.contacts, "tip_lever"))
        assert close(found.object_lever, named(work.contacts, "object_lever"))
        assert close(bias_accelerations(system, state, found), named(rows, "bias_acceleration"))
        assert close(bias_forces(system, found, wrench), named(rows, "bias_force"))
        inertia = spatial_inertias(system, found.pose, found.mass_lever)
        assert close(inertia, named(rows, "articulated_inertia"))
        assert close(found.tip_pose, dyn.forward_dynamics(system, state).tip_pose)
