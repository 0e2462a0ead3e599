"""What is wrong with a robot's file, or likely to be, place by place, and how to fix it.

``elements`` and ``bodies`` look for faults, each kind in the file with the fixes of those before it. ``models`` reviews
a MuJoCo model as the URDF of its compiled robot.

It may import: ``sources``, ``mjcf``, ``descriptions``, ``robot``, and beside them ``checks`` and ``errors``.
Start with ``report``: what one asks; ``draft``: what a report has found.
"""

from dynamics.review.draft import Finding

__all__ = ["Finding"]
