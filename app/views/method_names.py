"""Plain names of the methods, and in one line what each does."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

METHODS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "filter_smoother": (
            "filter and smoother",
            "one sweep inward and one outward, the recursion that this page shows (R87)",
        ),
        "two_filter": ("two filters", "a second filter from the base outward; each link is solved by itself (JR)"),
        "mass_matrix": ("composite-body mass matrix", "sums the inertia of welded bodies, then one dense solve (R87)"),
        "newton_euler": ("Newton–Euler", "unit accelerations, one at a time, through inverse dynamics (TML)"),
        "newton_euler_modified": ("modified Newton–Euler", "the same with fewer operations, in link axes (TML)"),
        "lagrange": ("Lagrange", "derivatives of 4×4 transforms; grows with the fourth power of the joints (TML)"),
        "appel": ("Appel", "the minimum of the Gibbs–Appell function of the accelerations (Jazidie et al. 1993)"),
        "kkt": (
            "constrained system, dense (KKT)",
            "all equations of motion and of contact as one linear system, no recursion (Karush, Kuhn, Tucker)",
        ),
    }
)
QUANTITIES: Mapping[str, str] = MappingProxyType(
    {
        "joint_acceleration": "joint accelerations",
        "base_acceleration": "acceleration of the base",
        "object_acceleration": "acceleration of the object",
        "contact_force": "contact forces",
    }
)


def method_name(key: str) -> str:
    """A method in words."""
    return METHODS[key][0] if key in METHODS else key.replace("_", " ")
