"""Inertias that somebody takes along a link's axes though their file turns them: ``<inertial><origin rpy>``, a quat."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import permutations

import numpy as np

from dynamics.checks import Array
from dynamics.faults.alteration import Alteration, Draft
from dynamics.robot.model import Link

WORDS = (
    "the turn of an inertia's own axes in its link is left out (<inertial><origin rpy> of URDF, quat of MuJoCo): its "
    "principal moments are taken along the link's axes"
)
LEVEL = 1e-9
"""Of an inertia: products that are less are none, and it lies along its link's axes already."""
ORDERS = tuple(permutations(range(3)))


def along_links(links: Sequence[Link], gap: Callable[[Alteration, int], float], tolerance: float) -> Alteration | None:
    """That alteration, in the order of moments that each link's file must have; None where a link shows another fault.

    A robot no longer knows the axes that its file gave: of each link, tips first, the order is found that gives theirs.

    Args:
        links: of the machine, as it is right.
        gap: how far an altered run is from theirs at a link, where all that is outboard of it is right.
    """
    chosen: dict[int, tuple[int, ...]] = {}
    for k, link in enumerate(links):
        products = link.inertia - np.diag(np.diag(link.inertia))
        if np.abs(products).max() <= LEVEL * np.abs(link.inertia).max():
            continue
        tried = [chosen, *({**chosen, k: order} for order in ORDERS)]
        fitting = next((each for each in tried if gap(_altered(each), k) <= tolerance), None)
        if fitting is None:
            return None
        chosen = fitting
    return _altered(chosen) if chosen else None


def _altered(orders: Mapping[int, tuple[int, ...]]) -> Alteration:
    def machine(draft: Draft, k: int) -> None:
        if k in orders:
            draft.links[k] = replace(draft.links[k], inertia=_along(draft.links[k].inertia, orders[k]))

    return Alteration(WORDS, WORDS, machine=machine)


def _along(inertia: Array, order: tuple[int, ...]) -> Array:
    return np.diag(np.linalg.eigvalsh(inertia)[list(order)])
