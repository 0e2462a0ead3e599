"""The meshes that stand for quantities: one geometry per form, shared by all links."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pyvista as pv
from numpy.typing import NDArray

from scenes import contact_ways, glyphs, palette, shapes
from scenes.arrows import MOST_PUSHES
from scenes.contact_ways import MOST_HIDDEN, SIGNS
from scenes.flight import AHEAD, RODS
from scenes.layers import START, WAYS, Layer, layers_of
from scenes.mesh import SceneMesh, scene_mesh
from scenes.scales import Proportions

if TYPE_CHECKING:
    import dynamics as dyn

Array = NDArray[np.float64]
CONSERVED = ("momentum", "angular_momentum")
GLASS_FORMS = ("ball", "facets", "belt")
OF_LINKS = ("frames", "mass_centres", "influence")
"""Marks with one mesh per link."""
ROD_LENGTH = 2.6
"""Half the length of a joint axis, in radii of its joint."""


def quantity_meshes(system: dyn.System, theme: palette.Theme) -> list[SceneMesh]:
    """Meshes of every layer of the system: one per link, tip, push or piece of a trail, in that order."""
    meshes: list[SceneMesh] = []
    known: dict[str, SceneMesh] = {}
    for layer in layers_of(system):
        if layer.name == START:  # the base's own bodies
            continue
        if layer.group in ("ellipsoids", "arrows") or layer.name in OF_LINKS:
            pattern = _pattern(layer, theme, known)
            meshes += [
                replace(pattern, name=f"{layer.name} {name}", link=k, arm=int(system.arm_of_link[k]))
                for k, name in enumerate(system.link_names)
            ]
        elif layer.name == "mass_center_path":
            rod = scene_mesh(
                "course", "beacon", layer.name, glyphs.straight(12), color=palette.quantity(layer.color, theme)
            )
            meshes += [replace(rod, name=f"{layer.name} {i + 1}", quantity=layer.color) for i in range(RODS + AHEAD)]
        elif layer.group == "flight":
            meshes.append(_pattern(layer, theme, known))
        elif layer.name == "axes":
            pattern = _pattern(layer, theme, known)
            meshes += [
                replace(pattern, name=f"axes {name}", link=k, arm=int(system.arm_of_link[k]))
                for k, name in enumerate(system.joint_names)
            ]
        elif layer.name == "trails":
            meshes += _trails(system, theme)
        elif layer.name == "freed":
            freed = [("freed turn", "bent"), ("freed slide", "slide")]
            meshes += [replace(_pattern(replace(layer, form=form), theme, known), name=name) for name, form in freed]
        elif layer in WAYS:
            meshes += _ways(layer, system, theme, known)
        elif layer.name == "push":
            pattern = _pattern(layer, theme, known)
            meshes += [replace(pattern, name=f"push {i + 1}") for i in range(MOST_PUSHES)]
        else:
            pattern = _pattern(layer, theme, known)
            meshes += [
                replace(pattern, name=f"{layer.name} {i + 1}", arm=tip.arm, link=tip.link)
                for i, tip in enumerate(system.tips)
            ]
    return meshes


def _pattern(layer: Layer, theme: palette.Theme, known: dict[str, SceneMesh]) -> SceneMesh:
    """The mesh that all of a layer's meshes copy; layers of the same form share its points."""
    color = palette.quantity(layer.color, theme)
    kind, opacity = "arrow", 1.0
    if layer.form in GLASS_FORMS:
        kind, opacity = "ellipsoid", glyphs.GLASS
    elif layer.group == "ellipsoids":
        kind = "cage"
    else:
        kind = {"rod": "axis", "triad": "frame", "target": "mark"}.get(layer.form, kind)
    if layer.name in ("mass_center", *CONSERVED):
        kind = "beacon"  # it lies, or begins, inside a body
    pattern = known.get(layer.form)
    if pattern is None:
        pattern = known[layer.form] = _formed(layer.form, color, theme, 180.0 if kind == "cage" else shapes.SHARP_EDGE)
    rgba = pattern.color if pattern.colors is not None else (*palette.rgb(color), opacity)
    return replace(pattern, name=layer.name, kind=kind, layer=layer.name, quantity=layer.color, color=rgba)


