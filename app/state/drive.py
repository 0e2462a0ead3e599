"""The controller that a preset and the sliders ask for."""

from __future__ import annotations

from collections.abc import Mapping

import dynamics as dyn


def controller_for(system: dyn.System, state: dyn.State, drive: str, torques: Mapping[str, float]) -> object:
    """What acts on the joints of a run that begins at ``state``."""
    return dyn.ConstantTorque(system.to_joint_vector(torques))
