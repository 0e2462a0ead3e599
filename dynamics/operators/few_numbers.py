"""One step of an inertia's recursion in its fewest numbers: ten where joints are locked, 21 where they are free; R87.

The sweeps themselves are ``composite_inertia`` and the filter; these are the forms of R87 (33) and (84).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dynamics.checks import Array


class Body(NamedTuple):
    """A rigid body in ten numbers: mass rho, kg; centre C from its joint, m; inertia J about the joint, kg m^2."""

    mass: float
    center: Array
    inertia: Array


class FreeBody(NamedTuple):
    """An articulated body in 21 numbers: P = [[J, C], [C', rho]]; mass and C are 3x3 once a joint is free."""

    mass: Array
    moment: Array
    inertia: Array


def joined(outboard: Body, lever: Array, link: Body) -> Body:
    """The composite body with one link more, R87 (33) in (32): locked joints add masses, moments and inertias.

    Args:
        outboard: the body so far, about its own joint. lever: from the link's joint to that one. link: about its joint.
    """
    mass = outboard.mass + link.mass
    moved = outboard.center + lever
    first = outboard.mass * moved + link.mass * link.center
    shifted = outboard.inertia + outboard.mass * (_spread(moved) - _spread(outboard.center))
    center = first / mass if mass else np.zeros(3)
    return Body(mass, center, shifted + link.inertia)


def body_matrix(body: Body) -> Array:
    """r = [[J, rho C~], [-rho C~, rho]], R87 (33) and, of one link, (1); (6, 6)."""
    skew = body.mass * np.cross(body.center, np.eye(3)).T
    return np.block([[body.inertia, skew], [-skew, body.mass * np.eye(3)]])


def propagated(body: FreeBody, lever: Array, link: Body) -> FreeBody:
    """R87 (84), propagation: carried by ``lever`` to the next joint, whose link adds its ten numbers."""
    skew = np.cross(lever, np.eye(3)).T
    turned = skew @ body.moment.T
    return FreeBody(
        mass=body.mass + link.mass * np.eye(3),
        moment=body.moment + skew @ body.mass + link.mass * np.cross(link.center, np.eye(3)).T,
        inertia=body.inertia + turned + turned.T + skew @ body.mass @ skew.T + link.inertia,
    )


def freed(body: FreeBody, axis: Array, rotor: float = 0.0) -> FreeBody:
    """R87 (84), update: the joint about ``axis`` let go, D = h' J h; the mass stops being one number."""
    seen, moved = body.inertia @ axis, body.moment.T @ axis
    d = axis @ seen + rotor
    return FreeBody(
        mass=body.mass - np.outer(moved, moved) / d,
        moment=body.moment - np.outer(seen, moved) / d,
        inertia=body.inertia - np.outer(seen, seen) / d,
    )


def free_body_matrix(body: FreeBody) -> Array:
    """P = [[J, C], [C', rho]], (6, 6)."""
    return np.block([[body.inertia, body.moment], [body.moment.T, body.mass]])


def _spread(lever: Array) -> Array:
    return lever @ lever * np.eye(3) - np.outer(lever, lever)
