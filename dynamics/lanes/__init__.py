"""The hot path: the same sweeps with each spatial vector in one register, for solvers and integrators.

This is the third form of a sweep, kept only where speed needs it: each file names the rows of ``python -m benchmarks``
that would fail without it.

It may import: ``recursion`` and what it may import.
Start with ``forward``: the stages in order; ``filter``: the first of them.
"""
