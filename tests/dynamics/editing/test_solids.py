"""What solids weigh, against sums over points drawn in them."""

from __future__ import annotations

import numpy as np
import pytest

import dynamics as dyn
from tests.dynamics.systems import draw_pose

INSIDE = {
    "box": lambda p, s: (np.abs(p) <= 0.5 * np.array(s)).all(axis=1),
    "sphere": lambda p, s: (p**2).sum(axis=1) <= s[0] ** 2,
    "cylinder": lambda p, s: (np.hypot(p[:, 0], p[:, 1]) <= s[0]) & (np.abs(p[:, 2]) <= 0.5 * s[1]),
    "capsule": lambda p, s: (
        p[:, 0] ** 2 + p[:, 1] ** 2 + np.maximum(np.abs(p[:, 2]) - 0.5 * s[1], 0.0) ** 2 <= s[0] ** 2
    ),
}
SIZES = {"box": (0.2, 0.3, 0.5), "sphere": (0.3,), "cylinder": (0.2, 0.6), "capsule": (0.2, 0.5)}


@pytest.mark.parametrize("kind", SIZES)
def test_a_solid_weighs_what_its_points_do(kind: str) -> None:
    rng = np.random.default_rng(0)
    pose = draw_pose(rng)
    robot = dyn.with_density(dyn.planar_chain(2), "link_1", 800.0, [dyn.Geometry(kind, SIZES[kind], pose)])  # type: ignore[arg-type]
    body = robot.links[0]
    points = rng.uniform(-0.5, 0.5, (1_000_000, 3))
    inside = points[INSIDE[kind](points, SIZES[kind])]
    mass = 800.0 * len(inside) / len(points)
    spread = inside.T @ inside / len(points) * 800.0
    inertia = pose[:3, :3] @ (np.trace(spread) * np.eye(3) - spread) @ pose[:3, :3].T
    assert body.mass == pytest.approx(mass, rel=0.01)
    np.testing.assert_allclose(body.center_of_mass, pose[:3, 3], atol=1e-14)
    np.testing.assert_allclose(body.inertia, inertia, rtol=0, atol=0.01 * np.abs(inertia).max())


def test_known_solids_to_the_last_digit() -> None:
    """A box is the task object's; a capsule without a straight part is a ball."""
    box, ball, pill = (
        dyn.with_density(dyn.planar_chain(1), "link_1", 1000.0, [dyn.Geometry(kind, size, np.eye(4))]).links[0]  # type: ignore[arg-type]
        for kind, size in (("box", (0.1, 0.2, 0.3)), ("sphere", (0.1,)), ("capsule", (0.1, 1e-12)))
    )
    np.testing.assert_allclose(box.inertia, dyn.TaskObject.box((0.1, 0.2, 0.3), 6.0).inertia, rtol=1e-14)
    np.testing.assert_allclose(pill.inertia, ball.inertia, rtol=1e-10)


def test_several_shapes_are_one_body_and_its_own_shapes_are_the_default() -> None:
    robot = dyn.planar_chain(1, length=0.4, radius=0.05)
    body = dyn.with_density(robot, "link_1", 2700.0).links[0]
    rod, hub = np.pi * 0.05**2 * 0.4 * 2700.0, np.pi * (1.4 * 0.05) ** 2 * 0.15 * 2700.0
    assert body.mass == pytest.approx(rod + hub)
    np.testing.assert_allclose(body.center_of_mass, (0.0, -0.2 * rod / (rod + hub), 0.0), atol=1e-15)
    assert body.geometry == robot.links[0].geometry


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"link": "elbow"}, "there is no link 'elbow'"),
        ({"density": 0.0}, "density is 0 kg/m"),
        ({"density": "lead"}, "density"),
        ({"link": "tip", "shapes": [3]}, "there is no link"),
        ({"shapes": [3]}, "3 is no Geometry"),
        ({"shapes": [dyn.Geometry("mesh", (1.0, 1.0, 1.0), np.eye(4))]}, "the inside of a mesh is not known"),
        ({"shapes": [dyn.Geometry("box", (1.0, -1.0, 1.0), np.eye(4))]}, "lengths above zero"),
        ({"shapes": [dyn.Geometry("box", (1.0,), np.eye(4))]}, "size of a box"),
        ({"link": "base"}, "has no shape to weigh"),
    ],
)
def test_what_weighs_nothing_is_refused(arguments: dict, words: str) -> None:
    with pytest.raises(dyn.ModelError, match=words):
        dyn.with_density(dyn.planar_chain(2), **({"link": "link_1", "density": 1000.0} | arguments))
