"""Free-flyer dynamics from two filters that run in opposite directions; JR Section 3."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dynamics.numbers.spatial import expand_symmetric
from dynamics.recursion.dual_filter import dual_filter
from dynamics.system.layout import (
    ARTICULATED_INERTIA,
    BIAS_ACCELERATION,
    DUAL_FORCE,
    DUAL_FORCE_PREDICTED,
    DUAL_GAIN,
    DUAL_INERTIA,
    DUAL_INERTIA_PREDICTED,
    DUAL_INNOVATION,
    DUAL_JOINT_INERTIA,
    DUAL_RESIDUAL,
    PREDICTED_FORCE,
)
from dynamics.system.system import System
from dynamics.system.tables import Work

Array = NDArray[np.float64]


def dual_stages(system: System, v: Array, tau: Array, work: Work) -> dict[str, Array]:
    """The dual filter of a free flyer, and every link's acceleration from both filters together.

    alpha(k) = -[P + S]^-1 [z + z_s - P a] (3.12) and theta'' = nu_s - G_s' alpha (3.13). Each link is
    solved on its own: no link waits for another. It follows the inward filter.
    """
    links, n = work.links[:-1], system.n_joints
    dual_filter(system.tables.tree, system.tables.model, v, tau, work.links)
    p = expand_symmetric(links[:, ARTICULATED_INERTIA : ARTICULATED_INERTIA + 21])
    s = expand_symmetric(links[:, DUAL_INERTIA : DUAL_INERTIA + 21])
    z = links[:, PREDICTED_FORCE : PREDICTED_FORCE + 6]
    z_s = links[:, DUAL_FORCE : DUAL_FORCE + 6].copy()
    a = links[:, BIAS_ACCELERATION : BIAS_ACCELERATION + 6]
    g_s = links[:n, DUAL_GAIN : DUAL_GAIN + 6].copy()
    right = z + z_s - np.einsum("kij,kj->ki", p, a)
    alpha = -np.linalg.solve(p + s, right[..., None])[..., 0]  # JR (3.12)
    return {
        "dual_articulated_inertia": s,
        "dual_articulated_inertia_predicted": expand_symmetric(
            links[:, DUAL_INERTIA_PREDICTED : DUAL_INERTIA_PREDICTED + 21]
        ),
        "dual_joint_inertia": links[:n, DUAL_JOINT_INERTIA].copy(),
        "dual_kalman_gain": g_s,
        "dual_predicted_force": links[:, DUAL_FORCE_PREDICTED : DUAL_FORCE_PREDICTED + 6].copy(),
        "dual_corrected_force": z_s,
        "dual_innovation": links[:n, DUAL_INNOVATION].copy(),
        "dual_residual": links[:n, DUAL_RESIDUAL].copy(),
        "operational_space_inertia": p + s,  # JR (4.11)
        "acceleration": alpha,
        "joint_acceleration": links[:n, DUAL_RESIDUAL] - np.einsum("ki,ki->k", g_s, alpha[:n]),  # JR (3.13)
    }
