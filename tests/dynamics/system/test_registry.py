"""What the registry says of an array is what the array is: its shape, where nothing is as many as something else."""

from math import prod

import numpy as np

import dynamics as dyn
from dynamics.system.registry import PASSED_ON, Quantity
from dynamics.textbook.symbols import SYMBOLS
from tests.dynamics.every import every
from tests.dynamics.scaled import Units
from tests.dynamics.systems import draw_forked, draw_object, draw_pose, draw_robot
from tests.dynamics.twins import arms_and_object, draw_arms, one_arm

Case = tuple[dyn.System, dyn.State]


def two_trees(floating: bool) -> Case:
    rng = np.random.default_rng(4)
    robots = [draw_forked(rng, 14), draw_forked(rng, 11)]
    poses = [draw_pose(rng), draw_pose(rng)]
    system = dyn.multi_arm(robots, poses, draw_object(rng), floating=floating)
    state = system.state(q=rng.normal(size=25), object_pose=draw_pose(rng))
    return dyn.grasp(system, state, ["rigid", "point", None, "soft_finger"]), state


def one_tree() -> Case:
    rng = np.random.default_rng(5)
    system = dyn.multi_arm([draw_forked(rng, 9)], [draw_pose(rng)], draw_object(rng))
    state = system.state(q=rng.normal(size=9), object_pose=draw_pose(rng))
    return dyn.grasp(system, state, ["rigid", "rigid"]), state


CASES = {
    "two trees": lambda: two_trees(False), "two trees that float": lambda: two_trees(True), "one tree": one_tree,
    "free flyer": lambda: dyn.example("free_flyer"), "indeterminate": lambda: dyn.example("two_planar_arms"),
}  # fmt: skip


def said(shape: str, sizes: dict[str, int]) -> tuple[int, ...]:
    """ "(6 tips, d)" in numbers."""
    parts = [part for part in shape.strip("()").split(",") if part.strip()]
    return tuple(prod(sizes[word] if word in sizes else int(word) for word in part.split()) for part in parts)


def sizes_of(solution: dyn.Solution) -> dict[str, int]:
    system = solution.system
    return {
        "links": system.n_links, "joints": system.n_joints, "arms": system.n_arms, "tips": system.n_tips,
        "contacts": len(system.contacts), "directions": sum(len(contact.selection) for contact in system.contacts),
        "d": 0 if solution.indeterminate is None else solution.indeterminate.shape[-1],
    }  # fmt: skip


@every(CASES)
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
    if system.is_held:  # what the text passes on within the contact stage is of contacts, not of tips
        read, letters = dyn.read_textbook(system, state), {symbol.quantity: key for key, symbol in SYMBOLS.items()}
        for (stage, quantity), about in PASSED_ON.items():
            if stage == "contact":
                array = read.letter(letters[quantity])
                assert array.size == prod(said(about.shape, sizes)), (quantity, array.shape)
    if name == "two trees":
        assert len({system.n_arms, system.n_tips, len(system.contacts)}) == 3


SI = {"kg": "mass", "m": "length", "s": "time", "N": "force", "rad": None, "1": None}
SCALE = Units(length=3.0, mass=5.0, time=7.0)


def size_of(unit: str) -> float:
    """What numbers in a unit such as "kg m^2", "1/(kg m)" or "rad/s^2" are multiplied by."""
    above, _, below = unit.partition("/")
    found = 1.0
    for part, sign in ((above, 1), (below.strip("()"), -1)):
        for word in part.split():
            name, _, power = word.partition("^")
            if SI[name]:
                found *= getattr(SCALE, SI[name]) ** (sign * int(power or 1))
    return found


def sizes(about: Quantity, system: dyn.System, shape: tuple[int, ...]) -> np.ndarray:
    """The same for each entry of an array, angular part first."""
    turns = np.array([joint.kind == "revolute" for joint in system.joint_models])
    if " (or " in about.unit:  # a row of six for a joint that turns, and another for one that slides
        rows = [np.repeat([size_of(x) for x in part.strip(")").split(";")], 3) for part in about.unit.split(" (or ")]
        return np.where(turns[:, None], *rows)
    if " or " in about.unit:
        angular, linear = (size_of(part) for part in about.unit.split(" or "))
        if len(shape) == 1 and shape[0] != system.n_joints:
            turns = np.tile(np.repeat([True, False], 3), len(system.contacts))  # directions of rigid contacts
        return np.where(turns, angular, linear)
    blocks = [[size_of(part) for part in row.split(",")] for row in about.unit.split(";")]
    if len(blocks[0]) == 1:
        return np.broadcast_to(np.repeat(np.ravel(blocks), 3), shape)
    block = np.kron(blocks, np.ones((3, 3)))
    return np.broadcast_to(block, shape) if len(shape) == 3 else np.tile(block, (shape[0] // 6, shape[1] // 6))


def in_motion(kind: str) -> tuple[dyn.System, dyn.State, np.ndarray]:
    rng = np.random.default_rng(3)
    if kind == "held":
        # The second arm cannot answer in all directions, so that no quantity is rounding alone.
        twin = arms_and_object(rng, draw_arms(rng, [7, 4]), ["rigid", "rigid"])
    else:
        twin = one_arm(rng, draw_robot(rng, 7, branching=0.4), floating=kind == "flyer")
    return twin.system, twin.state, twin.tau


@every(["tree", "flyer", "held"])
def test_every_unit_is_that_of_its_quantity(kind: str) -> None:
    """A machine of other lengths, masses and times: each array grows as its unit says, entry by entry."""
    system, state, tau = in_motion(kind)
    other, moved = SCALE.system(system, state)
    before = dyn.read_textbook(system, state, tau)
    after = dyn.read_textbook(other, moved, SCALE.of_torques(system) * tau)
    letters = {symbol.quantity: letter for letter, symbol in SYMBOLS.items()}
    seen = set()
    for (stage, name), about in {**dyn.registry, **PASSED_ON}.items():
        if stage not in before.solution.stages or name == "indeterminate_directions":
            continue
        shape = said(about.shape, sizes_of(before.solution))
        if (stage, name) in PASSED_ON:
            if letters.get(name) not in before.evaluation.letters:
                continue
            one, two = before.letter(letters[name]), after.letter(letters[name])
        elif name in before.solution.stages[stage]:
            one, two = (each.solution.stages[stage][name] for each in (before, after))
        else:
            continue
        unit = sizes(about, system, shape)
        one, two = (np.asarray(each).reshape(-1, *shape[1:])[: shape[0]] for each in (one, two))
        two = two / unit
        assert np.allclose(two, one, rtol=0.0, atol=1e-7 * np.abs(one).max(initial=1e-5)), (stage, name, about.unit)
        seen.add((stage, name))
    assert len(seen) > 12
