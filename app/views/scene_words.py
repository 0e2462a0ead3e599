"""What is in the scene, for legends: brief names, those of both vocabularies, and a drawing of each form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable

import dynamics as dyn
import scenes
from app.motion.quantities import mechanics_of
from app.motion.run import TIME_STEP, Run
from app.state.kept_run import Ghost
from app.state.walk import called
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
CUT_SHORT = ", cut short"  # Suffix for an arrow that would be too long to scale
PARTS = {
    **dict.fromkeys(("predicted_force", "force"), "force"),
    **dict.fromkeys(("predicted_moment", "moment"), "moment"),
    **dict.fromkeys(("acceleration", "acceleration_inboard", "velocity"), "linear"),
    **dict.fromkeys(("angular_acceleration", "angular_acceleration_inboard", "angular_velocity"), "angular"),
}
"""The half of a spatial vector that a layer shows: both halves have one symbol."""


PLACES = ("target", "course", "triad", "shade", "rod", "trail")  # Forms that show positions, which need no explanation


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


ROUND = "<circle cx='8' cy='8' r='6.5' {}/>"
GLASS = "fill='currentColor' fill-opacity='.35' stroke='currentColor' stroke-width='1.2'"
LINE = "fill='none' stroke='currentColor' stroke-width='1.4'"
BOLD = "fill='none' stroke='currentColor' stroke-width='2.2' stroke-linecap='round'"
FULL = "fill='currentColor'"
FORMS = {
    "ball": ROUND.format(GLASS),
    "rings": ROUND.format(LINE)
    + f"<ellipse cx='8' cy='8' rx='6.5' ry='2.4' {LINE}/><ellipse cx='8' cy='8' rx='2.4' ry='6.5' {LINE}/>",
    "facets": f"<path d='M8 1.2 14 4.6v6.8L8 14.8 2 11.4V4.6z' {GLASS}/>"
    f"<path d='M8 1.2 4 10h8zM4 10l4 4.8 4-4.8' {LINE}/>",
    "belt": ROUND.format(GLASS) + "<path d='M1.5 8h13' stroke='currentColor' stroke-width='3'/>",
    "parallels": ROUND.format(LINE) + f"<path d='M3 4h10M1.5 8h13M3 12h10' {LINE}/>",
    "meridians": ROUND.format(LINE) + f"<path d='M8 1.5v13' {LINE}/><ellipse cx='8' cy='8' rx='3.4' ry='6.5' {LINE}/>",
    "edges": ROUND.format(LINE) + f"<path d='M4.6 5.4H11.4V11.6H4.6zM4.6 5.4 3.4 3.4M11.4 5.4l1.2-2M11.4 11.6l1.2 1"
    f".6M4.6 11.6l-1.2 1.6' {LINE}/>",
    "spiral": f"<path d='M6 2C12 1.4 12.6 4 7 4.6 1 5.2 1 7.6 8 7.6 15.4 7.6 15.4 10.4 9 10.6 3.4 10.8 3.6 13.8 10 "
    f"13.8' {LINE}/>",
    "arrow": f"<path d='M2 14 11 5' {BOLD}/><path d='M14.5 1.5 8.6 4 12 7.4z' {FULL}/>",
    "double": f"<path d='M2 14 9 7' {BOLD}/><path d='M14.5 1.5 9.6 3.6 12.4 6.4z"
    f"M11 5 6.1 7.1 8.9 9.9z' {FULL}/>",
    "ringed": f"<path d='M1.5 14.5 9 7' {LINE}/><path d='M15 1 10.1 3.1 12.9 5.9z"
    f"M11.8 4.2 6.9 6.3 9.7 9.1z' {FULL}/><ellipse cx='5' cy='11' rx='5' ry='2.2' transform='rotate(45 5 11)' {LINE}/>",
    "coiled": f"<path d='M1.5 14.5 9 7' {LINE}/><path d='M15 1 10.1 3.1 12.9 5.9z' {FULL}/>"
    f"<ellipse cx='4' cy='12' rx='4.2' ry='1.9' transform='rotate(45 4 12)' {LINE}/>"
    f"<ellipse cx='8' cy='8' rx='4.2' ry='1.9' transform='rotate(45 8 8)' {LINE}/>",
    "broken": f"<path d='M2 14 7.5 8.5' stroke-dasharray='1.6 3.2' {BOLD}/><path d='M15 1 10.1 3.1 12.9 5.9z"
    f"M11 5 6.1 7.1 8.9 9.9z' {FULL}/>",
    "dashed": f"<path d='M2 14 11 5' stroke-dasharray='2 3.6' {BOLD}/><path d='M14.5 1.5 8.6 4 12 7.4z' {FULL}/>",
    "beaded": f"<path d='M2 14 11 5' {LINE}/><circle cx='4' cy='12' r='1.9' {FULL}/>"
    f"<circle cx='8' cy='8' r='1.9' {FULL}/><path d='M14.5 1.5 8.6 4 12 7.4z' {FULL}/>",
    "plates": f"<path d='M4 12 12 4M1.2 9.2l5.6 5.6M9.2 1.2l5.6 5.6' {BOLD}/>",
    "loose": f"<path d='M5 11 11 5' {BOLD}/><path d='M1 15 7.4 12.8 3.2 8.6zM15 1 8.6 3.2 12.8 7.4z' {FULL}/>",
    "stacked": f"<path d='M1 15l1-5 4 4zM4.6 11.4l1-5 4 4z' {FULL}/><path d='M15 1 8 3.8 12.2 8z' {FULL}/>",
    "rod": f"<path d='M3 15 12 3' {BOLD}/><path d='M14 .5 9.6 3.6 13 6z' {FULL}/>",
    "turn": f"<path d='M8 1v14' {LINE}/><path d='M12.5 6A6 3.2 0 1 1 8 4.8' {LINE}/>"
    f"<path d='M10.4 4.4 14.6 5l-2 3.4z' {FULL}/>",
    "triad": f"<path d='M6 10V2M6 10l7 2M6 10l-4 4' {LINE}/><path d='M3 1h6v3H3z' {FULL}/>"
    f"<circle cx='2.6' cy='13.6' r='2' {FULL}/><path d='M12 9.6 16 12.6 11.4 14.4z' {FULL}/>",
    "target": ROUND.format(LINE) + f"<path d='M8 8V1.5A6.5 6.5 0 0 1 14.5 8zM8 8v6.5A6.5 6.5 0 0 1 1.5 8z' {FULL}/>",
    "course": f"<path d='M1 14 7.5 8' {BOLD}/><path d='M9.5 6.2 15 1' stroke-dasharray='1.6 3' {BOLD}/>",
    "shade": f"<path d='M3 4.5 11 2l2.5 9L5 13.5z' stroke-dasharray='2 2' {LINE}/>",
    "trail": f"<path d='M1 13C5 13 5 4 15 3' {BOLD}/>",
}  # fmt: skip


def icon(form: str, color: str) -> str:
    """An inline SVG of 16 x 16 in one color."""
    return (
        f"<svg viewBox='0 0 16 16' width='16' height='16' style='color:{color}' aria-hidden='true'>{FORMS[form]}</svg>"
    )
