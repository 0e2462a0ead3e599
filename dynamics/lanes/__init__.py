"""The hot path: the same sweeps with each spatial vector in one register, for solvers and integrators.

The third text of a sweep, kept only where speed needs it: each file says which row of ``python -m benchmarks`` would
not hold without it.

It may import: ``recursion`` and what it may import.
Start with ``forward``: the stages in their order; ``filter``: the first of them.
"""
