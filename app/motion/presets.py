"""The motions that the page offers, by mode, and how each is driven at first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Mode = Literal["Single arm", "Multi-arm", "Free-flying"]
MODES: tuple[Mode, ...] = ("Single arm", "Multi-arm", "Free-flying")
MODE_OF_KIND: Mapping[str, Mode] = MappingProxyType(
    {"single_arm": "Single arm", "multi_arm": "Multi-arm", "free_flyer": "Free-flying"}
)


@dataclass(frozen=True)
class Preset:
    """One motion as the page opens it.

    Attributes:
        name: how an address or a menu refers to it.
        example: its name in ``dynamics.examples()``; empty for a file of the user's own.
        actuation: what acts on the joints beside the sliders' torques: ``free`` nothing, ``reach`` a spring and a
            damper at each joint that lead to another posture and back, ``carry`` springs and dampers that lead the
            object along, felt through the arms.
        reach: how far each joint goes, rad or m, alternating in sign from the base outward.
        carry: how far the object goes, m, and turns about the vertical, rad.
        duration: length of the timeline, s.
    """

    name: str
    title: str
    mode: Mode
    example: str
    actuation: Literal["free", "reach", "carry"] = "free"
    reach: float = 0.6
    carry: tuple[float, float, float, float] = (0.0, 0.0, 0.15, 0.3)
    duration: float = 10.0


PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        preset.name: preset
        for preset in (
            Preset("puma560", "PUMA 560, reaching", "Single arm", "puma560", "reach"),
            Preset("puma560_falling", "PUMA 560, motors off", "Single arm", "puma560"),
            Preset("iiwa14", "KUKA iiwa 14, reaching", "Single arm", "iiwa14", "reach"),
            Preset("panda", "Panda, reaching", "Single arm", "panda", "reach"),
            Preset("planar_chain", "Planar chain, swinging", "Single arm", "planar_chain", duration=4.0),
            Preset("long_chain", "Chain of twelve links, swinging", "Single arm", "long_chain", duration=4.0),
            Preset("two_arms_and_box", "Two arms carry a box", "Multi-arm", "two_arms_and_box", "carry"),
            Preset(
                "two_planar_arms",
                "Two planar arms",
                "Multi-arm",
                "two_planar_arms",
                "carry",
                carry=(0.0, 0.08, 0.0, 0.3),
            ),
            Preset("four_arms_and_box", "Four arms carry a box", "Multi-arm", "four_arms_and_box", "carry"),
            Preset("point_contact", "Two arms, one rigid and one point contact", "Multi-arm", "point_contact", "carry"),
            Preset("free_flyer", "Free flyer, reaching", "Free-flying", "free_flyer", "reach"),
            Preset("free_flyer_drifting", "Free flyer, motors off", "Free-flying", "free_flyer"),
        )
    }
)


def presets_of(mode: str) -> list[Preset]:
    """The presets of one mode, the one that the mode opens with first."""
    return [preset for preset in PRESETS.values() if preset.mode == mode]
