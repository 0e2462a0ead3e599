"""The arrows of a moment: forces, accelerations and velocities of links, contact forces, pushes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scenes import motion
from scenes.instants import Moments
from scenes.layers import ARROWS, CHOICES, CONTACTS, Layer, owner
from scenes.options import Look
from scenes.scales import CORRECTION, Scales
from scenes.surroundings import CORNER, OUTSHINES, weight_share

if TYPE_CHECKING:
    from dynamics.system import Contact

Array = NDArray[np.float64]
WEIGHTS = {
    "contact_force": 0.95, "predicted_contact_force": 0.75, "corrected_contact_force": 0.75, "push": 1.1,
    "predicted_force": 0.45, "predicted_moment": 0.45,
}  # fmt: skip
"""Relative thickness; 0.6 for all others. The applied force stands out where a contact's three arrows line up."""
MOST_PUSHES = 4
LONGEST_PUSH = 0.3
"""Share of the reach. Where contact forces are drawn, a longer push is cut short, and the legend says so."""
LONGEST_FORCE = 0.65
"""Share of the reach. A longer predicted force is cut short; any force that counts for the scale is shorter."""
COUNTED = 2.1
"""Weight of a push in the choice of scale where no contact has forces, so that none is cut short."""
ASIDE = 0.14
"""Sideways distance between two arrows of a contact, as a share of the applied force's thickness."""
FOLDED = 0.7
"""Cosine from which on a correction counts as folded back along the predicted force."""
NOTHING = 1e-6
"""Share of a contact's forces below which a correction is only rounding."""
CORRECTING = "corrected_contact_force"
CUT_AT = {"push": LONGEST_PUSH, "predicted_contact_force": LONGEST_FORCE, CORRECTING: LONGEST_FORCE}
"""Length at which the arrows of a layer are cut short, as a share of the reach."""
TOWARD = CORNER / np.linalg.norm(CORNER)
"""Direction from the scene to the initial camera."""


@dataclass(frozen=True, eq=False)
class LayerArrows:
    """The arrows of one layer, in that layer's unit.

    Attributes:
        start: (m, 3) world, m.
        vector: (m, 3) in the unit; NaN or zero hides an arrow.
        offset: (m, 3) in the unit: how far along the scale from ``start`` the arrow begins.
        times: factor by which it is drawn larger than the scale.
        seen: (m,) whether it is drawn; hidden arrows count for the scale too.
    """

    layer: str
    unit: str
    start: Array
    vector: Array
    offset: Array | None = None
    times: float = 1.0
    seen: NDArray[np.bool_] | None = None


def link_arrows(moments: Moments, layers: Iterable[Layer]) -> list[LayerArrows]:
    """One arrow a link at O_k for each of the layers."""
    found, look = [], moments.look
    start = moments.link_pose[:, :, :3, 3].reshape(-1, 3)
    for layer in layers:
        if layer.quantity:
            six = moments.stage_array(owner(layer, moments.solutions[0], look.stage), layer.quantity)
        else:
            six = moments.stacked(lambda solution: solution.link_velocity)
        if six is not None:
            vector = (six[..., 3:] if layer.part == "linear" else six[..., :3]).reshape(-1, 3)
            seen = look.only.get(layer.name, look.links)
            found.append(
                LayerArrows(layer.name, layer.unit("translational"), start, vector, seen=of_each(seen, len(moments)))
            )
    return found


def of_each(seen: NDArray[np.bool_] | None, moments: int) -> NDArray[np.bool_] | None:
    """Repeats the mask for each moment."""
    return None if seen is None else np.tile(seen, moments)


class ContactPoints:
    """Positions of the present contacts' tips; what a grasp fixes is computed once per grasp."""

    def __init__(self) -> None:
        self._contacts: tuple[Contact, ...] = ()
        self.tips: NDArray[np.int64] = np.empty(0, np.int64)

    def of(self, moments: Moments) -> Array:
        """(moments, contacts, 3) world, in the order of ``tips``."""
        contacts = moments.system.contacts
        if contacts is not self._contacts:
            self._contacts = contacts
            self.tips = np.array([contact.tip for contact in contacts], np.int64)
            self._link = np.array([contact.link for contact in contacts], np.int64)
            self._point = np.array([contact.tip_pose[:3, 3] for contact in contacts])
        pose = moments.link_pose[:, self._link]
        return np.einsum("tmij,mj->tmi", pose[:, :, :3, :3], self._point) + pose[:, :, :3, 3]


