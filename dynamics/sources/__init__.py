"""Sources of robots: the packaged ones by name, files of any language, and chains of equal rods.

It may import: ``mjcf``, ``descriptions``, ``robot``, and beside them ``checks``, ``public`` and ``errors``.
Start with ``library``: a robot by its name or its path.
"""
