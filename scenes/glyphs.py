"""The shapes that stand for quantities: unit balls and cages, arrows, triads, marks. No two differ by color alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from types import MappingProxyType

import numpy as np
import pyvista as pv
from numpy.typing import NDArray

from scenes import palette, shapes

Array = NDArray[np.float64]
GLASS = 0.18
"""Opacity of shapes that enclose a link."""
RING = 48
"""Number of segments of a full ring."""
RINGED = 0.16
"""Radius of an arrow's ring as a share of its length, for an arrow that is as thick as it is long."""
WIRE = 0.014
"""Radius of a cage's wire on a unit ball."""


def torus(
    radius: float, wire: float, pose: Array | None = None, turns: float = 1.0, sides: int = 4, parts: int = RING
) -> pv.PolyData:
    """A ring about z in ``parts`` segments, or its first ``turns``, open at the ends."""
    count = max(int(parts * turns), 8)
    around = np.linspace(0.0, 2.0 * np.pi * turns, count, endpoint=turns < 1.0)
    across = np.linspace(0.0, 2.0 * np.pi, sides, endpoint=False)
    u, v = np.meshgrid(around, across, indexing="ij")
    far = radius + wire * np.cos(v)
    points = np.stack([far * np.cos(u), far * np.sin(u), wire * np.sin(v)], axis=-1).reshape(-1, 3)
    i, j = np.meshgrid(np.arange(count if turns >= 1.0 else count - 1), np.arange(sides), indexing="ij")
    a, b = i * sides + j, ((i + 1) % count) * sides + j
    c, d = ((i + 1) % count) * sides + (j + 1) % sides, i * sides + (j + 1) % sides
    faces = np.concatenate([np.stack([a, b, c], -1).reshape(-1, 3), np.stack([a, c, d], -1).reshape(-1, 3)])
    ring = shapes.triangles(points, faces)
    return ring if pose is None else shapes.placed(ring, pose)


def cage(kind: str) -> pv.PolyData:
    """A unit ball of wires: ``rings`` three great circles, ``parallels``, or ``meridians``."""
    if kind == "rings":
        wires = [torus(1.0, WIRE, shapes.frame_along(axis)) for axis in np.eye(3)]
    elif kind == "parallels":
        heights = np.sin(np.radians((-55.0, -28.0, 0.0, 28.0, 55.0)))
        wires = [torus(float(np.sqrt(1.0 - h * h)), WIRE, shapes.frame_along((0, 0, 1), (0, 0, h))) for h in heights]
    else:
        angles = np.radians((0.0, 45.0, 90.0, 135.0))
        wires = [torus(1.0, WIRE, shapes.frame_along((np.cos(a), np.sin(a), 0.0))) for a in angles]
    return joined(wires)


def wound(kind: str) -> pv.PolyData:
    """A unit ball of wires that are not circles: the ``edges`` of a cube blown up to it, or a ``spiral``."""
    return joined([_along(course) for course in COURSES[kind]()])