def contact_arrows(moments: Moments, points: ContactPoints) -> list[LayerArrows]:
    """Applied x(0), predicted x_FREE, and the correction from the head of x_FREE; R88 (9.1)."""
    forces = [solution.contact_force for solution in moments.solutions]
    if not moments.system.contacts or any(force is None for force in forces):
        return []
    at, tips = points.of(moments), len(moments.system.tips)
    applied = np.stack([force for force in forces if force is not None])[:, points.tips, 3:]
    known = moments.stage_array("contact", "predicted_contact_force")
    # Where the predicted force does not exist, neither does the correction: NaN hides both.
    predicted = np.full_like(applied, np.nan) if known is None else known[:, points.tips, 3:]

    def whole(vector: Array) -> Array:
        out = np.full((len(moments), tips, 3), np.nan)
        out[:, points.tips] = vector
        return out.reshape(-1, 3)

    start = whole(at)
    return [
        LayerArrows("contact_force", "N", start, whole(applied)),
        LayerArrows("predicted_contact_force", "N", start, whole(predicted)),
        LayerArrows("corrected_contact_force", "N", start, whole(applied - predicted), offset=whole(predicted)),
    ]


def lay_aside(groups: list[LayerArrows], scales: Scales, reach: float) -> list[LayerArrows]:
    """Separates the arrows of each contact: the three are nearly collinear, and none may hide another.

    The predicted force stands beside the applied one if that is visible. The correction starts from its head; it is
    drawn larger where it would be too short, and on the far side where it folds back along the predicted force.

    Args:
        groups: the visible groups of ``contact_arrows``.
    """
    by_name = {group.layer: group for group in groups}
    applied, correction = by_name.get("contact_force"), by_name.get(CORRECTING)
    lane = np.zeros((len(groups[0].start) if groups else 0, 3))
    if applied is not None:
        seen = np.ones(len(lane), bool) if applied.seen is None else applied.seen
        lane = np.where(seen[:, None], _beside(applied.vector, scales["N"], reach), 0.0)
    found = []
    for group in groups:
        if group is correction and group.offset is not None:
            back = -_cosine(group.vector, group.offset)
            far = np.clip(back / FOLDED, 0.0, 1.0)[:, None] ** 2 * _beside(group.offset, scales["N"], reach)
            share = share_within(group.vector, LONGEST_FORCE * reach / (scales["N"] * scales.enlarged))
            group = replace(group, start=group.start + lane + far, vector=share * group.vector, times=scales.enlarged)
        elif group is not applied:
            group = replace(group, start=group.start + lane)
        found.append(group)
    return found


def _beside(vector: Array, scale: float, reach: float) -> Array:
    """(m, 3) m: shift to the right of an arrow, as the initial camera sees it, that clears two arrows of its size."""
    across = np.cross(vector, TOWARD)
    length, size = np.linalg.norm(across, axis=1), np.linalg.norm(vector, axis=1)
    # An arrow that points at the camera has no right-hand side; the shift goes continuously to zero there.
    direction = across / np.maximum(np.maximum(length, 0.2 * size), 1e-300)[:, None]
    wide = ASIDE * WEIGHTS["contact_force"] * _thickness(scale * size, reach)
    return np.where(np.isfinite(size)[:, None], wide[:, None] * direction, 0.0)


def _cosine(one: Array, other: Array) -> Array:
    product = np.linalg.norm(one, axis=1) * np.linalg.norm(other, axis=1)
    return np.einsum("ij,ij->i", one, other) / np.where(product > 0.0, product, 1.0)


def _thickness(length: Array, reach: float) -> Array:
    """Thickness, m, of arrows of that length, m: longer ones are thicker."""
    return np.asarray(np.sqrt(np.clip(length / reach, 0.01, 1.0)) * reach)


def push_arrows(looks: Sequence[Look]) -> list[LayerArrows]:
    """External forces, the same number in each moment, each from the point where it pulls."""
    some = [push for look in looks for push in look.pushes[:MOST_PUSHES]]
    if not some:
        return []
    vector = np.array([push.force for push in some], float).reshape(-1, 3)
    start = np.array([push.point for push in some], float).reshape(-1, 3)
    return [LayerArrows("push", "N", start, vector)]


def influence_arrows(looks: Sequence[Look]) -> list[LayerArrows]:
    """Acceleration of every link's mass centre caused by one joint's torque."""
    some = [look.influence for look in looks if look.influence is not None]
    if not some:
        return []
    layer, influence = CHOICES["influence"], np.concatenate(some)
    return [LayerArrows(layer.name, layer.unit("translational"), influence[:, 0], influence[:, 1])]


def share_within(vector: Array, most: float | Array) -> Array:
    """(m, 1): factors that shorten each vector to at most ``most``."""
    length = np.linalg.norm(vector, axis=1)
    return np.asarray(np.minimum(1.0, most / np.where(length > 0.0, length, np.inf)))[:, None]


def cut_short(group: LayerArrows, scale: float, reach: float) -> LayerArrows:
    """Shortens its arrows to the longest drawn push."""
    return replace(group, vector=share_within(group.vector, LONGEST_PUSH * reach / scale) * group.vector)


