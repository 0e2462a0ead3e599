"""What follows from one posture's operators: the mass matrix, its inverse, influence, other bases.

It may import: ``recursion``, ``lanes``, ``system`` and what they may import.
Start with ``mass_matrix_inverse``: R87's elements one by one.
"""