def _cube_edges() -> list[Array]:
    """(points, 3) of each edge, projected onto the unit ball."""
    corners = np.array([(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
    pairs = [(a, b) for a, b in combinations(corners, 2) if np.abs(a - b).sum() == 2.0]
    share = np.linspace(0.0, 1.0, 13)[:, None]
    straight_ones = [(1.0 - share) * a + share * b for a, b in pairs]
    return [points / np.linalg.norm(points, axis=1)[:, None] for points in straight_ones]


def _spiral() -> list[Array]:
    """(points, 3) from pole to pole in six turns."""
    turned = np.linspace(0.0, 12.0 * np.pi, 6 * RING)
    height = np.linspace(-0.985, 0.985, len(turned))
    wide = np.sqrt(1.0 - height**2)
    return [np.stack([wide * np.cos(turned), wide * np.sin(turned), height], axis=1)]


COURSES: Mapping[str, Callable[[], list[Array]]] = MappingProxyType({"edges": _cube_edges, "spiral": _spiral})
"""Wires of each form that is wound round a unit ball."""


def _along(course: Array, sides: int = 4) -> pv.PolyData:
    """A wire along (points, 3) on the unit ball, open at its ends."""
    ahead = np.gradient(course, axis=0)
    aside = np.cross(course, ahead)
    aside /= np.linalg.norm(aside, axis=1)[:, None]
    around = np.linspace(0.0, 2.0 * np.pi, sides, endpoint=False)
    spokes = np.cos(around)[:, None] * course[:, None] + np.sin(around)[:, None] * aside[:, None]
    points = (course[:, None] + WIRE * spokes).reshape(-1, 3)
    i, j = np.meshgrid(np.arange(len(course) - 1), np.arange(sides), indexing="ij")
    a, b = i * sides + j, i * sides + (j + 1) % sides
    c, d = (i + 1) * sides + (j + 1) % sides, (i + 1) * sides + j
    faces = np.concatenate([np.stack(each, -1).reshape(-1, 3) for each in ((a, c, b), (a, d, c))])
    return shapes.triangles(points, faces)


def joined(parts: Sequence[pv.PolyData]) -> pv.PolyData:
    """Several pieces as one mesh without a color."""
    whole = shapes.merged([shapes.painted(part, "#FFFFFF") for part in parts])
    whole.point_data.remove("rgba")
    return whole


def facets() -> pv.PolyData:
    """The icosahedron inscribed in the unit ball."""
    golden = 0.5 * (1.0 + np.sqrt(5.0))
    points = np.array([np.roll((0.0, a, b * golden), k) for k in range(3) for a in (-1, 1) for b in (-1, 1)])
    points /= np.linalg.norm(points[0])
    edge = min(float(np.linalg.norm(points[0] - p)) for p in points[1:])
    near = np.abs(np.linalg.norm(points[:, None] - points[None], axis=2) - edge) < 1e-9
    faces = [t for t in combinations(range(12), 3) if all(near[i, j] for i, j in combinations(t, 2))]
    outward = [f if np.linalg.det(points[list(f)]) > 0.0 else (f[0], f[2], f[1]) for f in faces]
    return shapes.triangles(points, np.array(outward))


def belted(color: str) -> pv.PolyData:
    """A unit ball of glass with a denser belt."""
    latitude = np.radians((-80.0, -70.0, -60.0, -50.0, -40.0, -30.0, -20.0, -10.0))
    ring = [(float(np.cos(a)), float(np.sin(a))) for a in (*latitude, 0.0, *-latitude[::-1])]
    ball = shapes.painted(shapes.revolved([(0.0, -1.0), *ring, (0.0, 1.0)], 36), color, GLASS)
    belt = shapes.painted(torus(1.0, 3.0 * WIRE), color, 0.9)
    return shapes.merged([ball, belt])


def double_arrow(shaft: float = shapes.SHAFT, head: float = shapes.HEAD) -> pv.PolyData:
    """An arrow of unit length along z with two heads: a moment or rotation about it, right-handed."""
    profile = [
        (0.0, 0.0), (shaft, 0.0), (shaft, 0.64), (head, 0.64), (shaft, 0.82), (head, 0.82), (0.0, 1.0),
    ]  # fmt: skip
    return shapes.revolved(profile, shapes.ROUND)


def ringed_arrow(places: Sequence[float] = (0.34,)) -> pv.PolyData:
    """The same with one or more broad rings round its shaft: a continuing rotation about it."""
    ring = torus(RINGED, 0.03, sides=8 if len(places) == 1 else 6)
    rings = [shapes.placed(ring, shapes.frame_along((0, 0, 1), (0, 0, place))) for place in places]
    return joined([double_arrow(), *rings])


def dashed_arrow(
    shaft: float = shapes.SHAFT, head: float = shapes.HEAD, dashes: int = 4, heads: int = 1
) -> pv.PolyData:
    """An arrow of unit length along z with a broken shaft, for a prediction; two heads for a moment."""
    end = 0.78 if heads == 1 else 0.6
    pitch, profile = end / dashes, []
    for dash in range(dashes):
        low = dash * pitch
        profile += [(0.0, low), (shaft, low), (shaft, low + 0.62 * pitch), (0.0, low + 0.62 * pitch)]
    if heads == 2:
        profile += [(0.0, end), (head, end), (0.0, 0.8)]
    last = 0.8 if heads == 2 else end
    return shapes.revolved([*profile, (0.0, last), (head, last), (0.0, 1.0)], shapes.ROUND)


def beaded_arrow(shaft: float = 0.014, bead: float = 0.046, head: float = shapes.HEAD, beads: int = 3) -> pv.PolyData:
    """An arrow of unit length along z with beads on a thin shaft, for a correction."""
    profile, length = [(0.0, 0.0), (shaft, 0.0)], 0.09
    for place in range(beads):
        low = (0.78 - length) * (place + 0.5) / beads
        profile += [(shaft, low), (bead, low + 0.35 * length), (bead, low + 0.65 * length), (shaft, low + length)]
    return shapes.revolved([*profile, (shaft, 0.78), (head, 0.78), (0.0, 1.0)], shapes.ROUND)


def rod() -> pv.PolyData:
    """A thin double-ended rod along z from -1 to 1, its head at the positive end."""
    return shapes.revolved([(0.0, -1.0), (0.035, -1.0), (0.035, 0.76), (0.1, 0.76), (0.0, 1.0)], sides=10)


def straight(sides: int = 6) -> pv.PolyData:
    """A rod of unit length and radius along z, from the origin."""
    return shapes.revolved([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)], sides)


def triad(colors: Sequence[str]) -> pv.PolyData:
    """Unit axes: x ends in a cone, y in a cube, z in a ball."""
    cone = shapes.revolved([(0.0, 0.76), (0.11, 0.76), (0.0, 1.0)], 12)
    cube = shapes.placed(shapes.box((0.16, 0.16, 0.16)), shapes.frame_along((0, 0, 1), (0, 0, 0.92)))
    ball = shapes.placed(shapes.sphere(0.1, 16, 8), shapes.frame_along((0, 0, 1), (0, 0, 0.9)))
    parts = []
    for axis, head, color in zip(np.eye(3), (cone, cube, ball), colors, strict=True):
        shaft = shapes.revolved([(0.0, 0.0), (0.028, 0.0), (0.028, 0.84), (0.0, 0.84)], 8)
        parts += [shapes.painted(shapes.placed(part, shapes.frame_along(axis)), color) for part in (shaft, head)]
    return shapes.merged(parts)


def target(dark: str, light: str) -> pv.PolyData:
    """The draughtsman's mark of a mass centre: a ball of unit radius with black and white octants."""
    parts = []
    for x in (0, 1):
        for y in (0, 1):
            for z in (0, 1):
                parts.append(shapes.painted(_octant(x, y, z), dark if (x + y + z) % 2 else light))
    return shapes.merged(parts)


def _octant(x: int, y: int, z: int) -> pv.PolyData:
    """An eighth of the unit sphere."""
    steps = 6
    a, b = np.meshgrid(np.linspace(0, 0.5 * np.pi, steps + 1), np.linspace(0, 0.5 * np.pi, steps + 1), indexing="ij")
    points = np.stack([np.cos(b) * np.cos(a), np.cos(b) * np.sin(a), np.sin(b)], -1).reshape(-1, 3)
    points = points * np.array([1 - 2 * x, 1 - 2 * y, 1 - 2 * z])
    i, j = np.meshgrid(np.arange(steps), np.arange(steps), indexing="ij")
    p, q = i * (steps + 1) + j, (i + 1) * (steps + 1) + j
    lower = np.stack([p, q, q + 1], -1).reshape(-1, 3)
    upper = np.stack([p, q + 1, p + 1], -1)[:, : steps - 1].reshape(-1, 3)  # these have no area at the pole
    faces = np.concatenate([lower, upper])
    used, faces = np.unique(faces[:, ::-1] if (x + y + z) % 2 else faces, return_inverse=True)
    return shapes.triangles(points[used], faces.reshape(-1, 3))


def freed_turn() -> pv.PolyData:
    """The direction that a revolute joint frees: its axis along z, and an arrow that goes round it."""
    turns = 0.78
    arc = torus(0.62, 0.045, turns=turns, sides=8)
    end = 2.0 * np.pi * turns
    tip = 0.62 * np.array([np.cos(end), np.sin(end), 0.0])
    head = shapes.revolved([(0.0, -0.02), (0.14, -0.02), (0.0, 0.30)], 12)
    axis = shapes.revolved([(0.0, -1.0), (0.035, -1.0), (0.035, 1.0), (0.0, 1.0)], 10)
    head = shapes.placed(head, shapes.frame_along((-np.sin(end), np.cos(end), 0.0), tip))
    return joined([axis, arc, head])


def freed_slide() -> pv.PolyData:
    """The direction that a prismatic joint frees: an arrow along z with a head at either end."""
    return shapes.revolved([(0.0, -1.0), (0.15, -0.7), (0.05, -0.7), (0.05, 0.7), (0.15, 0.7), (0.0, 1.0)], sides=12)


def axis_colors(theme: palette.Theme) -> tuple[str, str, str]:
    """Red, green and blue for x, y and z, strong enough for the theme."""
    return ("#C62828", "#2E7D32", "#1565C0") if theme == "light" else ("#FF7B72", "#6FDD8B", "#79B8FF")
