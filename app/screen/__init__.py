"""The page on whatever screen it is on: its layout, the size of its type, its theme, and projector mode.

It may import: ``app.controls``, ``app.equations``, ``app.views`` and what they may import.
Start with ``layout``: where everything stands, and what only the browser knows of its screen and its user.
"""

from app.screen.headline import Headline
from app.screen.instruments import Instruments, Offer
from app.screen.layout import HEADER, Frame, Later, MoreButton, Projector, Screen, SheetSwitch

__all__ = [
    "HEADER",
    "Frame",
    "Headline",
    "Instruments",
    "Later",
    "MoreButton",
    "Offer",
    "Projector",
    "Screen",
    "SheetSwitch",
]
