"""Robots put together into a system, its state, what it holds, and the names of everything that is computed of it.

It may import: ``robot``, ``numbers``, ``compiler``. Start with ``system``: what a system is; ``assembly``: how one is made; ``registry``: every quantity in words.
"""
