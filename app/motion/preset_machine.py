"""A preset's machine and the state that it starts from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.spatial.transform import Rotation

import dynamics as dyn
from app.motion.presets import Preset

HANGING = np.diag([1.0, -1.0, -1.0, 1.0])
"""World <- base of an arm that is bolted to a ceiling."""


def prepared(preset: Preset) -> tuple[dyn.System, dyn.State]:
    """The packaged example, hung, oiled and posed as the preset says.

    Cost: that of the example; of arms that carry something one search for a posture, some milliseconds.
    """
    system, state = dyn.example(preset.example)
    if preset.mass is not None:
        assert system.task_object is not None
        system = dyn.with_task_object(system, system.task_object.with_mass(preset.mass))
    if preset.hangs or preset.damping is not None or preset.losses != 1.0:
        base = HANGING if preset.hangs else system.base_poses[0]
        system = dyn.single_arm(eased(system.robots[0], preset), system.gravity, base)
    q, rates = (
        own if chosen is None else system.to_joint_vector(dict(chosen))
        for own, chosen in ((state.q, preset.posture), (state.qd, preset.rates))
    )
    if preset.actuation == "reach":
        rates = np.zeros(system.n_joints)  # joints that start at rest do not jerk against their springs
    state = replace(state, q=q, qd=rates)
    if preset.tumbling is not None:
        state = replace(state, base_velocity=np.array([*preset.tumbling, 0.0, 0.0, 0.0]))
    there_and_back = preset.actuation == "carry" and preset.led is None
    return system, drawn_back(preset, system, state) if there_and_back else state


def eased(robot: dyn.Robot, preset: Preset) -> dyn.Robot:
    """The robot with such a share of its friction and damping, or with a damping of the preset's at every joint."""
    share = preset.losses
    return replace(
        robot,
        joints=tuple(
            replace(
                joint,
                damping=share * joint.damping if preset.damping is None else preset.damping,
                friction=(share * joint.friction[0], share * joint.friction[1]),
            )
            for joint in robot.joints
        ),
    )


def drawn_back(preset: Preset, system: dyn.System, state: dyn.State) -> dyn.State:
    """The arms where they begin to carry: half of the way before the example's place, beyond which the other half is.

    Raises:
        ModelError: where they cannot be there.
    """
    assert state.object_pose is not None
    x, y, z, *turn = preset.carry
    target = state.object_pose.copy()
    target[:3, :3] = Rotation.from_rotvec(-0.5 * np.array(turn)).as_matrix() @ target[:3, :3]
    target[:3, 3] -= 0.5 * np.array([x, y, z])
    found = dyn.inverse_kinematics(system, state, "object", target)
    if not found.reached:
        raise dyn.ModelError(f"{preset.title}: the arms cannot begin half of the way before the example's place.")
    return found.state
