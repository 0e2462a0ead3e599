"""Robots from files: URDF, MuJoCo's models, the packaged ones by name; and reports on what is wrong with a file.

``description`` is the common form of every format and ``tree`` the robot built from it. A MuJoCo model is compiled by
MuJoCo itself, in a process of its own, and reviewed as the URDF of its compiled robot.

It may import: ``robot``, and also ``checks``, ``record``, ``public`` and ``errors``.
Start with ``library``: a robot by its name or its path; ``urdf`` and ``mjcf``: the formats; ``review``: the reports.
"""

from dynamics.robot_files.review_draft import Finding

__all__ = ["Finding"]
