"""The motions that the page offers, by mode, and their first drives."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:  # the server reads this file before it loads any mechanics
    from app.motion.build import Kind

Mode = Literal["Single arm", "Multi-arm", "Free-flying"]
FIRST = "iiwa14"  # The machine of an address that names none
FILE = "file"  # Stands for the preset of a user's own file
BUILT = "built"  # Stands for the preset of packaged robots in another assembly
BUILD = "build"  # Parameter of the build of a machine
INTERVENTIONS = "happenings"  # Parameter in current and past links, whose name therefore stays
CHANGING = (
    *(BUILD, "mass", "bodies", "gravity", "damping", "method", "step", "torques", "drive", "posture"),
    INTERVENTIONS,
)
"""Parameters of an address that lead to another motion than the preset's own."""
FALLS = "iiwa14_hanging"
"""The machine whose motors the first question cuts: it swings far, but not through itself or a floor."""
MODES: tuple[Mode, ...] = ("Single arm", "Multi-arm", "Free-flying")
MODE_OF_KIND: Mapping[Kind, Mode] = MappingProxyType(
    {"single_arm": "Single arm", "multi_arm": "Multi-arm", "free_flyer": "Free-flying"}
)
KIND_OF_MODE: Mapping[str, Kind] = MappingProxyType({mode: kind for kind, mode in MODE_OF_KIND.items()})

LED_TIME = 5.0  # s in which an object that moves one way arrives
FLYER = (
    *("shoulder_yaw_joint", "shoulder_pitch_joint", "upper_arm_joint", "elbow_joint"),
    *("forearm_joint", "wrist_joint", "hand_joint"),
)
"""Joints of the free flyer from its body outward."""


@dataclass(frozen=True)
class Preset:
    """One motion as the page opens it."""

    name: str  # how an address or a menu refers to it
    title: str
    mode: Mode
    example: str  # its name in ``dynamics.examples()``; empty for a user's own file
    # what acts on the joints in addition to the sliders' torques: ``free`` nothing, ``reach`` a spring and a damper
    # at each joint that lead to another posture and back, ``carry`` springs and dampers that lead the object along,
    # felt through the arms
    actuation: Literal["free", "reach", "carry"] = "free"
    reach: float = 0.6  # how far each joint goes, rad or m, alternating in sign from the base outward
    # how far the object goes along x, y and z, m, and by which rotation vector it turns, rad, centered on the
    # example's own place
    carry: tuple[float, float, float, float, float, float] = (0.0, 0.0, 0.15, 0.0, 0.0, 0.3)
    # stiffness and damping, N/m and N s/m, with the same numbers for turns, by which the object moves one way along
    # ``carry`` from the example's own place; None for there and back by springs that fit the arms
    led: tuple[float, float] | None = None
    # (joint, rad) and (joint, rad/s) at the start, zero for joints that are not named; None for the example's own
    posture: tuple[tuple[str, float], ...] | None = None
    rates: tuple[tuple[str, float], ...] | None = None
    # (x, y, z) rad/s of a floating base at the start; None for the example's own
    tumbling: tuple[float, float, float] | None = None
    hangs: bool = False  # whether the arm is bolted to a ceiling
    losses: float = 1.0  # share of the robot's own friction and damping
    mass: float | None = None  # kg of the object; None for the example's own
    damping: float | None = None  # N m s/rad at every joint instead of the robot's own, or None
    duration: float = 10.0  # length of the timeline, s

    @property
    def note(self) -> str:
        """How the joints differ from their robot's file, or how the leading springs differ, in words."""
        if self.led is not None:
            pull, brake = self.led
            return (
                f"Here they lead it once and not back, in {LED_TIME:g} s: {pull:g} N/m and {brake:g} N\u00a0s/m, "
                "and as many N\u00a0m/rad and N\u00a0m\u00a0s/rad."
            )
        if self.mass is not None:
            return f"The box weighs {self.mass:g} kg, little beside the arms: much of what they predict is corrected."
        if self.damping is not None:
            return f"A damper of {self.damping:g} N\u00a0m\u00a0s at each joint lets it come to rest."
        if self.losses != 1.0:
            return f"Its joints keep {100 * self.losses:g} % of their friction and damping, so that it swings on."
        return ""


