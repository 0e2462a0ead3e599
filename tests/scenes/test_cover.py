"""What is said to be too small to be seen is within the links, and what stands out of them is not said to be."""

from __future__ import annotations

import numpy as np
import pytest

import dynamics as dyn
import scenes
from tests.scenes.test_stands import placed, scene_of


def three_rods(thick: str) -> tuple[scenes.Scene, dyn.Solution]:
    """Rods that hang from a raised shoulder, 0.3 m long each."""
    size = f"{thick} {thick} 0.3"
    return scene_of(
        (
            ("0 0 1", "0 1 0", "0 0 -0.15", size),
            ("0 0 -0.3", "0 1 0", "0 0 -0.15", size),
            ("0 0 -0.3", "1 0 0", "0 0 -0.15", size),
        )
    )


def balls(scene: scenes.Scene, solution: dyn.Solution, radius: float) -> np.ndarray:
    """A picture in which P of every link is a ball of that radius, m."""
    picture = scene.transforms(solution, ("links",))
    for k, mesh in enumerate(scene.layers["articulated_inertia"]):
        pose = np.column_stack([radius * np.eye(3), solution.link_pose[k, :3, 3]])
        picture[mesh] = pose.ravel()
    return picture


@pytest.mark.parametrize(("thick", "radius", "small"), [("0.06", 0.07, 0), ("0.06", 0.05, 0), ("0.2", 0.07, 2)])
def test_a_ball_thicker_than_its_rods_is_seen(thick: str, radius: float, small: int) -> None:
    """However thick an invented joint would be: at the root there is none but a thin pin."""
    scene, solution = three_rods(thick)
    assert scene.hidden("articulated_inertia", balls(scene, solution, radius)) == (3, small)


@pytest.mark.parametrize("name", ["puma560", "panda", "iiwa14", "planar_chain"])
def test_what_is_hidden_is_within_the_links_and_what_is_seen_is_not(name: str) -> None:
    """As rays say that go outward from all over the ball: whether they meet a link."""
    system = dyn.single_arm(dyn.load(name))
    solution = dyn.forward_dynamics(system, system.home())
    scene = scenes.Scene(system, solution)
    ways = np.random.default_rng(3).normal(size=(60, 3))
    ways /= np.linalg.norm(ways, axis=1)[:, None]
    links = [mesh for mesh in scene.meshes if mesh.layer == "links"]
    solid = [placed(mesh, np.eye(4) if mesh.link is None else solution.link_pose[mesh.link]) for mesh in links]
    judged = set()
    for radius in np.array([0.01, 0.03, 0.09]) * float(scene.sizes.reach[0]):
        for k in range(system.n_joints):
            picture = balls(scene, solution, radius)
            picture[np.delete(scene.layers["articulated_inertia"], k)] = 0.0
            small = scene.hidden("articulated_inertia", picture)[1]
            at = solution.link_pose[k, :3, 3]
            near = [body for mesh, body in zip(links, solid, strict=True) if mesh.link in (k, k + 1, None)]
            behind = [any(len(body.ray_trace(at + radius * w, at + 2.0 * w)[0]) for body in near) for w in ways]
            assert (np.mean(behind) > 0.7) if small else (np.mean(behind) < 0.98), (k, radius, np.mean(behind))
            judged.add(small)
    assert judged == {0, 1}
