"""How a moment is looked at: which block, which links, what is chosen, and what is drawn beside the moment itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scenes.close_up import CloseUp
from scenes.layers import Block

if TYPE_CHECKING:
    import dynamics as dyn

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Push:
    """A force (3,) N at a point (3,) m, world axes."""

    point: Array
    force: Array


@dataclass(frozen=True, eq=False)
class Shade:
    """Poses of another run's bodies at its own moment.

    Attributes:
        link_pose: (links, 4, 4) world <- link.
        object_pose: (4, 4), None without one.
        letter: distinguishes it from others; empty where it is the only one.
    """

    link_pose: Array
    object_pose: Array | None = None
    letter: str = ""


@dataclass(frozen=True, eq=False)
class Look:
    """What a picture of a moment depends on besides the moment.

    Attributes:
        block: the block shown of the ellipsoids' 6x6 matrices.
        links: (links,) whether a link's ellipsoid and arrows are drawn; None for all. Scales follow all of them.
        only: mask of single layers, (links,), or (tips,) for contact forces; takes precedence over ``links``.
        stage: the cursor's stage; a quantity that several stages compute is drawn as this one has it.
        link: the cursor's link.
        close_up: an inertia that is shown on its own.
        paths: (bodies, samples, 3) world, tips and then the object, oldest first and the present last; for trails.
        course: (samples, 3) world, past positions of the mass centre of all bodies, oldest first and the present last.
        pushes: external forces.
        influence: (links, 2, 3) world: each link's mass centre, m, and its acceleration by 1 N m, or 1 N, at one joint.
        ghosts: other runs at this moment, in the order of the scene's own ghosts.
    """

    block: Block = "translational"
    links: NDArray[np.bool_] | None = None
    only: Mapping[str, NDArray[np.bool_]] = field(default_factory=dict)
    stage: str = ""
    link: int | None = None
    close_up: CloseUp | None = None
    paths: Array | None = None
    course: Array | None = None
    pushes: tuple[Push, ...] = ()
    influence: Array | None = None
    ghosts: tuple[Shade, ...] = ()


def pushes(wrench: Array, solution: dyn.Solution) -> tuple[Push, ...]:
    """External forces (links + 1, 6), each at the point on its line of action nearest to O_k."""
    found = []
    for k in np.flatnonzero(np.linalg.norm(wrench[:, 3:], axis=1) > 0.0):
        moment, force = wrench[k, :3], wrench[k, 3:]
        body = solution.state.object_pose if k == solution.system.n_links else solution.link_pose[k]
        if body is not None:
            found.append(Push(body[:3, 3] + np.cross(force, moment) / (force @ force), force))
    return tuple(found)
