"""Moments to draw, solved once for all tests of the scenes."""

import functools

import pytest

import dynamics as dyn
import scenes


@functools.cache
def moment(name: str) -> tuple[dyn.System, dyn.Solution]:
    system, state = dyn.example(name)
    return system, dyn.forward_dynamics(system, state)


@functools.cache
def scene_of(name: str) -> scenes.Scene:
    return scenes.Scene(*moment(name))


@pytest.fixture(params=sorted(dyn.examples()))
def drawn(request: pytest.FixtureRequest) -> tuple[scenes.Scene, dyn.Solution]:
    """Every packaged example: its scene and a moment of it."""
    return scene_of(request.param), moment(request.param)[1]


@pytest.fixture
def held() -> tuple[scenes.Scene, dyn.Solution]:
    """Two arms and a box."""
    return scenes.Scene(*moment("two_arms_and_box")), moment("two_arms_and_box")[1]
