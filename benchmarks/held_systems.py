"""Arms around a box that they hold rigidly between their flanges."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

import dynamics as dyn
from benchmarks.peers import WITHOUT

ROBOT = "iiwa14"
MIDDLE = 0.7  # m from each base


def arms_and_box(n_arms: int) -> tuple[dyn.System, dyn.State]:
    """``n_arms`` arms on a circle, facing its middle, where they hold a box; at rest."""
    robot = dyn.load(ROBOT).without(*WITHOUT)
    bases = np.tile(np.eye(4), (n_arms, 1, 1))
    for arm in range(n_arms):
        turn = Rotation.from_euler("z", 2.0 * np.pi * arm / n_arms).as_matrix()
        bases[arm, :3, :3] = turn
        bases[arm, :3, 3] = np.array([MIDDLE, 0.0, 0.0]) - turn @ [MIDDLE, 0.0, 0.0]
    box = dyn.TaskObject.box((0.4, 0.2, 0.2), mass=3.0)
    system = dyn.multi_arm([robot] * n_arms, base_poses=bases, task_object=box)
    posture = {f"{arm + 1}/{name}": value for arm in range(n_arms) for name, value in robot.home.items()}
    q = system.to_joint_vector(posture)
    tips = dyn.forward_kinematics(system, system.state(q=q)).tip_pose
    middle = np.eye(4)
    middle[:3, 3] = tips[:, :3, 3].mean(axis=0)
    state = system.state(q=q, object_pose=middle)
    return dyn.grasp(system, state, ["rigid"] * n_arms), state