def within(contact: Sequence[LayerArrows], most: float | Array) -> list[LayerArrows]:
    """The three groups of contact arrows, with all but the applied force cut to ``most``.

    Near a singularity of the arms the predicted force is unbounded, and no scale fits it: all others would vanish
    beside it. The correction starts where the predicted force is cut.
    """
    applied, predicted, correction = contact
    head = share_within(predicted.vector, most) * predicted.vector
    rest = share_within(correction.vector, most) * correction.vector
    return [applied, replace(predicted, vector=head), replace(correction, vector=rest, offset=head)]


def counting(contact: Sequence[LayerArrows], weight: float, count: int) -> list[LayerArrows]:
    """The arrows as they count for the scale: cut relative to the applied forces of their moment, or ``weight``, N."""
    lengths = np.linalg.norm(contact[0].vector, axis=1).reshape(count, -1)
    largest = np.maximum(np.nan_to_num(lengths).max(axis=1, initial=0.0), weight)
    return within(contact, OUTSHINES * np.repeat(largest, lengths.shape[1]))


def largest(groups: Iterable[LayerArrows]) -> tuple[dict[str, float], dict[str, frozenset[str]]]:
    """The longest finite arrow in each unit, and the layers that count for it."""
    longest: dict[str, float] = {}
    names: dict[str, frozenset[str]] = {}
    for group in groups:
        length = np.sqrt(np.einsum("ij,ij->i", group.vector, group.vector))
        length = float(length[np.isfinite(length)].max(initial=0.0))
        longest[group.unit] = max(longest.get(group.unit, 0.0), length)
        names[group.unit] = names.get(group.unit, frozenset()) | {group.layer}
    return longest, names


def correction_of(contact: Iterable[LayerArrows]) -> tuple[dict[str, float], dict[str, frozenset[str]]]:
    """What the correction's own scale follows: its longest arrow, unless that is only rounding beside the forces."""
    sizes = {group.layer: largest([group])[0][group.unit] for group in contact}
    own = sizes.pop(CORRECTING, 0.0)
    counts = own > NOTHING * max(sizes.values(), default=0.0)
    return {CORRECTION: own if counts else 0.0}, {CORRECTION: frozenset({CORRECTING})}


def arrow_transforms(groups: list[LayerArrows], scales: Scales, reach: float) -> list[Array]:
    """(m, 3, 4) of each group; longer arrows are thicker."""
    if not groups:
        return []
    starts, vectors, weights = [], [], []
    for group in groups:
        scale = scales[group.unit]
        starts.append(group.start if group.offset is None else group.start + scale * group.offset)
        vector = scale * group.times * group.vector
        vectors.append(vector if group.seen is None else np.where(group.seen[:, None], vector, 0.0))
        weights += [WEIGHTS.get(group.layer, 0.6)] * len(vector)
    start, vector = np.concatenate(starts), np.concatenate(vectors)
    length = np.sqrt(np.einsum("ij,ij->i", vector, vector))
    thickness = np.array(weights) * _thickness(length, reach)
    moved = motion.arrow_transforms(start, vector, thickness)
    return np.split(moved, np.cumsum([len(group.start) for group in groups])[:-1])


class Arrows:
    """All arrows of a moment in one pass."""

    def __init__(self, scales: Scales, reach: float) -> None:
        self._scales = scales
        self._reach = reach
        self._points = ContactPoints()

    def put(self, out: Array, rows: Mapping[str, NDArray[np.int64]], moments: Moments, shown: set[str]) -> None:
        """Writes the transforms of the visible layers into (moments, meshes, 3, 4)."""
        count, look = len(moments), moments.look
        groups = link_arrows(moments, [layer for layer in ARROWS if layer.name in shown])
        pushes = push_arrows(moments.looks) if "push" in shown else []
        groups += influence_arrows(moments.looks) if "influence" in shown else []
        held = any(layer.name in shown for layer in CONTACTS)
        contact = contact_arrows(moments, self._points) if held else []
        counted = counting(contact, weight_share(moments.system), count) if contact else []
        own = counted or [replace(group, vector=COUNTED * group.vector) for group in pushes]
        self._scales.follow(*largest(groups + own))  # a contact's three arrows count together, shown or not
        groups += [cut_short(group, self._scales["N"], self._reach) for group in pushes]
        if CORRECTING in shown:
            self._scales.follow(*correction_of(counted))
        contact = within(contact, LONGEST_FORCE * self._reach / self._scales["N"]) if contact else []
        seen = [
            replace(group, seen=of_each(look.only.get(group.layer), count)) for group in contact if group.layer in shown
        ]
        groups += lay_aside(seen, self._scales, self._reach)
        for group, moved in zip(groups, arrow_transforms(groups, self._scales, self._reach), strict=True):
            each = moved.reshape(count, -1, 3, 4)
            out[:, rows[group.layer][: each.shape[1]]] = each
