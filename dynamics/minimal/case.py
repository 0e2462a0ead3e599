"""A machine in a moment, as the numbers that it is made of."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from dynamics.beside.rerun import Moment
from dynamics.checks import Array
from dynamics.minimal.cut import without_links
from dynamics.robot.model import Link, Robot
from dynamics.robot.task_object import TaskObject
from dynamics.robot.validity import check_robot
from dynamics.system.assembly import free_flyer, multi_arm, single_arm
from dynamics.system.grasp import grasp
from dynamics.system.system import System

Grip = str | Array | None


@dataclass(frozen=True, eq=False)
class Case:
    """What a moment is made of; links and joints as the system numbers them.

    Attributes:
        robots: one an arm.
        floating: for each whether its root floats.
        base_poses: (arms, 4, 4), world <- root link, of those that float in this moment.
        base_velocities: (arms, 6); zero where the root is bolted.
        gravity: (3,).
        thing: the object, or None.
        grips: for each tip how it holds; empty where nobody does.
        object_pose: (4, 4) and
        object_velocity: (6,), of an object.
        q: (joints,),
        qd: (joints,) and
        tau: (joints,).
        pushes: (links, 6), and
        object_push: (6,), as external forces are given.
    """

    robots: tuple[Robot, ...]
    floating: tuple[bool, ...]
    base_poses: Array
    base_velocities: Array
    gravity: Array
    thing: TaskObject | None
    grips: tuple[Grip, ...]
    object_pose: Array
    object_velocity: Array
    q: Array
    qd: Array
    tau: Array
    pushes: Array
    object_push: Array

    @property
    def first(self) -> list[int]:
        """The number of each arm's first joint, and how many there are."""
        return np.cumsum([0, *(len(robot.links) for robot in self.robots)]).tolist()

    def place(self, k: int) -> tuple[int, int]:
        """Of a link that has a joint: its arm, and its number there."""
        arm = int(np.searchsorted(self.first, k, side="right")) - 1
        return arm, k - self.first[arm]

    def moment(self) -> Moment:
        """The system and its state.

        Raises:
            ModelError, StateError: where there can be no such machine.
        """
        for robot in self.robots:
            if robot.links:
                check_robot(robot)
        system = self._system()
        bases = [arm for arm, floats in enumerate(self.floating) if floats]
        alone = system.kind == "free_flyer"
        poses, velocities = self.base_poses[bases], self.base_velocities[bases]
        has = self.thing is not None
        state = system.state(
            self.q,
            self.qd,
            (poses[0] if alone else poses) if bases else None,
            (velocities[0] if alone else velocities) if bases else None,
            self.object_pose if has else None,
            self.object_velocity if has else None,
        )
        if self.grips:
            system = grasp(system, state, list(self.grips))
        return Moment(system, state, self.tau, np.vstack([self.pushes, self.object_push]))

    def _system(self) -> System:
        if len(self.robots) > 1 or self.thing is not None:
            return multi_arm(self.robots, self.base_poses, self.thing, self.gravity, self.floating)
        if self.floating[0]:
            return free_flyer(self.robots[0], self.gravity)
        return single_arm(self.robots[0], self.gravity, self.base_poses[0])

    def without_links(self, gone: Collection[int]) -> Case:
        """The case without some links that have joints; an arm of which none is left and that is bolted goes, too."""
        robots, grips, at = [], list[Grip](), 0
        for arm, robot in enumerate(self.robots):
            first = self.first[arm]
            cut = without_links(robot, {k - first for k in gone if first <= k < first + len(robot.links)})
            robots.append(cut.robot)
            grips += [self.grips[at + tip] for tip in cut.tips] if self.grips else []
            at += len(robot.tips)
        n = len(self.q)
        left = [k for k in range(n) if k not in gone]
        links = [*left, *range(n, len(self.pushes))]
        fewer = replace(
            self, robots=tuple(robots), grips=tuple(grips), pushes=self.pushes[links],
            q=self.q[left], qd=self.qd[left], tau=self.tau[left],
        )  # fmt: skip
        empty = [arm for arm, robot in enumerate(robots) if not robot.links and not self.floating[arm]]
        return fewer.without_arms(empty) if empty else fewer

    def without_arms(self, gone: Collection[int]) -> Case:
        """The case without some arms, their links and their grips."""
        left = [arm for arm in range(len(self.robots)) if arm not in gone]
        of_tip = [arm for arm, robot in enumerate(self.robots) for _ in robot.tips]
        joints = [k for k in range(len(self.q)) if self.place(k)[0] in left]
        bases = [arm for arm, floats in enumerate(self.floating) if floats]
        links = [*joints, *(len(self.q) + at for at, arm in enumerate(bases) if arm in left)]
        return replace(
            self,
            robots=tuple(self.robots[arm] for arm in left),
            floating=tuple(self.floating[arm] for arm in left),
            base_poses=self.base_poses[left],
            base_velocities=self.base_velocities[left],
            grips=tuple(grip for grip, arm in zip(self.grips, of_tip, strict=False) if arm in left),
            q=self.q[joints], qd=self.qd[joints], tau=self.tau[joints], pushes=self.pushes[links],
        )  # fmt: skip

    def bolted(self, arm: int) -> Case:
        """The case with an arm's root bolted where it is."""
        bases = [each for each, floats in enumerate(self.floating) if floats]
        floating = tuple(floats and each != arm for each, floats in enumerate(self.floating))
        still = self.base_velocities.copy()
        still[arm] = 0.0
        return replace(
            self,
            robots=tuple(map(_bare, self.robots, floating)),
            floating=floating,
            base_velocities=still,
            pushes=np.delete(self.pushes, len(self.q) + bases.index(arm), axis=0),
        )


def case_of(moment: Moment) -> Case:
    """What a moment is made of, without shapes, limits, homes, named frames and bolted roots, which move nothing."""
    system, state, tau, wrench = moment
    floating = list(system.floating)
    poses, velocities = np.array(system.base_poses), np.zeros((system.n_arms, 6))
    if state.base_pose is not None and state.base_velocity is not None:
        poses[floating] = state.base_pose.reshape(-1, 4, 4)
        velocities[floating] = state.base_velocity.reshape(-1, 6)
    grips = dict.fromkeys(range(system.n_tips)) if system.is_held else {}
    for contact in system.contacts:
        grips[contact.tip] = contact.selection if contact.kind == "selection" else contact.kind  # type: ignore[assignment]
    return Case(
        robots=tuple(map(_bare, system.robots, system.floating)),
        floating=system.floating,
        base_poses=poses,
        base_velocities=velocities,
        gravity=np.array(system.gravity),
        thing=system.task_object,
        grips=tuple(grips.values()),
        object_pose=np.eye(4) if state.object_pose is None else state.object_pose,
        object_velocity=np.zeros(6) if state.object_velocity is None else state.object_velocity,
        q=state.q,
        qd=state.qd,
        tau=tau,
        pushes=wrench[:-1],
        object_push=wrench[-1],
    )


def _bare(robot: Robot, floats: bool) -> Robot:
    links = tuple(replace(link, geometry=()) for link in robot.links)
    root = replace(robot.root, geometry=())
    if not floats:
        root = Link(root.name, 0.0, np.zeros(3), np.zeros((3, 3)))
    return replace(robot.without("limits"), links=links, root=root, frames={}, home={}, remarks=(), root_fault="")