@functools.lru_cache(maxsize=256)
def _formed(form: str, color: str, theme: palette.Theme, sharp: float) -> SceneMesh:
    """The geometry of a form, the same for every machine and shared by all sessions: never write into it."""
    mesh = scene_mesh(form, "arrow", form, _shape(form, color, theme), sharp=sharp)
    for array in (mesh.points, mesh.normals, mesh.faces, mesh.colors):
        if array is not None:
            array.flags.writeable = False
    return mesh


def _shape(form: str, color: str, theme: palette.Theme) -> pv.PolyData:
    if form == "ball":
        return shapes.ball()
    if form == "facets":
        return glyphs.facets()
    if form == "belt":
        return glyphs.belted(color)
    if form == "arrow":
        return shapes.arrow()
    if form == "double":
        return glyphs.double_arrow()
    if form == "coiled":
        return glyphs.ringed_arrow(places=(0.18, 0.42))
    if form == "broken":
        return glyphs.dashed_arrow(heads=2)
    if form == "ringed":
        return glyphs.ringed_arrow()
    if form == "dashed":
        return glyphs.dashed_arrow()
    if form == "beaded":
        return glyphs.beaded_arrow()
    if form in contact_ways.OF_CONTACTS:
        return contact_ways.OF_CONTACTS[form]()
    if form == "rod":
        return glyphs.rod()
    if form == "triad":
        return glyphs.triad(glyphs.axis_colors(theme))
    if form in glyphs.COURSES:
        return glyphs.wound(form)
    if form == "target":
        return glyphs.target("#111827", "#F9FAFB")
    return glyphs.cage(form)


@functools.cache
def _rod() -> SceneMesh:
    """A piece of a trail, without a color."""
    return scene_mesh("rod", "trail", "trails", glyphs.straight())


def _trails(system: dyn.System, theme: palette.Theme) -> list[SceneMesh]:
    """The trail of each tip in its arm's hue, then the object's."""
    rod = _rod()
    meshes = []
    hues: list[tuple[str, str, int | None]] = []
    for i, tip in enumerate(system.tips):
        hues.append((f"tip {i + 1}", palette.arm(tip.arm, theme), tip.arm))
    if system.task_object is not None:
        hues.append(("object", palette.mix(palette.TASK_OBJECT[theme], palette.INK[theme], 0.35), None))
    for name, hue, arm in hues:
        color = (*palette.rgb(hue), 0.9)
        meshes += [replace(rod, name=f"trail of {name}, {i + 1}", arm=arm, color=color) for i in range(RODS)]
    return meshes


WAY_FORMS = {
    "transmitted_directions": ("plates", "wheels", SIGNS),
    "free_directions": ("slide", "bent", SIGNS),
    "hidden_forces": ("stacked", "stacked, two heads", MOST_HIDDEN),
}
"""For each layer of contact directions: the forms of the linear and of the angular ones, and their number."""


def _ways(layer: Layer, system: dyn.System, theme: palette.Theme, known: dict[str, SceneMesh]) -> list[SceneMesh]:
    """For each tip the linear ones, then the angular ones."""
    linear, angular, count = WAY_FORMS[layer.name]
    meshes = []
    for i, tip in enumerate(system.tips):
        for form in (linear, angular):
            pattern = _pattern(replace(layer, form=form), theme, known)
            meshes += [
                replace(pattern, name=f"{layer.name} {i + 1}, {form} {k + 1}", arm=tip.arm, link=tip.link)
                for k in range(count)
            ]
    return meshes


def looks_alike(one: dyn.System, other: dyn.System) -> bool:
    """Whether two systems share meshes: the same links and shapes, whatever their masses."""
    if one.link_names != other.link_names or (one.task_object is None) != (other.task_object is None):
        return False
    links = zip(one.link_models, other.link_models, strict=True)
    joints = zip(one.joint_models, other.joint_models, strict=True)
    return (
        all(a.geometry is b.geometry for a, b in links)
        and all(a.origin is b.origin or np.array_equal(a.origin, b.origin) for a, b in joints)
        and (one.task_object is None or one.task_object.geometry is other.task_object.geometry)  # type: ignore[union-attr]
    )


def local_rods(system: dyn.System, sizes: Proportions, length: float = ROD_LENGTH) -> Array:
    """(joints, 4, 4), link <- unit rod along each joint's axis."""
    out = np.zeros((system.n_joints, 4, 4))
    for k, joint in enumerate(system.joint_models):
        half = max(length * float(sizes.joint_radius[k]), 0.08 * float(sizes.reach[int(system.arm_of_link[k])]))
        out[k] = shapes.frame_along(joint.axis)
        out[k, :3, :3] *= half
    return out
