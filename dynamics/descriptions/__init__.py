"""A robot's file as parts and how each is joined to another, whatever its language; and URDF, which is one.

It may import: ``robot``, and beside it ``checks``, ``record``, ``public`` and ``errors``.
Start with ``description``: what every language comes to; ``tree``: the robot out of it; ``urdf``: read from URDF.
"""
