"""Formulations that share no recursion with the filter: Newton-Euler, Lagrange, Appel, one dense solve.

It may import: ``system``, ``numbers``.
Start with ``kkt``: the dense solve that every answer is held against.
"""
