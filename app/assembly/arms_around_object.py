"""Arms round an object: where they stand, and the posture in which each has its hand on it."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from scipy.spatial.transform import Rotation

import dynamics as dyn
from app.assembly.build import Base, Thing
from app.assembly.chain import POINT, Chain, least_gap, segment_gap, thinned
from app.assembly.object_shape import hands, is_inside
from app.assembly.reach_posture import Reaching

Array = NDArray[np.float64]
LOW = 1e-3
"""m of a pedestal that nobody would see."""
PEDESTAL = 0.07
"""Its radius, of the reach."""
PEDESTAL_COLOR = (0.5, 0.53, 0.57, 1.0)
TOO_NEAR = 0.02
"""Of the shortest reach: parts so near each other stand in each other."""
ATTEMPTS = 6
"""Of a search for a posture."""
LOOKED_AT = 8
"""Points of each part of an arm, to see whether they are in the object."""


@dataclass(frozen=True, eq=False)
class Placed:
    """One arm.

    Attributes:
        base: (4, 4) world <- root.
        q: (joints,) tip to base, rad or m.
    """

    robot: dyn.Robot
    title: str
    base: Array
    q: Array
    reach: float

    @property
    def points(self) -> Array:
        """(many, 3) m, of its chain from the root to the tip, in the world."""
        chain = Chain.of(self.robot)
        own = chain.postures(self.q[None, list(chain.joints)]).points[0]
        return np.asarray(own @ self.base[:3, :3].T + self.base[:3, 3])


def object_height(arms: Sequence[Reaching]) -> float:
    """m, of the object's middle above the floor: as high as the highest hand; who is lower stands on a pedestal."""
    return max(float(arm.tip[2, 3]) for arm in arms)


def places_round(arms: Sequence[Reaching], thing: Thing) -> tuple[Base, ...]:
    """Where each arm stands so that its hand is on the object as it reaches out."""
    found = []
    for arm, place, away in zip(arms, *hands(thing, len(arms)), strict=True):
        yaw = float(np.arctan2(-away[1], -away[0])) - arm.azimuth
        x, y = place - (Rotation.from_euler("z", yaw).as_matrix() @ arm.tip[:3, 3])[:2]
        found.append(Base(float(x), float(y), float(np.arctan2(np.sin(yaw), np.cos(yaw)))))
    return tuple(found)


def arms_round(
    arms: Sequence[Reaching], titles: Sequence[str], thing: Thing, bases: Sequence[Base] | None
) -> list[Placed]:
    """Every arm in its place, its hand on the object.

    Args:
        bases: where they stand; None for where they reach it as they are.

    Raises:
        ModelError: for an arm that does not reach the object from there, or one in another's way.
    """
    height = object_height(arms)
    stands = places_round(arms, thing) if bases is None else bases
    places, away = hands(thing, len(arms))
    if bases is not None:
        order = _shared_out(places, bases)
        places, away = places[order], away[order]
    found = []
    for number, (arm, title, base, at, out) in enumerate(zip(arms, titles, stands, places, away, strict=True), 1):
        pose = np.eye(4)
        pose[:3, :3] = Rotation.from_euler("z", base.yaw).as_matrix()
        pose[:3, 3] = base.x, base.y, height - float(arm.tip[2, 3])
        hand = np.array([*at, height])
        q = arm.q if bases is None else _reached(arm, f"Arm {number}, {title},", pose, hand, out)
        found.append(Placed(on_pedestal(arm, float(pose[2, 3])), title, pose, q, arm.reach))
    check_room(found, thing, height)
    return found


def _shared_out(places: Array, bases: Sequence[Base]) -> NDArray[np.int64]:
    """Which place on the object is whose: the shortest ways together."""
    stands = np.array([(base.x, base.y) for base in bases])
    _, order = linear_sum_assignment(np.linalg.norm(stands[:, None] - places[None], axis=2))
    return np.asarray(order)


