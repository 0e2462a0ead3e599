"""What a caller asks: forward dynamics, inverse dynamics, the mass matrix, by any formulation.

It may import: ``witness``, ``operators``, ``lanes``, ``recursion`` and what they may import.
Start with ``forward_dynamics``: one state, answered completely.
"""

from dynamics.methods.mass_center import MassCenter, velocity_without_momentum
from dynamics.methods.other_base import OtherBase, from_another_base

__all__ = [
    "MassCenter",
    "OtherBase",
    "from_another_base",
    "velocity_without_momentum",
]
