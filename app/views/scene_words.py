"""Names of everything in the scene: brief ones for the legend, and those of both vocabularies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable

import dynamics as dyn
import scenes
from app.motion.run import TIME_STEP, Run
from app.sampling.quantities import mechanics_of
from app.state.kept_run import Ghost
from app.state.walk import called
from app.views.icons import icon
from scenes import palette
from scenes.layers import symbol

SHORT = {
    "contact_force": "applied",
    "predicted_contact_force": "predicted",
    "corrected_contact_force": "correction",
    "transmitted_directions": "what the contact transmits",
    "free_directions": "what it leaves free",
    "hidden_forces": "forces no motion reveals",
    "articulated_inertia": "articulated inertia",
    "articulated_inertia_updated": "the same, joint free",
    "spatial_inertia": "link alone",
    "dual_articulated_inertia": "all not outboard",
    "operational_space_inertia": "operational-space inertia",
    "costate_covariance": "mobility",
    "smoothed_force_covariance": "what no torque reveals",
    "contact_influence_sweep": "felt through the contacts",
    "predicted_force": "predicted force",
    "predicted_moment": "predicted moment",
    "force": "force at the joint",
    "moment": "moment at the joint",
    "acceleration": "acceleration",
    "angular_acceleration": "angular acceleration",
    "acceleration_inboard": "before the joint",
    "angular_acceleration_inboard": "angular, before the joint",
    "velocity": "velocity",
    "angular_velocity": "angular velocity",
    "momentum": "momentum",
    "angular_momentum": "angular momentum",
    "mass_center": "mass centre",
    "mass_center_path": "its path",
    "inertial_axes": "at rest",
    "start": "base at the start",
    "freed": "direction freed",
    "push": "push",
    "influence": "by 1 N m at a joint",
    "axes": "joint axes",
    "frames": "link frames",
    "mass_centres": "mass centres",
    "trails": "trails",
}
CUT_SHORT = ", cut short"
"""Suffix for an arrow that would be too long to scale."""
PARTS = {
    **dict.fromkeys(("predicted_force", "force"), "force"),
    **dict.fromkeys(("predicted_moment", "moment"), "moment"),
    **dict.fromkeys(("acceleration", "acceleration_inboard", "velocity"), "linear"),
    **dict.fromkeys(("angular_acceleration", "angular_acceleration_inboard", "angular_velocity"), "angular"),
}
"""The half of a spatial vector that a layer shows: both halves have one symbol."""


PLACES = ("target", "course", "triad", "shade", "rod", "trail")
"""Forms that show positions, which need no explanation."""


def machine(system: dyn.System) -> str:
    """The machine in words: numbers of arms, trees with their branches, and joints; floating bodies and the object."""
    inner = set(system.inboard.tolist())
    ends = Counter(int(system.arm_of_link[k]) for k in range(system.n_links) if k not in inner)
    trees = [str(ends[arm]) for arm in range(system.n_arms) if ends[arm] > 1]
    arms = system.n_arms - len(trees)
    parts = [f"{arms} arm{'s' if arms > 1 else ''}"] if arms else []
    if trees:
        parts.append(f"{len(trees)} tree{'s' if len(trees) > 1 else ''} of {' and '.join(trees)} branches")
    where = f" on {system.n_bases} {'bodies that float' if system.n_bases > 1 else 'body that floats'}"
    found = " and ".join(parts) + (where if system.is_floating else "")
    found += f", {system.n_joints} joint{'s' if system.n_joints != 1 else ''}"
    return found if system.task_object is None else f"{found}, one object of {system.task_object.mass:.3g} kg"


def in_turn(layers: Iterable[scenes.Layer], drawn: Container[str]) -> list[scenes.Layer]:
    """In the order of a legend that may be cut: quantities, then positions, then layers that are zero."""
    return sorted(layers, key=lambda each: (each.name not in drawn, each.form in PLACES))


def end_of(ghost: Ghost, run: Run) -> str:
    """Suffix for a kept run that ends before the present one, with the time at which it disappears."""
    return f", to {ghost.until:.4g} s" if ghost.letter and ghost.until < run.duration - TIME_STEP else ""


def larger(times: float) -> str:
    """Suffix with the magnification of an object drawn larger than to scale."""
    return f" ×{times:,g}" if times > 1.0 else ""


def too_small(drawn: int, small: int) -> str:
    """Suffix for a layer with ellipsoids that are too small to be seen."""
    if not small:
        return ""
    return ": too small" if small == drawn else f", {small} of {drawn} too small"


def entry(
    layer: scenes.Layer, system: dyn.System, theme: palette.Theme, suffix: str = "", cut: str = ""
) -> dict[str, str]:
    """A layer in the legend; ``cut`` is a suffix of its short name, too."""
    color, of = palette.quantity(layer.color, theme), symbol(layer, system)
    name = f"{of} {SHORT[layer.name]}{suffix}{cut}"
    return {"name": name, "short": of + cut, "color": color, "icon": icon(layer.form, color)}


def names(layer: scenes.Layer, system: dyn.System) -> tuple[str, str]:
    """The names in estimation and in mechanics."""
    entry = next((dyn.registry[s, layer.quantity] for s in layer.stages if (s, layer.quantity) in dyn.registry), None)
    if layer.name == "operational_space_inertia" and system.kind != "free_flyer":
        return "inverse co-state covariance", "operational-space inertia, flat where the link cannot move"
    half = f" ({PARTS[layer.name]})" if layer.name in PARTS else ""
    if layer.names != ("", ""):
        return layer.names
    assert entry is not None
    return entry.estimation_name + half, mechanics_of(entry, system.task_object is not None) + half


def title(mesh: scenes.SceneMesh, system: dyn.System) -> str:
    """One mesh in words, for its tooltip."""
    layer = scenes.CHOICES.get(mesh.layer)
    if layer is None or mesh.layer in ("trails", "push", "freed"):
        return mesh.name
    what = f"{symbol(layer, system)}, {SHORT[layer.name]}"
    if layer.group == "contacts":
        return f"{what}, of arm {1 + (mesh.arm or 0)}"
    return what if mesh.link is None else f"{what}, of {called(system, mesh.link)}"
