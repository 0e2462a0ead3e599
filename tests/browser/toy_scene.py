"""Seventy plain meshes that swing like four arms round a box: a load for the viewer, with no mechanics in it."""

from dataclasses import dataclass

import numpy as np

ARM_COLORS = ((0.85, 0.37, 0.01), (0.11, 0.47, 0.71), (0.46, 0.44, 0.70), (0.10, 0.62, 0.47))
BOX_FACES = np.array([[0, 1, 2], [0, 2, 3]])


@dataclass(frozen=True)
class ToyMesh:
    name: str
    kind: str
    link: int | None
    arm: int | None
    points: np.ndarray
    normals: np.ndarray
    faces: np.ndarray
    color: tuple[float, ...]


def box(size: tuple[float, float, float], center: tuple[float, float, float] = (0, 0, 0)) -> tuple[np.ndarray, ...]:
    points, normals, faces = [], [], []
    for axis in range(3):
        for sign in (-1.0, 1.0):
            u, v = np.eye(3)[(axis + 1) % 3], sign * np.eye(3)[(axis + 2) % 3]
            normal = sign * np.eye(3)[axis]
            faces.append(BOX_FACES + 4 * len(faces))
            points += [normal - u - v, normal + u - v, normal + u + v, normal - u + v]
            normals += [normal] * 4
    return np.array(points) * np.array(size) / 2 + center, np.array(normals), np.concatenate(faces)


def revolved(profile: np.ndarray, slopes: np.ndarray, sides: int = 14) -> tuple[np.ndarray, ...]:
    """Rows (radius, z) turned round z; `slopes` are the normals' (radial, z) parts."""
    angles = np.linspace(0, 2 * np.pi, sides + 1)
    ring = np.stack([np.cos(angles), np.sin(angles)], 1)
    points = np.array([[r * c, r * s, z] for r, z in profile for c, s in ring])
    normals = np.array([[r * c, r * s, z] for r, z in slopes for c, s in ring])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
    row = sides + 1
    faces = []
    for i in range(len(profile) - 1):
        for j in range(sides):
            a, b = i * row + j, (i + 1) * row + j
            faces += [[a, a + 1, b + 1], [a, b + 1, b]]
    return points, normals, np.array(faces)


def capsule(radius: float, length: float) -> tuple[np.ndarray, ...]:
    low, high = np.linspace(-np.pi / 2, 0, 4), np.linspace(0, np.pi / 2, 4)
    slopes = np.array([(np.cos(a), np.sin(a)) for a in (*low, *high)])
    shift = np.array([0.0] * 4 + [length] * 4)
    return revolved(radius * slopes + np.stack([0 * shift, shift], 1), slopes)


def sphere() -> tuple[np.ndarray, ...]:
    angles = np.linspace(-np.pi / 2, np.pi / 2, 9)
    profile = np.stack([np.cos(angles), np.sin(angles)], 1)
    return revolved(profile, profile)


def arrow() -> tuple[np.ndarray, ...]:
    profile = np.array([(0, 0), (0.03, 0), (0.03, 0), (0.03, 0.75), (0.09, 0.75), (0.09, 0.75), (0, 1.0)])
    slopes = np.array([(0, -1), (0, -1), (1, 0), (1, 0), (0, -1), (1, 0.36), (1, 0.36)])
    return revolved(profile, slopes)


def meshes(ghost: str = "") -> tuple[ToyMesh, ...]:
    """Four arms round a box, which is the ghost of one where ``ghost`` is its color, six hexadecimal digits."""
    made = []
    for arm in range(4):
        for link in range(7):
            shape = capsule(0.055 - 0.004 * link, 0.22)
            made.append(ToyMesh(f"arm {arm + 1} link {link + 1}", "link", 7 * arm + link, arm, *shape, ARM_COLORS[arm]))
        for k in range(7):
            color = (*ARM_COLORS[arm], 0.22)
            made.append(ToyMesh(f"P {arm + 1}/{k + 1}", "ellipsoid", 7 * arm + k, arm, *sphere(), color))
        for k in range(3):
            made.append(ToyMesh(f"force {arm + 1}/{k + 1}", "arrow", None, arm, *arrow(), (0.80, 0.10, 0.25, 1.0)))
    tone = (*(int(ghost[k : k + 2], 16) / 255 for k in (0, 2, 4)), 0.45) if ghost else (0.85, 0.70, 0.35, 1.0)
    made.append(ToyMesh("box", "ghost" if ghost else "object", None, None, *box((0.3, 0.3, 0.2)), tone))
    made.append(ToyMesh("plate", "ground", None, None, *box((2.6, 2.6, 0.02), (0, 0, -0.01)), (0.75, 0.78, 0.82, 1.0)))
    return tuple(made)


def _pose(rotation: np.ndarray, position: np.ndarray) -> np.ndarray:
    return np.column_stack([rotation, position]).ravel()


def _turn(axis: int, angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    rotation = np.eye(3)
    rotation[i, i] = rotation[j, j] = c
    rotation[i, j], rotation[j, i] = -s, s
    return rotation


def transforms(t: float, longest: float = 0.45) -> np.ndarray:
    """(70, 12) row-major 3x4 poses at time t (s); no arrow is longer than this (m)."""
    rows: list[np.ndarray] = []
    for arm in range(4):
        rotation = _turn(2, arm * np.pi / 2 + 0.2 * np.sin(t))
        position = rotation @ np.array([0.9, 0.0, 0.06])
        links, ellipsoids = [], []
        for link in range(7):
            links.append(_pose(rotation, position))
            stretch = 0.07 + 0.04 * np.sin(2 * t + link) ** 2
            middle = position + rotation @ np.array([0, 0, 0.11])
            ellipsoids.append(_pose(rotation @ np.diag([stretch, 0.06, 0.12]), middle))
            position = position + rotation @ np.array([0, 0, 0.22])
            rotation = rotation @ _turn(1, -0.36 + 0.14 * np.sin(1.3 * t + link)) @ _turn(2, 0.1 * np.cos(t))
        long = longest - 0.2 + 0.2 * np.sin(3 * t + arm)
        arrows = [_pose(rotation @ _turn(k, 1.2) @ np.diag([0.5, 0.5, long]), position) for k in range(2)]
        rows += links + ellipsoids + arrows + [np.zeros(12)]
    rows.append(_pose(_turn(2, 0.3 * t), np.array([0, 0, 1.0 + 0.05 * np.sin(2 * t)])))
    rows.append(_pose(np.eye(3), np.zeros(3)))
    return np.array(rows, dtype=np.float32)
