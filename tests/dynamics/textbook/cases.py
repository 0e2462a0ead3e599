"""Systems of every kind, moving under gravity, torques and external forces: each term is at work in some of them."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from dynamics.reading import Reading
from tests.dynamics.systems import draw_group_of_tips, draw_object, draw_pose, draw_robot
from tests.dynamics.twins import arms_and_object, draw_arms, one_arm

Array = NDArray[np.float64]
HALVES = (0, 1)
NAMES = (
    "one link", "chain", "tree", "free flyer", "losses", "free flyer with losses", "held", "beside", "coupled contacts",
    "floating group", "at rest, rigid", "at rest, soft_finger", "indeterminate",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Case:
    name: str
    system: dyn.System
    state: dyn.State
    tau: Array
    wrench: Array

    def read(self, breaks: Iterable[str] = ()) -> Reading:
        return dyn.read_textbook(self.system, self.state, self.tau, self.wrench, breaks)

    def solve(self) -> dyn.Solution:
        return dyn.forward_dynamics(self.system, self.state, self.tau, external_forces=self.wrench)


def places(system: dyn.System) -> list[tuple[str, int, int]]:
    """Every half-step: stage, link, half; a base that floats has one."""
    found = []
    for stage in dyn.read_textbook(system, system.home()).solution.stages:
        held = sorted({contact.link for contact in system.contacts})
        for k in held if stage == "contact" else range(system.n_links):
            halves = HALVES if k < system.n_joints or stage == "contact" else (0,)
            found += [(stage, k, half) for half in halves]
    return found


def with_losses(robot: dyn.Robot, rng: np.random.Generator) -> dyn.Robot:
    joints = []
    for joint in robot.joints:
        damping, *friction, rotor = (float(rng.uniform(*ends)) for ends in ((0.1, 1.0),) * 3 + ((0.01, 0.1),))
        joints.append(replace(joint, damping=damping, friction=tuple(friction), rotor_inertia=rotor))
    return replace(robot, joints=tuple(joints))


@lru_cache(maxsize=8)
def draw_cases(seed: int) -> tuple[Case, ...]:
    """One of each kind, named as in ``NAMES``; tests take them by name, so that only who runs them draws them."""
    rng = np.random.default_rng(seed)
    found: list[tuple[str, dyn.System, dyn.State]] = []
    for name, size, branching, floating in (
        ("one link", 1, 0.0, False), ("chain", 7, 0.0, False), ("tree", 8, 0.4, False), ("free flyer", 6, 0.7, True),
    ):  # fmt: skip
        twin = one_arm(rng, draw_robot(rng, size, branching=branching), floating=floating)
        found.append((name, twin.system, twin.state))
    rubbing = dyn.single_arm(with_losses(draw_robot(rng, 6).load(), rng), gravity=(0.0, 1.0, -9.0))
    found.append(("losses", rubbing, rubbing.state(q=rng.normal(size=6), qd=rng.normal(size=6))))
    flying = dyn.free_flyer(with_losses(draw_robot(rng, 5).load(), rng), gravity=(1.0, 0.0, -2.0))
    moving = flying.state(q=rng.normal(size=5), qd=rng.normal(size=5), base_velocity=rng.normal(size=6))
    found.append(("free flyer with losses", flying, moving))
    for name, contacts, held in (("held", ["rigid", "point"], True), ("beside", ["rigid", "rigid"], False)):
        twin = arms_and_object(rng, draw_arms(rng, [7, 6]), contacts, held=held)
        found.append((name, twin.system, twin.state))
    found.append(("coupled contacts", *draw_group_of_tips(rng, False)))
    found.append(("floating group", *draw_group_of_tips(rng, True)))
    off_joint = dyn.multi_arm(
        [draw_robot(rng, 7, fixed=0.0).load() for _ in range(2)], [draw_pose(rng), draw_pose(rng)], draw_object(rng)
    )
    start = off_joint.state(q=rng.normal(size=14), object_pose=draw_pose(rng))
    for kinds in (["rigid", "rigid"], ["soft_finger", "rigid"]):
        found.append((f"at rest, {kinds[0]}", dyn.grasp(off_joint, start, kinds), start))
    drawn = [Case(n, s, x, 5.0 * rng.normal(size=s.n_joints), forces(rng, s)) for n, s, x in found]
    cases = (*drawn, in_the_plane(rng))
    assert tuple(case.name for case in cases) == NAMES
    return cases


def case_named(name: str, seed: int) -> Case:
    return draw_cases(seed)[NAMES.index(name)]


def in_the_plane(rng: np.random.Generator) -> Case:
    """Two planar arms that hold rigidly: no motion reveals what they press across the plane."""
    system, state = dyn.example("two_planar_arms")
    return Case("indeterminate", system, state, rng.normal(size=system.n_joints), np.zeros((system.n_links + 1, 6)))


def forces(rng: np.random.Generator, system: dyn.System) -> Array:
    wrench = rng.normal(size=(system.n_links + 1, 6))
    if system.task_object is None:
        wrench[-1] = 0.0
    return wrench
