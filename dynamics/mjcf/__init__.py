"""A robot out of a MuJoCo model (MJCF): what may be in one, compiled by MuJoCo itself, and what is read from that.

It may import: ``descriptions``, ``robot``, and beside them ``checks``, ``public`` and ``errors``.
Start with ``mjcf``: all of it in order; ``elements``: what is kept of a file; ``compiling``: MuJoCo in its own process.
"""
