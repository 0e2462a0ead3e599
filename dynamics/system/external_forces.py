"""Pushes on links and object, as a caller names them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from dynamics.checks import Array, brief, choices, is_among, numbers
from dynamics.errors import StateError
from dynamics.system.system import System

Forces = Mapping[str, ArrayLike] | ArrayLike | None


def external_wrench(system: System, external_forces: Forces) -> Array:
    """(links + 1, 6), [moment; force] on each link at its O_k; the last row is the object's, at its mass centre.

    Args:
        external_forces: None, such an array, or ``{link name or "object": wrench}``; inertial axes.
    """
    wrench = np.zeros((system.n_links + 1, 6))
    if external_forces is None:
        return wrench
    if not isinstance(external_forces, Mapping):
        return numbers(external_forces, wrench.shape, "external_forces")
    index = {name: k for k, name in enumerate(system.link_names)}
    if system.task_object is not None:
        index["object"] = system.n_links
    for name, value in external_forces.items():
        if not is_among(name, index):
            raise StateError(f"external_forces: there is no {brief(name)}; expected one of {choices(index)}.")
        wrench[index[name]] = numbers(value, (6,), f"external_forces[{brief(name)}]")
    return wrench
