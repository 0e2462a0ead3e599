"""Edits robots: joints, links, lengths, and masses from shapes; a change is made completely or refused.

It may import: ``robot``, and also ``checks``, ``record``, ``public`` and ``errors``.
Start with ``links``: changes joints, adds and removes links and loops; ``bodies``: masses; ``table``:
Denavit-Hartenberg tables.
"""

from dynamics.editing.bodies import with_body, with_damping, with_density
from dynamics.editing.links import with_joint, with_link, with_loop, without_link
from dynamics.editing.table import DenavitHartenberg, denavit_hartenberg, with_denavit_hartenberg

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
