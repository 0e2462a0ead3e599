"""Robots from Denavit-Hartenberg tables, in the standard convention of TML (1.10) and in the modified one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from dynamics.checks import Array, brief, is_among, listed, numbers, pose, real_array, text
from dynamics.errors import ModelError
from dynamics.public import public
from dynamics.robot.model import Frame, Joint, Link, Robot
from dynamics.robot.poses import without_rounding
from dynamics.robot.rigid_body import MassProperties
from dynamics.robot.validity import check_body, check_robot


@public
def from_denavit_hartenberg(
    rows: ArrayLike,
    masses: ArrayLike,
    centers: ArrayLike,
    inertias: ArrayLike,
    *,
    convention: Literal["standard", "modified"] = "standard",
    kinds: str | Sequence[str] = "revolute",
    rotor_inertia: ArrayLike | None = None,
    damping: ArrayLike | None = None,
    friction: ArrayLike | None = None,
    limits: ArrayLike | None = None,
    base: ArrayLike | None = None,
    tool: ArrayLike | None = None,
    name: str = "denavit_hartenberg",
) -> Robot:
    """A chain from its Denavit-Hartenberg table; like the tables, everything is listed from base to tip.

    ``standard``: frame i stands at the outer end of link i, T = Rz(theta) Tz(d) Tx(a) Rx(alpha); TML (1.10), (1.13).
    ``modified``: frame i stands at joint i, T = Rx(alpha) Tx(a) Rz(theta) Tz(d), a and alpha being those of row i.
    The joint's variable is added to theta, or to d where the joint is prismatic. Joint i is called ``joint_i``.

    Args:
        rows: (n, 4) of a, alpha, d, theta, in m and rad.
        masses: (n,) kg.
        centers: (n, 3), mass centre of link i in frame i, m.
        inertias: (n, 3, 3), or (n, 3) for principal moments, or (n, 6) for xx yy zz xy yz xz, about the mass
            centre in the axes of frame i, kg m^2; products are the tensor's own elements, minus sign included.
        convention: ``standard`` or ``modified``.
        kinds: ``revolute`` or ``prismatic``, one for all or one for each joint.
        rotor_inertia: (n,), seen at the joint, kg m^2 or kg.
        damping: (n,), N m s/rad or N s/m.
        friction: (n, 2), against motion in the negative and in the positive direction, N m or N.
        limits: (n, 2), lower and upper, rad or m.
        base: (4, 4), root <- frame 0, in which the first joint's axis is z where the convention is standard.
        tool: (4, 4), frame n <- tool point.
        name: of the robot.

    Returns:
        The robot, its links and joints listed tip to base, as everywhere else.

    Raises:
        ModelError: for wrong shapes, an unknown convention or kind, or impossible bodies.

    Cost: linear in the joints.
    """
    table = _table(rows, "rows")
    n = len(table) if table.ndim else 0
    if table.ndim != 2 or n == 0:
        raise ModelError(f"rows: expected a table of n rows of (a, alpha, d, theta), got shape {table.shape}.")
    table = numbers(table, (n, 4), "rows", ModelError)
    if not is_among(convention, ("standard", "modified")):
        raise ModelError(f"convention is {brief(convention)}; expected 'standard' or 'modified'.")
    sliding = [kind == "prismatic" for kind in _kinds(kinds, n)]
    bodies = _bodies(masses, centers, inertias, n)
    rotors = numbers(np.zeros(n) if rotor_inertia is None else rotor_inertia, (n,), "rotor_inertia", ModelError)
    drags = numbers(np.zeros(n) if damping is None else damping, (n,), "damping", ModelError)
    against = numbers(np.zeros((n, 2)) if friction is None else friction, (n, 2), "friction", ModelError)
    bounds = np.tile([-np.inf, np.inf], (n, 1)) if limits is None else _table(limits, "limits")
    if bounds.shape != (n, 2):
        raise ModelError(f"limits: expected shape ({n}, 2), got {bounds.shape}.")

    links, joints = [], []
    first = np.eye(4) if base is None else pose(base, "base", ModelError)
    outer = first
    for i, (origin, outer) in enumerate(joint_places(table, convention, sliding, first)):
        body = bodies[i].moved(outer)
        links.append(Link(f"link_{i + 1}", body.mass, body.center_of_mass, body.inertia))
        joints.append(
            Joint(
                name=f"joint_{i + 1}",
                kind="prismatic" if sliding[i] else "revolute",
                axis=np.array([0.0, 0.0, 1.0]),
                origin=origin,
                lower=float(bounds[i, 0]),
                upper=float(bounds[i, 1]),
                damping=float(drags[i]),
                friction=(float(against[i, 0]), float(against[i, 1])),
                rotor_inertia=float(rotors[i]),
            )
        )
    tip = Frame("tool", 0, outer if tool is None else outer @ pose(tool, "tool", ModelError))
    frames = {link.name: Frame(link.name, n - 1 - i, np.eye(4)) for i, link in enumerate(links)}
    robot = Robot(
        name=text(name, "name", ModelError),
        links=tuple(links[::-1]),
        joints=tuple(joints[::-1]),
        inboard=tuple(range(1, n + 1)),
        root=Link("base", 0.0, np.zeros(3), np.zeros((3, 3))),
        tips=(tip,),
        frames={"base": Frame("base", n, np.eye(4)), **frames, "tool": tip},
    )
    for link in robot.links:
        check_body(link, f"robot {brief(robot.name)}")
    check_robot(robot)
    return robot


def joint_places(
    rows: Array, convention: Literal["standard", "modified"], sliding: Sequence[bool], base: Array
) -> Iterator[tuple[Array, Array]]:
    """Two (4, 4) for each joint from base to tip: inboard link at its joint <- joint, and link at it <- frame i.

    Args:
        rows: (n, 4) of a, alpha, d, theta, m and rad.
        base: (4, 4), root <- frame 0.
    """
    outer = base
    for (a, alpha, d, theta), slides in zip(rows, sliding, strict=True):
        # The joint's own screw commutes with its variable; the rest of the row comes before or after it.
        along, across = _screw_z(theta, d), _screw_x(alpha, a)
        before, after = (along, across) if convention == "standard" else (across @ along, np.eye(4))
        if convention == "standard" and not slides:
            before, after = _screw_z(theta, 0.0), _screw_z(0.0, d) @ across
        yield outer @ before, after
        outer = after


def _table(value: ArrayLike, name: str) -> Array:
    return real_array(value, "numbers in rows of equal length", name, ModelError)


def _kinds(kinds: str | Sequence[str], n: int) -> Sequence[str]:
    expected = f"'revolute' or 'prismatic', one for all or {n}"
    found = (kinds,) * n if isinstance(kinds, str) else listed(kinds, "kinds", expected, ModelError)
    if len(found) != n or not all(is_among(kind, ("revolute", "prismatic")) for kind in found):
        raise ModelError(f"kinds is {brief(kinds)}; expected {expected}.")
    return found


def _bodies(masses: ArrayLike, centers: ArrayLike, inertias: ArrayLike, n: int) -> list[MassProperties]:
    m = numbers(masses, (n,), "masses", ModelError)
    c = numbers(centers, (n, 3), "centers", ModelError)
    given = _table(inertias, "inertias")
    if given.shape == (n, 3):
        tensors = given[:, :, None] * np.eye(3)
    elif given.shape == (n, 6):
        tensors = given[:, [[0, 3, 5], [3, 1, 4], [5, 4, 2]]]
    else:
        tensors = given
    tensors = numbers(tensors, (n, 3, 3), "inertias", ModelError)
    return [MassProperties(float(mass), center, tensor) for mass, center, tensor in zip(m, c, tensors, strict=True)]


def _screw_x(angle: float, distance: float) -> Array:
    """Tx(distance) Rx(angle)."""
    cosine, sine = without_rounding(np.array([np.cos(angle), np.sin(angle)]))
    return np.array([[1, 0, 0, distance], [0, cosine, -sine, 0], [0, sine, cosine, 0], [0, 0, 0, 1]], dtype=np.float64)


def _screw_z(angle: float, distance: float) -> Array:
    """Tz(distance) Rz(angle)."""
    cosine, sine = without_rounding(np.array([np.cos(angle), np.sin(angle)]))
    return np.array([[cosine, -sine, 0, 0], [sine, cosine, 0, 0], [0, 0, 1, distance], [0, 0, 0, 1]], dtype=np.float64)
