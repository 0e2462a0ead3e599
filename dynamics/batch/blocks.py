"""Memory for blocks of eight states, [link][field][lane]; fields are ordered as the columns of one state's table."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dynamics.numbers.state_lanes import LANES
from dynamics.system.layout import BLOCK_WIDTH, KEPT_WIDTH
from dynamics.system.system import System

Array = NDArray[np.float64]


def block_of(rows: int) -> Array:
    """(rows, fields, lanes), the memory that the sweeps work in."""
    return _aligned(rows, BLOCK_WIDTH)


def kept_blocks(system: System, count: int) -> Array:
    """(count * links, fields, lanes) for the fields of ``count`` blocks that stages show."""
    return _aligned(count * system.n_links, KEPT_WIDTH)


def _aligned(rows: int, width: int) -> Array:
    """Rows of links in which the eight lanes of each field fill exactly one cache line."""
    count = rows * width * LANES
    room = np.empty(count + LANES)
    start = -(room.ctypes.data // room.itemsize) % LANES
    return room[start : start + count].reshape(rows, width, LANES)
