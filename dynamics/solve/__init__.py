"""What a caller asks of a state: forward and inverse dynamics, operators, postures, thousands of states at once.

It may import: ``witness``, ``lanes``, ``recursion`` and what they may import.
Start with ``forward_dynamics``: one state, solved completely; ``batch``: many, eight side by side in the lanes of a
register; ``mass_matrix_inverse``: R87's elements one by one; ``closure`` and ``inverse_kinematics``: feasible postures.
"""

from dynamics.solve.center_of_mass import CenterOfMass, velocity_without_momentum
from dynamics.solve.estimation import sample_estimation, smoothed_force_covariance
from dynamics.solve.influence import (
    AccelerationParts,
    ContactGain,
    Influence,
    acceleration_parts,
    contact_gain,
    contact_influence_sweep,
)
from dynamics.solve.inverse_kinematics import Placement, move_joint
from dynamics.solve.mass_matrix_inverse import acceleration_responses
from dynamics.solve.other_base import OtherBase, from_another_base
from dynamics.solve.rebase import rebase, rebase_state

__all__ = [
    "AccelerationParts",
    "CenterOfMass",
    "ContactGain",
    "Influence",
    "OtherBase",
    "Placement",
    "acceleration_parts",
    "acceleration_responses",
    "contact_gain",
    "contact_influence_sweep",
    "from_another_base",
    "move_joint",
    "rebase",
    "rebase_state",
    "sample_estimation",
    "smoothed_force_covariance",
    "velocity_without_momentum",
]
