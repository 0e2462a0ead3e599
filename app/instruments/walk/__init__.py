"""The instrument for walking through the computation.

It may import: ``app.controls``, ``scenes.reel`` and what they may import.
Start with ``walker``: the instrument; ``step_sheet``: one half-step; ``diagram``: the map.
"""

from app.instruments.walk.controls import walk_shortcuts
from app.instruments.walk.walker import Walker

__all__ = ["Walker", "walk_shortcuts"]
