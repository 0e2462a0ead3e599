"""Ellipsoids of either block can be read on every machine, and round things are round on a large screen."""

import numpy as np
import pytest

import dynamics as dyn
import scenes
from scenes import shapes, signs
from scenes.layers import ELLIPSOIDS
from tests.scenes.conftest import moment

SMALLEST, LARGEST = 0.07, 0.5
"""Of the largest ellipsoid's half axis, in reaches of an arm."""
TYPICAL = {"dual_arm_satellite": 0.005, "duaro_scara": 0.007}
"""Of a link in the middle of all, 0.008 on other machines: here half of all are wrists beside a bus, or a flange."""
IMMOBILE = {"talos": 0.7}
"""Of the largest, as ``LARGEST``: where a waist that carries two arms can hardly move, it is cut off."""


@pytest.mark.parametrize("block", ["translational", "rotational"])
@pytest.mark.parametrize("name", sorted(dyn.examples()))
def test_the_ellipsoids_of_either_block_can_be_read(name, block):
    _, solution = moment(name)
    scene = scenes.Scene(solution.system, solution)
    reach, joints = float(scene.sizes.reach.min()), solution.system.n_joints
    for layer in ELLIPSOIDS:
        if layer not in scenes.layers_of(solution.system):
            continue
        moved = scene.transforms(solution, (layer.name,), scenes.Look(block=block)).reshape(-1, 3, 4)
        half = np.linalg.norm(moved[scene.layers[layer.name]][:, :, :3], 2, axis=(1, 2)) / reach
        assert half.max() > SMALLEST, layer.name
        assert half[:joints].max() <= IMMOBILE.get(name, LARGEST) + 1e-6, layer.name
        assert np.median(half[half > 0.0]) > TYPICAL.get(name, 0.008), layer.name
        unit, _ = scene.stated((layer.name,), block)[layer.name]
        assert unit == layer.unit(block)


def test_the_scale_of_one_block_does_not_move_the_others():
    system, solution = moment("puma560")
    scene = scenes.Scene(system, solution)
    before = scene.stated(("articulated_inertia",))
    for _ in range(100):
        scene.transforms(solution, ("articulated_inertia",), scenes.Look(block="rotational"))
    assert scene.stated(("articulated_inertia",)) == before


@pytest.mark.parametrize("shape", [shapes.ball(), signs.belted("#FFFFFF")])
def test_the_silhouette_of_a_ball_of_400_pixels_is_round_to_a_few(shape):
    directions = np.random.default_rng(1).normal(size=(2000, 3))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    farthest = (np.asarray(shape.points, float) @ directions.T).max(axis=0)
    assert 400.0 * (1.0 - farthest.min()) < 2.6


@pytest.mark.parametrize("shape", [shapes.arrow(), signs.double_arrow(), signs.dashed_arrow(), signs.beaded_arrow()])
def test_arrows_are_round_and_their_heads_are_wider_than_the_rest(shape):
    points = np.asarray(shape.points)
    radius, height = np.hypot(points[:, 0], points[:, 1]), points[:, 2]
    assert len(np.unique(np.round(np.arctan2(*points[radius > 0.5 * radius.max()][:, :2].T), 4))) >= 20
    assert radius[height > 0.7].max() > 1.6 * radius[height < 0.6].max()
