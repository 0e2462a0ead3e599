"""Work memory for ``forward``, the sweeps in lanes, and the full tables of stages from it."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from dynamics.compiler.arena import (
    Slot,
    aligned_zeros,
    constant,
    integer_table,
    integers,
    placed,
    slots,
    table,
    vector,
    views,
)
from dynamics.compiler.kernels import inlined
from dynamics.lanes import layout as lane
from dynamics.spatial.algebra import SYMMETRIC_INDEX
from dynamics.system import layout
from dynamics.system.system import System
from dynamics.system.tables import Tables, Work, make_work, velocity_coordinates

Array = NDArray[np.float64]
VECTOR = np.array([0, 1, 2])
SPATIAL = np.array([0, 1, 2, 4, 5, 6])
# Indices of the 21 numbers of a packed symmetric matrix among six columns of eight lanes.
PACKED = np.array([8 * j + SPATIAL[i] for i, j in (np.argwhere(n == SYMMETRIC_INDEX)[0] for n in range(21))])


class LaneWork(NamedTuple):
    """Memory for one solution in lanes, in addition to a ``Work``."""

    links: Array  # (links + 1, LINK_WIDTH), the last row is the world
    held: Array  # (links + 1, HELD_WIDTH), empty if nothing is held
    turns: Array  # (3, joints or a few more): angles, sines, cosines
    upper: Array  # (l, l or a few more): for ``lane_factor``
    grips: Array  # (contacts + 1, GRIP_WIDTH), empty unless ``only_rigid_grips``
    tip_forces: Array  # (arms, 16): phi(1, 0) x(0) of each arm's grip, or what removes its position and velocity gap
    acceleration: Array  # packed like a velocity: the result of ``lane_accelerations``
    coupling_rows: Array  # (c, joints + 3), g of each follower and loop, its gaps in position and rate, and g theta_dd
    coupling_answers: Array  # (c, velocity coordinates), p
    coupled_torque: Array  # (joints,), motor torques plus coupling torques
    loop_gaps: Array  # (2,), the largest gap of loops in position, and in rate relative to the machine's


def make_lane_work(tables: Tables) -> LaneWork:
    """Memory for the solutions of one system."""
    n_links = len(tables.tree)
    links = np.zeros((n_links + 1, lane.LINK_WIDTH))
    links[-1, [lane.ROTATION, lane.ROTATION + 5, lane.ROTATION + 10]] = 1.0
    rows = n_links + 1 if len(tables.contacts) else 0
    held = np.zeros((rows, lane.HELD_WIDTH))
    directions = int(tables.contacts[:, 1].sum())
    n_joints = int((tables.tree[:, layout.KIND] != layout.FREE).sum())
    tied = int((tables.tree[:, layout.LEADER] >= 0).sum() + (tables.loops[:, layout.TURNS] + 3).sum())
    return LaneWork(
        links=links,
        held=held,
        turns=np.zeros((3, _in_lanes(n_links))),
        upper=np.zeros((directions, _in_lanes(directions))),
        grips=np.zeros((len(tables.contacts) + 1 if only_rigid_grips(tables) else 0, lane.GRIP_WIDTH)),
        tip_forces=np.zeros((int(tables.tree[:, layout.ARM].max(initial=-1)) + 1 if rows else 0, 16)),
        acceleration=np.zeros(velocity_coordinates(tables)),
        coupling_rows=np.zeros((tied, n_joints + 3)),
        coupling_answers=np.zeros((tied, velocity_coordinates(tables))),
        coupled_torque=np.zeros(n_joints),
        loop_gaps=np.zeros(2),
    )


def only_rigid_grips(tables: Tables) -> bool:
    """Whether each contact transmits all six directions along its own axes, and no two contacts share an arm."""
    if not len(tables.contacts):
        return False
    arms = tables.tree[tables.contacts[:, layout.CONTACT_LINK], layout.ARM]
    if len(np.unique(arms)) < len(arms) or np.any(tables.contacts[:, layout.CONTACT_DIRECTIONS] != 6):
        return False
    selection = tables.contact_model[:, layout.SELECTION : layout.SELECTION + 36]
    return bool(np.all(selection == np.eye(6).ravel()))


def _in_lanes(count: int) -> int:
    """The next multiple of 8."""
    return 8 * -(-count // 8)


@inlined
def opened(arena):
    """(tables, work, lanes) of a ``Workspace``'s arena, in the order of its layout."""
    tables = Tables(
        constant(integer_table(arena, 0)), constant(table(arena, 1)), constant(vector(arena, 2)),
        constant(integer_table(arena, 3)), constant(table(arena, 4)), constant(table(arena, 5)),
        constant(integer_table(arena, 6)), constant(table(arena, 7)),
    )  # fmt: skip
    work = Work(
        table(arena, 8), table(arena, 9), table(arena, 10), table(arena, 11), table(arena, 12), table(arena, 13),
        integers(arena, 14), vector(arena, 15), table(arena, 16), table(arena, 17), table(arena, 18), table(arena, 19),
    )  # fmt: skip
    return (
        tables,
        work,
        LaneWork(
            table(arena, 20), table(arena, 21), table(arena, 22), table(arena, 23), table(arena, 24), table(arena, 25),
            vector(arena, 26), table(arena, 27), table(arena, 28), vector(arena, 29), vector(arena, 30)
        ),
    )  # fmt: skip


