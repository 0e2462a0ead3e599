"""A run as one file that plays by itself, with the page's own player, plots and walk, and nobody behind it.

It may import: what a page shows (``state``) and what shows it (``viewer``, ``views``, ``walker``, ``controls``).
Start with ``replay``; its other half is ``replay.js``, which answers where on the page the server does.
"""

from .replay import Replay, to_html
from .save_button import SaveReplay, copy_of

__all__ = ["Replay", "SaveReplay", "copy_of", "to_html"]
