"""What is wrong with a robot's file, or likely to be, place by place, and how to fix it.

``structure``, ``units`` and ``bodies`` look for one kind of fault each: each sees the file with the fixes that those
before it propose. ``models`` reviews a MuJoCo model as the URDF of its compiled robot.

It may import: ``sources``, ``mjcf``, ``descriptions``, ``robot``, and beside them ``checks`` and ``errors``.
Start with ``report``: what one asks; ``draft``: what a report has found.
"""

from dynamics.review.draft import Finding

__all__ = ["Finding"]
