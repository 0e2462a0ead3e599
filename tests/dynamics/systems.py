"""Random robots as URDF text, so that any library can read the very same machine."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import dynamics as dyn
from dynamics.robot import with_loop

Array = NDArray[np.float64]
KINDS = ("revolute", "continuous", "prismatic")
GRAVITY = (0.3, -0.7, -9.81)  # nothing aligned with an axis


@dataclass(frozen=True)
class DrawnJoint:
    """A joint of the file, fixed ones too: ``parent`` and ``child`` are link numbers, 0 the root's."""

    kind: str
    parent: int
    child: int
    xyz: Array
    rpy: Array
    axis: Array


@dataclass(frozen=True)
class DrawnLink:
    mass: float  # 0: a frame without an inertial element
    center: Array
    rpy: Array
    inertia: Array


@dataclass(frozen=True)
class DrawnRobot:
    """One random tree; ``urdf(prefix)`` writes it with every name prefixed."""

    links: tuple[DrawnLink, ...]
    joints: tuple[DrawnJoint, ...]

    @property
    def moving(self) -> tuple[str, ...]:
        return tuple(f"j{joint.child}" for joint in self.joints if joint.kind != "fixed")

    @property
    def leaf(self) -> str:
        return f"l{len(self.links) - 1}"

    def elements(self, prefix: str = "") -> str:
        text = [_link(f"{prefix}l{number}", link) for number, link in enumerate(self.links)]
        return "\n".join(text + [_joint(prefix, joint) for joint in self.joints])

    def urdf(self) -> str:
        return f'<?xml version="1.0"?>\n<robot name="drawn">\n{self.elements()}\n</robot>\n'

    def load(self, tip: str | list[str] | None = None) -> dyn.Robot:
        return loaded(self.urdf(), tuple(tip) if isinstance(tip, list) else tip)


@lru_cache(maxsize=500)
def loaded(text: str, tip: str | tuple[str, ...] | None) -> dyn.Robot:
    """The robot of a file; it is immutable, so the same text gives the same object."""
    return dyn.load_urdf_text(text, "drawn", tip=list(tip) if isinstance(tip, tuple) else tip)


def draw_robot(
    rng: np.random.Generator, n_joints: int, *, branching: float = 0.0, fixed: float = 0.25,
    kinds: Sequence[str] = KINDS, mass_decades: float = 2.0, reach: float = 0.4,
) -> DrawnRobot:  # fmt: skip
    """A random chain, or a tree where ``branching`` > 0, of ``n_joints`` moving joints.

    ``fixed`` is the chance of a fixed joint, with a body or without one, before and after each moving joint.
    Masses spread evenly over ``mass_decades`` decades; inertias are those of real mass distributions.
    """
    links = [_draw_link(rng, mass_decades, reach)]
    joints: list[DrawnJoint] = []

    def attach(parent: int, kind: str) -> int:
        child = len(links)
        massless = kind == "fixed" and rng.random() < 0.5
        links.append(DrawnLink(0.0, np.zeros(3), np.zeros(3), np.zeros((3, 3))) if massless else
                     _draw_link(rng, mass_decades, reach))  # fmt: skip
        axis = rng.normal(size=3)
        xyz, rpy = rng.uniform(-reach, reach, 3), rng.uniform(-np.pi, np.pi, 3)
        joints.append(DrawnJoint(kind, parent, child, xyz, rpy, axis / np.linalg.norm(axis)))
        return child

    last = 0
    for _ in range(n_joints):
        parent = int(rng.integers(len(links))) if rng.random() < branching else last
        if rng.random() < fixed:
            parent = attach(parent, "fixed")
        last = attach(parent, str(rng.choice(kinds)))
        if rng.random() < fixed:
            last = attach(last, "fixed")
    return DrawnRobot(tuple(links), tuple(joints))


def draw_pose(rng: np.random.Generator, reach: float = 1.0) -> Array:
    pose = np.eye(4)
    pose[:3, :3] = Rotation.random(rng=rng).as_matrix()
    pose[:3, 3] = rng.uniform(-reach, reach, 3)
    return pose


def draw_object(rng: np.random.Generator) -> dyn.TaskObject:
    body = _draw_link(rng, 1.0, 0.3)
    return dyn.TaskObject(mass=body.mass, inertia=body.inertia)


def draw_joint_values(rng: np.random.Generator, names: Sequence[str], size: float) -> dict[str, float]:
    return {name: float(rng.uniform(-size, size)) for name in names}


def forked(drawn: DrawnRobot) -> list[str]:
    """Two leaves of the tree whose ways to the root share a link; none if there is no such pair."""
    robot = drawn.load()
    system, leaves = dyn.single_arm(robot), set(range(len(robot.links))) - set(robot.inboard)
    ways = {robot.links[k].name: set(system.path_inward(k)) for k in leaves}
    return next(([a, b] for a, b in combinations(ways, 2) if ways[a] & ways[b]), [])


