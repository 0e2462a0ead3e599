"""The motions that the page offers, by mode, and how each is driven at first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

Mode = Literal["Single arm", "Multi-arm", "Free-flying"]
MODES: tuple[Mode, ...] = ("Single arm", "Multi-arm", "Free-flying")
MODE_OF_KIND: Mapping[str, Mode] = MappingProxyType(
    {"single_arm": "Single arm", "multi_arm": "Multi-arm", "free_flyer": "Free-flying"}
)


@dataclass(frozen=True)
class Preset:
    """One packaged example as the page opens it.

    Attributes:
        example: its name in ``dynamics.examples()``.
        drive: ``torques`` (only the sliders' torques act) or ``posture`` (joint springs and dampers hold the
            starting posture against gravity, the sliders' torques push it out of there).
        torques: joint name -> N m or N with which it starts.
        duration: length of the timeline, s.
    """

    example: str
    title: str
    mode: Mode
    drive: Literal["torques", "posture"] = "torques"
    torques: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    duration: float = 10.0


PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        preset.example: preset
        for preset in (
            Preset("puma560", "PUMA 560 swinging", "Single arm"),
            Preset("iiwa14", "KUKA iiwa 14 swinging", "Single arm"),
            Preset("panda", "Panda-class arm swinging", "Single arm"),
            Preset("planar_chain", "Planar chain", "Single arm"),
            Preset("two_arms_and_box", "Two arms, one box", "Multi-arm"),
            Preset("two_planar_arms", "Two planar arms", "Multi-arm"),
            Preset("four_arms_and_box", "Four arms, one box", "Multi-arm"),
            Preset("point_contact", "Two arms, point contacts", "Multi-arm"),
            Preset("free_flyer", "Free-flying manipulator", "Free-flying"),
        )
    }
)


def presets_of(mode: str) -> list[Preset]:
    """The presets of one mode, the one that the mode opens with first."""
    return [preset for preset in PRESETS.values() if preset.mode == mode]
