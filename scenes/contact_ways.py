"""What a contact transmits, what it leaves free, and which of its forces no motion reveals, as signs at the contact."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
import pyvista as pv
from numpy.typing import NDArray
from scipy.linalg import qr
from scipy.spatial.distance import pdist

from scenes import motion, shapes
from scenes.arrows import ContactPoints
from scenes.glyphs import freed_slide, freed_turn, joined, torus
from scenes.instants import Moments
from scenes.options import Look


def plates() -> pv.PolyData:
    """A transmitted force: a bar along z with a plate at either end, to press and pull on."""
    half = [(0.2, 0.9), (0.2, 1.0), (0.0, 1.0)]
    lower = [(radius, -height) for radius, height in reversed(half)]
    return _bar([*lower, (0.035, -0.9), (0.035, 0.9), *half])


def wheels() -> pv.PolyData:
    """A transmitted moment: a bar along z with a wheel round either end."""
    rings = [torus(0.3, 0.05, shapes.frame_along((0, 0, 1), (0, 0, at)), sides=6, parts=32) for at in (-0.62, 0.62)]
    bar = [(0.0, -0.8), (0.02, -0.8), (0.02, 0.8), (0.0, 0.8)]
    return joined([_bar(bar), *rings])


def _bar(profile: Sequence[tuple[float, float]]) -> pv.PolyData:
    """A round bar with few sides."""
    return shapes.revolved(profile, 14)


def stacked_arrow(heads: int = 1) -> pv.PolyData:
    """An unknowable force: an arrow of unit length along z with a shaft of stacked cups; two heads for a moment."""
    end = 0.78 if heads == 1 else 0.6
    pitch, profile = end / 5, [(0.0, 0.0)]
    for cup in range(5):
        profile += [(0.045, cup * pitch), (0.014, (cup + 0.9) * pitch)]
    if heads == 2:
        profile += [(0.014, end), (shapes.HEAD, end), (0.014, 0.79)]
    last = 0.8 if heads == 2 else end
    return shapes.revolved([*profile, (0.014, last), (shapes.HEAD, last), (0.0, 1.0)], shapes.ROUND)


OF_CONTACTS: Mapping[str, Callable[[], pv.PolyData]] = MappingProxyType(
    {
        "plates": plates,
        "wheels": wheels,
        "slide": freed_slide,
        "bent": freed_turn,
        "stacked": stacked_arrow,
        "stacked, two heads": lambda: stacked_arrow(heads=2),
    }
)
"""The signs of a contact's directions, along z."""


if TYPE_CHECKING:
    import dynamics as dyn
    from dynamics.system import Contact

Array = NDArray[np.float64]
SIGN = 0.11
"""Half the length of a direction's sign, as a share of the shortest arm's reach."""
APART = 0.46
"""Upper limit of the same, as a share of the distance to the nearest contact, so that signs do not overlap."""
LONGEST = 0.3
"""Length of the longest hidden-force arrow, as a share of the same reach."""
THICK = 0.32
"""Thickness of these arrows, as a share of the same reach."""
CLEAR = 1.05
"""Distance from the contact to the tail of such an arrow, in sign lengths: transmitted directions stay visible."""
LEAST = 0.02
"""A hidden force is drawn from this share of the longest."""
SIGNS = 3
"""Largest number of directions of one kind (forces, moments, slides, turns) that a contact can have."""
MOST_HIDDEN = 6
"""Number of hidden-force directions that are drawn."""


def aligned(space: Array) -> tuple[Array, NDArray[np.int64]]:
    """Another orthonormal basis of the space, as close to the axes as possible, and the axis that each column follows.

    Args:
        space: (m, d), orthonormal columns.
    """
    count = space.shape[1]
    if not count:
        return np.empty((len(space), 0)), np.empty(0, np.int64)
    basis, _, pivots = qr(np.round(space @ space.T, 12), pivoting=True)
    axes = np.asarray(pivots[:count], np.int64)
    found = basis[:, :count] * np.sign(basis[axes, np.arange(count)])
    return np.asarray(found), axes


