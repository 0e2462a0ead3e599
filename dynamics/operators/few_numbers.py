"""One step of an inertia's recursion in its fewest numbers: ten where joints are locked, 21 where they are free; R87.

The sweeps themselves are ``composite_inertia`` and the filter. R87 (33) is implemented here; the 21 numbers of (84) are
those in which the filter stores P (mass, moment and inertia in one row), and its own functions take the step.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dynamics.checks import Array
from dynamics.numbers.spatial import add21, shift_inertia, spatial_inertia
from dynamics.recursion.inward_filter import corrected, observed

NO_FORCE = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)


class Body(NamedTuple):
    """A rigid body in ten numbers: mass rho, kg; centre C from its joint, m; inertia J about the joint, kg m^2."""

    mass: float
    center: Array
    inertia: Array


def joined(outboard: Body, lever: Array, link: Body) -> Body:
    """The composite body with one more link, R87 (33) in (32): locked joints add masses, moments and inertias.

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


def propagated(body: Array, lever: Array, link: Body) -> Array:
    """R87 (84), propagation: moved by ``lever`` to the next joint, whose link adds its ten numbers; (21,).

    Args:
        body: P+ in 21 numbers, as ``expand_symmetric`` takes them: inertia 6, moment 9, mass 6.
    """
    own = spatial_inertia(tuple(link.inertia[np.triu_indices(3)]), link.mass, tuple(link.mass * link.center))
    return np.array(add21(shift_inertia(tuple(body), tuple(lever)), own))


def freed(body: Array, axis: Array, rotor: float = 0.0) -> Array:
    """R87 (84), update: the joint about ``axis`` is freed, D = h' J h; the mass is no longer a single number; (21,).

    Args:
        body: P in 21 numbers.
    """
    numbers = tuple(body)
    seen, d, _ = observed(numbers, NO_FORCE, tuple(axis), True, rotor)
    return np.array(corrected(numbers, NO_FORCE, seen, 1.0 / d, 0.0)[0])


def _spread(lever: Array) -> Array:
    return lever @ lever * np.eye(3) - np.outer(lever, lever)
