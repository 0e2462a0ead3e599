"""One machine twice: as a system of ``dynamics`` and as a Pinocchio world, in the same state under the same torques."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from tests.dynamics.pinocchio_world import Answer, Grip, PinocchioWorld
from tests.dynamics.systems import GRAVITY, DrawnRobot, draw_joint_values, draw_object, draw_pose, draw_robot

Array = NDArray[np.float64]
RIGID, POINT = np.eye(6), np.eye(6)[3:]


@dataclass(frozen=True)
class Twin:
    system: dyn.System
    state: dyn.State
    tau: Array
    world: PinocchioWorld
    x: Array
    v: Array
    torque: Array
    grips: tuple[Grip, ...] = ()

    def expected(self) -> Answer:
        if self.grips:
            return self.world.held_motion(self.x, self.v, self.torque, self.grips)
        return self.world.free_motion(self.x, self.v, self.torque)

    def require(self, found: dyn.Solution, share: float = 1e-9, expected: Answer | None = None) -> None:
        """That a solution moves as Pinocchio has it, to a share of the largest acceleration of each kind."""
        expected = self.expected() if expected is None else expected
        pairs = [
            (found.joint_acceleration, joint_vector(self.system, expected.joint_acceleration)),
            (found.base_acceleration, expected.base_acceleration),
            (found.object_acceleration, expected.object_acceleration),
        ]
        if found.system.is_held and not expected.force_rank_deficiency:
            pairs.append((found.contact_force, expected.contact_force))
        for own, theirs in pairs:
            assert (own is None) == (theirs is None)
            if own is not None and theirs is not None:
                np.testing.assert_allclose(own, theirs, rtol=0.0, atol=share * np.abs(theirs).max())


def joint_vector(system: dyn.System, values: dict[str, float]) -> Array:
    single = len(system.robots) == 1
    return system.to_joint_vector({name.partition("/")[2] if single else name: x for name, x in values.items()})


def one_arm(
    rng: np.random.Generator, drawn: DrawnRobot, *, floating: bool = False, speed: float = 2.0, torque: float = 20.0
) -> Twin:
    robot = drawn.load()
    base = draw_pose(rng)
    q, qd, tau = (draw_joint_values(rng, arm_names([drawn]), size) for size in (3.0, speed, torque))
    if floating:
        system = dyn.free_flyer(robot, gravity=GRAVITY)
        world = PinocchioWorld([drawn], floating=True, gravity=GRAVITY)
        twist = rng.normal(size=6)
        state = system.state(joint_vector(system, q), joint_vector(system, qd), base_pose=base, base_velocity=twist)
        x, v = world.configuration(q, base_pose=base), world.velocity(qd, base_pose=base, base_velocity=twist)
    else:
        system = dyn.single_arm(robot, gravity=GRAVITY, base_pose=base)
        world = PinocchioWorld([drawn], [base], gravity=GRAVITY)
        state = system.state(q=joint_vector(system, q), qd=joint_vector(system, qd))
        x, v = world.configuration(q), world.velocity(qd)
    return Twin(system, state, joint_vector(system, tau), world, x, v, world.torque(tau))


def arm_names(arms: Sequence[DrawnRobot]) -> list[str]:
    return [f"{number}/{name}" for number, arm in enumerate(arms, 1) for name in arm.moving]


def arms_and_object(
    rng: np.random.Generator, arms: Sequence[DrawnRobot], contacts: Sequence[str], *, held: bool = True
) -> Twin:
    """Arms with an object at a random place in space, gripped where their tips happen to be."""
    bases, task_object, object_pose = [draw_pose(rng) for _ in arms], draw_object(rng), draw_pose(rng)
    system = dyn.multi_arm([arm.load(tip=arm.leaf) for arm in arms], bases, task_object, GRAVITY)
    world = PinocchioWorld(arms, bases, task_object=task_object, gravity=GRAVITY)
    q, tau = (draw_joint_values(rng, arm_names(arms), size) for size in (3.0, 20.0))
    x = world.configuration(q, object_pose=object_pose)
    grips: tuple[Grip, ...] = ()
    if held:
        system = dyn.grasp(system, system.state(q=joint_vector(system, q), object_pose=object_pose), contacts)
        grips = tuple(
            Grip(arm, {"rigid": RIGID, "point": POINT}[kind], np.linalg.solve(
                 world.tip_pose(x, arm + 1, drawn.leaf), object_pose @ held.object_pose), held.object_pose)
            for arm, (drawn, kind, held) in enumerate(zip(arms, contacts, system.contacts, strict=True))
        )  # fmt: skip
    v = admissible_velocity(rng, world, x, grips)
    qd = {name: float(v[world.column(name)]) for name in arm_names(arms)}
    state = system.state(
        q=joint_vector(system, q), qd=joint_vector(system, qd), object_pose=object_pose,
        object_velocity=world.twist(x, v, "object"),
    )  # fmt: skip
    return Twin(system, state, joint_vector(system, tau), world, x, v, world.torque(tau), grips)


def admissible_velocity(rng: np.random.Generator, world: PinocchioWorld, x: Array, grips: Sequence[Grip]) -> Array:
    """A random velocity in the null space of the contacts."""
    v = rng.normal(size=world.model.nv)
    if not grips:
        return v
    jacobian, _ = world.constraint(x, np.zeros(world.model.nv), grips)
    _, s, right = np.linalg.svd(jacobian)
    null = right[int(np.sum(s > 1e-9 * s[0])) :]
    return null.T @ (null @ v)


def draw_arms(rng: np.random.Generator, sizes: Sequence[int]) -> list[DrawnRobot]:
    return [draw_robot(rng, size, fixed=0.2, mass_decades=1.0) for size in sizes]
