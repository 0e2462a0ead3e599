"""The same machine in other units: every length, mass and time multiplied, and what becomes of its numbers."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from dynamics.robot.model import Geometry, Joint, Link

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Units:
    """What lengths, masses and times are multiplied by."""

    length: float = 1.0
    mass: float = 1.0
    time: float = 1.0

    @property
    def force(self) -> float:
        return self.mass * self.length / self.time**2

    @property
    def inertia(self) -> float:
        return self.mass * self.length**2

    @property
    def wrench(self) -> Array:
        """[moment; force]."""
        return np.repeat([self.force * self.length, self.force], 3)

    @property
    def twist(self) -> Array:
        """[angular; linear], per unit of time."""
        return np.repeat([1.0, self.length], 3)

    def pose(self, pose: Array) -> Array:
        moved = np.array(pose)
        moved[..., :3, 3] *= self.length
        return moved

    def geometry(self, shape: Geometry) -> Geometry:
        return replace(shape, size=tuple(self.length * edge for edge in shape.size), pose=self.pose(shape.pose))

    def link(self, link: Link) -> Link:
        return replace(
            link, mass=self.mass * link.mass, center_of_mass=self.length * link.center_of_mass,
            inertia=self.inertia * link.inertia, geometry=tuple(self.geometry(shape) for shape in link.geometry),
        )  # fmt: skip

    def joint(self, joint: Joint) -> Joint:
        place = self.length if joint.kind == "prismatic" else 1.0
        force = self.force * self.length / place
        return replace(
            joint, origin=self.pose(joint.origin), lower=place * joint.lower, upper=place * joint.upper,
            velocity=place / self.time * joint.velocity, effort=force * joint.effort,
            damping=force * self.time / place * joint.damping,
            friction=(force * joint.friction[0], force * joint.friction[1]),
            rotor_inertia=self.inertia / place**2 * joint.rotor_inertia,
        )  # fmt: skip

    def robot(self, robot: dyn.Robot) -> dyn.Robot:
        return replace(
            robot, links=tuple(self.link(link) for link in robot.links),
            joints=tuple(self.joint(joint) for joint in robot.joints), root=self.link(robot.root),
            tips=tuple(replace(tip, pose=self.pose(tip.pose)) for tip in robot.tips),
        )  # fmt: skip

    def system(self, system: dyn.System, state: dyn.State) -> tuple[dyn.System, dyn.State]:
        """The system and its state; what it holds it holds with the same contacts."""
        robots = [self.robot(robot) for robot in system.robots]
        gravity = self.length / self.time**2 * system.gravity
        if system.kind == "free_flyer":
            made = dyn.free_flyer(robots[0], gravity)
        elif system.kind == "single_arm":
            made = dyn.single_arm(robots[0], gravity, self.pose(system.base_poses[0]))
        else:
            held = system.task_object
            payload = None if held is None else dyn.TaskObject(
                self.mass * held.mass, self.inertia * held.inertia, tuple(self.geometry(g) for g in held.geometry)
            )  # fmt: skip
            bases = [self.pose(pose) for pose in system.base_poses]
            made = dyn.multi_arm(robots, bases, payload, gravity, list(system.floating))
        places = self.of_joints(system)
        rates = self.twist / self.time
        moved = made.state(
            q=places * state.q,
            qd=places / self.time * state.qd,
            base_pose=None if state.base_pose is None else self.pose(state.base_pose),
            base_velocity=None if state.base_velocity is None else rates * state.base_velocity,
            object_pose=None if state.object_pose is None else self.pose(state.object_pose),
            object_velocity=None if state.object_velocity is None else rates * state.object_velocity,
        )
        if system.is_held:
            kinds: list[object] = [None] * system.n_tips
            for contact in system.contacts:
                kinds[contact.tip] = contact.kind if contact.kind != "selection" else contact.selection
            made = dyn.grasp(made, moved, kinds)
        return made, moved

    def of_joints(self, system: dyn.System) -> Array:
        return np.array([self.length if joint.kind == "prismatic" else 1.0 for joint in system.joint_models])

    def of_torques(self, system: dyn.System) -> Array:
        return self.force * self.length / self.of_joints(system)

    def of_velocities(self, system: dyn.System) -> Array:
        """Of packed velocity coordinates but for the time."""
        bodies = system.n_bases + (system.task_object is not None)
        return np.concatenate([self.of_joints(system), np.tile(self.twist, bodies)])
