"""Thousands of states of one system, eight side by side in the lanes of a register.

It may import: ``solve``, ``recursion``, ``system``, ``numbers``.
Start with ``forward_dynamics``: the call; ``kernel``: the sweeps of ``recursion`` over blocks of eight.
"""