def hidden_forces(solution: dyn.Solution) -> Array:
    """(contacts, 6, d): forces and moments that no motion reveals, each along one axis as far as possible."""
    null = solution.indeterminate
    if null is None or not null.shape[-1]:
        return np.empty((len(solution.system.contacts), 6, 0))
    return aligned(null.reshape(-1, null.shape[-1]))[0].reshape(null.shape)


def passed_and_free(contact: Contact) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """Directions (m, 3) in the contact's frame: transmitted forces and moments; free slides and turns."""
    rows = contact.selection
    _, _, whole = np.linalg.svd(rows)
    passed, free = aligned(whole[: len(rows)].T), aligned(whole[len(rows) :].T)
    halves = [(basis[3:, axes >= 3].T, basis[:3, axes < 3].T) for basis, axes in (passed, free)]
    return halves[0], halves[1]


class ContactWays:
    """The signs of one system, at the tips that hold the object."""

    def __init__(self, reach: float) -> None:
        self._reach = reach
        self._points = ContactPoints()

    def put(self, out: Array, rows: Mapping[str, NDArray[np.int64]], solution: dyn.Solution, shown: set[str]) -> None:
        """Writes the transforms of the visible layers into (meshes, 3, 4)."""
        if not solution.system.is_held or solution.state.object_pose is None:
            return
        at, tips = self._points.of(Moments([solution], [Look()]))[0], solution.system.n_tips
        size = sign_size(self._reach, at)
        if shown & {"transmitted_directions", "free_directions"}:
            for i, contact in enumerate(solution.system.contacts):
                frame = solution.state.object_pose[:3, :3] @ contact.object_pose[:3, :3]
                kinds = zip(("transmitted_directions", "free_directions"), passed_and_free(contact), strict=True)
                for name, halves in kinds:
                    if name in shown:
                        own = rows[name].reshape(tips, 2, SIGNS)[contact.tip]
                        for places, directions in zip(own, halves, strict=True):
                            some = directions[:SIGNS]
                            out[places[: len(some)]] = _signs(at[i], some @ frame.T, size)
        if "hidden_forces" in shown:
            self._put_hidden(out, rows["hidden_forces"].reshape(tips, 2, MOST_HIDDEN), solution, at, size)

    def _put_hidden(
        self, out: Array, places: NDArray[np.int64], solution: dyn.Solution, at: Array, size: float
    ) -> None:
        hidden = hidden_forces(solution)[:, :, :MOST_HIDDEN]
        if not hidden.size:
            return
        for i, contact in enumerate(solution.system.contacts):
            for kind, half in enumerate((slice(3, 6), slice(0, 3))):
                vector = hidden[i, half].T
                lengths = np.linalg.norm(vector, axis=1)[:, None]
                vector = np.where(lengths < LEAST, 0.0, vector)
                start = at[i] + CLEAR * size * vector / np.maximum(lengths, LEAST)
                thickness = np.full(len(vector), THICK * self._reach)
                long = LONGEST * self._reach * vector
                out[places[contact.tip, kind, : len(vector)]] = motion.arrow_transforms(start, long, thickness)


def sign_size(reach: float, at: Array) -> float:
    """m, half the length of a sign.

    Args:
        reach: m, of the shortest arm.
        at: (contacts, 3) m.
    """
    gaps = pdist(at)
    gaps = gaps[gaps > SIGN * APART * reach]  # signs closer than that would be too small to be seen
    return min([SIGN * reach, *(APART * gaps).tolist()])


def _signs(place: Array, directions: Array, size: float) -> Array:
    """(m, 3, 4): a sign along each direction."""
    lengths = np.linalg.norm(directions, axis=1)[:, None]
    start = np.repeat(place[None], len(directions), axis=0)
    return motion.arrow_transforms(start, size * directions / lengths, np.full(len(directions), size))
