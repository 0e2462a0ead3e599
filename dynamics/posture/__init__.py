"""Feasible joint positions of a chain: the closure, and the rates and postures that a task requires.

It may import: ``recursion``, ``lanes``, ``operators`` and what they may import.
Start with ``closure``: the projection; ``inverse_kinematics``: postures by target.
"""

from dynamics.posture.inverse_kinematics import Placement, move_joint

__all__ = ["Placement", "move_joint"]
