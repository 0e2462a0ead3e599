"""*Edit*: a robot's links, joints, losses, frames and Denavit-Hartenberg table as sheets whose numbers can be typed.

It may import: ``app.controls``, ``app.views`` and what they may import.
Start with ``edit``: the instrument; ``sheets``: the content of each sheet, and the robot that a typed number gives.
"""

from .edit import Edit

__all__ = ["Edit"]
