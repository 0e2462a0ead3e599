"""The Robotics Toolbox's published PUMA 560 numbers, reproduced digit by digit with the Toolbox's own data.

The Toolbox's link 3 has an inertia that no body can have, so the packaged robot carries Armstrong's; here the
Toolbox's is put back. Its posture lies outside its own limits, which are switched off. The assumed mass and
moments of link 1 stay in: that the numbers come out shows that they do not matter on a fixed base.
"""

from dataclasses import replace

import numpy as np

import dynamics as dyn
from tests.dynamics.every import every

POSTURE = dict(zip([f"joint_{k}" for k in range(1, 7)], [0, np.pi / 4, np.pi, 0, np.pi / 4, 0], strict=True))
RATES = dict(zip(POSTURE, [0.1, 0.2, 0.8, 0.2, 0.5, 1.0], strict=True))
TORQUES = dict(zip(POSTURE, [1.0, 3.2, 1.8, 0.1, 0.7, 4.6], strict=True))
REST = dict.fromkeys(POSTURE, 0.0)
WITH_FRICTION = [-7.4102, -9.8432, -10.9694, -4.4314, -0.9881, 21.0228]
WITHOUT = [-0.3540, -6.3989, -2.0685, 0.5112, 4.0212, 23.6985]


def toolbox_puma(*without: str) -> dyn.System:
    robot = dyn.load("puma560", tip="link_6").without("limits", *without)
    # (0.066, 0.086, 0.0125) in D-H axes; the link's own axes are turned by -90 degrees about x
    links = (replace(x, inertia=np.diag([0.066, 0.0125, 0.086])) if x.name == "link_3" else x for x in robot.links)
    return dyn.single_arm(replace(robot, links=tuple(links)), gravity=(0, 0, -9.81))


def accelerations(system: dyn.System, rates: dict[str, float], torques: dict[str, float], method: str) -> np.ndarray:
    state = system.state(q=system.to_joint_vector(POSTURE), qd=system.to_joint_vector(rates))
    solution = dyn.forward_dynamics(system, state, system.to_joint_vector(torques), method=method)
    named = system.from_joint_vector(solution.joint_acceleration)
    return np.array([named[joint] for joint in POSTURE])


@every(["filter_smoother", "kkt"])
def test_published_numbers(method: str) -> None:
    """Accelerations; and at rest these are affine in the torque: their slope is the inverse mass matrix."""
    for without, published in (((), WITH_FRICTION), (("friction", "damping"), WITHOUT)):
        system = toolbox_puma(*without)
        found = accelerations(system, RATES, TORQUES, method)
        np.testing.assert_allclose(found, published, rtol=0, atol=5.1e-5)
    still = accelerations(system, REST, REST, method)
    columns = [accelerations(system, REST, REST | {joint: 1.0}, method) - still for joint in POSTURE]
    mass_matrix = np.linalg.inv(np.column_stack(columns))
    np.testing.assert_allclose(np.diag(mass_matrix)[:3], [3.6594, 4.4137, 0.9378], rtol=0, atol=5.1e-5)
    gravity_torque = -mass_matrix @ still
    np.testing.assert_allclose(gravity_torque, [0, 31.6399, 6.0351, 0, 0.0283, 0], rtol=0, atol=5.1e-5)
