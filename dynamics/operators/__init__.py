"""What follows from one posture's operators: the mass matrix and its inverse, influence, operational space, estimation, other bases.

It may import: ``recursion``, ``lanes``, ``system``. Start with ``mass_matrix_inverse``: R87's elements one by one.
"""
