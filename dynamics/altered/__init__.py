"""The sweeps with a term altered on purpose, and the motion that follows.

It may import: ``methods``, ``motion``, ``recursion`` and what they may import.
Start with ``altered_forward_dynamics``.
"""