def draw_forked(rng: np.random.Generator, n_joints: int) -> dyn.Robot:
    drawn = draw_robot(rng, n_joints, branching=0.25, fixed=0.0, mass_decades=1.0)
    while not forked(drawn):
        drawn = draw_robot(rng, n_joints, branching=0.25, fixed=0.0, mass_decades=1.0)
    return drawn.load(tip=forked(drawn))


def draw_forked_group(
    rng: np.random.Generator, floating: bool | tuple[bool, ...], kinds: Sequence[str]
) -> tuple[dyn.System, dyn.State]:
    """A robot that forks, with two tips, and a chain, in motion, holding one object together."""
    robots = [draw_forked(rng, 14), draw_robot(rng, 7, fixed=0.0, mass_decades=1.0).load()]
    system = dyn.multi_arm(
        robots, [draw_pose(rng), draw_pose(rng)], draw_object(rng), gravity=(0.3, -0.2, -9.0), floating=floating
    )
    base = {"base_velocity": rng.normal(size=(system.n_bases, 6))} if system.is_floating else {}
    q, qd = rng.normal(size=(2, system.n_joints))
    state = system.state(q=q, qd=qd, object_pose=draw_pose(rng), object_velocity=rng.normal(size=6), **base)
    held = dyn.grasp(system, state, list(kinds))
    return held, dyn.project(held, state)


def with_tips(robot: dyn.Robot, links: Sequence[int], rng: np.random.Generator) -> dyn.Robot:
    """Tips away from the links' own points, one for each entry."""
    tips = (replace(robot.tips[0], name=f"t{i}", link=k, pose=draw_pose(rng)) for i, k in enumerate(links))
    return replace(robot, tips=tuple(tips))


def draw_group_of_tips(rng: np.random.Generator, floating: bool) -> tuple[dyn.System, dyn.State]:
    """A chain, then a tree that holds with two tips on one link and with one further inward, by oblique contacts."""
    chain = draw_robot(rng, 5, fixed=0.0, mass_decades=1.0)
    tree = draw_robot(rng, 8, fixed=0.0, mass_decades=1.0).load()
    robots = [chain.load(), with_tips(tree, [0, 0, 3], rng)]
    system = dyn.multi_arm(robots, [draw_pose(rng), draw_pose(rng)], draw_object(rng), GRAVITY, floating=floating)
    base = {}
    if floating:
        base = {"base_pose": np.stack([draw_pose(rng)] * 2), "base_velocity": rng.normal(size=(2, 6))}
        base["base_pose"][1] = draw_pose(rng)
    q, qd = rng.normal(size=(2, 13))
    state = system.state(q=q, qd=qd, object_pose=draw_pose(rng), object_velocity=rng.normal(size=6), **base)
    system = dyn.grasp(system, state, [rng.normal(size=(2, 6)) for _ in range(4)])
    return system, dyn.project(system, state)


def following(robot: dyn.Robot, mimics: dict[str, tuple[str, float, float]]) -> dyn.Robot:
    return replace(robot, joints=tuple(replace(one, mimic=mimics.get(one.name)) for one in robot.joints))


def with_followers(rng: np.random.Generator, robot: dyn.Robot, count: int) -> dyn.Robot:
    """Some of its joints follow any others, followers among these, in whatever place of the tree."""
    names = [str(name) for name in rng.permutation(robot.joint_names)]
    mimics = {}
    for k in range(1, count + 1):
        mimics[names[k]] = (names[int(rng.integers(k))], float(rng.normal()), float(rng.normal()))
    return following(robot, mimics)


def looped(rng: np.random.Generator, robot: dyn.Robot, q: Array, count: int) -> dyn.Robot:
    """The same with loops between any two of its links, or the world, that are closed in this posture."""
    system = dyn.single_arm(robot)
    poses = [*dyn.forward_kinematics(system, system.state(q)).pose, np.eye(4)]
    names = [link.name for link in (*robot.links, robot.root)]
    for _ in range(count):
        (a, b), kind = rng.choice(len(names), 2, replace=False), str(rng.choice(["hinge", "point", "rigid"]))
        first, turned = draw_pose(rng), np.eye(4)
        if kind != "rigid":
            turned[:3, :3] = Rotation.from_rotvec([0.0, 0.0, rng.uniform(-3.0, 3.0)]).as_matrix()
        second = np.linalg.solve(poses[b], poses[a] @ first @ turned)
        robot = with_loop(robot, (names[a], first), (names[b], second), kind)
    return robot


