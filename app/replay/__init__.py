"""A run as one file that plays by itself, with the page's own player, plots and walk, without a server.

It may import: ``app.instruments.walk``, ``app.controls``, ``app.views`` and what they may import.
Start with ``replay``: the content of the file; its other half is ``replay.js``, which replaces the page's server.
"""

from .curves import Parcel
from .pictures import Pictures
from .replay import Replay, SaveReplay, copy_of, instants, to_html

__all__ = ["Parcel", "Pictures", "Replay", "SaveReplay", "copy_of", "instants", "to_html"]
