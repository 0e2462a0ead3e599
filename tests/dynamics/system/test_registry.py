"""What the registry says of an array is what the array is: its shape, where nothing is as many as something else."""

from __future__ import annotations

from math import prod

import numpy as np
import pytest

import dynamics as dyn
from dynamics.system.registry import PASSED_ON
from dynamics.textbook.symbols import SYMBOLS
from tests.dynamics.recursion.test_coupled_contacts import forked
from tests.dynamics.systems import draw_object, draw_pose, draw_robot

Case = tuple[dyn.System, dyn.State]


def branching(rng: np.random.Generator, joints: int) -> dyn.Robot:
    """A tree with two tips whose ways to the root share a link."""
    drawn = draw_robot(rng, joints, branching=0.25, fixed=0.0, mass_decades=1.0)
    while not forked(drawn):
        drawn = draw_robot(rng, joints, branching=0.25, fixed=0.0, mass_decades=1.0)
    return drawn.load(tip=forked(drawn))


def two_trees(floating: bool) -> Case:
    """Two arms, four tips, three contacts: one tree holds with both of its tips."""
    rng = np.random.default_rng(4)
    robots = [branching(rng, 14), branching(rng, 11)]
    poses = [draw_pose(rng), draw_pose(rng)]
    system = dyn.multi_arm(robots, poses, draw_object(rng), floating=floating)
    state = system.state(q=rng.normal(size=25), object_pose=draw_pose(rng))
    return dyn.grasp(system, state, ["rigid", "point", None, "soft_finger"]), state


def one_tree() -> Case:
    """One arm, two tips, two contacts."""
    rng = np.random.default_rng(5)
    system = dyn.multi_arm([branching(rng, 9)], [draw_pose(rng)], draw_object(rng))
    state = system.state(q=rng.normal(size=9), object_pose=draw_pose(rng))
    return dyn.grasp(system, state, ["rigid", "rigid"]), state


CASES = {
    "two trees": lambda: two_trees(False),
    "two trees that float": lambda: two_trees(True),
    "one tree": one_tree,
    "free flyer": lambda: dyn.example("free_flyer"),
    "indeterminate": lambda: dyn.example("two_planar_arms"),
}


def said(shape: str, sizes: dict[str, int]) -> tuple[int, ...]:
    """ "(6 tips, d)" in numbers."""
    parts = [part for part in shape.strip("()").split(",") if part.strip()]
    return tuple(prod(sizes[word] if word in sizes else int(word) for word in part.split()) for part in parts)


def sizes_of(solution: dyn.Solution) -> dict[str, int]:
    system = solution.system
    return {
        "links": system.n_links,
        "joints": system.n_joints,
        "arms": system.n_arms,
        "tips": system.n_tips,
        "contacts": len(system.contacts),
        "directions": sum(len(contact.selection) for contact in system.contacts),
        "d": 0 if solution.indeterminate is None else solution.indeterminate.shape[-1],
    }


@pytest.mark.parametrize("name", CASES)
def test_every_array_has_the_shape_that_the_registry_says(name: str) -> None:
    system, state = CASES[name]()
    seen = set()
    for solution in (dyn.forward_dynamics(system, state), dyn.read_textbook(system, state).solution):
        sizes = sizes_of(solution)
        for stage, arrays in solution.stages.items():
            for quantity, array in arrays.items():
                assert array.shape == said(dyn.registry[stage, quantity].shape, sizes), (stage, quantity)
                seen.add((stage, quantity))
    assert len(seen) > 20
    if name == "two trees":
        assert len({system.n_arms, system.n_tips, len(system.contacts)}) == 3


@pytest.mark.parametrize("name", [name for name in CASES if name != "free flyer"])
def test_letters_of_the_contact_stage_have_a_row_for_each_contact(name: str) -> None:
    """What the text passes on within the stage is of contacts, not of tips; column by column."""
    system, state = CASES[name]()
    read = dyn.read_textbook(system, state)
    letters = {symbol.quantity: letter for letter, symbol in SYMBOLS.items()}
    passed = {quantity: about for (stage, quantity), about in PASSED_ON.items() if stage == "contact"}
    assert len(passed) > 5
    for quantity, about in passed.items():
        array = read.letter(letters[quantity])
        assert array.size == prod(said(about.shape, sizes_of(read.solution))), (quantity, array.shape)