_SINGLE, _MULTI, _FREE = MODES
PRESETS: Mapping[str, Preset] = MappingProxyType({preset.name: preset for preset in (
    Preset("iiwa14", "KUKA iiwa 14, reaching", _SINGLE, "iiwa14", "reach"),
    Preset("puma560", "PUMA 560, reaching", _SINGLE, "puma560", "reach", reach=-0.7),
    Preset("puma560_falling", "PUMA 560 hanging, motors off", _SINGLE, "puma560", hangs=True, losses=0.1,
           posture=(("joint_1", -1.2), ("joint_2", 3.2), ("joint_3", -3.0)), rates=(("joint_1", 0.6),)),
    Preset("iiwa14_hanging", "KUKA iiwa 14 hanging, motors off", _SINGLE, "iiwa14", hangs=True, damping=0.5,
           posture=tuple((f"joint_{k}", q) for k, q in enumerate((0.2, 1.3, 0.2, 0.5, 0.0, 0.5, 0.0), 1))),
    Preset("panda", "Panda, reaching", _SINGLE, "panda", "reach", reach=-0.6),
    Preset("ur5e", "UR5e, reaching", _SINGLE, "ur5e", "reach"),
    Preset("duaro_scara", "duAro SCARA, reaching", _SINGLE, "duaro_scara", "reach"),
    Preset("stanford", "Stanford arm, reaching", _SINGLE, "stanford", "reach", reach=-0.45),
    Preset("talos", "TALOS, waist up, reaching", _SINGLE, "talos", "reach", reach=-0.4),
    Preset("planar_chain", "Planar chain, swinging", _SINGLE, "planar_chain", damping=0.05,
           posture=(("joint_1", -0.15), *((f"joint_{k}", 0.05) for k in range(2, 6)))),
    Preset("long_chain", "Chain of twelve links, swinging", _SINGLE, "long_chain", damping=0.02,
           posture=(("joint_1", -0.5), *((f"joint_{k}", 0.15) for k in range(2, 13)))),
    Preset("two_arms_light_box", "Two arms swing a light box", _MULTI, "two_arms_and_box", "carry", mass=1.0,
           carry=(0.0, 0.5, 0.2, 0.0, 0.0, 1.3)),
    Preset("two_arms_and_box", "Two arms carry a box", _MULTI, "two_arms_and_box", "carry",
           carry=(0.0, 0.4, 0.15, 0.0, 0.0, 1.0)),
    Preset("two_planar_arms", "Two planar arms", _MULTI, "two_planar_arms", "carry",
           carry=(0.08, 0.1, 0.0, 0.0, 0.0, 0.6)),
    Preset("four_arms_and_box", "Four arms carry a box", _MULTI, "four_arms_and_box", "carry",
           carry=(0.0, 0.0, 0.3, 0.0, 0.0, 1.2)),
    Preset("point_contact", "Two arms, rigid and point contact", _MULTI, "point_contact", "carry",
           carry=(0.0, 0.4, 0.1, 0.0, 0.0, 0.8)),
    Preset("jazidie_1", "JZ Example 1: rigid grips", _MULTI, "two_planar_arms", "carry", led=(20_000.0, 600.0),
           carry=(0.05, -0.1, 0.0, 0.0, 0.0, 0.0)),
    Preset("jazidie_2", "JZ Example 2: a point grip", _MULTI, "one_arm_by_a_point", "carry", led=(100.0, 10.0),
           carry=(0.0, -0.1, 0.0, 0.0, 0.0, math.pi / 3.0)),
    Preset("free_flyer", "Free flyer, reaching", _FREE, "free_flyer", "reach",
           rates=(), tumbling=(0.0, 0.0, 0.0)),  # at rest: only the arm turns anything
    Preset("two_arm_flyer", "Free flyer with two arms, reaching", _FREE, "two_arm_flyer", "reach", reach=1.1),
    Preset("dual_arm_satellite", "Satellite with two arms, reaching", _FREE, "dual_arm_satellite", "reach"),
    Preset("solo12", "Solo 12 in flight, stretching", _FREE, "solo12", "reach", reach=0.45),
    Preset("free_flyer_drifting", "Free flyer, motors off", _FREE, "free_flyer", tumbling=(-0.14, -0.12, -0.09),
           rates=tuple(zip(FLYER, (0.22, 0.15, -0.09, -0.37, -0.24, -0.05, -0.02), strict=True))),
)})  # fmt: skip


def presets_of(mode: str) -> list[Preset]:
    """The presets of one mode, the one that the mode opens with first."""
    return [preset for preset in PRESETS.values() if preset.mode == mode]
