"""Vectors, spatial algebra, rotations and small matrices as plain numbers, and the registers that hold several at once.

It may import: ``compiler``. Start with ``spatial``: the one convention of the package; ``vector`` below it.
"""
