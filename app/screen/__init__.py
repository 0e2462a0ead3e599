"""The page on any screen: its layout, type size and theme, and projector mode.

It may import: ``app.controls``, ``app.equations``, ``app.views`` and what they may import.
Start with ``layout``: where everything is placed, and what only the browser knows of its screen and user.
"""

from app.screen.headline import Headline
from app.screen.instruments import Instruments, Offer
from app.screen.layout import HEADER, Frame, LazyColumn, MoreButton, Projector, Screen, SheetSwitch

__all__ = [
    "HEADER",
    "Frame",
    "Headline",
    "Instruments",
    "LazyColumn",
    "MoreButton",
    "Offer",
    "Projector",
    "Screen",
    "SheetSwitch",
]
