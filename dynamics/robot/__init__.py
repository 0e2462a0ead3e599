"""A robot and an object: what their files describe, whether they can exist, and how they are edited.

A change is made completely or refused.

It may import: ``errors``, ``checks``, ``record``, ``public``.
Start with ``model``: what a robot is; ``validity``: whether it can be; ``edit_links``: changes of joints, links, loops.
"""

from dynamics.robot.dh_table import (
    DenavitHartenberg,
    denavit_hartenberg,
    from_denavit_hartenberg,
    with_denavit_hartenberg,
)
from dynamics.robot.edit_bodies import with_body, with_damping, with_density
from dynamics.robot.edit_links import with_joint, with_link, with_loop, without_link
from dynamics.robot.model import Frame, Loop

__all__ = [
    "DenavitHartenberg",
    "Frame",
    "Loop",
    "denavit_hartenberg",
    "from_denavit_hartenberg",
    "with_body",
    "with_damping",
    "with_denavit_hartenberg",
    "with_density",
    "with_joint",
    "with_link",
    "with_loop",
    "without_link",
]
