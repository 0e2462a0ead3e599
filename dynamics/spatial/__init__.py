"""Vectors, spatial algebra, rotations and small matrices as plain numbers, and registers of several.

It may import: ``compiler``.
Start with ``algebra``: the one convention of the package; ``vector`` below it.
"""
