"""Robots made otherwise: joints, links, lengths, what links weigh by their shapes; each change whole, or refused.

It may import: ``robot``, and beside it ``checks``, ``record``, ``public`` and ``errors``.
Start with ``joints``: one joint otherwise; ``links``: links and loops added, links taken away; ``table``:
Denavit-Hartenberg tables.
"""

from dynamics.editing.joints import with_joint
from dynamics.editing.links import with_link, with_loop, without_link
from dynamics.editing.solids import with_density
from dynamics.editing.table import DenavitHartenberg, denavit_hartenberg, with_denavit_hartenberg
from dynamics.robot.changes import with_body, with_damping

__all__ = [
    "DenavitHartenberg",
    "denavit_hartenberg",
    "with_body",
    "with_damping",
    "with_denavit_hartenberg",
    "with_density",
    "with_joint",
    "with_link",
    "with_loop",
    "without_link",
]
