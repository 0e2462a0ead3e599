"""What a caller asks: forward and inverse dynamics, the mass matrix, Jacobians, what velocity and weight ask of motors.

It may import: ``witness``, ``operators``, ``lanes``, ``recursion`` and what they may import.
Start with ``forward_dynamics``: one state, answered completely.
"""
