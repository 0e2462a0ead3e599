"""A robot and an object as their files describe them, and whether they can exist.

It may import: ``errors``, ``checks``.
Start with ``model``: what a robot is; ``validity``: whether it can be.
"""

from dynamics.robot.denavit_hartenberg import from_denavit_hartenberg
from dynamics.robot.model import Frame, Loop

__all__ = ["Frame", "Loop", "from_denavit_hartenberg"]