def blank_arena(tables: Tables) -> tuple[Array, tuple[Slot, ...]]:
    """The arena of a workspace that has solved nothing yet, and the place of each table in it.

    Args:
        tables: aligned tables.
    """
    parts = [*tables, *make_work(tables), *make_lane_work(tables)]
    blank = placed(parts)
    blank.flags.writeable = False
    return blank, slots(blank, parts)


_BLANK: WeakKeyDictionary[System, tuple[Array, tuple[Slot, ...]]] = WeakKeyDictionary()
"""The blank arena that each new workspace of a system copies."""


class Workspace:
    """A system's aligned tables and the memory for one solution, in one arena.

    Attributes:
        arena: the array passed to compiled code.
        tables, work, lanes: views of it, made on first access.
    """

    def __init__(self, system: System) -> None:
        if system not in _BLANK:
            _BLANK[system] = blank_arena(system.tables)
        blank, where = _BLANK[system]
        self.system, self.arena = system, aligned_zeros(len(blank))
        self.arena[:] = blank
        self._where = where

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy or pickle keeps only the system and the external forces, not the solution."""
        return _workspace, (self.system, self.wrench)

    @cached_property
    def _views(self) -> tuple[Tables, Work, LaneWork]:
        seen = views(self.arena, self._where)
        for given in seen[:8]:
            given.flags.writeable = False  # like the system's own: kernels are compiled for one kind of tables
        return Tables(*seen[:8]), Work(*seen[8:20]), LaneWork(*seen[20:])

    @property
    def tables(self) -> Tables:
        return self._views[0]

    @property
    def work(self) -> Work:
        return self._views[1]

    @property
    def lanes(self) -> LaneWork:
        return self._views[2]

    @property
    def wrench(self) -> Array:
        """(links + 1, 6) external [moment; force] on the links, the last row the object's."""
        wrench = self.work.wrench.copy()
        wrench[:-1] = self.lanes.links[:-1, lane.WRENCH + SPATIAL]
        return wrench

    @wrench.setter
    def wrench(self, wrench: Array) -> None:
        self.work.wrench[:] = wrench
        self.lanes.links[:-1, lane.WRENCH + SPATIAL] = wrench[:-1]


def _workspace(system: System, wrench: Array) -> Workspace:
    made = Workspace(system)
    made.wrench = wrench
    return made


def stages_in_full(tables: Tables, lanes: LaneWork, work: Work) -> None:
    """Write every quantity that the readable sweeps keep into ``work.links``.

    alpha+ = phi' alpha(k+1) is computed from what the sweeps in lanes kept.
    """
    own, links = lanes.links[:-1], work.links[:-1]
    n_links = len(links)

    def copied(to: int, source: Array, column: int, width: NDArray[np.int64]) -> Array:
        links[:, to : to + len(width)] = source[:n_links, column + width]
        return links[:, to : to + len(width)]

    copied(layout.POSITION, own, lane.POSITION, VECTOR)
    copied(layout.VELOCITY, own, lane.VELOCITY, SPATIAL)
    lever = copied(layout.LEVER, own, lane.LEVER, VECTOR)
    copied(layout.LEVER_TO_MASS, own, lane.LEVER_TO_MASS, VECTOR)
    copied(layout.BIAS_ACCELERATION, own, lane.BIAS_ACCELERATION, SPATIAL)
    copied(layout.ARTICULATED_INERTIA, own, lane.ARTICULATED_INERTIA, PACKED)
    copied(layout.PREDICTED_FORCE, own, lane.PREDICTED_FORCE, SPATIAL)
    copied(layout.KALMAN_GAIN, own, lane.KALMAN_GAIN, SPATIAL)
    links[:, layout.JOINT_AXIS : layout.JOINT_AXIS + 3] = (
        own[:, lane.JOINT_AXIS + VECTOR] + own[:, lane.JOINT_AXIS + 4 + VECTOR]
    )
    links[:, layout.JOINT_INERTIA], links[:, layout.INNOVATION] = own[:, lane.JOINT_INERTIA], own[:, lane.INNOVATION]
    links[:, layout.RESIDUAL] = own[:, lane.RESIDUAL]
    hinged = (tables.tree[:, layout.KIND] != layout.FREE)[:, None]
    sweeps = [(layout.FREE_MOTION, lanes.links, lane.ACCELERATION, lane.JOINT_ACCELERATION)]
    if len(lanes.held):
        sweeps.append((layout.FINAL_MOTION, lanes.held, lane.FINAL_ACCELERATION, lane.FINAL_JOINT_ACCELERATION))
        copied(layout.COSTATE_COVARIANCE, lanes.held, lane.COSTATE_COVARIANCE, PACKED)
        copied(layout.FORCE_CORRECTION, lanes.held, lane.FORCE_CORRECTION, SPATIAL)
        links[:, layout.MODIFIED_INNOVATION] = lanes.held[:-1, lane.MODIFIED_INNOVATION]
        links[:, layout.MODIFIED_RESIDUAL] = lanes.held[:-1, lane.MODIFIED_RESIDUAL]
    for to, source, motion, joint in sweeps:
        copied(to + layout.ACCELERATION, source, motion, SPATIAL)
        links[:, to + layout.JOINT_ACCELERATION] = source[:n_links, joint]
        inboard = source[tables.tree[:, layout.INBOARD]][:, motion + SPATIAL] * hinged
        inboard[:, 3:] -= np.cross(lever, inboard[:, :3])
        links[:, to + layout.ACCELERATION_INBOARD : to + layout.ACCELERATION_INBOARD + 6] = inboard
