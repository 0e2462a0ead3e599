"""What can drive a machine: which choices there are, what each does, and why another does not fit this machine."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

import dynamics as dyn
from app.motion.tip_circle import TipCircle, has_plane, led_tip

NOTHING = "nothing is held here"
MOST_NAMED = 3
"""Joints that are called weak by name."""


@dataclass(frozen=True)
class Drive:
    """One choice.

    Attributes:
        name: how an address refers to it.
        words: what the motors do.
    """

    name: str
    title: str
    words: str


DRIVES: Mapping[str, Drive] = MappingProxyType(
    {
        drive.name: drive
        for drive in (
            Drive("free", "Motors off", "No motor acts: its weight, if any, its speed and your pushes move it."),
            Drive(
                "reach",
                "Springs, to and fro",
                "A spring and a damper at each joint lead it to another posture and back; the motors carry the weight.",
            ),
            Drive(
                "circle",
                "A circle with the tip",
                "Springs at the joints lead the tip round a circle; the motors carry the weight.",
            ),
            Drive(
                "hand",
                "Your hand",
                "The motors carry the weight, if any, and brake a little: it goes where you push it and stays there.",
            ),
            Drive("carry", "Carry the object", "Springs lead the object along and back, felt through the arms."),
        )
    }
)


def why_not(name: str, system: dyn.System, state: dyn.State) -> str:
    """Why a drive does not fit a machine; empty where it does."""
    if name == "carry":
        return "" if system.is_held else NOTHING
    if name == "reach" and system.is_held:
        return "the arms hold an object, and no two postures of theirs are far apart"
    if name == "circle":
        if system.is_held:
            return "the tips hold an object"
        if system.is_floating:
            return "its base floats, and gives way to every turn of the tip"
        if len(system.path_inward(system.tips[0].link)) < 2:
            return f"{led_tip(system)} hangs on one joint alone"
        if not has_plane(system, state):
            return f"{led_tip(system)} moves along one line only"
    return ""


def told(drive: Drive, system: dyn.System, circle: TipCircle | None) -> str:
    """What the motors do in this run."""
    if circle is None:
        return drive.words
    across, unit = (200.0 * circle.radius, "cm") if circle.radius > 0.005 else (2000.0 * circle.radius, "mm")
    which = f"tip of {system.link_names[system.tips[0].link]}" if system.n_tips > 1 else "tip"
    size = f"{across:.3g}\u00a0{unit} across, and takes {circle.period:.3g}\u00a0s"
    begins = " and bent: from the start itself there is none" if circle.is_bent else ""
    return f"{drive.words.replace('tip', which)} The circle is {size}. The run begins on it, in full motion{begins}."


def weakness(system: dyn.System, state: dyn.State) -> str:
    """Which joints cannot even hold the weight where a run starts, in words; empty where all can."""
    if system.is_held or system.is_floating:
        return ""
    still = replace(state, qd=np.zeros(system.n_joints))
    needed = np.abs(dyn.inverse_dynamics(system, still, np.zeros(system.n_joints)))
    allowed = np.array([joint.effort for joint in system.joint_models])
    weak = [k for k in range(system.n_joints) if allowed[k] <= needed[k] and (needed[k] > 0.0 or allowed[k] == 0.0)]
    named = ", ".join(
        f"{reprlib.repr(system.joint_names[k])} (allowed {allowed[k]:.3g}, needed {needed[k]:.3g})"
        for k in weak[:MOST_NAMED]
    )
    more = f" and {len(weak) - MOST_NAMED} more" if len(weak) > MOST_NAMED else ""
    return (
        f"By its file, too weak to hold the weight at the start, in N m or N: {named}{more}. It sags." if weak else ""
    )
