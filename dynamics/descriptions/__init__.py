"""A robot file as parts and connections, independent of its format; and URDF, one such format.

It may import: ``robot``, and also ``checks``, ``record``, ``public`` and ``errors``.
Start with ``description``: the common form of every format; ``tree``: the robot built from it; ``urdf``: reads URDF.
"""
