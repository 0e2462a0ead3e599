"""One color per quantity and one hue per arm, the same in the scene and in every plot.

Each color comes in two strengths, for light and for dark backgrounds, with a contrast of at least 3:1 against
the background. Quantities that are drawn together remain distinguishable under the three common color-vision
deficiencies; a test simulates them.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Literal, get_args

Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = get_args(Theme)

# Colors by family: (on light, on dark).
FAMILIES = MappingProxyType(
    {
        "predicted": ("#2468E0", "#86C5FF"),
        "corrected": ("#EB5E00", "#FF8F33"),
        "applied": ("#006B50", "#3BEFA4"),
        "articulated_inertia": ("#5A1A9E", "#9D5CFF"),
        "dual_articulated_inertia": ("#8C5300", "#FFE45C"),
        "operational_space_inertia": ("#3A4452", "#C6CCD4"),
        "innovation": ("#DB3AA0", "#EE3F93"),
        "gain": ("#0A94BE", "#1596CC"),
        "joint_inertia": ("#5F6B12", "#C3CF5A"),
        "costate_covariance": ("#7A4B5C", "#D9A6B8"),
        "acceleration": ("#9C2F2F", "#FF8585"),
        "angular_acceleration": ("#6B0D73", "#D680FF"),
        "spatial_inertia": ("#00756F", "#4FD8CC"),
        "velocity": ("#946C00", "#F2C14E"),
        "energy": ("#A8520A", "#F0A868"),
        "momentum": ("#20697A", "#7FD3E0"),
        "angular_momentum": ("#C040E0", "#C855D0"),
        "drift": ("#6A6F7A", "#A7AFBD"),
        "torque": ("#4C5A9E", "#A9B6F5"),
        "axis": ("#5B6472", "#AEB8C6"),
    }
)

# Which family a quantity belongs to: the names are those of the registry and of a recording.
QUANTITIES = MappingProxyType(
    {
        "predicted_force": "predicted",
        "predicted_contact_force": "predicted",
        "free_tip_force": "predicted",
        "corrected_force": "corrected",
        "corrected_contact_force": "corrected",
        "force_correction": "corrected",
        "contact_force": "applied",
        "mass_center_path": "momentum",
        "force": "applied",
        "articulated_inertia_updated": "articulated_inertia",
        "smoothed_force_covariance": "applied",
        "contact_influence_sweep": "gain",
        "residual": "innovation",
        "modified_innovation": "innovation",
        "kalman_gain": "gain",
        "contact_kalman_gain": "gain",
        "omega": "costate_covariance",
        "acceleration_inboard": "acceleration",
        "angular_velocity": "velocity",
        "axes": "axis",
        "freed": "axis",
        "joint_acceleration": "acceleration",
        "free_tip_acceleration": "acceleration",
        "object_acceleration": "acceleration",
        "base_acceleration": "acceleration",
        "kinetic_energy": "energy",
        "potential_energy": "energy",
        "total_energy": "energy",
        "tau": "torque",
    }
)

# One hue per arm, muted, so that the quantities stand out against the machines; after the last they repeat.
ARMS = (
    ("#3D6FA8", "#6C9FD8"),
    ("#AE9334", "#D3BC62"),
    ("#2F8577", "#58B8A8"),
    ("#9A5487", "#C985B7"),
    ("#68802F", "#9DB85C"),
    ("#A04F4A", "#D58680"),
    ("#3F8AA0", "#74BED3"),
    ("#75629E", "#A897D3"),
)

# One tone per ghost, in the order of the letters of kept runs: the first is bare metal.
GHOSTS = (
    ("#3E4651", "#767E8A"),
    ("#8A5A2B", "#C79A63"),
    ("#1F6F78", "#63B7C1"),
    ("#6A4C93", "#A98BD0"),
    ("#5F6B1E", "#AEBB63"),
    ("#93405E", "#D58AA6"),
)

# What the cursor points at, in every view, as a ring or a heavy line; no quantity has this color.
SELECTED = MappingProxyType({"light": "#0B1220", "dark": "#FFFFFF"})
PRIMARY = MappingProxyType({"light": "#1D5C93", "dark": "#5BA3DE"})
BACKGROUND = MappingProxyType({"light": "#F6F8FB", "dark": "#10151D"})
HORIZON = MappingProxyType({"light": "#DDE4EE", "dark": "#1C2532"})
INK = MappingProxyType({"light": "#1C2430", "dark": "#EEF2F7"})
GROUND = MappingProxyType({"light": ("#E3E8EF", "#D6DDE7"), "dark": ("#1A222E", "#212B39")})
SHADOW = MappingProxyType({"light": "#C3CBD6", "dark": "#0F151D"})
BODY = MappingProxyType({"light": "#E9EBEE", "dark": "#D5D9DF"})
METAL = MappingProxyType({"light": "#4A525E", "dark": "#59626F"})
TASK_OBJECT = MappingProxyType({"light": "#DCC79A", "dark": "#CDB685"})


def quantity(name: str, theme: Theme = "light") -> str:
    """Hex color of a family or of a registry name; quantities without a color of their own get the ink."""
    pair = FAMILIES.get(QUANTITIES.get(name, name))
    return INK[theme] if pair is None else pair[theme == "dark"]


def arm(index: int, theme: Theme = "light") -> str:
    """Hex color of an arm, counted from zero."""
    return ARMS[index % len(ARMS)][theme == "dark"]


def ghost(index: int, theme: Theme = "light") -> str:
    """Hex color of a ghost, counted from zero."""
    return GHOSTS[index % len(GHOSTS)][theme == "dark"]


def rgb(color: str) -> tuple[float, float, float]:
    """Red, green, blue in 0..1 of a ``#rrggbb`` string."""
    return int(color[1:3], 16) / 255, int(color[3:5], 16) / 255, int(color[5:7], 16) / 255


def mix(color: str, other: str, share: float) -> str:
    """``color`` with ``share`` of ``other`` in it."""
    parts = (round(255 * ((1 - share) * a + share * b)) for a, b in zip(rgb(color), rgb(other), strict=True))
    return "#" + "".join(f"{part:02X}" for part in parts)
