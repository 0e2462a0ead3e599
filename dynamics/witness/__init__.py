"""Formulations that share neither recursion nor poses with the filter: Newton-Euler, Lagrange, Appel, a dense solve.

It may import: ``system``, ``spatial`` and what they may import. No import leads from it to a sweep.
Start with ``kkt``: the dense solve against which every solution is checked.
"""

from dynamics.witness.arm_group import group_inverse

__all__ = ["group_inverse"]
