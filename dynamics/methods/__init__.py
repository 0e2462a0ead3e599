"""What a caller asks: forward dynamics, inverse dynamics, the mass matrix, by any formulation.

It may import: ``witness``, ``operators``, ``lanes``, ``recursion`` and what they may import.
Start with ``forward_dynamics``: one state, answered completely.
"""
