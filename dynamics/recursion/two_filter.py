"""Free-flyer dynamics from two filters that run in opposite directions; JR Section 3."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dynamics.recursion.dual_filter import combine_filters, dual_filter
from dynamics.system.columns import named
from dynamics.system.system import System
from dynamics.system.tables import Work

Array = NDArray[np.float64]


def dual_stages(system: System, work: Work) -> dict[str, Array]:
    """The dual filter of a free flyer, and every link's acceleration from both filters together.

    alpha(k) = -[P + S]^-1 [z + z_s - P a] (3.12) and theta'' = nu_s - G_s' alpha (3.13). Each link is
    solved on its own: no link waits for another. It follows the inward filter.
    """
    links, n = work.links[:-1], system.n_joints
    dual_filter(system.tables.tree, system.tables.model, work.links)
    combine_filters(system.tables.tree, work.links)

    def of_links(*names: str) -> dict[str, Array]:
        return {name: named(links, name).copy() for name in names}

    def of_joints(*names: str) -> dict[str, Array]:
        return {name: named(links[:n], name).copy() for name in names}

    inertia = of_links("dual_articulated_inertia", "dual_articulated_inertia_predicted")
    return {
        **inertia,
        **of_joints("dual_joint_inertia", "dual_kalman_gain"),
        **of_links("dual_predicted_force", "dual_corrected_force"),
        **of_joints("dual_innovation", "dual_residual"),
        "operational_space_inertia": named(links, "articulated_inertia")
        + inertia["dual_articulated_inertia"],  # JR (4.11)
        "acceleration": named(links, "two_filter.acceleration").copy(),
        "joint_acceleration": named(links[:n], "two_filter.joint_acceleration").copy(),
    }
