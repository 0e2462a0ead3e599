"""A robot from a MuJoCo model (MJCF): the supported elements, MuJoCo's own compiler, and its result as a robot.

It may import: ``descriptions``, ``robot``, and also ``checks``, ``public`` and ``errors``.
Start with ``mjcf``: all steps in order; ``elements``: what is kept of a file; ``compiling``: MuJoCo in its own process.
"""
