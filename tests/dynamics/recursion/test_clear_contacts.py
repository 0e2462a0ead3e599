"""Directions in which an arm gives way a millionth as much as in others: their answer is not lost."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import dynamics as dyn
from tests.fuzz.systems import agree


@pytest.mark.parametrize("kind", ["point", "soft_finger"])
def test_a_heavy_object_hangs_on_the_bearings_of_a_tilted_planar_arm(kind: str) -> None:
    tilted = np.eye(4)
    tilted[:3, :3] = Rotation.from_rotvec([0.3, 0.5, 0.7]).as_matrix()
    box = dyn.TaskObject.box((0.1, 0.1, 0.1), 1e6)
    system = dyn.multi_arm([dyn.planar_chain(3)], [tilted], box)
    q = [0.4, 0.7, -0.3]
    place = tilted.copy()
    place[:3, 3] = dyn.tip_poses(system, system.state(q=q))[0, :3, 3] + 0.05 * tilted[:3, 0]
    state = system.state(q=q, qd=[0.3, -0.2, 0.5], object_pose=place)
    agree(dyn.grasp(system, state, [kind]), state, np.array([1.0, 2.0, 3.0]))
