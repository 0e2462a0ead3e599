"""A system: arms, the object and how they hold it, gravity. Immutable, with the same attributes for every kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dynamics.checks import Array, brief, is_index, numbers, pose
from dynamics.errors import ModelError, StateError
from dynamics.record import Record, frozen, in_a_line, short
from dynamics.robot.model import Joint, Link, Loop, Robot
from dynamics.robot.task_object import TaskObject
from dynamics.system.couplings import Couplings, couplings_of
from dynamics.system.joint_vectors import JointValues, Order, joint_vector, require_followed
from dynamics.system.state import State, pose_coordinates, pose_of
from dynamics.system.tables import Tables

Kind = Literal["single_arm", "multi_arm", "free_flyer"]
BODIES = "base_pose", "base_velocity", "object_pose", "object_velocity"
"""The parts of a state that not every system has."""


@dataclass(frozen=True, eq=False)
class Tip(Record):
    """A tool point O_0.

    Attributes:
        arm: index of its arm.
        link: index of the link that it is fixed to.
        pose: (4, 4), link <- tip.
    """

    arm: int
    link: int
    pose: Array


@dataclass(frozen=True, eq=False)
class Contact(Record):
    """A grasp of the object by one arm.

    Attributes:
        tip: index of the tool point that holds.
        arm: index of its arm.
        link: index of its link.
        kind: ``rigid``, ``point``, ``soft_finger`` or ``selection``.
        selection: (l, 6), the transmitted directions in the contact frame, [moment; force].
        tip_pose: link <- contact frame, at the moment of the grasp.
        object_pose: object <- contact frame; its z axis is the object's outward normal.
        holonomic: (l,), whether each direction can be closed in position, not only in velocity.
    """

    tip: int
    arm: int
    link: int
    kind: str
    selection: Array
    tip_pose: Array
    object_pose: Array
    holonomic: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class System(Record):
    """A machine. Created by ``single_arm``, ``free_flyer``, ``multi_arm``, ``grasp`` and ``release``.

    Links are numbered from the tip to the base, arm after arm; floating bases come last. Joint k is the inner
    joint of link k. Joint vectors follow the same order.

    Attributes:
        kind: ``single_arm``, ``multi_arm`` or ``free_flyer``.
        robots: one per arm, as they were loaded.
        floating: for each arm whether its root link floats.
        base_poses: (arms, 4, 4), world <- root link; for a floating one the default pose of a state.
        gravity: (3,), m/s^2, inertial axes.
        task_object: the object that the arms may hold, or None.
        contacts: how the object is held; empty if it is not.
        tips: the tool points, arm after arm; an arm that branches has several.
        loops: the closed loops within arms; a frame's link is -1 for the world.
        joint_names: in the order of joint vectors; ``"1/elbow"`` with several arms.
        link_names: in the same form, floating root links last.
        link_models: mass, mass centre and inertia of each link, in its own axes.
        joint_models: the inner joint of each link that has one.
        inboard: (links,), the inboard neighbor of each link, -1 for the world.
        arm_of_link: (links,).
        tables: the same system as arrays, for compiled code.
    """

    kind: Kind
    robots: tuple[Robot, ...]
    floating: tuple[bool, ...]
    base_poses: Array
    gravity: Array
    task_object: TaskObject | None
    contacts: tuple[Contact, ...]
    tips: tuple[Tip, ...]
    loops: tuple[Loop, ...]
    joint_names: tuple[str, ...]
    link_names: tuple[str, ...]
    link_models: tuple[Link, ...]
    joint_models: tuple[Joint, ...]
    inboard: NDArray[np.int64]
    arm_of_link: NDArray[np.int64]
    tables: Tables = field(repr=False)

    def __repr__(self) -> str:
        parts = [self.kind, " and ".join(short(robot.name) for robot in self.robots[:3]), f"{self.n_joints} joints"]
        held = ["holds an object" if self.is_held else "beside an object"] * (self.task_object is not None)
        return in_a_line("System", [*parts, *held, f"gravity={short(self.gravity)}"])

    @property
    def n_joints(self) -> int:
        """Number of moving joints."""
        return len(self.joint_names)

    @property
    def n_links(self) -> int:
        """Number of moving links, floating root links included."""
        return len(self.link_names)

    @property
    def n_arms(self) -> int:
        """Number of robots."""
        return len(self.robots)

    @property
    def n_tips(self) -> int:
        """Number of tool points; an arm that branches has several."""
        return len(self.tips)

    @property
    def n_bases(self) -> int:
        """Number of floating root links."""
        return sum(self.floating)

    @property
    def is_floating(self) -> bool:
        """Whether some root link floats."""
        return self.n_bases > 0

    @property
    def is_held(self) -> bool:
        """Whether some tip holds the object."""
        return bool(self.contacts)

    @property
    def is_closed(self) -> bool:
        """Whether contacts or loops close chains, so that not every posture is feasible: see ``project``."""
        return self.is_held or bool(self.loops)

    @cached_property
    def couplings(self) -> Couplings:
        """Which joints follow others, and how, and the closed loops."""
        return couplings_of(self.tables, self.n_joints, tuple(loop.name for loop in self.loops))

    @property
    def n_configuration(self) -> int:
        """The length of a packed configuration: joints, 7 for each floating base, 7 for an object."""
        return self.n_joints + 7 * self.n_bases + 7 * (self.task_object is not None)

    @property
    def n_velocity(self) -> int:
        """The length of a packed velocity: joints, 6 for each floating base, 6 for an object."""
        return self.n_joints + 6 * self.n_bases + 6 * (self.task_object is not None)

    @cached_property
    def base_order(self) -> NDArray[np.intp]:
        """(joints,), the index of each joint if arrays run from base to tip instead, arm after arm: reversed
        within each arm, so that a joint comes after those inboard of it."""
        arms = self.arm_of_link[: self.n_joints]
        return frozen(np.lexsort((-np.arange(self.n_joints), arms)))

    def to_joint_vector(self, values: JointValues, order: Order = "tip") -> Array:
        """A joint vector from ``{joint name: value}``, or from an array in the other order.

        Args:
            values: rad or m (or any other joint quantity) by joint name, others zero; or (joints,).
            order: of an array: ``base`` reverses one that runs from base to tip, arm after arm; or all joints'
                names, in its order.

        Returns:
            (joints,), tip to base, arm after arm.

        Raises:
            StateError: for a name that no joint has, a wrong length, or a number that is not finite.

        Example:
            >>> system = dyn.single_arm(dyn.load("panda"))
            >>> system.to_joint_vector({"joint_1": 0.5})  # the base's joint comes last
            array([0. , 0. , 0. , 0. , 0. , 0. , 0.5])

        Cost: linear in the joints.
        """
        return joint_vector(self, values, "values", order)

    def from_joint_vector(self, vector: ArrayLike, order: Order = "tip") -> dict[str, float]:
        """``{joint name: value}`` of a joint vector.

        Args:
            vector: (joints,), tip to base, arm after arm.
            order: ``base`` if it runs from base to tip.

        Returns:
            The numbers in their original unit, by joint name.

        Raises:
            StateError: for a wrong length, or a number that is not finite.

        Example:
            >>> system = dyn.single_arm(dyn.planar_chain(2))
            >>> system.from_joint_vector([0.1, 0.2])
            {'joint_1': 0.1, 'joint_2': 0.2}

        Cost: linear in the joints.
        """
        return dict(zip(self.joint_names, joint_vector(self, vector, "vector", order).tolist(), strict=True))

    def state(
        self,
        q: JointValues | None = None,
        qd: JointValues | None = None,
        base_pose: ArrayLike | None = None,
        base_velocity: ArrayLike | None = None,
        object_pose: ArrayLike | None = None,
        object_velocity: ArrayLike | None = None,
        order: Order = "tip",
    ) -> State:
        """A state of this system; everything left out is zero or neutral.

        Args:
            q: (joints,) displacements, rad or m, tip to base, arm after arm; or ``{joint name: value}``. The
                displacement of a joint that follows another is determined by that one; an array's value is ignored.
            qd: (joints,) their rates, or by name.
            base_pose: (4, 4), world <- root link of a free flyer; (bases, 4, 4) in a system of several arms.
            base_velocity: (6,), or (bases, 6), [angular; linear of the root link's origin], inertial axes.
            object_pose: (4, 4), world <- object, whose origin is its mass centre.
            object_velocity: (6,), [angular; linear of the mass centre], inertial axes.
            order: ``base`` if the arrays q and qd run from base to tip; or the joints' names in their order.

        Returns:
            The state, its rotations normalized, its arrays write-protected.

        Raises:
            StateError: for a wrong length, an unknown joint, a number that is not finite, or an invalid pose.

        Example:
            >>> system = dyn.single_arm(dyn.load("panda"))
            >>> q = system.to_joint_vector({"joint_4": -2.0})
            >>> system.state(q=q).q
            array([ 0.,  0.,  0., -2.,  0.,  0.,  0.])

        Cost: some 10 us, and 0.1 ms for each given pose.
        """
        floats, has_object, couplings = self.is_floating, self.task_object is not None, self.couplings
        given = {"base_pose": base_pose, "base_velocity": base_velocity}
        given |= {"object_pose": object_pose, "object_velocity": object_velocity}
        for name, value in given.items():
            body, there = ("floating base", floats) if name.startswith("base") else ("task object", has_object)
            if value is not None and not there:
                raise StateError(f"{name} was given, but this system has no {body}.")
        lies, rates = np.eye(4) if object_pose is None else object_pose, self._shapes.get("base_velocity", ())
        return State(
            q=self._led(q, "q", couplings.followed, order),
            qd=self._led(qd, "qd", couplings.rates, order),
            base_pose=self._base_pose(base_pose) if floats else None,
            base_velocity=_zero_unless_given(base_velocity, rates, "base_velocity") if floats else None,
            object_pose=pose(lies, "object_pose") if has_object else None,
            object_velocity=_zero_unless_given(object_velocity, (6,), "object_velocity") if has_object else None,
        )

    def _led(self, value: JointValues | None, name: str, lead: Callable[[Array], Array], order: Order) -> Array:
        given = joint_vector(self, value, name, order)
        found = lead(given)
        require_followed(self, value, given, found, name)
        return found

    def _base_pose(self, given: ArrayLike | None) -> Array:
        placed = self.base_poses[list(self.floating)]
        if self.kind == "free_flyer":
            return pose(placed[0] if given is None else given, "base_pose")
        values = numbers(placed if given is None else given, placed.shape, "base_pose")
        return np.array([pose(value, f"base_pose[{i}]") for i, value in enumerate(values)])

    def home(self) -> State:
        """The posture that each robot's file calls home, at rest.

        Returns:
            A state; joints that the files do not mention are at zero.

        Raises:
            StateError: if a home names a joint that this system does not have.

        Cost: linear in the joints.
        """
        prefix = [f"{arm + 1}/" if self.n_arms > 1 else "" for arm in range(self.n_arms)]
        values = {
            prefix[arm] + name: value for arm, robot in enumerate(self.robots) for name, value in robot.home.items()
        }
        return self.state(q=self.to_joint_vector(values))  # an array, because a file may misplace a follower

    def path_inward(self, k: int) -> tuple[int, ...]:
        """Link k and its inboard neighbors in order, up to the world.

        Args:
            k: index of a link; -1, the world, has no path.

        Returns:
            Indices of links, k first.

        Raises:
            StateError: if ``k`` is not the index of a link.

        Cost: linear in the path.
        """
        path, last = [], self.n_links - 1
        if not is_index(k, last + 1, least=-1):
            raise StateError(f"k is {brief(k)}; expected the index of a link, 0 to {last}, or -1 for the world.")
        while k >= 0:
            path.append(k)
            k = int(self.inboard[k])
        return tuple(path)

    def require_own(self, state: State) -> None:
        """Refuse a state of another system.

        Args:
            state: any.

        Raises:
            StateError: if it has other joints, or a base or an object that this system does not have, or lacks one.

        Cost: none.
        """
        if not isinstance(state, State):
            raise StateError(f"{brief(state)} is not a state; make one with system.state(...).")
        shapes = self._shapes
        if vars(state).get("_fits") is shapes:  # checked before: neither changes
            return
        for name, shape in shapes.items():
            value = getattr(state, name)
            if value is None and name in BODIES:
                continue
            plain = isinstance(value, np.ndarray) and not isinstance(value, np.ma.MaskedArray)
            if not (plain and value.dtype == np.float64 and value.shape == shape):
                raise StateError(
                    f"{name}: expected shape {shape}, got {brief(value)}; is it a state of another system?"
                )
        if any((getattr(state, name) is None) == (name in shapes) for name in BODIES):
            raise StateError("this state belongs to another system: make it with system.state(...).")
        vars(state)["_fits"] = shapes

    @cached_property
    def _shapes(self) -> dict[str, tuple[int, ...]]:
        """Shapes of the arrays of a state."""
        bases = () if self.kind == "free_flyer" else (self.n_bases,)
        of_bases = {"base_pose": (*bases, 4, 4), "base_velocity": (*bases, 6)} if self.is_floating else {}
        of_object = {"object_pose": (4, 4), "object_velocity": (6,)} if self.task_object is not None else {}
        return {"q": (self.n_joints,), "qd": (self.n_joints,)} | of_bases | of_object

    def pack(self, state: State) -> tuple[Array, Array]:
        """Configuration and velocity as two vectors: joints, then bases, then object.

        Args:
            state: of this system.

        Returns:
            x, (configuration,), in rad and m, a pose being its position and unit quaternion (w, x, y, z); and
            v, (velocity,), [angular; linear] in inertial axes for floating bodies.

        Raises:
            StateError: for a state of another system.

        Cost: a few microseconds.
        """
        self.require_own(state)
        x, v = [state.q], [state.qd]
        if state.base_pose is not None and state.base_velocity is not None:
            x += [pose_coordinates(matrix) for matrix in state.base_pose.reshape(-1, 4, 4)]
            v.append(state.base_velocity.ravel())
        if state.object_pose is not None and state.object_velocity is not None:
            x.append(pose_coordinates(state.object_pose))
            v.append(state.object_velocity)
        return np.concatenate(x), np.concatenate(v)

    def unpack(self, x: ArrayLike, v: ArrayLike) -> State:
        """The state of a packed configuration and velocity.

        Args:
            x: (configuration,) as from ``pack``, rad, m and quaternions of any nonzero length.
            v: (velocity,), rad/s and m/s, inertial axes.

        Returns:
            The state that ``pack`` would convert to these.

        Raises:
            StateError: for wrong lengths, numbers that are not finite, or a quaternion of length zero.

        Cost: a few microseconds.
        """
        x = frozen(numbers(x, (self.n_configuration,), "x"))
        v = frozen(numbers(v, (self.n_velocity,), "v"))
        n, bases, shapes = self.n_joints, self.n_bases, self._shapes
        poses: dict[str, Array] = {}
        if bases:
            several = np.array([pose_of(x[n + 7 * i : n + 7 * i + 7], "base") for i in range(bases)])
            poses["base_pose"] = several.reshape(shapes["base_pose"])
            poses["base_velocity"] = v[n : n + 6 * bases].reshape(shapes["base_velocity"])
        if self.task_object is not None:
            poses |= {"object_pose": pose_of(x[-7:], "object"), "object_velocity": v[-6:]}
        # Finite, and rotated by unit quaternions: ``state`` would have nothing left to check.
        return State(q=x[:n], qd=v[:n], **poses)


def _zero_unless_given(value: ArrayLike | None, shape: tuple[int, ...], name: str) -> Array:
    return numbers(np.zeros(shape) if value is None else value, shape, name)


def raise_failure(system: System, joint: int) -> NoReturn:
    """Raises an error that names the joint that moves no inertia."""
    raise ModelError(
        f"joint {brief(system.joint_names[joint])} moves no inertia here (D = H P H' is not positive), so its "
        "acceleration is not defined; give the links it carries mass, or fix the joint."
    )