def on_pedestal(arm: Reaching, height: float) -> dyn.Robot:
    """The robot, its root on a cylinder that reaches so far down, m."""
    if height <= LOW:
        return arm.robot
    pose = np.eye(4)
    pose[2, 3] = -0.5 * height
    shape = dyn.Geometry("cylinder", (PEDESTAL * arm.reach, height), pose, PEDESTAL_COLOR)
    root = arm.robot.root
    return replace(arm.robot, root=replace(root, geometry=(*root.geometry, shape)))


def _reached(arm: Reaching, who: str, base: Array, hand: Array, out: Array) -> Array:
    """The joints with the hand at a place: turned as it would be towards the object, or as it must be.

    Raises:
        ModelError: where no posture within the joints' stops has it there.
    """
    system = dyn.single_arm(arm.robot, base_pose=base)
    start = system.state(q=arm.q)
    own = base[:3, :3] @ arm.tip[:3, :3]
    faces = float(np.arctan2(base[1, 0], base[0, 0])) + arm.azimuth
    straight = hand[:2] - base[:2, 3]
    for toward in (-out, straight):
        target = np.eye(4)
        target[:3, :3] = Rotation.from_euler("z", float(np.arctan2(toward[1], toward[0])) - faces).as_matrix() @ own
        target[:3, 3] = hand
        found = dyn.inverse_kinematics(system, start, 0, target, attempts=ATTEMPTS)
        if found.reached and not is_folded(arm, found.state.q):
            return found.state.q
    found = dyn.inverse_kinematics(system, start, 0, hand, attempts=ATTEMPTS)
    if not found.reached:
        stop = f", with {found.at_limit[0]} at its stop" if found.at_limit else ""
        raise dyn.ModelError(
            f"{who} does not reach the object from there: its hand stays {found.position_error:.2g} m away{stop}. "
            "Move its base nearer, or turn it."
        )
    if is_folded(arm, found.state.q):
        raise dyn.ModelError(f"{who} would fold into itself to hold the object from there. Move its base, or turn it.")
    return found.state.q


def is_folded(arm: Reaching, q: Array) -> bool:
    """Whether parts of an arm come nearer to each other than they do as it reaches out, and too near."""
    chain = Chain.of(arm.robot)
    gaps = [least_gap(chain.postures(each[None, list(chain.joints)]).points, arm.reach)[0] for each in (q, arm.q)]
    return bool(gaps[0] < min(TOO_NEAR * arm.reach, 0.9 * gaps[1]))


def check_room(arms: Sequence[Placed], thing: Thing, height: float) -> None:
    """Refuses arms that stand in each other or in the object.

    Raises:
        ModelError: naming them.
    """
    lines = [arm.points[thinned(len(arm.points))] for arm in arms]
    near = TOO_NEAR * min(arm.reach for arm in arms)
    share = np.linspace(0.0, 1.0, LOOKED_AT)[:, None, None]
    for number, (arm, line) in enumerate(zip(arms, lines, strict=True), 1):
        own = line[: _hand(line, arm.reach) + 1]
        within = (own[:-1] + share * (own[1:] - own[:-1])).reshape(-1, 3) - [0.0, 0.0, height]
        if is_inside(thing, within).any():
            raise dyn.ModelError(
                f"arm {number}, {arm.title}, would reach through the object. Move its base away, or take a smaller "
                "object."
            )
    for (one, a), (two, b) in itertools.combinations(enumerate(lines, 1), 2):
        i, j = (grid.ravel() for grid in np.meshgrid(range(len(a) - 1), range(len(b) - 1)))
        if segment_gap(a[i], a[i + 1], b[j], b[j + 1]).min() < near:
            raise dyn.ModelError(
                f"arms {one} and {two} would stand in each other. Move their bases apart, take fewer arms or a larger "
                "object."
            )


def _hand(line: Array, reach: float) -> int:
    """Where the last part of an arm begins that has a length: it touches the object."""
    sizes = np.linalg.norm(line[1:] - line[:-1], axis=1)
    return int(np.flatnonzero(sizes > POINT * reach)[-1]) if (sizes > POINT * reach).any() else 0
