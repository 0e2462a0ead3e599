"""What a caller asks: forward dynamics, inverse dynamics, the mass matrix, by any formulation.

It may import: ``witness``, ``operators``, ``lanes``, ``recursion``.
Start with ``forward_dynamics``: one state, answered completely.
"""
