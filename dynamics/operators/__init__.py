"""What follows from one posture's operators: the mass matrix, its inverse, influence, other bases.

It may import: ``recursion``, ``lanes``, ``system`` and what they may import.
Start with ``mass_matrix_inverse``: R87's elements one by one.
"""

from dynamics.operators.estimation import sample_estimation, smoothed_force_covariance
from dynamics.operators.influence import (
    AccelerationParts,
    ContactGain,
    Influence,
    acceleration_parts,
    contact_gain,
    contact_influence_sweep,
)
from dynamics.operators.mass_matrix_inverse import acceleration_responses
from dynamics.operators.rebase import rebase, rebase_state

__all__ = [
    "AccelerationParts",
    "ContactGain",
    "Influence",
    "acceleration_parts",
    "acceleration_responses",
    "contact_gain",
    "contact_influence_sweep",
    "rebase",
    "rebase_state",
    "sample_estimation",
    "smoothed_force_covariance",
]
