"""Pictures made together are those made one by one."""

from __future__ import annotations

import numpy as np
import pytest

import dynamics as dyn
import scenes
from scenes.layers import LAYERS

EXAMPLES = ("puma560", "two_arms_and_box", "free_flyer")


def moments(example: str) -> list[tuple[dyn.Solution, scenes.Look]]:
    """Of a motion, in its second half with nothing held, each looked at another way."""
    draw = np.random.default_rng(5)
    system, state = dyn.example(example)
    free = dyn.release(system) if system.is_held else system
    found = []
    for number in range(9):
        own = system if number < 5 else free
        torque = draw.normal(size=system.n_joints)
        solution = dyn.forward_dynamics(own, state, torque)
        bodies = system.n_tips + (system.task_object is not None)
        push = scenes.Push(draw.normal(size=3), 30.0 * draw.normal(size=3))
        look = scenes.Look(
            paths=draw.normal(size=(bodies, number + 1, 3)),
            course=draw.normal(size=(number + 1, 3)),
            pushes=(push,) * (number % 3 > 0),
            influence=None if system.is_floating else draw.normal(size=(system.n_links, 2, 3)),
            stage="filter",
            link=1,
        )
        found.append((solution, look))
    return found


@pytest.mark.parametrize("example", EXAMPLES)
def test_together_as_alone(example: str) -> None:
    some = moments(example)
    solutions, looks = zip(*some, strict=True)
    scene = scenes.Scene(solutions[0].system, solutions[0])
    layers = [name for name in LAYERS if name != "ghost"]
    scene.pictures(solutions, layers, looks)
    scene.scales.fixed = scene.scales.units
    together = scene.pictures(solutions, layers, looks)
    alone = [scene.transforms(solution, layers, look) for solution, look in some]
    np.testing.assert_allclose(together, alone, atol=1e-6, rtol=1e-5)
    for name in ("links", "trails", "push", "articulated_inertia", "predicted_force"):
        assert together[:, scene.layers[name]].any(), name


def test_a_scale_serves_all_moments_that_are_drawn_together() -> None:
    """As it would after one after the other: the largest decides."""
    system, state = dyn.example("two_arms_and_box")
    some = [dyn.forward_dynamics(system, state, 40.0 * k * np.ones(system.n_joints)) for k in (0, 3, 1)]
    found = []
    for together in (True, False):
        scene = scenes.Scene(system, some[0])
        scene.scales.grows = False
        if together:
            scene.pictures(some, ("contact_force",), [scenes.Look()] * len(some))
        else:
            for solution in some:
                scene.transforms(solution, ("contact_force",))
        found.append(scene.scales.values)
    assert found[0] == found[1]
    assert found[0] != scenes.Scene(system, some[0]).scales.values


@pytest.mark.parametrize("example", EXAMPLES)
def test_what_is_said_of_a_picture_is_said_of_each(example: str) -> None:
    some = moments(example)
    solutions, looks = zip(*some, strict=True)
    scene = scenes.Scene(solutions[0].system, solutions[0])
    pictures = scene.pictures(solutions, ("articulated_inertia", "push", "contact_force"), looks)
    many, few = scene.hidden("articulated_inertia", pictures)
    cut = scene.cut_short(pictures)
    for at, picture in enumerate(pictures):
        assert scene.hidden("articulated_inertia", picture) == (many[at], few[at])
        assert scene.cut_short(picture) == {name: each[at] for name, each in cut.items()}
