"""The picture of a walk: the results so far, and the origin of each new one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.state import walk
from app.state.walk import CORRECTION, Place

Part = tuple[str, int]
"""A layer, and the index of the link or tip to which the mesh belongs."""
P, UPDATED, DUAL, BOTH = (
    "articulated_inertia",
    "articulated_inertia_updated",
    "dual_articulated_inertia",
    "operational_space_inertia",
)
ALPHA = ("acceleration", "angular_acceleration")
INBOARD = ("acceleration_inboard", "angular_acceleration_inboard")
"""The accelerations on the inner side of a link's joint."""
PREDICTED, CORRECTING, APPLIED = "predicted_contact_force", "corrected_contact_force", "contact_force"
OF_TIPS = (PREDICTED, CORRECTING, APPLIED)
FLYING = ("inertial_axes", "start", "mass_center", "mass_center_path", "momentum", "angular_momentum")
"""Layers that stay beside the stage that only a flying machine has."""
WALKED = (P, UPDATED, DUAL, BOTH, *ALPHA, *INBOARD, PREDICTED, CORRECTING, APPLIED, "freed", *FLYING)
"""Layers that the walk shows and hides; the others stay as the user chose them."""


@dataclass(frozen=True, eq=False)
class HalfStepPicture:
    """The picture of one half-step.

    Attributes:
        layers: the layers that it shows.
        only: mask for a layer: (links,), or (tips,) for a contact's force; layers not listed are shown whole.
        grown: each new mesh, paired with its origin.
    """

    layers: tuple[str, ...]
    only: Mapping[str, NDArray[np.bool_]]
    grown: tuple[tuple[Part, Part], ...]

    def with_own(self, chosen: Sequence[str]) -> tuple[str, ...]:
        """Its layers, and the user's layers that no step shows or hides."""
        return tuple(dict.fromkeys((*self.layers, *(name for name in chosen if name not in WALKED))))

    def links_only(self, system: dyn.System) -> dict[str, list[int]]:
        """The indices of the links in each mask: a contact's force belongs to the link at whose tip it acts."""
        tips = np.array([tip.link for tip in system.tips], int)
        links = np.arange(system.n_links)
        return {name: (tips if name in OF_TIPS else links)[whose].tolist() for name, whose in self.only.items()}


def staged(system: dyn.System, place: Place) -> HalfStepPicture:
    """The picture of a half-step of the walk.

    Inertia flows inward: each link's grows from what its outboard neighbor passed on, flat in the direction that its
    joint frees. Accelerations grow outward. At the object, predicted force and correction add up to the applied one.
    """
    places = [each for each in walk.whole_walk(system) if each.stage == place.stage]
    so_far = places[: places.index(place) + 1] if place in places else [place]
    joints = system.n_joints
    done = {each.link for each in so_far if each.half == CORRECTION or each.link >= joints}
    return STAGED[place.stage](system, place, done)


def _filter(system: dyn.System, place: Place, done: set[int]) -> HalfStepPicture:
    k, outboard = place.link, [int(j) for j in np.flatnonzero(system.inboard == place.link)]
    if place.half == CORRECTION and k < system.n_joints:
        only = {P: _links(system, {k}), UPDATED: _links(system, done)}
        return HalfStepPicture((P, UPDATED, "freed"), only, (((UPDATED, k), (P, k)),))
    only = {P: _links(system, {k}), UPDATED: _links(system, done - {k})}
    return HalfStepPicture((P, UPDATED), only, tuple(((P, k), (UPDATED, j)) for j in outboard[:1]))


def _smoother(system: dyn.System, place: Place, done: set[int]) -> HalfStepPicture:
    k, inner = place.link, int(system.inboard[place.link])
    only = dict.fromkeys(ALPHA, _links(system, done)) | dict.fromkeys(INBOARD, _links(system, {k} - roots(system)))
    pairs = zip(ALPHA, INBOARD, strict=True)
    if k not in done:  # carried across the link
        grown = tuple(((before, k), (name, inner)) for name, before in pairs if inner >= 0)
    else:
        grown = tuple(((name, k), (before, k)) for name, before in pairs if k < system.n_joints)
    return HalfStepPicture((*ALPHA, *INBOARD), only, grown)


def _contact(system: dyn.System, place: Place, done: set[int]) -> HalfStepPicture:
    first = [each for each in walk.whole_walk(system) if each.stage == "contact" and each.half != CORRECTION]
    known = {each.link for each in first[: first.index(place) + 1]} if place in first else {each.link for each in first}
    tips = {PREDICTED: _tips(system, known), CORRECTING: _tips(system, done), APPLIED: _tips(system, done)}
    own = [contact.tip for contact in system.contacts if contact.link == place.link and place.half == CORRECTION]
    grown = tuple(((APPLIED, tip), (PREDICTED, tip)) for tip in own)
    return HalfStepPicture((APPLIED, PREDICTED, CORRECTING), tips, grown)


def _carried(system: dyn.System, place: Place, done: set[int]) -> HalfStepPicture:
    return HalfStepPicture((APPLIED,), {}, ())


def _dual(system: dyn.System, place: Place, done: set[int]) -> HalfStepPicture:
    k, inner = place.link, int(system.inboard[place.link])
    both = {k} if k in done else set()
    grown: list[tuple[Part, Part]] = [((DUAL, k), (DUAL, inner))] if inner >= 0 else []
    return HalfStepPicture(
        (DUAL, BOTH, *FLYING),
        {DUAL: _links(system, done), BOTH: _links(system, both)},
        (*grown, ((BOTH, k), (DUAL, k))) if k in done else (),
    )


STAGED: Mapping[str, Callable[[dyn.System, Place, set[int]], HalfStepPicture]] = {
    "filter": _filter,
    "smoother": _smoother,
    "contact": _contact,
    "filter_correction": _carried,
    "smoother_final": _smoother,
    "dual_filter": _dual,
}


def roots(system: dyn.System) -> set[int]:
    """Bodies that no joint carries."""
    return set(range(system.n_joints, system.n_links))


def _links(system: dyn.System, links: set[int]) -> NDArray[np.bool_]:
    return np.isin(np.arange(system.n_links), list(links))


def _tips(system: dyn.System, links: set[int]) -> NDArray[np.bool_]:
    return np.array([tip.link in links for tip in system.tips], bool)