def draw_tied(
    rng: np.random.Generator, kind: str, loops: int = 0, losses: bool = False, joints: int = 7
) -> tuple[dyn.System, dyn.State]:
    """An arm, a flyer, or two robots that hold an object, in motion: joints follow others, and loops are closed."""
    if kind == "held":
        robots = [
            with_followers(rng, draw_forked(rng, 14), 2),
            with_followers(rng, draw_robot(rng, 7, fixed=0.0).load(), 1),
        ]
    else:
        robot = draw_robot(rng, joints, branching=0.4, mass_decades=1.0).load()
        robots = [with_followers(rng, robot, int(rng.integers(1, 4)))]
    robots = [with_losses(robot, rng) for robot in robots] if losses else robots
    if kind != "held":
        q, qd = rng.normal(size=(2, joints))
        robot = looped(rng, robots[0], q, loops)
        system = dyn.free_flyer(robot, gravity=GRAVITY) if kind == "flyer" else dyn.single_arm(robot)
        return system, dyn.project(system, system.state(q, qd))
    poses = [draw_pose(rng), draw_pose(rng)]
    q, qd = rng.normal(size=(2, 21))
    robots = [looped(rng, robots[0], q[:14], loops), robots[1]]
    system = dyn.multi_arm(robots, poses, draw_object(rng), gravity=GRAVITY, floating=(True, False))
    base, rates = {"base_velocity": rng.normal(size=(1, 6))}, {"object_velocity": rng.normal(size=6)}
    state = system.state(q=q, qd=qd, object_pose=draw_pose(rng), **rates, **base)
    system = dyn.grasp(system, state, ["point", "rigid", "soft_finger"])
    return system, dyn.project(system, state)


def with_losses(robot: dyn.Robot, rng: np.random.Generator) -> dyn.Robot:
    """Rotors and damping at every joint, and friction at two of three."""
    joints = []
    for k, joint in enumerate(robot.joints):
        rotor, damping, friction = float(rng.uniform(0.1, 2.0)), float(rng.uniform(0.1, 2.0)), rng.uniform(0.1, 3.0, 2)
        friction = friction * (k % 3 > 0)
        joints.append(replace(joint, rotor_inertia=rotor, damping=damping, friction=tuple(friction)))
    return replace(robot, joints=tuple(joints))


def _draw_link(rng: np.random.Generator, mass_decades: float, reach: float) -> DrawnLink:
    mass = float(10.0 ** rng.uniform(-mass_decades / 2, mass_decades / 2))
    # The inertia of a cloud of points with these spreads: it satisfies the triangle inequality.
    spread = rng.uniform(0.1, 0.4, 3) * reach
    turn = Rotation.random(rng=rng).as_matrix()
    covariance = mass * (turn * spread**2) @ turn.T
    inertia = np.trace(covariance) * np.eye(3) - covariance
    return DrawnLink(mass, rng.uniform(-0.5, 0.5, 3) * reach, rng.uniform(-np.pi, np.pi, 3), inertia)


def numbers(values: Array) -> str:
    return " ".join(repr(float(value)) for value in values)


def _link(name: str, link: DrawnLink) -> str:
    if link.mass == 0.0:
        return f'<link name="{name}"/>'
    entries = zip(("ixx", "ixy", "ixz", "iyy", "iyz", "izz"), link.inertia[np.triu_indices(3)], strict=True)
    moments = " ".join(f'{key}="{float(value)!r}"' for key, value in entries)
    return (
        f'<link name="{name}"><inertial><origin xyz="{numbers(link.center)}" rpy="{numbers(link.rpy)}"/>'
        f'<mass value="{link.mass!r}"/><inertia {moments}/></inertial></link>'
    )


def _joint(prefix: str, joint: DrawnJoint) -> str:
    limit = "" if joint.kind in ("fixed", "continuous") else '<limit lower="-9" upper="9" effort="1e6" velocity="1e6"/>'
    axis = "" if joint.kind == "fixed" else f'<axis xyz="{numbers(joint.axis)}"/>'
    return (
        f'<joint name="{prefix}j{joint.child}" type="{joint.kind}"><parent link="{prefix}l{joint.parent}"/>'
        f'<child link="{prefix}l{joint.child}"/><origin xyz="{numbers(joint.xyz)}" rpy="{numbers(joint.rpy)}"/>'
        f"{axis}{limit}</joint>"
    )


def legged_file(legs: int, links: int) -> str:
    """A robot description: legs of so many links each, from one base."""
    body = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"
    parts = [f"<link name='base'>{body}</link>"]
    for leg in range(legs):
        for link in range(links):
            inner = f"l{leg}_{link - 1}" if link else "base"
            parts.append(
                f"<link name='l{leg}_{link}'>{body}</link><joint name='j{leg}_{link}' type='continuous'>"
                f"<parent link='{inner}'/><child link='l{leg}_{link}'/><axis xyz='0 1 0'/><origin xyz='0 0 1'/></joint>"
            )
    return f"<robot name='r'>{''.join(parts)}</robot>"
