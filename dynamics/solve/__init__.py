"""Forward and inverse dynamics, the mass matrix, Jacobians, and the torques due to velocity and weight.

It may import: ``witness``, ``operators``, ``lanes``, ``recursion`` and what they may import.
Start with ``forward_dynamics``: one state, solved completely.
"""

from dynamics.solve.center_of_mass import CenterOfMass, velocity_without_momentum
from dynamics.solve.other_base import OtherBase, from_another_base

__all__ = ["CenterOfMass", "OtherBase", "from_another_base", "velocity_without_momentum"]
