"""Beside what a number is only rounding: its neighbors of the same unit, and what a line has added up to it.

Of six rows or columns three are angular and three linear, and have units of their own: kg m^2, kg m and kg stand in one
inertia. A number of one unit is held to those of another by a length, and that is the shortest of the machine, so that
what is small because the machine is small is not taken for rounding.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn

Array = NDArray[np.float64]


def shortest_radius(system: dyn.System) -> float:
    """Of all bodies with mass the least distance, root mean square, of its mass from its joint or mass center, in m."""
    bodies = [(link.mass, link.inertia, link.center_of_mass) for link in system.link_models if link.mass > 0.0]
    if system.task_object is not None:
        bodies.append((system.task_object.mass, system.task_object.inertia, np.zeros(3)))
    mass, inertia, center = (np.array(each) for each in zip(*bodies, strict=True))
    squares = 0.5 * np.trace(inertia, axis1=1, axis2=2) / mass + np.sum(center**2, axis=1)
    return float(np.sqrt(squares[squares > 0.0].min(initial=1.0)))


def sizes_beside(value: Array, length: float = 0.0, parts: Array | float = 0.0) -> Array:
    """Beside which size each part of a value stands: its own, and its neighbors' brought to its unit.

    Args:
        length: by which angular and linear parts are compared, ``shortest_radius``; 0 for not at all.
        parts: ``sizes_of_parts`` of the line that has computed it.

    Returns:
        (angular and linear rows, angular and linear columns); one row, or column, where there are not six.
    """
    sizes = np.maximum(sizes_by_unit(value), parts)
    share = min(length, 1.0 / length) if length > 0.0 else 0.0  # whichever way the unit goes
    sizes = np.maximum(sizes, share * sizes[::-1])
    return np.maximum(sizes, share * sizes[:, ::-1])


def sizes_of_parts(line: dyn.LineReading) -> Array:
    """The sizes that a line's value would have if nothing in it had canceled; 0 where that is no number."""
    return _of_sum(line.terms)


def sizes_by_unit(value: Array) -> Array:
    """The largest magnitudes among rows and columns of one unit."""
    if not value.size:
        return np.zeros((1, 1))
    rows, columns = value.shape
    down, across = (2 if count % 6 == 0 else 1 for count in (rows, columns))
    sizes = np.where(np.isfinite(value), np.abs(value), 0.0)
    halves = sizes.reshape(-1, down, 3 if down == 2 else rows, columns).max(axis=(0, 2))
    return halves.reshape(down, -1, across, 3 if across == 2 else columns).max(axis=(1, 3))


def _of_sum(terms: tuple[dyn.TermValue, ...]) -> Array:
    found: Array = np.zeros((1, 1))
    for term in terms:
        found = np.maximum(found, sizes_by_unit(term.value) * max(map(_canceled, term.factors), default=1.0))
    return np.where(np.isfinite(found), found, 0.0)


def _canceled(factor: dyn.FactorValue) -> float:
    """How many times larger the parts of a bracket are than what is left of them."""
    own = float(np.abs(factor.value).max(initial=0.0))
    if not factor.inner or factor.inverse or own == 0.0:
        return 1.0
    return max(1.0, max(float(_of_sum(terms).max()) for terms in factor.inner) / own)
