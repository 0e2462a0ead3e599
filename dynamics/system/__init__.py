"""Robots assembled into a system, its state, what it holds, and every quantity by name.

It may import: ``robot_files``, ``robot``, ``spatial``, ``compiler``, and beside them ``checks`` and ``errors``.
Start with ``system``: what a system is; ``assembly``: how one is made; ``registry``: a description of every quantity.
"""

from dynamics.system.assembly import with_object_center, with_parts
from dynamics.system.registry import Quantity
from dynamics.system.system import Contact, Tip

__all__ = ["Contact", "Quantity", "Tip", "with_object_center", "with_parts"]
