"""Moments to draw, solved once for all tests of the scenes."""

import functools

import pytest

import dynamics as dyn
import scenes

EXAMPLES = (
    "four_arms_and_box", "free_flyer", "one_arm_by_a_point", "planar_chain", "puma560", "solo12", "two_arm_flyer",
    "two_arms_and_box", "ur5e",
)  # fmt: skip
"""One of each kind of machine: bolted down, flying, holding, a tree, with meshes and without."""


@functools.cache
def moment(name: str) -> tuple[dyn.System, dyn.Solution]:
    system, state = dyn.example(name)
    return system, dyn.forward_dynamics(system, state)


@functools.cache
def scene_of(name: str) -> scenes.Scene:
    return scenes.Scene(*moment(name))


@pytest.fixture
def held() -> tuple[scenes.Scene, dyn.Solution]:
    return scenes.Scene(*moment("two_arms_and_box")), moment("two_arms_and_box")[1]
